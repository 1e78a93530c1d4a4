"""A campaign as a report: one list of parts, and a writer for each kind of file.

`contents` assembles the parts, mostly from the sections of the pages of results, so that every
figure is the page's; `writers` define how each kind of file shows a block.
"""
