"""Every system against every other under one metric, as a matrix for pages."""

from dataclasses import dataclass
from math import isnan

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import System
from metrics.scores.comparisons import Pair, Tested
from metrics.scores.overview import names_of

TESTS = {
    "randomization": gettext_lazy("approximate randomization, two-sided"),
    "bootstrap": gettext_lazy("paired bootstrap, one-sided"),
}
ADJUSTMENTS = {"holm": "Holm", "bh": "Benjamini–Hochberg", "raw": gettext_lazy("not adjusted")}


@dataclass(frozen=True)
class Meeting:
    """The system of the row against that of the column. `difference`: row minus column.

    `verdict`: "better" or "worse" where the test tells them apart, else nothing.
    """

    difference: float
    low: float
    high: float
    p: float
    verdict: str
    n: int
    reason: str


def meeting(pair: Pair, row: int, test: str, adjust: str, alpha: float) -> Meeting:
    p = getattr(getattr(pair, test), adjust)
    is_first = pair.first == row
    sign = 1 if is_first else -1
    ends = sorted((sign * pair.low, sign * pair.high)) if not isnan(pair.low) else [pair.low] * 2
    verdict = ""
    if not isnan(p) and p < alpha:
        verdict = "better" if is_first else "worse"
    return Meeting(sign * pair.difference, ends[0], ends[1], p, verdict, pair.n, pair.reason)


def matrix(
    tested: Tested, systems: list[System], test: str = "randomization", adjust: str = "holm"
) -> list[tuple[str, list[Meeting | None]]]:
    """Return a row for each system, best first: its name and its meeting with each of them, None
    with itself."""
    names = names_of(systems)
    by_systems = {frozenset((pair.first, pair.second)): pair for pair in tested.pairs}
    order = [pk for pk in tested.system_ids if pk in names]
    rows = []
    for row in order:
        pairs = [by_systems.get(frozenset((row, other))) for other in order]
        meetings = [
            None if pair is None else meeting(pair, row, test, adjust, tested.alpha)
            for pair in pairs
        ]
        rows.append((names[row], meetings))
    return rows


def summary(tested: Tested, test: str, adjust: str) -> str:
    """Return how many pairs the test tells apart."""
    known = [getattr(getattr(pair, test), adjust) for pair in tested.pairs]
    n = sum(not isnan(p) and p < tested.alpha for p in known)
    of = len(known)
    how = _("adjustment after %(name)s") % {"name": ADJUSTMENTS[adjust]}
    if adjust == "raw":
        how = _("no adjustment")
    return ngettext(
        "%(found)s of %(n)s pair of systems differs significantly at p < %(alpha)s with %(how)s.",
        "%(found)s of %(n)s pairs of systems differ significantly at p < %(alpha)s with %(how)s.",
        of,
    ) % {"found": f"{n:,}", "n": f"{of:,}", "alpha": f"{tested.alpha:g}", "how": how}
