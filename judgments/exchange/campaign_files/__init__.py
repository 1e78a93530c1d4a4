"""A campaign as a file: YAML or JSON with everything that a manager sets.

`loader` makes campaigns from files and files from campaigns; `registry` lists the sections of a
file; `schema` publishes its JSON Schema. See docs/decisions/0027-a-campaign-is-a-file.md.
"""
