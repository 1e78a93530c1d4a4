"""What a page says about agreement: the finding, whether to trust it, what each figure means."""

from __future__ import annotations

import math

from judgments.results import AgreementReport
from judgments.tables import figure, interval

FEW_ITEMS = 30
ADVERBS = {
    "poor": "less than by chance",
    "slight": "slightly",
    "fair": "fairly",
    "moderate": "moderately",
    "substantial": "substantially",
    "almost perfect": "almost perfectly",
}
# What each coefficient means, and when not to trust it; by the slug of the coefficient.
MEANINGS = {
    "alpha": (
        "How much less two ratings of the same output differ than any two ratings; missing ratings "
        "do no harm. It falls when nearly all outputs get the same value, however well people "
        "agree."
    ),
    "alpha-nominal": (
        "Alpha for values that are only equal or different. It gives no credit for a near miss."
    ),
    "alpha-ordinal": ("Alpha for ordered values, for scales whose steps may differ in size."),
    "alpha-interval": (
        "Alpha for squared differences. It treats the steps of the scale as equal, and a few "
        "far-off ratings weigh heavily."
    ),
    "alpha-ratio": (
        "Alpha of differences relative to the size of the values. It needs a true zero, which "
        "quality scales rarely have."
    ),
    "uniform": (
        "Agreement beyond that of people who choose among the answers at random, as in WMT07. Too "
        "high if some answers are hardly ever given."
    ),
    "cohen": (
        "Agreement beyond what the habits of the two annotators would give by chance. It falls "
        "when one answer is frequent: read p(A) and the table of answers beside it."
    ),
    "cohen-linear": (
        "Cohen's kappa with proportional credit for near misses. Do not compare it between scales "
        "of different lengths."
    ),
    "cohen-quadratic": (
        "Cohen's kappa in which far-off answers weigh most. It grows with the length of the scale."
    ),
    "scott": (
        "As Cohen's kappa, but with the habits of the two pooled: a stricter annotator counts as "
        "disagreement. It falls when one answer is frequent."
    ),
    "fleiss": (
        "Scott's pi for any number of annotators, the same for every output. It is undefined if "
        "outputs differ in their number of ratings; use alpha then."
    ),
    "pearson": (
        "Whether two annotators see the same differences, whatever their strictness. A few extreme "
        "outputs can dominate it."
    ),
    "kendall-c": (
        "Pairs of outputs that two annotators put in the same order, minus those they put in "
        "opposite order. Ties draw it towards 0."
    ),
    "icc-1-1": (
        "The share of a single rating's variance that comes from the outputs; all differences "
        "between annotators are noise. It depends on how different the outputs are, so do not "
        "compare test sets."
    ),
    "icc-2-1": (
        "As ICC(1,1), for annotators who all rated the same outputs, as a sample of all "
        "annotators. It depends on how different the outputs are."
    ),
    "icc-3-1": (
        "As ICC(2,1), ignoring differences in strictness. It says nothing about other annotators."
    ),
    "icc-1-k": (
        "ICC(1,1) of the mean of the annotators. It says how reliable such means are, not how "
        "far single people agree."
    ),
    "icc-2-k": (
        "ICC(2,1) of the mean of the annotators. It says how reliable such means are, not how "
        "far single people agree."
    ),
    "icc-3-k": (
        "ICC(3,1) of the mean of these annotators, also known as Cronbach's alpha. It is high "
        "for many annotators even if they agree little."
    ),
    "pairwise": (
        "Agreement of different people on which output is better, whatever order they saw the two "
        "in, beyond chance as given by the share of ties. It falls when ties are frequent or rare."
    ),
    "pairwise-presented": (
        "What the WMT16 script prints: it compares only judgments with the same order on the "
        "screen, and counts an annotator's repeats as two people. For comparison with the papers."
    ),
    "pairwise-own": (
        "Agreement of annotators with their own earlier judgments. Agreement between people is "
        "rarely higher; repeats that come too soon inflate it."
    ),
    "pairwise-own-presented": (
        "The same as the organizers of WMT16 published it: only repeats with the same order on the "
        "screen are compared. For comparison with the papers."
    ),
}


def lead(report: AgreementReport) -> str:
    """The finding in one sentence."""
    found = report.headline.result
    if math.isnan(found.estimate):
        return f"Agreement cannot be computed: {found.reason}."
    name = "alpha" if report.headline.slug == "alpha" else "kappa"
    how = ADVERBS[found.gloss]
    bounds = interval(found.low, found.high, 2)
    value = f"{name} {figure(found.estimate, 2)}" + (f" {bounds}" if bounds else "")
    judged = f"{found.n_items:,} {items(report)} judged by at least two"
    return f"Annotators agree {how}: {value}, {judged} of {report.n_annotators:,} annotators."


def items(report: AgreementReport) -> str:
    """What n_items counts."""
    return "outputs" if report.dimension else "segments"


def trust(report: AgreementReport) -> str:
    """When to rely on the figure, and when not."""
    found = report.headline.result
    if math.isnan(found.estimate):
        return "Agreement needs outputs that two people judge, so plan an overlap of two."
    if found.n_items < FEW_ITEMS:
        few = f"Only {found.n_items} {items(report)} were judged by two: "
        return few + "take this as a first impression; the interval shows how rough it is."
    if found.high - found.low > 0.2:
        return "The interval is wide: more outputs judged by two people would narrow it."
    given = report.confusion.sum(axis=1)
    common = given.max() / given.sum() if given.sum() else 0
    if common > 0.75:
        return (
            f"One value makes up {common:.0%} of the judgments, and chance-corrected figures fall "
            "when one value is frequent: read p(A) beside them."
        )
    if found.estimate < 0.2:
        return (
            "A single judgment says little here: rely on averages over many, and see whether "
            "annotators agree with themselves."
        )
    return (
        "Enough outputs were judged twice to rely on this figure; it says how similarly people "
        "judge, not who is right."
    )


def meanings(report: AgreementReport) -> list[tuple[str, str]]:
    """Name and meaning of each coefficient of a report."""
    found = {}
    for coefficient in (*report.between, *report.within):
        name = coefficient.name
        if coefficient.slug.startswith("alpha-"):
            name += f", {coefficient.reading}"
        if coefficient.slug.startswith("pairwise-own"):
            name += ", repeats"
        found[coefficient.slug] = (name, MEANINGS[coefficient.slug])
    return list(found.values())
