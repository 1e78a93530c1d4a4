"""What scores and ranks are, in words: names, what a figure means, when not to trust it."""

from __future__ import annotations

import math
from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.observations.units import MIN_DOCUMENTS
from judgments.results.scores.figures import SystemScores
from judgments.web import plurals as counted
from judgments.web.tables import figure

# Tests between two systems, as `SystemScores.test` names them.
TEST_NAMES = {
    "signed-rank": gettext_lazy("signed-rank test by segment"),
    "signed-rank-documents": gettext_lazy("signed-rank test by document"),
    "permutation": gettext_lazy("permutation test by segment"),
    "permutation-documents": gettext_lazy("permutation test by document"),
    "weighted": gettext_lazy("weighted differences, by document"),
    "Wald": gettext_lazy("Wald test of the mixed model"),
}
ADJUSTMENT_NAMES = {"holm": gettext_lazy("Holm"), "bh": gettext_lazy("Benjamini–Hochberg")}
TOP = gettext_lazy("no system is better than any of them by more than chance explains")
OVER_NAMES = {
    "regular": gettext_lazy("mean and standard deviation of regular and repeated items"),
    "all": gettext_lazy(
        "mean and standard deviation of all items, degraded copies and references too"
    ),
}
MODEL_NAMES = {
    "expected-wins": gettext_lazy("expected wins"),
    "bradley-terry": gettext_lazy("Bradley–Terry strength"),
    "davidson": gettext_lazy("Davidson strength"),
    "trueskill": gettext_lazy("TrueSkill"),
}
# Method or model → (what a score means, when not to trust it).
MEANINGS = {
    "raw": (
        gettext_lazy(
            "A score is the mean of what annotators gave, with the same weight for every segment."
        ),
        gettext_lazy(
            "Do not trust small differences if systems were judged by different "
            "annotators: a strict one pulls down whatever they happened to judge."
        ),
    ),
    "z": (
        gettext_lazy(
            "A score of 0 is the average of an annotator's ratings, and 1 is a standard "
            "deviation (n − 1) of theirs above it."
        ),
        gettext_lazy(
            "Do not trust it where annotators judged few items, or different systems: z "
            "then removes real differences."
        ),
    ),
    "center": (
        gettext_lazy(
            "A score says how many points above or below the annotators' own averages a system is."
        ),
        gettext_lazy(
            "Do not trust it where annotators judged different systems: annotators who "
            "got better systems have a higher average, which is then subtracted."
        ),
    ),
    "mixed": (
        gettext_lazy(
            "A score is what an average annotator would give the system on an average "
            "segment: strict annotators and hard segments are accounted for."
        ),
        gettext_lazy(
            "It assumes that annotators differ by a constant and that errors are normal. "
            "With few annotators or segments its intervals and p-values are too "
            "optimistic."
        ),
    ),
    "expected-wins": (
        gettext_lazy(
            "A score is the chance of being judged better than another system of this "
            "campaign, with the same weight for each opponent, ties left out."
        ),
        gettext_lazy(
            "It says nothing about systems outside the campaign, or about how much better"
            " a system is."
        ),
    ),
    "bradley-terry": (
        gettext_lazy(
            "A difference of .69 between two scores means odds of two to one that the "
            "first is judged better; a tie counts as half a win for each. The mean of all"
            " scores is 0."
        ),
        gettext_lazy(
            "It assumes one strength against every opponent: it cannot represent that A "
            "beats B, B beats C and C beats A."
        ),
    ),
    "davidson": (
        gettext_lazy(
            "A difference of .69 between two scores means odds of two to one that the "
            "first is judged better, if either is; ties have a probability of their own, "
            "largest between equals. The mean of all scores is 0."
        ),
        gettext_lazy(
            "It assumes one strength against every opponent, and the same readiness to "
            "call a tie for all pairs."
        ),
    ),
    "trueskill": (
        gettext_lazy(
            "A score is roughly wins minus losses, on a scale of its own: the mean of "
            "runs that draw comparisons one by one, with the settings of WMT13–16."
        ),
        gettext_lazy(
            "It depends on how often a system was compared, and against whom; scores of "
            "two campaigns cannot be compared. The interval is that of the runs."
        ),
    ),
}
SHARE = (
    gettext_lazy(
        "A score is the share of ratings that say yes, with the same weight for every segment."
    ),
    MEANINGS["raw"][1],
)
P_VALUE = gettext_lazy(
    "p is the probability of a difference at least this large in either direction if the two "
    "systems were equally good. It is not the probability that they are, and a pair that is not "
    "separated may still differ: look at the interval."
)


