"""The content of one screen, and its short hash, which its ticket contains.

An answer belongs to the texts that it is about, as they were shown on the screen. Everything else
there has separate names in the form (questions, suggested spans), is recorded with the answer
(hints), or only helps to read (glosses, sound, the rest of a document).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import groupby

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
    Task,
)
from judgments.models.prepared_queries import Prepared
from judgments.people.workload.work import Work, work_of
from judgments.protocols import Protocol, protocol_of

SIZE = 8  # bytes
# Relations loaded with the outputs of a screen.
ITEM_AND_TEXTS = (
    "output",
    "output__segment",
    "altered",
    "item",
    "item__segment",
    "item__segment__document",
)


def with_texts(rows: QuerySet[ItemOutput]) -> QuerySet[ItemOutput]:
    """Return the query with everything that `painted` reads. `reference`: of an output's segment,
    the first by name, which is the one that screens show."""
    references = Reference.objects.filter(segment=OuterRef("output__segment")).order_by("name")
    return rows.select_related(*ITEM_AND_TEXTS).annotate(
        reference=Subquery(references.values("text")[:1])
    )


def painted(protocol: Protocol, shown: Sequence[ItemOutput]) -> bytes:
    """Return the hash of a screen, `SIZE` bytes. shown: its outputs in their order, read
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
        # The length distinguishes "a", "bc" from "ab", "c", and None from "".
        said = b"" if text is None else text.encode()
        digest.update(b"-" if text is None else f"{len(said)}:".encode() + said)
    return digest.digest()


# For the item of an output, the star of its annotator.
OWN_STARS = Star.objects.filter(item=OuterRef("item"), annotator=OuterRef("item__task__annotator"))
# Statements of the pages that annotators use all day.
rows_between = Prepared(
    lambda task, first, last: (
        with_texts(ItemOutput.objects.filter(item__task=task, item__position__range=(first, last)))
        .annotate(is_starred=Exists(OWN_STARS))
        .order_by("item__position", "position")
    ),
    related=ITEM_AND_TEXTS,
    annotated=["reference", "is_starred"],
)
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
    is_starred: bool = False  # by the annotator; nobody else may see it

    @property
    def is_first_pass(self) -> bool:
        """Whether texts are hidden for now, because a later pass shows them."""
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
    """Return the screen of one of the annotator's items. Reads only. Raise Http404 if there is
    none."""
    return screen_of(membership.campaign, work_of(membership), number, now)


def screen_of(campaign: Campaign, work: Work, number: int, now: datetime) -> Screen:
    """Return the screen of one item of a work. Reads only. Raise Http404 if there is none."""
    found = screens_of(campaign, work, [number], now)
    if not found:
        raise Http404("No such item in your work.")
    return found[0]


def screens_of(
    campaign: Campaign, work: Work, numbers: Iterable[int], now: datetime
) -> list[Screen]:
    """Return the screens of those items of a work that exist, in the order of their numbers. Reads
    only: one query for each run of items that follow each other in a batch, and further ones for
    items that were judged."""
    protocol = protocol_of(campaign)
    found = []
    for task, first, last in runs_of(work, numbers):
        rows = rows_between(task.pk, first, last)
        for _, outputs in groupby(rows, key=lambda row: row.item_id):
            found.append(_screen(protocol, work, task, list(outputs), now))
    return found


def runs_of(work: Work, numbers: Iterable[int]) -> list[tuple[Task, int, int]]:
    """Return the runs of items that follow each other in a task: the task with the first and the
    last position. Numbers that are not in the work are left out."""
    runs: list[tuple[Task, int, int]] = []
    for number in sorted(set(numbers)):
        place = work.place(number)
        if place is None:
            continue
        task, position = place
        if runs and runs[-1][0] is task and runs[-1][2] == position - 1:
            runs[-1] = (task, runs[-1][1], position)
        else:
            runs.append((task, position, position))
    return runs


def _screen(
    protocol: Protocol, work: Work, task: Task, rows: list[ItemOutput], now: datetime
) -> Screen:
    """Return the screen of one item. rows: its outputs, from `rows_between`."""
    item = rows[0].item
    item.task = task
    show_source, show_reference = protocol.visible(item)
    return Screen(
        campaign=protocol.campaign,
        protocol=protocol,
        work=work,
        number=work.number(task.pk, item.position),
        item=item,
        shown=on_screen(protocol, rows, item.control_output_id),
        show_source=show_source,
        reference=reference_of(item, rows) if show_reference else None,
        judgment=current_judgment(protocol, item) if item.is_judged else None,
        opened_at=now,
        is_starred=vars(rows[0])["is_starred"],
    )


def reference_of(item: Item, rows: Iterable[ItemOutput] = ()) -> Reference | None:
    """Return the reference that is shown: the first by name, as rows of the same segment have it.
    rows: read `with_texts`."""
    for row in rows:
        if row.output.segment_id == item.segment_id:
            text = vars(row)["reference"]
            return None if text is None else Reference(segment=item.segment, text=text)
    return Reference.objects.filter(segment=item.segment_id).order_by("name").first()


def current_judgment(protocol: Protocol, item: Item) -> Judgment | None:
    """Return the last revision with the observations that the protocol reads."""
    judgment = revisions_of.first(item.pk)
    if judgment:
        prefetch_related_objects([judgment], *protocol.kinds)
    return judgment


def on_screen(
    protocol: Protocol, rows: Sequence[ItemOutput], control: int | None = None
) -> list[ItemOutput]:
    """Return the outputs that get a place: both of a comparison, all of a document, otherwise each
    text once. control: the id of the output that is a control among others."""
    return distinct(rows, control) if protocol.shares_places else list(rows)


def distinct(rows: Sequence[ItemOutput], control: int | None = None) -> list[ItemOutput]:
    """Return the first output with each text of a segment, and every control."""
    first: dict[tuple, ItemOutput] = {}
    for row in rows:
        first.setdefault(reads_as(row, control), row)
    return list(first.values())
