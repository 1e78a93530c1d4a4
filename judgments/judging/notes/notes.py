"""Skipping an item with a reason, remarking on one, taking up again what was skipped, and what was
written down in all that."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Value, When
from django.utils import timezone

from judgments.models import Campaign, Item, Membership, Note, NoteKind, Role, Side, Task
from judgments.people.workload.work import lock_items, take_up

from ..queue import NotOpen, NotYours, lease_of
from ..screen import Screen


class AlreadyJudged(Exception):
    """What was judged cannot be skipped any more; it can be revised or flagged."""


class NotThere(Exception):
    """The quoted words do not stand where they are said to stand, on the screen as it is now."""


@dataclass(frozen=True)
class Quote:
    """Words that a comment is about; output: None of the source. start: in code points."""

    text: str
    side: str
    start: int
    output: int | None

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def quoted(screen: Screen, *, quote: str, side: str, place: int | None, start: int) -> Quote:
    """Return words that stand on a screen. place: of the translation, from 1. Raise NotThere."""
    if side == Side.SOURCE:
        text, output = screen.item.segment.source if screen.show_source else "", None
    elif place and place <= len(screen.shown):
        row = screen.shown[place - 1]
        text, output = row.text, row.output_id
    else:
        raise NotThere
    found = Quote(quote, side, start, output)
    if text[start : found.end] != quote:
        raise NotThere
    return found


@transaction.atomic
def note(
    membership: Membership,
    task: Task,
    position: int,
    *,
    kind: str,
    reason: str,
    comment: str,
    about: Quote | None = None,
) -> Note:
    """Write what an annotator says beside their judgments; to skip an item also puts it aside.
    about: the words that the comment is about.

    The item and its task are locked, as by an answer. Raise NotOpen, NotYours and AlreadyJudged.
    """
    campaign, now = membership.campaign, timezone.now()
    if not campaign.is_open:
        raise NotOpen
    item = (
        Item.objects.select_related("task")
        .select_for_update(of=("self", "task"))
        .filter(task=task, position=position, task__annotator=membership.user_id)
        .first()
    )
    if item is None:
        raise NotYours
    if kind == NoteKind.SKIP:
        if item.is_judged:
            raise AlreadyJudged
        if not item.is_skipped:
            Item.objects.filter(pk=item.pk).update(is_skipped=True)
            Task.objects.filter(pk=task.pk).update(
                n_skipped=F("n_skipped") + 1,
                # Null stays null: what a manager gave does not lapse.
                leased_until=Case(
                    When(leased_until__isnull=False, then=Value(now + lease_of(campaign)))
                ),
            )
    words: dict[str, Any] = {}
    if about:
        words = {"quote": about.text, "side": about.side, "output_id": about.output}
        words |= {"start": about.start, "end": about.end}
    return Note.objects.create(
        item=item,
        annotator_id=membership.user_id,
        kind=kind,
        reason=reason,
        comment=comment,
        **words,
    )


@transaction.atomic
def take_up_skipped(membership: Membership) -> None:
    """The annotator's skipped items wait to be judged again."""
    tasks = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    lock_items(Item.objects.filter(task__in=tasks, is_judged=False))
    for task in tasks.select_for_update(of=("self",)).order_by("pk"):
        take_up(task)
        task.save(update_fields=["n_skipped"])


def notes_of(campaign: Campaign) -> list[Note]:
    """Return the newest first, each with its segment and with its annotator's name as `alias`; in
    two statements."""
    aliases = dict(campaign.memberships.filter(role=Role.ANNOTATOR).values_list("user_id", "alias"))
    found = list(
        Note.objects.filter(item__task__campaign=campaign)
        .select_related("item__segment__document", "output__system")
        .order_by("-pk")
    )
    for note in found:
        note.alias = aliases.get(note.annotator_id, "")  # type: ignore[attr-defined]
    return found
