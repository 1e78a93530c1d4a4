"""Chains of hashes over a campaign's judgments, which reveal what was altered, removed or inserted.

Every task has its own chain. Storing an answer locks the task anyway, so chains make no two answers
wait for each other (docs/decisions/0020-chains-of-judgments.md).
"""
