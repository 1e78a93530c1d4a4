"""Limits of database work, and how to distinguish its unavailability from our bugs."""

from collections.abc import Mapping

from django.db import DatabaseError, InterfaceError, OperationalError

# Classes and codes of PostgreSQL's errors (its documentation, appendix A) that pass without our
# help: connection exceptions; no memory, disk or connections left; shutdowns and recovery;
# input/output.
AWAY = ("08", "53", "57P", "58")
CANCELED = "57014"  # by statement_timeout, or manually
BUSY = ("55P03", "40001", "40P01")  # lock_timeout, serialization, deadlock: a retry may succeed


def code_of(error: BaseException) -> str:
    """Return PostgreSQL's code of an error; empty if the driver had none from the server, as for
    all connection errors."""
    return getattr(error.__cause__, "pgcode", None) or ""


def is_away(error: BaseException | None) -> bool:
    """Return whether the database cannot be reached or cannot work, perhaps temporarily."""
    if not isinstance(error, (DatabaseError, InterfaceError)):
        return False
    if code := code_of(error):
        return code.startswith(AWAY)
    # A connection that breaks during an answer is a plain DatabaseError of the driver.
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


def is_busy(error: BaseException | None) -> bool:
    """Return whether others had locked the needed rows."""
    return isinstance(error, DatabaseError) and code_of(error) in BUSY


def is_canceled(error: BaseException | None) -> bool:
    """Return whether a statement exceeded its time limit."""
    return isinstance(error, DatabaseError) and code_of(error) == CANCELED


# The server notices a client that vanished silently (its host, its cable) within 8 seconds, less
# than LOCK_TIMEOUT, and releases its locks, which others wait for: keepalives ask an idle client,
# and the last limit (milliseconds) is of an answer that the client does not confirm, which is sent
# again for 15 minutes by default. Without effect on a local socket.
KEEPALIVES = (
    "-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=2"
    " -c tcp_user_timeout=8000"
)


def serve(databases: Mapping[str, dict], role: dict | None) -> None:
    """Have this serving process connect with fewer rights than the owner of the tables.

    databases: Django's DATABASES, whose entries are changed in place, before the first connection.
    role: an entry of the same kind, of the same database; None to keep the role.
    """
    if role is None:
        return
    for database in databases.values():
        database |= {key: role[key] for key in ("USER", "PASSWORD", "HOST", "PORT")}
        database["OPTIONS"] |= role["OPTIONS"]


def limit(database: dict, timeouts: Mapping[str, int]) -> None:
    """Limit the time of statements on every new connection of this process.

    database: an entry of Django's DATABASES, changed in place, before the first connection.
    timeouts: seconds by the name of PostgreSQL's setting; 0 for none.
    """
    options = database["OPTIONS"].get("options", "")
    limits = " ".join(f"-c {name}={seconds}s" for name, seconds in timeouts.items())
    database["OPTIONS"]["options"] = (
        f"{limits} {KEEPALIVES} {options}".strip()
    )  # options in the URL win
