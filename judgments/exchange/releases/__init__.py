"""The field's own files, in and out: what other tools and shared tasks publish.

A format is a module that says how it recognizes files, reads them into the records of `records`,
and writes such records (`format.Format`); `registry` lists them. `files` opens what a person
brings, `writing` puts records into the database, all of them or none, and `from_database` reads
them from there for a format to write.
"""
