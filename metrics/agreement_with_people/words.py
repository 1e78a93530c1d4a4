"""What the page of metrics against people says in sentences."""

from collections.abc import Sequence
from math import isnan

from judgments.tables import figure, interval

from .agreement import Figure, MetricAgreement

FEW_SYSTEMS = 10
OF_SYSTEMS = (
    "Correlations say whether a metric spaces systems as people do, accuracies whether it orders "
    "two systems as they do; soft accuracy asks whether it is as certain. Do not trust a "
    "difference that lies within the intervals, a correlation that disappears without one outlier, "
    "or an accuracy of pairs that people cannot tell apart themselves."
)
OF_SEGMENTS = {
    "item": "Outputs of one segment are compared with each other, as when choosing a system. "
    "Items that few systems have, or that people tie throughout, say little.",
    "none": "All outputs are pooled. That rewards a metric for knowing which sources are hard, and "
    "a sentinel of source length shows by how much.",
    "system": "Outputs of one system are compared with each other: does the metric find its bad "
    "segments? Source difficulty helps here as well.",
}
OF_OLDER = (
    "WMT12, WMT13 and WMT14: pairs that people tie are dropped; pairs that the metric ties are "
    "discordant, dropped, or count in the denominator alone. daRR: pairs whose human scores differ "
    "by 25 or more, so that it fits a scale of 0 to 100. τ of 2023: ties count too."
)
OF_DIFFERENCES = (
    "A p-value says how often a difference this large would occur if the two metrics were "
    "interchangeable. With few systems hardly any difference can be shown; among many pairs some "
    "fall below .05 by chance. Clusters are built from the best metric down: a new one starts with "
    "a metric that some member of the current one beats."
)
OF_AVERAGES = (
    "WMT23 gives pairwise accuracy of systems a weight of 3, and Pearson over systems, Pearson "
    "over all outputs (both as (r + 1)/2) and accuracy with calibrated ties a weight of 1 each; "
    "WMT24 takes the mean of soft pairwise accuracy and accuracy with calibrated ties. An average "
    "hides what it is made of, so the tasks are shown beside it."
)


def known(found: Figure, confidence: float = 0.95) -> str:
    """An estimate with its interval, such as `.975 (95 % interval [.9, .99])`."""
    bounds = interval(found.low, found.high)
    words = f" ({100 * confidence:.0f} % interval {bounds})" if bounds else ""
    return f"{figure(found.estimate)}{words}"


def listed(names: Sequence[str]) -> str:
    """`A, B and C`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'s' if n != 1 else ''}"


def lead(systems: MetricAgreement) -> str:
    """What the page says first."""
    best = systems.best
    n_systems = len(systems.systems)
    if best is None:
        return f"Over {counted(n_systems, 'system')} no correlation is defined: {why(systems)}."
    found = best.figures["pearson"]
    n_metrics = sum(not row.metric.is_sentinel for row in systems.rows)
    name = best.metric.title
    who = f"Of {n_metrics} metrics {name} agrees best with people"
    wide = " With so few systems, that can be chance." if found.n < FEW_SYSTEMS else ""
    return (
        f"{who if n_metrics > 1 else f'{name} against people'}: Pearson r = {known(found)} "
        f"over {counted(found.n, 'system')}.{wide}"
    )


def system_lead(systems: MetricAgreement) -> str:
    """The first sentence of the section on systems: how often pairs are ordered as by people."""
    best = systems.best
    if best is None:
        return f"{systems.statistics[systems.headline]} is not defined: {why(systems)}."
    accuracy, soft = best.figures["accuracy"], best.figures["spa"]
    if not accuracy.n:
        return f"{best.metric.title} scored fewer than two systems."
    words = (
        f"{best.metric.title} orders {round(accuracy.estimate * accuracy.n):,} of "
        f"{counted(accuracy.n, 'pair')} of systems as people do (accuracy "
        f"{figure(accuracy.estimate)})"
    )
    return f"{words}; soft pairwise accuracy {known(soft)}." if soft.n else f"{words}."


def why(agreement: MetricAgreement) -> str:
    """Why no metric has a value."""
    reasons = [row.figures[agreement.headline].reason for row in agreement.rows]
    return agreement.reason or next(filter(None, reasons), "there are no scores")


def segment_lead(segments: MetricAgreement) -> str:
    """The first sentence of the section on segments."""
    best = segments.best
    name = segments.statistics[segments.headline]
    if best is None:
        return f"{name} is not defined: {why(segments)}."
    found = best.figures[segments.headline]
    return f"By {in_words(name)} {best.metric.title} is closest to people: {known(found)}."


def in_words(statistic: str) -> str:
    """A statistic's name within a sentence: `accuracy, ties calibrated,` but `Pearson r`."""
    is_name = statistic.split()[0] in ("Pearson", "Spearman", "Kendall")
    words = statistic if is_name else statistic[0].lower() + statistic[1:]
    return f"{words}," if "," in words else words


def warnings(agreement: MetricAgreement) -> list[str]:
    """A sentence for every sentinel that ranks above a metric."""
    by = in_words(agreement.statistics[agreement.headline])
    return [
        f"{row.metric.title} is a sentinel that knows nothing of translation, yet by {by} it ranks "
        f"above {listed([other.metric.title for other in below])}: either such a metric says "
        "little about quality, or this way of measuring rewards something else."
        for row, below in agreement.worse_than_a_sentinel()
    ]


def outlier_words(systems: MetricAgreement) -> str:
    """Which systems are outliers."""
    if not systems.outliers:
        return "No system is an outlier."
    names = listed(systems.outliers)
    are = "is an outlier" if len(systems.outliers) == 1 else "are outliers"
    return (
        f"{names} {are}: further than 2.5 × 1.483 median absolute deviations from the median of "
        "people's scores. One such system can determine a correlation by itself."
    )


def humans_words(systems: MetricAgreement, humans: str) -> str:
    """What became of human references among the systems."""
    if systems.left_out:
        are = (
            "is a human reference and was"
            if len(systems.left_out) == 1
            else ("are human references and were")
        )
        return f"{listed(systems.left_out)} {are} left out."
    if humans == "in":
        return "Human references, if there are any, count as systems."
    return "No system is a human reference."


def pairs_words(systems: MetricAgreement) -> str:
    """How many pairs people tell apart."""
    if not systems.test:
        return f"{counted(systems.n_pairs, 'pair')} of systems; comparisons are not tested here."
    return (
        f"People separate {systems.n_separated:,} of {counted(systems.n_pairs, 'pair')} of systems "
        f"({systems.test}, one-sided p < {figure(systems.alpha, 2)})."
    )


def reasons(agreement: MetricAgreement, keys: Sequence[str]) -> list[str]:
    """Why figures are undefined, each reason once with the metrics that it is about; first those
    that have no figure at all."""
    found: dict[str, dict[str, None]] = {}
    for row in agreement.rows:
        undefined = [key for key in keys if isnan(row.figures[key].estimate)]
        if len(undefined) == len(keys):
            words = f"No value: {row.figures[keys[0]].reason}"
            found.setdefault(words, {})[row.metric.title] = None
            continue
        for key in undefined:
            if reason := row.figures[key].reason:
                words = f"{agreement.statistics[key]}: {reason}"
                found.setdefault(words, {})[row.metric.title] = None
    n = len(agreement.rows)
    return [
        f"{words}." if len(titles) == n else f"{words} ({listed(list(titles))})."
        for words, titles in sorted(found.items(), key=lambda each: not each[0].startswith("No v"))
    ]
