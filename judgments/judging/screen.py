"""What one screen shows, and the short hash of it that stands in its ticket.

An answer belongs to what was read: the texts that it is about, as they stand on the screen. What
else stands there has names of its own in the form (questions, suggested spans), is recorded with
the answer (hints), or only helps to read (glosses, sound, the rest of a document).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from django.db.models import Exists, OuterRef, QuerySet, Subquery, prefetch_related_objects
from django.http import Http404

from judgments.judging.observations import reads_as
from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Reference,
    Star,
)
from judgments.models.prepared_queries import Prepared
from judgments.people.workload.work import Work, work_of
from judgments.protocols import Protocol, protocol_of

SIZE = 8  # bytes
# What comes with the outputs of a screen.
ITEM_AND_TEXTS = (
    "output",
    "output__segment",
    "altered",
    "item",
    "item__segment",
    "item__segment__document",
)


def with_texts(rows: QuerySet[ItemOutput]) -> QuerySet[ItemOutput]:
    """Return the query with all that `painted` reads. `reference`: of an output's segment, the
    first by name, which is the one that screens show."""
    references = Reference.objects.filter(segment=OuterRef("output__segment")).order_by("name")
    return rows.select_related(*ITEM_AND_TEXTS).annotate(
        reference=Subquery(references.values("text")[:1])
    )


def painted(protocol: Protocol, shown: Sequence[ItemOutput]) -> bytes:
    """Return the hash of a screen, `SIZE` bytes. shown: the outputs on it in their order, read
    `with_texts`."""
    item = shown[0].item
    has_source, has_reference = protocol.visible(item)
    has_sources, has_references = protocol.texts_by_output()
    references = {row.output.segment_id: vars(row)["reference"] for row in shown}
    texts = [
        item.segment.source if has_source else None,
        references.get(item.segment_id) if has_reference else None,
    ]
    for row in shown:
        segment = row.output.segment
        texts.append(segment.source if has_sources else None)
        texts.append(references[segment.pk] if has_references else None)
        texts.append(row.text)
    return hash_of(item.pk, texts)


def hash_of(item: int, texts: Iterable[str | None]) -> bytes:
    """Return the hash of an item's texts, `SIZE` bytes; None: a text that is not shown."""
    digest = blake2b(item.to_bytes(8, "big"), digest_size=SIZE)
    for text in texts:
        # The length keeps "a", "bc" apart from "ab", "c", and None from "".
        said = b"" if text is None else text.encode()
        digest.update(b"-" if text is None else f"{len(said)}:".encode() + said)
    return digest.digest()


# Of the item of an output, the star of whoever judges it.
OWN_STARS = Star.objects.filter(item=OuterRef("item"), annotator=OuterRef("item__task__annotator"))
# The statements of the pages that annotators open all day.
rows_at = Prepared(
    lambda task, position: (
        with_texts(ItemOutput.objects.filter(item__task=task, item__position=position))
        .annotate(is_starred=Exists(OWN_STARS))
        .order_by("position")
    ),
    related=ITEM_AND_TEXTS,
    annotated=["reference", "is_starred"],
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
    is_starred: bool = False  # by the annotator; for nobody else to see

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
    """Return the screen of one of the annotator's items. Reads only. Raise Http404 without such a
    one."""
    return screen_of(membership.campaign, work_of(membership), number, now)


def screen_of(campaign: Campaign, work: Work, number: int, now: datetime) -> Screen:
    """Return the screen of one item of a work. Reads only. Raise Http404 without such a one."""
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
        is_starred=vars(rows[0])["is_starred"],
    )


def reference_of(item: Item) -> Reference | None:
    """Return the reference that is shown: the first by name."""
    return references_of.first(item.segment_id)


def current_judgment(protocol: Protocol, item: Item) -> Judgment | None:
    """Return the last revision with the observations that the protocol reads."""
    judgment = revisions_of.first(item.pk)
    if judgment:
        prefetch_related_objects([judgment], *protocol.kinds)
    return judgment


def on_screen(
    protocol: Protocol, rows: Sequence[ItemOutput], control: int | None = None
) -> list[ItemOutput]:
    """Return the outputs that get a place: in a comparison both, of a document all, otherwise each
    text once. control: the id of the output that is a control among others."""
    return distinct(rows, control) if shares_places(protocol) else list(rows)


def shares_places(protocol: Protocol) -> bool:
    """Return whether outputs that read the same are judged once: the plan may say otherwise."""
    return not protocol.shows_twins and protocol.campaign.plan.get("equal_once", True)


def distinct(rows: Sequence[ItemOutput], control: int | None = None) -> list[ItemOutput]:
    """Return the first output of every text that a segment has, and every control."""
    first: dict[tuple, ItemOutput] = {}
    for row in rows:
        first.setdefault(reads_as(row, control), row)
    return list(first.values())
