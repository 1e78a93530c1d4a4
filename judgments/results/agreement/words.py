"""What a page says about agreement: the finding, whether to trust it, what each figure means."""

from __future__ import annotations

import math

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.results.agreement.figures import MEANS, AgreementReport
from judgments.web import plurals as counted
from judgments.web.plurals import units
from judgments.web.tables import figure, interval

FEW_ITEMS = 30
ADVERBS = {
    "poor": gettext_lazy("less than by chance"),
    "slight": gettext_lazy("slightly"),
    "fair": gettext_lazy("fairly"),
    "moderate": gettext_lazy("moderately"),
    "substantial": gettext_lazy("substantially"),
    gettext_lazy("almost perfect"): gettext_lazy("almost perfectly"),
}
# What each coefficient means, and when not to trust it; by the slug of the coefficient.
MEANINGS = {
    "alpha": (
        gettext_lazy(
            "How much less two ratings of the same output differ than any two ratings; "
            "missing ratings do no harm. It falls when nearly all outputs get the same "
            "value, however well people agree."
        )
    ),
    "alpha-nominal": (
        gettext_lazy(
            "Alpha for values that are only equal or different. It gives no credit for a near miss."
        )
    ),
    "alpha-ordinal": (
        gettext_lazy("Alpha for ordered values, for scales whose steps may differ in size.")
    ),
    "alpha-interval": (
        gettext_lazy(
            "Alpha for squared differences. It treats the steps of the scale as equal, "
            "and a few far-off ratings weigh heavily."
        )
    ),
    "alpha-ratio": (
        gettext_lazy(
            "Alpha of differences relative to the size of the values. It needs a true "
            "zero, which quality scales rarely have."
        )
    ),
    "uniform": (
        gettext_lazy(
            "Agreement beyond that of people who choose among the answers at random, as "
            "in WMT07. Too high if some answers are hardly ever given."
        )
    ),
    "cohen": (
        gettext_lazy(
            "Agreement beyond what the habits of the two annotators would give by chance. It "
            "falls when one answer is frequent: also read p(A) and the table of answers."
        )
    ),
    "cohen-linear": (
        gettext_lazy(
            "Cohen's kappa with proportional credit for near misses. Do not compare it "
            "between scales of different lengths."
        )
    ),
    "cohen-quadratic": (
        gettext_lazy(
            "Cohen's kappa in which far-off answers weigh most. It grows with the length "
            "of the scale."
        )
    ),
    "scott": (
        gettext_lazy(
            "As Cohen's kappa, but with the habits of the two pooled: a stricter "
            "annotator counts as disagreement. It falls when one answer is frequent."
        )
    ),
    "fleiss": (
        gettext_lazy(
            "Scott's pi for any number of annotators, the same for every output. It is "
            "undefined if outputs differ in their number of ratings; use alpha then."
        )
    ),
    "pearson": (
        gettext_lazy(
            "Whether two annotators see the same differences, whatever their strictness. "
            "A few extreme outputs can dominate it."
        )
    ),
    "kendall-c": (
        gettext_lazy(
            "Pairs of outputs that two annotators put in the same order, minus those they"
            " put in opposite order. Ties draw it towards 0."
        )
    ),
    "icc-1-1": (
        gettext_lazy(
            "The share of a single rating's variance that comes from the outputs; all "
            "differences between annotators are noise. It depends on how different the "
            "outputs are, so do not compare test sets."
        )
    ),
    "icc-2-1": (
        gettext_lazy(
            "As ICC(1,1), for annotators who all rated the same outputs, as a sample of "
            "all annotators. It depends on how different the outputs are."
        )
    ),
    "icc-3-1": (
        gettext_lazy(
            "As ICC(2,1), ignoring differences in strictness. It says nothing about other"
            " annotators."
        )
    ),
    "icc-1-k": (
        gettext_lazy(
            "ICC(1,1) of the mean of the annotators. It says how reliable such means are,"
            " not how far single people agree."
        )
    ),
    "icc-2-k": (
        gettext_lazy(
            "ICC(2,1) of the mean of the annotators. It says how reliable such means are,"
            " not how far single people agree."
        )
    ),
    "icc-3-k": (
        gettext_lazy(
            "ICC(3,1) of the mean of these annotators, also known as Cronbach's alpha. It"
            " is high for many annotators even if they agree little."
        )
    ),
    "pairwise": (
        gettext_lazy(
            "Agreement of different people on which output is better, whatever order they"
            " saw the two in, beyond chance as given by the share of ties. It falls when "
            "ties are frequent or rare."
        )
    ),
    "pairwise-presented": (
        gettext_lazy(
            "What the WMT16 script prints: it compares only judgments with the same order"
            " on the screen, and counts an annotator's repeats as two people. For "
            "comparison with the papers."
        )
    ),
    "pairwise-own": (
        gettext_lazy(
            "Agreement of annotators with their own earlier judgments. Agreement between "
            "people is rarely higher; repeats that come too soon inflate it."
        )
    ),
    "pairwise-own-presented": (
        gettext_lazy(
            "The same as the organizers of WMT16 published it: only repeats with the same"
            " order on the screen are compared. For comparison with the papers."
        )
    ),
}


