class ServerError(Exception):
    """The database cannot run; the message is one sentence for the person who started it."""
