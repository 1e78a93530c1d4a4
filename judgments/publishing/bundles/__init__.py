"""A campaign as one signed file, from which another site can recompute every figure.

`release` writes it, `verification` checks it; both make the figures in the same way, from the rows
of the file, in a transaction that is rolled back (docs/decisions/0029).
"""
