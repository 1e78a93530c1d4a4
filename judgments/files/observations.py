"""The cells of tables of judgments: times, marks, signs."""

import re
from datetime import UTC, datetime, timedelta

from .problem import shortened
from .table import Row

MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})?"
)
SECONDS = re.compile(r"[0-9]{9,10}(\.[0-9]{1,9})?")
FIRST_YEAR = 1900  # before the first judgment of a machine's translation, whatever the zone
MOST_SECONDS = 7 * 24 * 3600
YES = {"": False, "no": False, "yes": True}
STRENGTHS = {"": None, "1": 1, "2": 2}
SIGNS = {"1": 1, "+1": 1, "0": 0, "-1": -1}


def moment(row: Row, column: str) -> datetime | None:
    """Return an ISO 8601 date and time, UTC where it names no offset, or seconds since 1970, as
    many tools write them; None for an empty cell.

    Raises ImportProblem for another form, a day that does not exist, a year before 1900, and a time
    to come.
    """
    cell = row.get(column)
    if not cell:
        return None
    try:
        found = datetime.fromisoformat(cell) if MOMENT.fullmatch(cell) else None
        if SECONDS.fullmatch(cell):
            found = datetime.fromtimestamp(float(cell), UTC)
    except ValueError:
        found = None
    if found is None:
        reason = f"{shortened(cell)} is not a time such as 2026-03-01T14:05:00Z."
        raise row.problem(column, reason)
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    if found.year < FIRST_YEAR:
        raise row.problem(column, f"{shortened(cell)} is before {FIRST_YEAR}.")
    if found > datetime.now(UTC) + timedelta(days=1):
        raise row.problem(column, f"{shortened(cell)} is in the future.")
    return found


def milliseconds(row: Row) -> int | None:
    """Return the column `seconds`, an active time of at most a week, in milliseconds."""
    if not row.get("seconds"):
        return None
    seconds = row.decimal("seconds")
    if not 0 <= seconds <= MOST_SECONDS:
        reason = (
            f"{seconds:g} seconds is not a time for a judgment; it must be from 0 to "
            f"{MOST_SECONDS:,}."
        )
        raise row.problem("seconds", reason)
    return round(seconds * 1000)


def copied(row: Row) -> bool:
    """Return the column `copied`: yes where the output was not shown, since another one reads the
    same."""
    cell = row.get("copied")
    if cell not in YES:
        raise row.problem("copied", f"{shortened(cell)} should be yes, no or empty.")
    return YES[cell]


def sign(row: Row) -> int:
    """Return the column `preference`: 1 when a is better, −1 when b is, 0 when they are equal."""
    cell = row.text("preference")
    if cell not in SIGNS:
        reason = f"{shortened(cell)} should be 1 (a is better), 0 (equal) or -1 (b is better)."
        raise row.problem("preference", reason)
    return SIGNS[cell]


def strength(row: Row, preference: int) -> int | None:
    """Return the column `strength`: 1 slightly better, 2 clearly better; empty where it was not
    asked."""
    cell = row.get("strength").strip()
    if cell not in STRENGTHS:
        reason = f"{shortened(cell)} should be 1 (slightly better), 2 (clearly better) or empty."
        raise row.problem("strength", reason)
    found = STRENGTHS[cell]
    if found and not preference:
        raise row.problem("strength", "equal translations have no strength: leave it empty.")
    return found
