class ServerError(Exception):
    """The database cannot run; the message is one sentence for the person who started it."""


class StartProblem(Exception):
    """The site cannot start or go on; the message says why and what to do."""
