"""What the page of metrics against people says in sentences."""

from collections.abc import Sequence
from math import isnan

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.results.scores.words import TEST_NAMES
from judgments.web import plurals as counted
from judgments.web.plurals import titled
from judgments.web.tables import figure, interval
from metrics.scores.tables import brief_names

from .agreement import Figure, MetricAgreement

FEW_SYSTEMS = 10
OF_SYSTEMS = gettext_lazy(
    "Correlations say whether a metric spaces systems as people do, accuracies "
    "whether it orders two systems as they do; soft accuracy asks whether it is as "
    "certain. Do not trust a difference that lies within the intervals, a correlation"
    " that disappears without one outlier, or an accuracy of pairs that people cannot"
    " tell apart themselves."
)
OF_SEGMENTS = {
    "item": gettext_lazy(
        "Outputs of one segment are compared with each other, as when choosing a system. "
        "Items that few systems have, or that people tie throughout, say little."
    ),
    "none": gettext_lazy(
        "All outputs are pooled. That rewards a metric for knowing which sources are "
        "hard, and a sentinel of source length shows by how much."
    ),
    "system": gettext_lazy(
        "Outputs of one system are compared with each other: does the metric find its bad"
        " segments? Source difficulty helps here as well."
    ),
}
OF_OLDER = gettext_lazy(
    "WMT12, WMT13 and WMT14: pairs that people tie are dropped; pairs that the metric"
    " ties are discordant, dropped, or count in the denominator alone. daRR: pairs "
    "whose human scores differ by 25 or more, so that it fits a scale of 0 to 100. τ "
    "of 2023: ties count too."
)
OF_DIFFERENCES = gettext_lazy(
    "A p-value says how often a difference this large would occur if the two metrics "
    "were interchangeable. With few systems hardly any difference can be shown; among"
    " many pairs some fall below .05 by chance. Clusters are built from the best "
    "metric down: a new one starts with a metric that some member of the current one "
    "beats."
)
OF_AVERAGES = gettext_lazy(
    "WMT23 takes the mean of pairwise accuracy of systems, Pearson over systems, Pearson over "
    "all outputs (both as (r + 1)/2) and accuracy with calibrated ties; WMT24 that of soft "
    "pairwise accuracy and accuracy with calibrated ties. An average hides what it is made of, "
    "so the tasks are shown next to it."
)


def known(found: Figure, confidence: float = 0.95) -> str:
    """Return an estimate with its interval, such as `.975 (95 % interval [.9, .99])`."""
    bounds = interval(found.low, found.high)
    if not bounds:
        return figure(found.estimate)
    return _("%(estimate)s (%(level)s %% interval %(bounds)s)") % {
        "estimate": figure(found.estimate),
        "level": f"{100 * confidence:.0f}",
        "bounds": bounds,
    }


def sentinel(name: str) -> str:
    return _("%(name)s (sentinel)") % {"name": name}


def pairs_of_metrics(n: int) -> str:
    return ngettext("%(n)s pair of metrics.", "%(n)s pairs of metrics.", n) % {"n": f"{n:,}"}


def lead(systems: MetricAgreement) -> str:
    """Return what the page says first."""
    best = systems.best
    n_systems = len(systems.systems)
    if best is None:
        return _("Over %(systems)s no correlation is defined: %(why)s.") % {
            "systems": counted.systems(n_systems),
            "why": why(systems),
        }
    found = best.figures["pearson"]
    n_metrics = sum(not row.metric.is_sentinel for row in systems.rows)
    said = ngettext(
        "%(name)s against people: Pearson r = %(r)s over %(systems)s.",
        "Of %(n)s metrics %(name)s agrees best with people: Pearson r = %(r)s over %(systems)s.",
        n_metrics,
    ) % {
        "n": f"{n_metrics:,}",
        "name": best.metric.title,
        "r": known(found),
        "systems": counted.systems(found.n),
    }
    if found.n < FEW_SYSTEMS:
        said += " " + _("With so few systems, that can be chance.")
    return said


def system_lead(systems: MetricAgreement) -> str:
    """Return the first sentence of the section on systems: how often pairs are ordered as by
    people."""
    best = systems.best
    if best is None:
        return _("%(statistic)s is not defined: %(why)s.") % {
            "statistic": _(systems.statistics[systems.headline]),
            "why": why(systems),
        }
    accuracy, soft = best.figures["accuracy"], best.figures["spa"]
    if not accuracy.n:
        return _("%(title)s scored fewer than two systems.") % {"title": best.metric.title}
    words = ngettext(
        "%(metric)s orders %(alike)s of %(n)s pair of systems as people do (accuracy %(share)s)",
        "%(metric)s orders %(alike)s of %(n)s pairs of systems as people do (accuracy %(share)s)",
        accuracy.n,
    ) % {
        "metric": best.metric.title,
        "alike": f"{round(accuracy.estimate * accuracy.n):,}",
        "n": f"{accuracy.n:,}",
        "share": figure(accuracy.estimate),
    }
    if not soft.n:
        return f"{words}."
    return _("%(words)s; soft pairwise accuracy %(soft)s.") % {"words": words, "soft": known(soft)}


