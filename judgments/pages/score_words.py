"""What scores and ranks are, in words: names, what a figure means, when not to trust it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from judgments.results import SystemScores
from judgments.tables import figure

RULE_NAMES = {
    "wmt25": "WMT25: up and down from each system until the first that differs",
    "wmt17-23": "WMT17–23: one place lost for each system that wins against it",
    "wmt13-16": "WMT13–16: ranks in resampled data, the outer 5 % dropped",
}
# What it means that the ranks of several systems begin at 1.
TOP = {
    "wmt25": "no system above any of them is significantly better",
    "wmt17-23": "no system is significantly better than any of them",
    "wmt13-16": "each of them may be the first, by its ranks in resampled data",
}
TEST_NAMES = {
    "signed-rank": "one-sided signed-rank test on the segments that two systems share",
    "permutation": "one-sided paired permutation test on the segments that two systems share",
    "permutation-documents": "one-sided paired permutation test that swaps whole documents",
    "mann-whitney": "one-sided Mann–Whitney test on segment means",
    "Wald": "one-sided Wald test of the mixed model",
}
OVER_NAMES = {
    "regular": "mean and standard deviation of regular and repeated items",
    "all": "mean and standard deviation of all items, degraded copies and references too",
}
MODEL_NAMES = {
    "expected-wins": "expected wins",
    "bradley-terry": "Bradley–Terry strength",
    "davidson": "Davidson strength",
    "trueskill": "TrueSkill",
}
# Method or model → (what a score means, when not to trust it).
MEANINGS = {
    "raw": (
        "A score is the mean of what annotators gave, with the same weight for every segment.",
        "Do not trust small differences if systems were judged by different annotators: a strict "
        "one pulls down whatever they happened to judge.",
    ),
    "z": (
        "A score of 0 is the average of an annotator's ratings, and 1 is a standard deviation "
        "(n − 1) of theirs above it.",
        "Do not trust it where annotators judged few items, or different systems: z then removes "
        "real differences.",
    ),
    "center": (
        "A score says how many points above or below the annotators' own averages a system is.",
        "Do not trust it where annotators judged different systems: annotators who got better "
        "systems have a higher average, which is then subtracted.",
    ),
    "mixed": (
        "A score is what an average annotator would give the system on an average segment: strict "
        "annotators and hard segments are accounted for.",
        "It assumes that annotators differ by a constant and that errors are normal. With few "
        "annotators or segments its intervals and p-values are too optimistic.",
    ),
    "expected-wins": (
        "A score is the chance of being judged better than another system of this campaign, with "
        "the same weight for each opponent, ties left out.",
        "It says nothing about systems outside the campaign, or about how much better a system is.",
    ),
    "bradley-terry": (
        "A difference of .69 between two scores means odds of two to one that the first is judged "
        "better; a tie counts as half a win for each. The mean of all scores is 0.",
        "It assumes one strength against every opponent: it cannot represent that A beats B, B "
        "beats C and C beats A.",
    ),
    "davidson": (
        "A difference of .69 between two scores means odds of two to one that the first is judged "
        "better, if either is; ties have a probability of their own, largest between equals. The "
        "mean of all scores is 0.",
        "It assumes one strength against every opponent, and the same readiness to call a tie for "
        "all pairs.",
    ),
    "trueskill": (
        "A score is roughly wins minus losses, on a scale of its own: the mean of runs that draw "
        "comparisons one by one, with the settings of WMT13–16.",
        "It depends on how often a system was compared, and against whom; scores of two campaigns "
        "cannot be compared. The interval is that of the runs.",
    ),
}
SHARE = (
    "A score is the share of ratings that say yes, with the same weight for every segment.",
    MEANINGS["raw"][1],
)
P_VALUE = gettext_lazy(
    "p is the probability of a difference at least this large in this direction if the two systems "
    "were equally good. It is not the probability that they are, and a pair that is not "
    "significant may still differ: look at the interval."
)


def meaning(scores: SystemScores) -> str:
    """What a score means and when not to trust it."""
    return " ".join(SHARE if scores.is_share else MEANINGS[scores.method])


def note(scores: SystemScores) -> str:
    """How the table was made: interval, rule, test, what z is over, who has none."""
    lines = [f"Intervals: {scores.interval}.", f"Ranks and clusters: {_rule(scores)}."]
    if scores.method in ("z", "center"):
        lines.append(f"Per annotator: {OVER_NAMES[scores.over]}.")
    if scores.without_z and scores.method in ("z", "center"):
        who = ", ".join(alias for alias, _ in scores.without_z[:5])
        more = " and others" if len(scores.without_z) > 5 else ""
        lines.append(f"Left out for lack of z: {who}{more} ({scores.without_z[0][1]}).")
    if scores.spread:
        sds = ", ".join(f"{name} {figure(sd, 2)}" for name, sd in scores.spread)
        lines.append(f"Standard deviations: {sds}.")
    lines += [f"{line[0].upper()}{line[1:]}." for line in scores.notes]
    if scores.dimension:
        lines.append("Repeated ratings of an output are averaged first, then segments.")
    return " ".join(lines)


def _rule(scores: SystemScores) -> str:
    """The rule of the ranks with its test, or its resamples; everything that was drawn."""
    name = RULE_NAMES[scores.rule]
    if scores.rule == "wmt13-16":
        drawn = {"trueskill": "runs", "mixed": "draws of the estimates"}
        what = drawn.get(scores.method, "resamples")
        return f"{name} ({scores.resamples:,} {what}, seed {scores.seed})"
    adjusted = ", adjusted by Holm for all pairs, both ways" if scores.adjust == "holm" else ""
    return f"{name}, by {test_name(scores)}, p < .05{adjusted}"


def test_name(scores: SystemScores) -> str:
    """The test between two systems, in words, with swaps and seed if it draws any."""
    name = TEST_NAMES[scores.test]
    if not scores.test.startswith("permutation"):
        return name
    return f"{name} (10,000 swaps, seed {scores.seed})"
