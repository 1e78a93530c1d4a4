"""What an answer said, in a few words for the line to which a finished row is folded."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import Outcome
from judgments.models.new_observations import Observations
from judgments.protocols.base import Dimension

from .kinds import KINDS


def summary_of(dimensions: Sequence[Dimension], shown: Sequence[int], said: Observations) -> str:
    """Return for an answer that was just given. shown: the outputs' ids in their order on the
    screen."""
    return summary(dimensions, shown, {name: getattr(said, name) for name in KINDS})


def summary(
    dimensions: Sequence[Dimension],
    shown: Sequence[int],
    said: Mapping[str, Sequence[tuple]],
) -> str:
    """said: rows by their kind, as `judgments.protocols.base` has them. A number that the screen
    does not show, as the place of a slider, is not shown here."""
    shown = list(shown)
    parts = [
        *ratings(dimensions, shown, said.get("ratings", ())),
        *preferences(shown, said.get("preferences", ())),
        *edits(shown, said.get("edits", ())),
    ]
    spans = [row for row in said.get("spans", ()) if row[0] in shown]
    links = [row for row in said.get("links", ()) if row[0] in shown]
    answers = said.get("answers", ())
    presses = [row for row in said.get("presses", ()) if row[2] is not None]
    if spans:
        parts.append(ngettext("%(n)d error", "%(n)d errors", len(spans)) % {"n": len(spans)})
    if links:
        parts.append(ngettext("%(n)d link", "%(n)d links", len(links)) % {"n": len(links)})
    if answers:
        text = ngettext("%(n)d answer", "%(n)d answers", len(answers))
        parts.append(text % {"n": len(answers)})
    if presses:
        text = ngettext("%(n)d press", "%(n)d presses", len(presses))
        parts.append(text % {"n": len(presses)})
    return " · ".join(parts)


def ratings(dimensions, shown, rows) -> list[str]:
    values = {(row[0], row[1]): row[2] for row in rows}
    found = []
    for dimension in dimensions:
        if dimension.scale.widget != "radio":
            continue
        given = [
            f"{values[output, dimension.slug]:g}"
            for output in shown
            if (output, dimension.slug) in values
        ]
        if given:
            found.append(f"{_(dimension.name)} {', '.join(given)}")
    return found


def preferences(shown, rows) -> list[str]:
    words = {1: _("the first is better"), 0: _("both are equal"), -1: _("the second is better")}
    return [words[row[2] if row[0] == shown[0] else -row[2]] for row in rows[:1]]


def edits(shown, rows) -> list[str]:
    words = {
        Outcome.EDITED: _("edited"),
        Outcome.NO_CORRECTION: _("no correction needed"),
        Outcome.UNABLE: _("unable to correct"),
    }
    return [words[row[1]] for row in rows if row[0] in shown]
