"""What scores and ranks are, in words: names, what a figure means, when not to trust it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.results.scores.annotator_check import AnnotatorCheck
from judgments.results.scores.figures import SystemScores
from judgments.web import plurals as counted
from judgments.web.tables import figure

RULE_NAMES = {
    "wmt25": gettext_lazy("WMT25: up and down from each system until the first that differs"),
    "wmt26": gettext_lazy(
        "WMT26: up and down from each system until the first that differs; a cluster ends where "
        "each system above wins against each below"
    ),
    "wmt17-23": gettext_lazy("WMT17–23: one place lost for each system that wins against it"),
    # xgettext:no-python-format
    "wmt13-16": gettext_lazy("WMT13–16: ranks in resampled data, the outer 5 % dropped"),
}
# What it means that the ranks of several systems begin at 1.
TOP = {
    "wmt25": gettext_lazy("no system above any of them is significantly better"),
    "wmt26": gettext_lazy("no system above any of them is significantly better"),
    "wmt17-23": gettext_lazy("no system is significantly better than any of them"),
    "wmt13-16": gettext_lazy("each of them may be the first, by its ranks in resampled data"),
}
TEST_NAMES = {
    "signed-rank": gettext_lazy(
        "one-sided signed-rank test on the segments that two systems share"
    ),
    "permutation": gettext_lazy(
        "one-sided paired permutation test on the segments that two systems share"
    ),
    "permutation-documents": gettext_lazy(
        "one-sided paired permutation test that swaps whole documents"
    ),
    "mann-whitney": gettext_lazy("one-sided Mann–Whitney test on segment means"),
    "bootstrap": gettext_lazy(
        "one-sided bootstrap of segments, paired or unpaired, whichever separates more"
    ),
    "Wald": gettext_lazy("one-sided Wald test of the mixed model"),
}
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
    "p is the probability of a difference at least this large in this direction if the two systems "
    "were equally good. It is not the probability that they are, and a pair that is not "
    "significant may still differ: look at the interval."
)
# Of WMT26's rule with its test, from a replay; the guide says of what.
# xgettext:no-python-format
EQUAL_SYSTEMS = gettext_lazy(
    "Replayed on judgments of WMT23, this rule finds 22 to 25 % of neighbors that are equal in the "
    "mean significantly better, where 10 % are expected."
)


def meaning(scores: SystemScores) -> str:
    """What a score means and when not to trust it."""
    return " ".join(map(str, SHARE if scores.is_share else MEANINGS[scores.method]))


def note(scores: SystemScores) -> str:
    """How the table was made: interval, rule, test, what z is over, who has none."""
    lines = [
        _("Intervals: %(interval)s.") % {"interval": _(scores.interval)},
        _("Ranks and clusters: %(rule)s.") % {"rule": _rule(scores)},
    ]
    if scores.rule == "wmt26" and scores.test == "bootstrap" and scores.adjust == "none":
        lines.append(str(EQUAL_SYSTEMS))
    lines += left_out(scores)
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


def left_out(scores: SystemScores) -> list[str]:
    """Whom the rule leaves out of these scores, in sentences; none where it asks nothing."""
    check = scores.annotator_check
    if check is None or not check.n_annotators:
        return []
    known = {"fewest": counted.units(check.fewest, check.unit)}
    if not check.n_checked:
        said = _(
            "WMT26's check of annotators leaves nobody out: nobody rated two systems side by side "
            "and at least %(fewest)s."
        )
        return [said % known]
    known["threshold"] = figure(check.threshold, 2)
    known["annotators"] = counted.annotators(check.n_annotators)
    said = _(
        "WMT26's check leaves out none of %(annotators)s: nobody has a mean pairwise probability "
        "below %(threshold)s."
    )
    if check.left_out:
        known["n"] = f"{len(check.left_out):,}"
        known["who"] = ", ".join(f"{alias} ({figure(mean)})" for alias, mean in check.left_out)
        said = _(
            "Left out of these scores alone, as WMT26 did: %(n)s of %(annotators)s, for a mean "
            "pairwise probability below %(threshold)s: %(who)s."
        )
    return [said % known, *_unchecked(check, known["fewest"])]


def _unchecked(check: AnnotatorCheck, fewest: str) -> list[str]:
    """How many annotators have too little for a check, if any."""
    n = check.n_annotators - check.n_checked
    if not n:
        return []
    said = ngettext(
        "%(n)s with fewer than %(fewest)s, or without two systems side by side, was not checked.",
        "%(n)s with fewer than %(fewest)s, or without two systems side by side, were not checked.",
        n,
    )
    return [said % {"n": f"{n:,}", "fewest": fewest}]


def _rule(scores: SystemScores) -> str:
    """The rule of the ranks with its test, or its resamples; everything that was drawn."""
    name = RULE_NAMES[scores.rule]
    if scores.rule == "wmt13-16":
        known = {"rule": name, "drawn": _drawn(scores), "seed": scores.seed}
        return _("%(rule)s (%(drawn)s, seed %(seed)s)") % known
    known = {"rule": name, "test": test_name(scores)}
    if scores.adjust == "none":
        return _("%(rule)s, by %(test)s, p < .05") % known
    if scores.adjust == "bh":
        return (
            _(
                "%(rule)s, by %(test)s, p < .05, adjusted by Benjamini–Hochberg for all pairs, "
                "both ways: at most 5 %% of the separations are expected to be false, a weaker "
                "promise than Holm's"
            )
            % known
        )
    return _("%(rule)s, by %(test)s, p < .05, adjusted by Holm for all pairs, both ways") % known


def _drawn(scores: SystemScores) -> str:
    """How many resamples, or what stands for them."""
    n = scores.resamples
    if scores.method == "trueskill":
        return ngettext("%(n)s run", "%(n)s runs", n) % {"n": f"{n:,}"}
    if scores.method == "mixed":
        drawn = ngettext("%(n)s draw of the estimates", "%(n)s draws of the estimates", n)
        return drawn % {"n": f"{n:,}"}
    return counted.resamples(n)


def test_name(scores: SystemScores) -> str:
    """The test between two systems, in words, with swaps or resamples and seed if it draws any."""
    name = TEST_NAMES[scores.test]
    if scores.test == "bootstrap":
        drawn = counted.resamples(scores.resamples)
        known = {"test": name, "drawn": drawn, "seed": scores.seed}
        return _("%(test)s (%(drawn)s, seed %(seed)s)") % known
    if not scores.test.startswith("permutation"):
        return str(name)
    return _("%(test)s (10,000 swaps, seed %(seed)s)") % {"test": name, "seed": scores.seed}
