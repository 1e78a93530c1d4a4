"""The audit log: which acts are recorded, how, and how they read.

Recorded are: every request by a signed-in user that may change something (any method but GET, HEAD
and OPTIONS; of pages, API and Django's admin), downloads, and management commands. Not recorded are
judging, and what annotators do with their own account. An act and its row are one transaction, so
that no act goes unrecorded (docs/decisions/0022-the-audit-log.md).
"""