def lead(report: AgreementReport) -> str:
    """Return the finding in one sentence."""
    found = report.headline.result
    if math.isnan(found.estimate):
        return _("Agreement cannot be computed: %(reason)s.") % {"reason": _(found.reason)}
    name = _("alpha") if report.headline.slug == "alpha" else _("kappa")
    bounds = interval(found.low, found.high, 2)
    return _(
        "Annotators agree %(how)s: %(value)s, %(judged)s judged by at least two of %(people)s."
    ) % {
        "how": ADVERBS[found.gloss],
        "value": f"{name} {figure(found.estimate, 2)} {bounds}".strip(),
        "judged": units(found.n_items, items(report)),
        "people": counted.annotators(report.n_annotators),
    }


def items(report: AgreementReport) -> str:
    """Return what n_items counts."""
    return "outputs" if report.dimension else "segments"


def trust(report: AgreementReport) -> str:
    """When to rely on the figure, and when not."""
    found = report.headline.result
    if math.isnan(found.estimate) and found.reason == MEANS:
        return _(
            "The people who released them may have the ratings of each rater, which would show it."
        )
    if math.isnan(found.estimate):
        return _("Agreement needs outputs that two people judge, so plan an overlap of two.")
    missing = _("There is no interval: %(reason)s.") % {"reason": _(found.interval_reason)}
    if found.n_items < FEW_ITEMS:
        few = ngettext(
            "Only %(judged)s was judged by two: take this as a first impression.",
            "Only %(judged)s were judged by two: take this as a first impression.",
            found.n_items,
        ) % {"judged": units(found.n_items, items(report))}
        rough = missing if found.interval_reason else _("The interval shows how rough it is.")
        return f"{few} {rough}"
    if found.interval_reason:
        return missing
    if found.high - found.low > 0.2:
        return _("The interval is wide: more outputs judged by two people would narrow it.")
    given = report.confusion.sum(axis=1)
    common = given.max() / given.sum() if given.sum() else 0
    if common > 0.75 and report.is_binned:
        return _(
            "%(common)s of the judgments lie in %(bin)s of the scale, and agreement beyond chance "
            "is hard to show where values hardly differ: look at the chart of values."
        ) % {"common": f"{common:.0%}", "bin": report.labels[int(given.argmax())]}
    if common > 0.75:
        return _(
            "One value makes up %(common)s of the judgments, and chance-corrected figures fall "
            "when one value is frequent: also read p(A)."
        ) % {"common": f"{common:.0%}"}
    if found.estimate < 0.2:
        return _(
            "A single judgment says little here: rely on averages over many, and see "
            "whether annotators agree with themselves."
        )
    return _(
        "Enough outputs were judged twice to rely on this figure; it says how "
        "similarly people judge, not who is right."
    )


def meanings(report: AgreementReport) -> list[tuple[str, str]]:
    """Name and meaning of each coefficient of a report."""
    found = {}
    for coefficient in (*report.between, *report.within):
        name = _(coefficient.name)
        if coefficient.slug.startswith("alpha-"):
            name += f", {_(coefficient.reading)}"
        if coefficient.slug.startswith("pairwise-own"):
            name = _("%(name)s, repeats") % {"name": name}
        found[coefficient.slug] = (name, str(MEANINGS[coefficient.slug]))
    return list(found.values())
