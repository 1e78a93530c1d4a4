"""An annotator's own items as a list: texts, answers and times.

The list reveals no more than the screens did: of unjudged items the source, unless a pass hides it;
of judged items the texts of their screens. If some items are repeats, finding the same text again
would reveal the earlier answer, so texts are not searched and answers not listed before the
campaign is closed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from judgments.models import (
    TEXT_SHOWN,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Membership,
    Note,
    NoteKind,
    Star,
    Status,
    Task,
)
from judgments.people.workload.work import TASK_ORDER, Work
from judgments.protocols import Protocol, protocol_of

from ..document import outputs_of, summaries_of

PER_PAGE = 50
BEGINNING = 160  # characters of a text
TO_DO, JUDGED, SKIPPED, FLAGGED, STARRED = "to-do", "judged", "skipped", "flagged", "starred"
# Items that show an edited text instead of the text.
OF_EDITS = Q(part__regex=r"^\d+$")


@dataclass(frozen=True)
class OwnItem:
    """An item in one line. text: the beginning of its text, as far as it may be shown; language: of
    that text; summary: the answer; active_ms: of all revisions, None if unknown; document: a key of
    the run of items that it belongs to."""

    number: int
    text: str
    language: str
    is_judged: bool
    is_skipped: bool
    is_flagged: bool
    is_starred: bool
    summary: str
    active_ms: int | None
    document: tuple[int, str, int]
    remarks: tuple[tuple[str, str], ...] = ()  # comments, and the quoted words that they are about


@dataclass(frozen=True)
class LastAnswer:
    """The item and time of the last answer."""

    number: int
    at: datetime


class OwnItems:
    """The items of a membership's work, as requested."""

    def __init__(self, membership: Membership, work: Work) -> None:
        self.user, self.campaign, self.work = membership.user_id, membership.campaign, work
        self.protocol: Protocol = protocol_of(self.campaign)
        self.tasks = [task.pk for task in work.tasks]
        self.firsts = first_numbers(work.tasks)
        # Passes without the source: the source of unjudged items in them must not be readable
        # elsewhere.
        parts = self.protocol.parts()
        self.hidden = [part for part in parts if self.protocol.hides_for_now(Item(part=part))]

    def recalls(self) -> bool:
        """Return whether texts are searched and answers listed."""
        if self.campaign.status == Status.CLOSED:
            return True
        return not Item.objects.filter(task__in=self.tasks, kind=Kind.REPEAT).exists()

    def found(self, show: str, words: str) -> QuerySet[Item]:
        """Return the items in their order that pass a filter and whose texts contain the words."""
        items = Item.objects.filter(task__in=self.tasks)
        if self.protocol.options.hidden_progress:  # the items that one can go back to
            items = items.filter(opened())
        notes = Note.objects.filter(item=OuterRef("pk"), annotator=self.user, kind=NoteKind.FLAG)
        stars = Star.objects.filter(item=OuterRef("pk"), annotator=self.user)
        shown = {
            TO_DO: Q(is_judged=False, is_skipped=False),
            JUDGED: Q(is_judged=True),
            SKIPPED: Q(is_skipped=True),
            FLAGGED: Exists(notes),
            STARRED: Exists(stars),
        }
        if show in shown:
            items = items.filter(shown[show])
        if words:
            items = items.filter(self.with_words(words))
        return items.order_by(*(f"task__{name}" for name in TASK_ORDER), "position")

    def with_words(self, words: str) -> Q:
        """Return a condition for items with the words in the text whose beginning `text_of`
        returns."""
        shown = ItemOutput.objects.filter(item=OuterRef("pk")).annotate(read=TEXT_SHOWN)
        in_output = opened() & ~OF_EDITS & Q(Exists(shown.filter(read__icontains=words)))
        if not self.protocol.texts_beside()[0]:
            return in_output
        in_source = Q(segment__source__icontains=words) & ~Q(part__in=self.hidden)
        return in_output | in_source & (opened() if self.hidden else Q())

    def rows(self, items: Iterable[Item], *, recalls: bool) -> list[OwnItem]:
        """Return the lines of items that were loaded with their segments, in a few statements."""
        items = list(items)
        ids = [item.pk for item in items]
        judged = [item.pk for item in items if item.is_judged]
        places, texts, _ = outputs_of([item.pk for item in items if is_opened(item)])
        said = summaries_of(self.campaign, judged, places) if recalls else {}
        times = Judgment.objects.filter(item__in=judged).order_by().values_list("item")
        took = dict(times.annotate(Sum("active_ms")))
        notes = Note.objects.filter(item__in=ids, annotator=self.user)
        flagged: set[int] = set()
        remarks: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for of, kind, comment, quote in notes.values_list("item", "kind", "comment", "quote"):
            if kind == NoteKind.FLAG:
                flagged.add(of)
            remarks[of].append((comment, quote))
        stars = Star.objects.filter(item__in=ids, annotator=self.user)
        starred = set(stars.values_list("item", flat=True))
        found = []
        for item in items:
            text, language = self.text_of(item, texts.get(item.pk, []))
            found.append(
                OwnItem(
                    number=self.firsts[item.task_id] + item.position,
                    text=text,
                    language=language,
                    is_judged=item.is_judged,
                    is_skipped=item.is_skipped,
                    is_flagged=item.pk in flagged,
                    is_starred=item.pk in starred,
                    summary=said.get(item.pk, ""),
                    active_ms=took.get(item.pk),
                    document=(item.task_id, item.part, item.segment.document_id),
                    remarks=tuple(remarks[item.pk]) if recalls else (),
                )
            )
        return found

    def text_of(self, item: Item, outputs: list[str]) -> tuple[str, str]:
        """Return the beginning of an item's text and its language: of the source, or of the first
        translation if the source is not shown."""
        languages = self.campaign.test_set
        may_read = self.protocol.visible(item)[0] and (is_opened(item) or not self.hidden)
        if may_read and item.segment.source:
            return beginning(item.segment.source), languages.source_language
        if outputs and not item.part.isdecimal():
            return beginning(outputs[0]), languages.target_language
        return "", ""

    def stop(self) -> LastAnswer | None:
        """Return the item that was judged last, at any time; None before any was."""
        last = Task.objects.filter(pk__in=self.tasks, last_judged_at__isnull=False)
        task = last.order_by("-last_judged_at").values("pk")[:1]
        answers = Judgment.objects.filter(item__task=task, submitted_at__isnull=False)
        answers = answers.order_by("-submitted_at")
        row = answers.values_list("item__task", "item__position", "submitted_at").first()
        return LastAnswer(self.firsts[row[0]] + row[1], row[2]) if row and row[2] else None


def first_numbers(tasks: Iterable[Task]) -> dict[int, int]:
    """Return the number of the first item of each task."""
    found, number = {}, 1
    for task in tasks:
        found[task.pk] = number
        number += task.n_items
    return found


def opened() -> Q:
    return Q(is_judged=True) | Q(is_skipped=True)


def is_opened(item: Item) -> bool:
    return item.is_judged or item.is_skipped


def beginning(text: str) -> str:
    """Return the first words of a text."""
    words = " ".join(text[: 4 * BEGINNING].split())
    return words if len(words) <= BEGINNING else words[:BEGINNING].rstrip() + "…"


def set_star(user: int, item: Item, *, is_starred: bool) -> None:
    """Add the star to an annotator's item or remove it, as requested, however often."""
    if is_starred:
        Star.objects.bulk_create([Star(item=item, annotator_id=user)], ignore_conflicts=True)
    else:
        Star.objects.filter(item=item, annotator=user).delete()
