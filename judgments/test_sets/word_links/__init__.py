"""Word links found by an aligner, for campaigns that request them.

`aligner` is the interface to the program, which an app above this one provides; `sentence_pairs`
aligns the sentences of two texts, `linker` links their words, `runs` does so in the background,
`hints` finds source words without a counterpart, and `screen` prepares the data for a judging
screen.
"""
