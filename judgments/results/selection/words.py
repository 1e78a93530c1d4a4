"""Which judgments a figure is of, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.protocols import protocol_of
from judgments.stats.mqm import SCHEMES
from judgments.web.tables import in_a_sentence

from .schemes import weights_in_words

if TYPE_CHECKING:
    from .selection import Selection


def sentence_of(selection: Selection) -> str:
    """The line that stands with every figure: who and what is left out, and what values are."""
    return capfirst("; ".join([*_counted(selection), *_valued(selection)]))


def _counted(selection: Selection) -> list[str]:
    parts = []
    n = len(selection.left_out)
    if n:
        parts.append(
            ngettext("%(n)d annotator is left out", "%(n)d annotators are left out", n) % {"n": n}
        )
    parts += selection.in_force.phrases(_dimension_names(selection))
    if selection.annotators == "all" and selection.excluded:
        n = len(selection.excluded)
        parts.append(
            ngettext(
                "the annotator whom the owners excluded counts too",
                "the %(n)d annotators whom the owners excluded count too",
                n,
            )
            % {"n": n}
        )
    decided = selection.decided
    if selection.annotators == "all" and (decided.partly or decided.has_items):
        parts.append(_("what the owners left out of dimensions or of items counts too"))
    parts += selection.filters.phrases()
    return parts or [_("all judgments count")]


def _valued(selection: Selection) -> list[str]:
    parts = [*selection.errors.phrases()]
    if selection.weights in SCHEMES:
        scheme = _(SCHEMES[selection.weights].name)
        parts.append(_("errors weigh as in %(scheme)s") % {"scheme": scheme})
    elif selection.weights:
        words = weights_in_words(selection.scheme)
        parts.append(_("errors weigh %(weights)s") % {"weights": words})
    if selection.are_means:
        parts.append(_("each value is a mean over raters whom the release does not name"))
    return parts


def _dimension_names(selection: Selection) -> dict[str, str]:
    if not selection.in_force.partly:
        return {}
    dimensions = protocol_of(selection.campaign).dimensions()
    return {each.slug: in_a_sentence(each.name) for each in dimensions}
