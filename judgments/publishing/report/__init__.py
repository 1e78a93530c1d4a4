"""A campaign as a report: one list of parts, and a writer for each kind of file.

`contents` puts the parts together, mostly from the sections of the pages of results, so that every
figure is the page's; `writers` knows how each kind of file shows a block.
"""
