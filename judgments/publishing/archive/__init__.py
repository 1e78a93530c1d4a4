"""A campaign as a folder of pages that any web server can host, or a browser can open from a disk.

Its pages hold what the pages of results hold, section by section, with every chart as a picture and
every table as CSV beside. Links are relative, nothing is fetched, and nothing needs a script; the
one that there is sorts tables. Everything is written file by file.
"""