def ranks(low: float, high: float) -> str:
    """Return a range of ranks as text."""
    if math.isnan(low):
        return "–"
    return f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"


def meaning(scores: SystemScores) -> str:
    """Return what a score means and when not to trust it."""
    return " ".join(map(str, SHARE if scores.is_share else MEANINGS[scores.method]))


def note(scores: SystemScores, is_decisive: bool = True) -> str:
    """Return how the table was made: interval, ranks, what z is over, who has none."""
    lines = [_("Intervals: %(interval)s.") % {"interval": _(scores.interval)}]
    if is_decisive:
        lines.append(
            _(
                "Ranks: one place lost for each system that is better and one won for each that is "
                "worse, by %(how)s; a cluster ends where each system above is better than each "
                "below."
            )
            % {"how": decision_name(scores)}
        )
    if scores.dimension and scores.unit == "segments" and scores.method != "mixed":
        lines.append(
            _(
                "With fewer than %(fewest)s documents, or one segment each, segments are treated "
                "as independent."
            )
            % {"fewest": MIN_DOCUMENTS}
        )
    if scores.method in ("z", "center"):
        lines.append(_("Per annotator: %(over)s.") % {"over": OVER_NAMES[scores.over]})
    if scores.without_z and scores.method in ("z", "center"):
        who = ", ".join(alias for alias, why in scores.without_z[:5])
        if len(scores.without_z) > 5:
            who = _("%(names)s and others") % {"names": who}
        lines.append(
            _("Left out for lack of z: %(who)s (%(why)s).")
            % {"who": who, "why": _(scores.without_z[0][1])}
        )
    if scores.spread:
        sds = ", ".join(f"{name} {figure(sd, 2)}" for name, sd in scores.spread)
        lines.append(_("Standard deviations: %(sds)s.") % {"sds": sds})
    lines += [f"{counted.capitalized(_(line))}." for line in scores.notes]
    if scores.dimension:
        lines.append(_("Repeated ratings of an output are averaged first, then segments."))
    return " ".join(lines)


class DecisionRule(Protocol):
    """What tells how systems were decided to differ: scores, or a report of power."""

    @property
    def test(self) -> str: ...
    @property
    def adjust(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def n_systems(self) -> int: ...


def decision_name(scores: DecisionRule) -> str:
    """Return the test by which systems differ, and its adjustment, in words."""
    known = {"test": test_name(scores), "adjustment": ADJUSTMENT_NAMES.get(scores.adjust, "")}
    known["pairs"] = counted.pairs(scores.n_systems * (scores.n_systems - 1) // 2)
    if scores.adjust == "bh":
        # xgettext:no-python-format
        said = _(
            "%(test)s, two-sided, %(adjustment)s over %(pairs)s: of the separations 5 %% are "
            "expected to be false"
        )
        return said % known
    return _("%(test)s, two-sided, %(adjustment)s over %(pairs)s, α = .05") % known


def test_name(scores: DecisionRule) -> str:
    """Return the test between two systems, in words, with swaps and seed if it draws any."""
    name = str(TEST_NAMES.get(scores.test, ""))
    if not scores.test.startswith("permutation"):
        return name
    return _("%(test)s (10,000 swaps, seed %(seed)s)") % {"test": name, "seed": scores.seed}
