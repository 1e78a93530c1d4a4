"""Clashes in words, and one clash with its texts and both answers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.judging.screen import current_judgment, reference_of
from judgments.models import (
    Campaign,
    ClashMark,
    Item,
    ItemOutput,
    Judgment,
    Output,
    Reference,
    Segment,
)
from judgments.plans.adjudication import Disputed
from judgments.protocols import protocol_of
from judgments.quality.clashes.figures import Clash, ClashReport
from judgments.results.observations.observation_rows import altered_texts
from judgments.results.segments.said import (
    answer_words,
    output_name,
    preference_words,
    question_names,
    rating_question,
    span_words,
)
from judgments.web.tables import DASH, figure

PLACE = ("segment", "system")
NOBODY = "nobody now"  # what a third person gave back
KEY = re.compile(r"(\d{1,18})-(\d{1,18})(?:-(\d{1,18})-(\d{1,18})|-q(\d{1,18}))?", re.ASCII)


def lead(report: ClashReport) -> str:
    if report.reason:
        return _("There is nothing to compare: %(reason)s.") % {"reason": _(report.reason)}
    if not report.n_found:
        return _("So far no two annotators lie far apart on the same translation.")
    n, shown = report.n_found, len(report.clashes)
    words = {
        "sd": ngettext(
            "%(n)s pair of ratings of the same translation by two annotators is a standard "
            "deviation or more apart.",
            "%(n)s pairs of ratings of the same translation by two annotators are a standard "
            "deviation or more apart.",
            n,
        ),
        "opposed": ngettext(
            "On %(n)s pair of screens two annotators prefer opposite translations.",
            "On %(n)s pairs of screens two annotators prefer opposite translations.",
            n,
        ),
        "answers": ngettext(
            "%(n)s pair of answers to the same question differs.",
            "%(n)s pairs of answers to the same question differ.",
            n,
        ),
    }
    sentence = words[report.measure] % {"n": f"{n:,}"}
    if shown < n:
        sentence += " " + _("The %(shown)s largest are listed.") % {"shown": f"{shown:,}"}
    return sentence


def size_short(clash: Clash, measure: str) -> str:
    """Return how far apart, as a list shows it, whose head says in what."""
    if measure != "sd":
        return size_words(clash, measure)
    share = "" if clash.share != clash.share else f" ({round(100 * clash.share)} %)"
    return f"{figure(clash.size, 1)}{share}"


def size_words(clash: Clash, measure: str) -> str:
    """Return how far apart."""
    if measure == "sd":
        size = _("%(n)s standard deviations apart") % {"n": figure(clash.size, 1)}
        if clash.share != clash.share:
            return size
        share = {"size": size, "n": round(100 * clash.share)}
        return _("%(size)s (%(n)s %% of the scale)") % share
    if measure == "opposed":
        n = round(clash.size)
        return ngettext("%(n)s opposed", "%(n)s opposed", n) % {"n": f"{n:,}"}
    return _("different answers")


def title(campaign: Campaign, clash: Clash, measure: str) -> str:
    """Return how far apart, and on which question."""
    size = size_words(clash, measure)
    if not clash.dimension:
        return size
    return f"{size}, {question_names(campaign).get(clash.dimension, clash.dimension)}"


@dataclass(frozen=True)
class ClashSide:
    """One annotator's answer: rows of what it is about, and what they said. The third person's
    item is of a kind of its own."""

    item: Item
    alias: str
    membership: int | None
    judgment: Judgment | None
    rows: Sequence[tuple[str, str, bool]]


@dataclass(frozen=True)
class ClashDetail:
    """``outputs``: those of the segment that either of the two saw, as they were shown, with the
    name of the system, and whether the clash is of it."""

    key: str
    segment: Segment
    reference: Reference | None
    outputs: Sequence[tuple[str, ItemOutput, bool]]
    sides: Sequence[ClashSide]


def detail(campaign: Campaign, key: str) -> ClashDetail | None:
    """Return a clash by its key, whether it is on the list now or not; None for no key of two items
    of the campaign."""
    match = KEY.fullmatch(key)
    if match is None:
        return None
    ids = [int(match[1]), int(match[2])]
    items = Item.objects.filter(pk__in=ids, task__campaign=campaign)
    found = {item.pk: item for item in items.select_related("task", "segment__document")}
    if len(found) != 2:
        return None
    system = int(match[4]) if match[4] else None
    segment: Segment | None = found[ids[0]].segment
    if match[3]:
        of_test_set = Segment.objects.filter(test_set=campaign.test_set_id, pk=match[3])
        segment = of_test_set.select_related("document").first()
    if segment is None:
        return None
    shown = ItemOutput.objects.filter(item__in=ids, output__segment=segment)
    shown = shown.select_related("output__system", "altered").order_by("output__system__name")
    texts = {(row.output_id, row.altered_id): row for row in shown}
    named = [
        (
            output_name(row.output, row.altered is not None),
            row,
            _is_of(row.output, system, row.altered),
        )
        for row in texts.values()
    ]
    members = {m.user_id: m for m in campaign.memberships.all()}
    thirds = Item.objects.filter(
        adjudications__first=ids[0], adjudications__second=ids[1], task__campaign=campaign
    )
    asked = thirds.filter(is_judged=True).select_related("task", "segment__document")
    sides = [_side(campaign, found[pk], members, system) for pk in ids]
    sides += [_side(campaign, item, members, system) for item in asked.order_by("pk").distinct()]
    return ClashDetail(key, segment, reference_of(found[ids[0]]), named, sides)


def _side(campaign: Campaign, item: Item, members, system: int | None) -> ClashSide:
    protocol = protocol_of(campaign)
    judgment = current_judgment(protocol, item)
    member = members.get(judgment.annotator_id if judgment else item.task.annotator_id)
    return ClashSide(
        item=item,
        alias=member.alias if member else DASH,
        membership=member.pk if member and item.task.annotator_id == member.user_id else None,
        judgment=judgment,
        rows=list(_said(campaign, judgment, system)) if judgment else [],
    )


def _said(
    campaign: Campaign, judgment: Judgment, system: int | None
) -> Iterator[tuple[str, str, bool]]:
    """Yield (what of, what was said, whether the clash is of that system), from the stored rows."""
    shown = altered_texts([judgment.item_id])
    altered = {output: text for (_item, output), text in shown.items()}
    for kind in protocol_of(campaign).kinds:
        if kind in SAID:
            for of, what, output in SAID[kind](campaign, judgment, altered):
                yield of, what, output is not None and _is_of(output, system, output.pk in altered)


def _is_of(output: Output, system: int | None, altered: object) -> bool:
    """Return whether a clash is of the output; of no altered one, which only tells of who judged
    it."""
    return output.system_id == system and not altered


def _ratings(campaign: Campaign, judgment: Judgment, altered: Altered) -> Iterator[Row]:
    names = question_names(campaign)
    for rating in judgment.ratings.select_related("output__system"):
        of = output_name(rating.output, rating.output_id in altered)
        yield f"{of}, {rating_question(rating, names)}", f"{rating.value:g}", rating.output


def _preferences(campaign: Campaign, judgment: Judgment, altered: Altered) -> Iterator[Row]:
    for each in judgment.preferences.select_related("output_a__system", "output_b__system"):
        a, b = (output_name(out, out.pk in altered) for out in (each.output_a, each.output_b))
        yield _("%(a)s or %(b)s") % {"a": a, "b": b}, preference_words(each, a, b), None


def _errors(campaign: Campaign, judgment: Judgment, altered: Altered) -> Iterator[Row]:
    for span in judgment.spans.select_related("output__system", "output__segment"):
        output, text = span.output, altered.get(span.output_id, span.output.text)
        words = span_words(span, output.segment.source, text)
        yield output_name(output, output.pk in altered), words, output


def _answers(campaign: Campaign, judgment: Judgment, altered: Altered) -> Iterator[Row]:
    for answer in judgment.answers.select_related("question"):
        yield answer.question.text, answer_words(answer), None


Row = tuple[str, str, Output | None]
Altered = Mapping[int, str]  # what was shown in place of outputs, by their ids
# By the kind of observations.
SAID: dict[str, Callable[[Campaign, Judgment, Altered], Iterator[Row]]] = {
    "ratings": _ratings,
    "preferences": _preferences,
    "spans": _errors,
    "answers": _answers,
}


def disputed_of(campaign: Campaign, clashes: Sequence[Clash]) -> list[Disputed]:
    """Return what a third person is to be asked about these clashes; in one statement."""
    places = {}
    for clash in clashes:
        match = KEY.fullmatch(clash.key)
        if match and match[3]:
            places[clash.key] = (int(match[3]), int(match[4]))
    of_segments = Output.objects.filter(
        segment__in={segment for segment, _ in places.values()}, segment__test_set=campaign.test_set
    )
    outputs = {(row[1], row[2]): row[0] for row in of_segments.values_list("pk", *PLACE)}
    return [
        Disputed(*clash.items, outputs.get(places.get(clash.key, (0, 0))), clash.dimension)
        for clash in clashes
    ]


def third_of(campaign: Campaign) -> dict[str, list[tuple[str, bool]]]:
    """Return who was asked about a clash, by its key, and whether they have judged it."""
    aliases = dict(campaign.memberships.values_list("user_id", "alias"))
    found: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for asked in campaign.adjudications.select_related("item__task", "output"):
        alias = aliases.get(asked.item.task.annotator_id or 0, NOBODY)
        found[asked.key].append((alias, asked.item.is_judged))
    return dict(found)


def marks_of(campaign: Campaign) -> dict[str, ClashMark]:
    """Return the last mark of every clash, by key; in one statement."""
    marks = campaign.clash_marks.select_related("marked_by").order_by("key", "-pk")
    return {mark.key: mark for mark in marks.distinct("key")}
