"""Numbers of things in words, in the plural that a language asks for."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def annotators(n: int) -> str:
    return ngettext("%(n)s annotator", "%(n)s annotators", n) % {"n": f"{n:,}"}


def answers(n: int) -> str:
    return ngettext("%(n)s answer", "%(n)s answers", n) % {"n": f"{n:,}"}


def campaigns(n: int) -> str:
    return ngettext("%(n)s campaign", "%(n)s campaigns", n) % {"n": f"{n:,}"}


def clusters(n: int) -> str:
    return ngettext("%(n)s cluster", "%(n)s clusters", n) % {"n": f"{n:,}"}


def comparisons(n: int) -> str:
    return ngettext("%(n)s comparison", "%(n)s comparisons", n) % {"n": f"{n:,}"}


def decided_comparisons(n: int) -> str:
    return ngettext("%(n)s decided comparison", "%(n)s decided comparisons", n) % {"n": f"{n:,}"}


def blocks(n: int) -> str:
    return ngettext("%(n)s block", "%(n)s blocks", n) % {"n": f"{n:,}"}


def documents(n: int) -> str:
    return ngettext("%(n)s document", "%(n)s documents", n) % {"n": f"{n:,}"}


def errors(n: int) -> str:
    return ngettext("%(n)s error", "%(n)s errors", n) % {"n": f"{n:,}"}


def graded_answers(n: int) -> str:
    return ngettext("%(n)s graded answer", "%(n)s graded answers", n) % {"n": f"{n:,}"}


def items(n: int) -> str:
    return ngettext("%(n)s item", "%(n)s items", n) % {"n": f"{n:,}"}


def judgments(n: int) -> str:
    return ngettext("%(n)s judgment", "%(n)s judgments", n) % {"n": f"{n:,}"}


def metrics(n: int) -> str:
    return ngettext("%(n)s metric", "%(n)s metrics", n) % {"n": f"{n:,}"}


def outputs(n: int) -> str:
    return ngettext("%(n)s output", "%(n)s outputs", n) % {"n": f"{n:,}"}


def pairs(n: int) -> str:
    return ngettext("%(n)s pair", "%(n)s pairs", n) % {"n": f"{n:,}"}


def pairs_of_annotators(n: int) -> str:
    return ngettext("%(n)s pair of annotators", "%(n)s pairs of annotators", n) % {"n": f"{n:,}"}


def pairs_of_outputs(n: int) -> str:
    return ngettext("%(n)s pair of outputs", "%(n)s pairs of outputs", n) % {"n": f"{n:,}"}


def pairs_of_systems(n: int) -> str:
    return ngettext("%(n)s pair of systems", "%(n)s pairs of systems", n) % {"n": f"{n:,}"}


def questions(n: int) -> str:
    return ngettext("%(n)s question", "%(n)s questions", n) % {"n": f"{n:,}"}


def ratings(n: int) -> str:
    return ngettext("%(n)s rating", "%(n)s ratings", n) % {"n": f"{n:,}"}


def resamples(n: int) -> str:
    return ngettext("%(n)s resample", "%(n)s resamples", n) % {"n": f"{n:,}"}


def segments(n: int) -> str:
    return ngettext("%(n)s segment", "%(n)s segments", n) % {"n": f"{n:,}"}


def systems(n: int) -> str:
    return ngettext("%(n)s system", "%(n)s systems", n) % {"n": f"{n:,}"}


def texts(n: int) -> str:
    return ngettext("%(n)s text", "%(n)s texts", n) % {"n": f"{n:,}"}


def ties(n: int) -> str:
    return ngettext("%(n)s tie", "%(n)s ties", n) % {"n": f"{n:,}"}


def translations(n: int) -> str:
    return ngettext("%(n)s translation", "%(n)s translations", n) % {"n": f"{n:,}"}


COUNTED = {
    "blocks": blocks,
    "documents": documents,
    "items": items,
    "outputs": outputs,
    "pairs of outputs": pairs_of_outputs,
    "segments": segments,
    "systems": systems,
}


def units(n: int, unit: str) -> str:
    """So many units. unit: as results name what they count, one of COUNTED."""
    return COUNTED[unit](n)


def of_unit(unit: str) -> str:
    """Return the same units without a number."""
    return {
        "blocks": _("blocks"),
        "documents": _("documents"),
        "items": _("items"),
        "outputs": _("outputs"),
        "pairs of outputs": _("pairs of outputs"),
        "segments": _("segments"),
        "systems": _("systems"),
    }[unit]


def one_unit(unit: str) -> str:
    """Return one of them, as in “clustered by document”."""
    return {"blocks": _("block"), "documents": _("document"), "segments": _("segment")}[unit]


def names(listed: list[str]) -> str:
    """Return the names in a sentence."""
    if len(listed) < 2:
        return "".join(listed)
    return _("%(names)s and %(last)s") % {"names": ", ".join(listed[:-1]), "last": listed[-1]}


def titled(title: str, of: str) -> str:
    """Return a title, and what it is of."""
    return _("%(title)s: %(of)s") % {"title": title, "of": of}


def capitalized(text: str) -> str:
    """With a capital letter at the start; the rest as it is."""
    return text[:1].upper() + text[1:]


def more_pairs(n: int) -> str:
    """Return what a chart says that does not show all pairs."""
    return ngettext("%(n)s more pair is in the table.", "%(n)s more pairs are in the table.", n) % {
        "n": f"{n:,}"
    }
