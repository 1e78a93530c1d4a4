"""Phrase tables of test sets and of uploaded bitexts: linked in the background, stored, shown."""
