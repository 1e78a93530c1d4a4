"""What the database may take, and how its absence is told from a mistake of ours."""

from collections.abc import Mapping

from django.db import DatabaseError, InterfaceError, OperationalError

# Classes and codes of PostgreSQL's errors (its documentation, appendix A) that pass without us:
# connection exceptions; no memory, disk or connections left; shutdowns and recovery; input/output.
AWAY = ("08", "53", "57P", "58")
CANCELED = "57014"  # by statement_timeout, or by hand
BUSY = ("55P03", "40001", "40P01")  # lock_timeout, serialization, deadlock: the same again may do


def code_of(error: BaseException) -> str:
    """Return PostgreSQL's code of an error; empty where the driver had none from the server, which
    is so for whatever happens to a connection."""
    return getattr(error.__cause__, "pgcode", None) or ""


def is_away(error: BaseException | None) -> bool:
    """Return whether the database cannot be reached or cannot work, and may do so later."""
    if not isinstance(error, (DatabaseError, InterfaceError)):
        return False
    if code := code_of(error):
        return code.startswith(AWAY)
    # A connection that breaks in the middle of an answer is a plain DatabaseError of the driver.
    return isinstance(error, (OperationalError, InterfaceError)) or type(error) is DatabaseError


def is_busy(error: BaseException | None) -> bool:
    """Return whether others had locked what was needed."""
    return isinstance(error, DatabaseError) and code_of(error) in BUSY


def is_canceled(error: BaseException | None) -> bool:
    """Return whether a statement took longer than it may."""
    return isinstance(error, DatabaseError) and code_of(error) == CANCELED


# A client that has vanished without a word (its host, its cable) is noticed by the server within a
# minute, and lets go of what it had locked. Without meaning on a local socket.
KEEPALIVES = "-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"


def serve(databases: Mapping[str, dict], role: dict | None) -> None:
    """Have this process, which serves, connect with fewer rights than the owner of the tables has.

    databases: Django's DATABASES, whose entries are changed in place, before the first connection.
    role: an entry of the same kind, of the same database; None to stay who one is.
    """
    if role is None:
        return
    for database in databases.values():
        database |= {key: role[key] for key in ("USER", "PASSWORD", "HOST", "PORT")}
        database["OPTIONS"] |= role["OPTIONS"]


def limit(database: dict, timeouts: Mapping[str, int]) -> None:
    """Have every new connection of this process end what takes too long.

    database: an entry of Django's DATABASES, changed in place, before the first connection.
    timeouts: seconds by the name of PostgreSQL's setting; 0 for none.
    """
    options = database["OPTIONS"].get("options", "")
    limits = " ".join(f"-c {name}={seconds}s" for name, seconds in timeouts.items())
    database["OPTIONS"]["options"] = (
        f"{limits} {KEEPALIVES} {options}".strip()
    )  # what the address says wins
