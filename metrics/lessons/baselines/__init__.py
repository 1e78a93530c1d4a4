"""Small translation systems of the kind that lectures teach, for what this site does with them:
word links, phrase tables, a control system of known weakness.

NumPy and the standard library; no Django.
"""
