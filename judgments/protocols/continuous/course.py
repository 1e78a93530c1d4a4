"""The course of a rating: what was pressed at which moments of a recording, as a form sends it.

A line is a press: seconds of the recording, the step that was pressed (0: the annotator does not
follow), and, where a script knows it, the milliseconds of the browser's clock. The last line says
`end` in place of the step.

    3.2 4 1651131974998
    9.81 2 1651131981604
    20 end
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _

MOST_PRESSES = 10_000  # one a second for almost three hours
LONGEST = 6 * 3600.0  # seconds of a recording whose length is not known
LINE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?) ([0-9]|end)(?: ([0-9]{1,15}))?")
END = "end"
# By how much browsers and files disagree on the length of a recording.
LEAST_SLACK, SLACK = 2.0, 0.02


class CoursePress(NamedTuple):
    """value: from `at_ms` of the recording on; None: nothing, as of its end."""

    at_ms: int
    value: int | None
    clock_ms: int | None = None


def read_course(text: str, n_steps: int, start: float, end: float | None) -> list[CoursePress]:
    """Return start, end: of the recording, in seconds; None: not known. ValueError in words."""
    lines = text.splitlines()
    if len(lines) > MOST_PRESSES:
        raise ValueError(_("There are more than %(n)d presses.") % {"n": MOST_PRESSES})
    found: list[CoursePress] = []
    is_ended = False
    for line in lines:
        match = LINE.fullmatch(line)
        if not match or is_ended:
            raise ValueError(_("“%(line)s” is not a press.") % {"line": line[:40]})
        seconds, step, clock = match.groups()
        is_ended = step == END
        if not is_ended and int(step) > n_steps:
            raise ValueError(_("“%(line)s” is not a press.") % {"line": line})
        at_ms = round(float(seconds) * 1000)
        value = None if is_ended else int(step) or None
        press = CoursePress(at_ms, value, int(clock) if clock else None)
        if found and press.at_ms <= found[-1].at_ms:
            raise ValueError(_("The presses are not in the order of their times."))
        found.append(press)
    if all(press.value is None for press in found):
        raise ValueError(_("Press a key while the recording plays."))
    if not is_ended:
        raise ValueError(_("Play the recording to its end."))
    check_length(found, start, end)
    return found


def check_length(found: Sequence[CoursePress], start: float, end: float | None) -> None:
    """Raise ValueError for times that the recording does not have. It may be shorter than is known:
    a file can end before the length that it states, and the player has said that it is over."""
    first, last = found[0].at_ms / 1000, found[-1].at_ms / 1000
    if first < start - LEAST_SLACK:
        raise ValueError(_("A time is before the recording."))
    if end is None:
        end = start + LONGEST
    if last > end + max(LEAST_SLACK, SLACK * (end - start)):
        raise ValueError(_("A time is after the end of the recording."))


def write_course(presses: Sequence[CoursePress]) -> str:
    """Return the other way around."""
    lines = []
    for number, press in enumerate(presses, 1):
        step = END if number == len(presses) else str(press.value or 0)
        clock = "" if press.clock_ms is None else f" {press.clock_ms}"
        lines.append(f"{press.at_ms / 1000:.10g} {step}{clock}")
    return "\n".join(lines)


def by_time(presses: Sequence[CoursePress]) -> float:
    """Return the mean over the time in which something was rated: each press holds until the next
    one."""
    held = [
        (press.value, after.at_ms - press.at_ms)
        for press, after in pairwise(presses)
        if press.value is not None
    ]
    return sum(value * ms for value, ms in held) / sum(ms for _value, ms in held)


def by_press(presses: Sequence[CoursePress]) -> float:
    """Return the mean over presses; those that say that nobody follows do not count."""
    values = [press.value for press in presses if press.value is not None]
    return sum(values) / len(values)
