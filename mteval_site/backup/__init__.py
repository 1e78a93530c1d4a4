"""One file that holds all of a site, and how it comes back (docs/guide/operator.md)."""


class BackupProblem(Exception):
    """A backup cannot be made, read or brought back; the message says why and what to do."""
