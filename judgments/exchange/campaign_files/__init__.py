"""A campaign as a file: YAML or JSON that says all that a manager settles.

`loader` makes campaigns of files and files of campaigns; `registry` lists the sections of a file;
`schema` publishes what may stand in one. See docs/decisions/0027-a-campaign-is-a-file.md.
"""
