"""Chains of hashes over a campaign's judgments, which show what was altered, removed or put in.

Every task has a chain of its own. Storing an answer locks the task anyway, so that no two wait for
each other because of their chains (docs/decisions/0020-chains-of-judgments.md).
"""
