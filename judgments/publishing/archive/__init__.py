"""A campaign as a folder of pages that any web server can host, or a browser can open from a disk.

Its pages contain the pages of results, section by section, with every chart as a picture and every
table also as CSV. Links are relative, nothing is fetched, and nothing needs a script; the only
script sorts tables. Everything is written file by file.
"""
