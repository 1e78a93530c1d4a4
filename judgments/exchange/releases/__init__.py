"""Import and export of the field's own files, as other tools and shared tasks publish them.

A format is a module that recognizes files, reads them into the records of `records`, and writes
such records (`format.Format`); `registry` lists the formats. `judgments.files.uploads` opens
uploaded files, `writing` stores records in the database, all of them or none, and `from_database`
reads them from there for a format to write.
"""
