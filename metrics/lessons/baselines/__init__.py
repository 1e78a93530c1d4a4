"""Small translation systems as taught in lectures, as used by this site: word links, phrase tables,
a control system of known weakness.

NumPy and the standard library; no Django.
"""
