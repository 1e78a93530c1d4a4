"""What one screen shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import prefetch_related_objects
from django.http import Http404

from judgments.judging.observations import reads_as
from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Reference,
)
from judgments.models.prepared_queries import Prepared
from judgments.people.workload.work import Work, work_of
from judgments.protocols import Protocol, protocol_of

from .screen_hash import ITEM_AND_TEXTS, painted, with_texts

# The statements of the pages that annotators open all day.
rows_at = Prepared(
    lambda task, position: with_texts(
        ItemOutput.objects.filter(item__task=task, item__position=position)
    ).order_by("position"),
    related=ITEM_AND_TEXTS,
    annotated=["reference"],
)
references_of = Prepared(lambda segment: Reference.objects.filter(segment=segment).order_by("name"))
revisions_of = Prepared(lambda item: Judgment.objects.filter(item=item).order_by("-revision"))


@dataclass(frozen=True)
class Screen:
    """`shown`: the outputs in their order; identical ones appear once (see `distinct`)."""

    campaign: Campaign
    protocol: Protocol
    work: Work
    number: int
    item: Item
    shown: list[ItemOutput]
    show_source: bool
    reference: Reference | None
    judgment: Judgment | None
    opened_at: datetime

    @property
    def is_first_pass(self) -> bool:
        """Whether texts are held back for now, because a later pass shows them."""
        return self.protocol.hides_for_now(self.item)

    @property
    def batch_end(self) -> int:
        """The number of the last item of the same batch."""
        return self.number - self.item.position + self.item.task.n_items - 1

    @property
    def painted(self) -> bytes:
        return painted(self.protocol, self.shown)

    def form(self, data=None):
        initial = None
        if data is None and self.judgment:
            initial = self.protocol.initial(self.item, self.shown, self.judgment)
        return self.protocol.form(self.item, self.shown, data, initial)


def open_item(membership: Membership, number: int, now: datetime) -> Screen:
    """The screen of one of the annotator's items. Reads only. Raises Http404 without such a one."""
    return screen_of(membership.campaign, work_of(membership), number, now)


def screen_of(campaign: Campaign, work: Work, number: int, now: datetime) -> Screen:
    """The screen of one item of a work. Reads only. Raises Http404 without such a one."""
    place = work.place(number)
    if place is None:
        raise Http404("No such item in your work.")
    task, position = place
    # One query brings the item, its segment and its outputs.
    rows = rows_at(task.pk, position)
    if not rows:
        raise Http404("There is nothing on this screen.")
    item = rows[0].item
    item.task = task
    protocol = protocol_of(campaign)
    show_source, show_reference = protocol.visible(item)
    return Screen(
        campaign=campaign,
        protocol=protocol,
        work=work,
        number=number,
        item=item,
        shown=on_screen(protocol, rows, item.control_output_id),
        show_source=show_source,
        reference=reference_of(item) if show_reference else None,
        judgment=current_judgment(protocol, item) if item.is_judged else None,
        opened_at=now,
    )


def reference_of(item: Item) -> Reference | None:
    """The reference that is shown: the first by name."""
    return references_of.first(item.segment_id)


def current_judgment(protocol: Protocol, item: Item) -> Judgment | None:
    """The last revision with the observations that the protocol reads."""
    judgment = revisions_of.first(item.pk)
    if judgment:
        prefetch_related_objects([judgment], *protocol.kinds)
    return judgment


def on_screen(
    protocol: Protocol, rows: Sequence[ItemOutput], control: int | None = None
) -> list[ItemOutput]:
    """The outputs that get a place: in a comparison both, of a document all, otherwise each text
    once. control: the id of the output that is a control among others."""
    return distinct(rows, control) if shares_places(protocol) else list(rows)


def shares_places(protocol: Protocol) -> bool:
    """Whether outputs that read the same are judged once: the plan may say otherwise."""
    return not protocol.shows_twins and protocol.campaign.plan.get("equal_once", True)


def distinct(rows: Sequence[ItemOutput], control: int | None = None) -> list[ItemOutput]:
    """The first output of every text that a segment has, and every control."""
    first: dict[tuple, ItemOutput] = {}
    for row in rows:
        first.setdefault(reads_as(row, control), row)
    return list(first.values())
