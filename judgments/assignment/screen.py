"""What one screen shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType

from django.http import Http404

from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Reference,
)
from judgments.prepared import Prepared
from judgments.protocols import protocol_of
from judgments.protocols.shown import texts_beside

from .observed import load_observations
from .work import Work, work_of

# The statements of the pages that annotators open all day.
rows_at = Prepared(
    lambda task, position: (
        ItemOutput.objects.filter(item__task=task, item__position=position)
        .select_related("output", "item__segment")
        .order_by("position")
    )
)
references_of = Prepared(lambda segment: Reference.objects.filter(segment=segment).order_by("name"))
revisions_of = Prepared(lambda item: Judgment.objects.filter(item=item).order_by("-revision"))


@dataclass(frozen=True)
class Screen:
    """`shown`: the outputs in their order; identical ones appear once (see `distinct`)."""

    campaign: Campaign
    protocol: ModuleType
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
        """Whether texts are held back for now, because fluency is judged without them."""
        return self.item.part == "fluency" and not (self.show_source or self.reference)

    def form(self, data=None):
        initial = None
        if data is None and self.judgment:
            initial = self.protocol.initial(self.campaign, self.item, self.shown, self.judgment)
        return self.protocol.form(self.campaign, self.item, self.shown, data, initial)


def open_item(membership: Membership, number: int, now: datetime) -> Screen:
    """The screen of one of the annotator's items. Reads only. Raises Http404 without such a one."""
    campaign = membership.campaign
    work = work_of(membership)
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
    show_source, show_reference = visible(campaign, item)
    return Screen(
        campaign=campaign,
        protocol=protocol_of(campaign),
        work=work,
        number=number,
        item=item,
        shown=on_screen(campaign, rows),
        show_source=show_source,
        reference=reference_of(item) if show_reference else None,
        judgment=current_judgment(campaign, item) if item.is_judged else None,
        opened_at=now,
    )


def visible(campaign: Campaign, item: Item) -> tuple[bool, bool]:
    """Whether the source and the reference are sent at all.

    In a pass of its own fluency is judged without both (LDC 2005), unless the campaign's option
    `texts_in_fluency_pass` says otherwise.
    """
    if item.part == "fluency" and not campaign.options.get("texts_in_fluency_pass"):
        return False, False
    return texts_beside(campaign)


def reference_of(item: Item) -> Reference | None:
    """The reference that is shown: the first by name."""
    return references_of.first(item.segment_id)


def current_judgment(campaign: Campaign, item: Item) -> Judgment | None:
    """The last revision with the observations that the protocol reads."""
    judgment = revisions_of.first(item.pk)
    if judgment:
        load_observations(protocol_of(campaign).OBSERVATIONS, judgment)
    return judgment


def on_screen(campaign: Campaign, rows: Sequence[ItemOutput]) -> list[ItemOutput]:
    """The outputs that get a place: in a comparison both, of a document all, otherwise each text
    once."""
    all_count = protocol_of(campaign).ANALYSIS in ("preferences", "answers")
    return list(rows) if all_count else distinct(rows)


def distinct(rows: Sequence[ItemOutput]) -> list[ItemOutput]:
    """The first output of every text that a segment has."""
    first: dict[tuple[int, str], ItemOutput] = {}
    for row in rows:
        first.setdefault((row.output.segment_id, row.output.text), row)
    return list(first.values())
