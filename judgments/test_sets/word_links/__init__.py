"""Word links that an aligner finds, for the campaigns that ask for them.

`aligner` is the door to the program, which an app above this one brings; `pairs` makes pairs of
sentences of texts, `linker` links them, `runs` does so in the background, `hints` says which words
nothing answers to, and `screen` what a judging screen is sent of it all.
"""
