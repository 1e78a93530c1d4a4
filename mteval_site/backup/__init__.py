"""A whole site in one file, and how to restore it (docs/guide/operator.md)."""


class BackupProblem(Exception):
    """A backup cannot be made, read or restored; the message says why and what to do."""