def why(agreement: MetricAgreement) -> str:
    """Return why no metric has a value."""
    reasons = [row.figures[agreement.headline].reason for row in agreement.rows]
    reason = agreement.reason or next(filter(None, reasons), "")
    return _(reason) if reason else _("there are no scores")


def segment_lead(segments: MetricAgreement) -> str:
    """Return the first sentence of the section on segments."""
    best = segments.best
    name = segments.statistics[segments.headline]
    if best is None:
        return _("%(statistic)s is not defined: %(why)s.") % {
            "statistic": _(name),
            "why": why(segments),
        }
    found = best.figures[segments.headline]
    return _("By %(statistic)s %(metric)s is closest to people: %(value)s.") % {
        "statistic": in_words(name),
        "metric": best.metric.title,
        "value": known(found),
    }


def in_words(statistic: str) -> str:
    """Return a statistic's name within a sentence: `accuracy, ties calibrated,` but `Pearson r`."""
    is_name = statistic.split()[0] in ("Pearson", "Spearman", "Kendall")
    words = _(statistic)
    words = words if is_name else words[0].lower() + words[1:]
    return f"{words}," if "," in words else words


def warnings(agreement: MetricAgreement) -> list[str]:
    """Return a sentence that names every sentinel that ranks above metrics; none without any."""
    found = agreement.worse_than_a_sentinel()
    if not found:
        return []
    names = brief_names([row.metric for row in agreement.rows])
    said = [
        _("%(title)s above %(names)s")
        % {
            "title": names[row.metric.slug],
            "names": counted.names([names[each.metric.slug] for each in below]),
        }
        for row, below in found
    ]
    return [
        _(
            "Sentinels know nothing about translation, yet rank above metrics by %(by)s: "
            "%(said)s. Either such a metric says little about quality, or this way of measuring "
            "rewards something else."
        )
        % {
            "by": in_words(agreement.statistics[agreement.headline]).rstrip(","),
            "said": "; ".join(said),
        }
    ]


def outlier_words(systems: MetricAgreement) -> str:
    """Return which systems are outliers."""
    if not systems.outliers:
        return _("No system is an outlier.")
    return ngettext(
        "%(names)s is an outlier: further than 2.5 × 1.483 median absolute deviations from the "
        "median of people's scores. One such system can determine a correlation by itself.",
        "%(names)s are outliers: further than 2.5 × 1.483 median absolute deviations from the "
        "median of people's scores. One such system can determine a correlation by itself.",
        len(systems.outliers),
    ) % {"names": counted.names(list(systems.outliers))}


def humans_words(systems: MetricAgreement, humans: str) -> str:
    """Return what became of human references among the systems."""
    if systems.left_out:
        return ngettext(
            "%(names)s is a human reference and was left out.",
            "%(names)s are human references and were left out.",
            len(systems.left_out),
        ) % {"names": counted.names(list(systems.left_out))}
    if humans == "in":
        return _("Human references, if there are any, count as systems.")
    return _("No system is a human reference.")


def control_words(names: Sequence[str], controls: str) -> list[str]:
    """Return what became of the control systems of a test set, if it has any."""
    if not names:
        return []
    known = {"names": counted.names(list(names))}
    if controls == "in":
        said = ngettext(
            "%(names)s is a control system of known weakness and is kept: one system far from the "
            "others makes a correlation by itself (Mathur et al. 2020).",
            "%(names)s are control systems of known weakness and are kept: systems far from the "
            "others make a correlation by themselves (Mathur et al. 2020).",
            len(names),
        )
    else:
        said = ngettext(
            "%(names)s is a control system of known weakness and was left out: one system far from "
            "the others makes a correlation by itself (Mathur et al. 2020).",
            "%(names)s are control systems of known weakness and were left out: systems far from "
            "the others make a correlation by themselves (Mathur et al. 2020).",
            len(names),
        )
    return [said % known]


def pairs_words(systems: MetricAgreement) -> str:
    """Return how many pairs people tell apart."""
    if not systems.test:
        return _("%(pairs)s; comparisons are not tested here.") % {
            "pairs": counted.pairs_of_systems(systems.n_pairs)
        }
    return _(
        "People separate %(n)s of %(pairs)s (%(test)s, two-sided, adjusted for all pairs)."
    ) % {
        "n": f"{systems.n_separated:,}",
        "pairs": counted.pairs_of_systems(systems.n_pairs),
        "test": TEST_NAMES[systems.test],
    }


def reasons(agreement: MetricAgreement, keys: Sequence[str]) -> list[str]:
    """Return why figures are undefined, each reason once with the metrics that it is about; first
    those that have no figure at all."""
    nothing: dict[str, dict[str, None]] = {}
    some: dict[str, dict[str, None]] = {}
    for row in agreement.rows:
        undefined = [key for key in keys if isnan(row.figures[key].estimate)]
        if len(undefined) == len(keys):
            words = titled(_("No value"), _(row.figures[keys[0]].reason))
            nothing.setdefault(words, {})[row.metric.title] = None
            continue
        for key in undefined:
            if reason := row.figures[key].reason:
                words = titled(_(agreement.statistics[key]), _(reason))
                some.setdefault(words, {})[row.metric.title] = None
    n = len(agreement.rows)
    return [
        f"{words}." if len(titles) == n else f"{words} ({counted.names(list(titles))})."
        for words, titles in [*nothing.items(), *some.items()]
    ]
