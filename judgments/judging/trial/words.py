"""What an answer would have stored, in words. By kinds of observations, whatever the protocol."""

from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _

from judgments.judging.screen import Screen
from judgments.models import Question, Side
from judgments.models.new_observations import Observations
from judgments.protocols import summary
from judgments.protocols.base import Dimension


def lines(screen: Screen, said: Observations) -> list[str]:
    """Return a line for each row that a judgment of this screen would have had; none where it says
    that there is nothing."""
    return [line for kind, worded in WORDS.items() for line in worded(screen, getattr(said, kind))]


def places_of(screen: Screen) -> dict[int, int]:
    """Return places on the screen, from 1, by the keys of outputs."""
    return {row.output.pk: place for place, row in enumerate(screen.shown, 1)}


def ratings(screen: Screen, rows) -> Iterator[str]:
    places = places_of(screen)
    dimensions = {dimension.slug: dimension for dimension in screen.protocol.dimensions()}
    for output, slug, value in rows:
        dimension = dimensions[slug]
        yield _("Translation %(place)d, %(name)s: %(value)s") % {
            "place": places[output],
            "name": _(dimension.name),
            "value": in_words(dimension, value),
        }


def in_words(dimension: Dimension, value: float) -> str:
    """Return the number, with the words that stand at it on the screen."""
    number = f"{value:g}".replace("-", "\N{MINUS SIGN}")
    anchors = dict(dimension.scale.anchors) if dimension.scale.widget == "radio" else {}
    words = _(anchors[value]) if value in anchors else ""
    if not words or words.startswith(number):
        return words or number
    return f"{number} ({words})"


def preferences(screen: Screen, rows) -> Iterator[str]:
    for words in summary.preferences([row.output.pk for row in screen.shown], rows):
        yield _("Of the two translations: %(words)s") % {"words": words}


def spans(screen: Screen, rows) -> Iterator[str]:
    places = places_of(screen)
    texts = {row.output.pk: row.output.text for row in screen.shown}
    sentences = {
        Side.TARGET: _("Translation %(place)d, an error: “%(text)s” (%(kind)s)"),
        Side.SOURCE: _("Translation %(place)d, an error in the source: “%(text)s” (%(kind)s)"),
        Side.MISSING: _("Translation %(place)d, something is missing (%(kind)s)"),
    }
    for span in rows:
        text = texts[span.output_id]
        if span.side == Side.SOURCE:
            text = screen.item.segment.source
        yield sentences[Side(span.side)] % {
            "place": places[span.output_id],
            "text": text[span.start : span.end],
            "kind": ", ".join(filter(None, (_(span.severity), span.category))),
        }


def edits(screen: Screen, rows) -> Iterator[str]:
    places = places_of(screen)
    for edit in rows:
        (outcome,) = summary.edits(list(places), [edit])
        yield _("Translation %(place)d, %(outcome)s: “%(text)s”") % {
            "place": places[edit.output_id],
            "outcome": outcome,
            "text": edit.text,
        }


def answers(screen: Screen, rows) -> Iterator[str]:
    texts = {row.pk: row.text for row in (screen.protocol.given or {}).get(Question, ())}
    verdicts = {True: _("right"), False: _("wrong"), None: _("a person will grade it")}
    for row in rows:
        yield _("“%(question)s” %(answer)s (%(verdict)s)") % {
            "question": texts[row.question_id],
            "answer": row.text or _("The text does not tell"),
            "verdict": verdicts[row.is_right],
        }


def links(screen: Screen, rows) -> Iterator[str]:
    for row in rows:
        sentence = (
            _("Word %(source)d of the source and word %(target)d of the translation, surely")
            if row.is_sure
            else _("Word %(source)d of the source and word %(target)d of the translation, possibly")
        )
        yield sentence % {"source": row.source_token + 1, "target": row.target_token + 1}


def presses(screen: Screen, rows) -> Iterator[str]:
    for row in rows[:-1]:  # the last is the end
        yield _("Second %(seconds)s: %(value)s") % {
            "seconds": f"{row.at_ms / 1000:.10g}",
            "value": row.value or 0,
        }


# By the names in `Observations`.
WORDS: dict[str, Callable[..., Iterator[str]]] = {
    "ratings": ratings,
    "preferences": preferences,
    "spans": spans,
    "edits": edits,
    "answers": answers,
    "links": links,
    "presses": presses,
}
