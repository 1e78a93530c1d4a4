"""The design: which tasks a campaign has, and what is on their screens."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from django.db import transaction
from django.db.models.functions import MD5

from judgments import no_texts
from judgments.deletion import delete_items
from judgments.models import AlteredOutput, Campaign, Judgment, Output, Task
from judgments.protocols import protocol_of

from . import layout, rows
from .composition import Composition, PlanError, compose, hidden_reference
from .plan_error import check_size
from .plan_settings import PlanSettings
from .previews import Preview, numbers
from .units import UNITS, Planned


@dataclass(frozen=True)
class Layout:
    batches: list[list[layout.PlannedScreen]]
    parts: tuple[str, ...]
    n_segments: int
    n_skipped: int
    n_equal: int
    n_answers: int | None = None  # None: as many as `preview` counts


def lay_out(
    campaign: Campaign,
    *,
    batch_size: int,
    outputs_per_item: int | None = None,
    screens_per_segment: int | None = None,
    systems: Collection[int] | None = None,
    rng,
) -> Layout:
    """The screens of one seat of every batch. Raises PlanError where nothing can be judged."""
    for name, value in (
        ("items in a batch", batch_size),
        ("translations on a screen", outputs_per_item),
        ("screens for each segment", screens_per_segment),
    ):
        if value is not None and value < 1:
            raise PlanError(f"The number of {name} must be 1 or more.")
    if not campaign.test_set.has_texts:
        raise PlanError(no_texts.TO_JUDGE)
    protocol = protocol_of(campaign)
    if protocol.asks_nothing():
        raise PlanError("The campaign asks no question; make one that does.")
    parts = protocol.parts()
    unit = UNITS.get(protocol.unit)
    if unit is not None:
        return lay_out_units(unit, campaign, batch_size=batch_size, systems=systems, rng=rng)
    fewest, most = protocol.outputs_per_item()
    divider = layout.Divider(
        fewest=fewest,
        most=min(most, outputs_per_item or most),
        pairs=protocol.in_pairs,
        limit=screens_per_segment,
        rng=rng,
    )
    segments = read_candidates(campaign, systems, with_texts=protocol.compares)
    usable = [candidates for candidates in segments if len(candidates.outputs) >= fewest]
    if not usable:
        raise PlanError("No segment of the test set has enough translations to be judged.")
    documents = [
        layout.document_screens(list(group), divider)
        for _, group in groupby(usable, key=lambda candidates: candidates.document)
    ]
    if not any(documents):
        raise PlanError("The translations of every segment read the same: there is no difference.")
    size = max(1, batch_size // len(parts))
    return Layout(
        layout.batches(documents, size),
        parts,
        len(usable),
        len(segments) - len(usable),
        divider.n_equal,
    )


def lay_out_units(unit: Callable[..., Planned], campaign: Campaign, **design) -> Layout:
    """Screens of whole documents or of edits; see `units`."""
    try:
        found = unit(campaign, **design)
    except ValueError as problem:
        raise PlanError(str(problem)) from None
    return Layout(
        found.batches, ("",), found.n_segments, found.n_skipped, 0, n_answers=found.n_answers
    )


def read_candidates(campaign, systems=None, *, with_texts=False) -> list[layout.Candidates]:
    """Every segment that has outputs, in the order of the test set."""
    outputs = Output.objects.filter(
        system__test_set=campaign.test_set_id, system__copies_reference=""
    )
    if systems is not None:
        outputs = outputs.filter(system__in=systems)
    ordered = outputs.order_by("segment__document__position", "segment__position", "system_id")
    columns = ("segment__document_id", "segment_id", "id", "system_id")
    tuples = ordered.values_list(*columns, *([MD5("text")] if with_texts else []))
    found = []
    for (document, segment), group in groupby(tuples.iterator(), key=lambda row: row[:2]):
        here = list(group)
        outputs_here = tuple((row[2], row[3]) for row in here)
        texts = {row[2]: row[4] for row in here} if with_texts else {}
        found.append(layout.Candidates(segment, document, outputs_here, texts))
    return found


def preview(
    campaign: Campaign, settings: PlanSettings | None = None, *, seats: int = 1, **design
) -> Preview:
    """The numbers of what `plan` would write with the same arguments; writes nothing."""
    if settings is not None:
        return numbers(campaign, settings, composed(campaign, settings))
    check_seats(seats)
    check_screens(campaign)
    found = lay_out(campaign, **design)
    sizes = [len(screens) * len(found.parts) for screens in found.batches]
    protocol = protocol_of(campaign)
    answers = found.n_answers
    if answers is None:
        counts = Counter(len(screen.outputs) for screens in found.batches for screen in screens)
        answers = sum(n * protocol.answers_on(n_outputs) for n_outputs, n in counts.items())
    return Preview(
        n_segments=found.n_segments,
        n_skipped=found.n_skipped,
        n_equal=found.n_equal,
        n_batches=len(found.batches),
        n_tasks=len(found.batches) * seats,
        n_screens=sum(sizes),
        n_items=sum(sizes) * seats,
        n_answers=answers * seats,
        smallest_task=min(sizes),
        largest_task=max(sizes),
    )


@transaction.atomic
def plan(
    campaign: Campaign,
    settings: PlanSettings | None = None,
    *,
    seats: int = 1,
    rng=None,
    **design,
) -> list[Task]:
    """Write the tasks of a campaign in place of those it has, and keep its settings.

    By settings; or by design, which draws nothing but orders: `batch_size` (items of one task at
    most), and optionally `outputs_per_item`, `screens_per_segment` (pairs, in a pairwise campaign)
    and `systems` (ids), with the annotators per item in `seats`. Every seat sees the same screens,
    each in an order of its own. Raises PlanError when nothing can be judged, or when people have
    begun.
    """
    if settings is None:
        check_seats(seats)
    check_screens(campaign)
    clear(campaign)
    in_order = keeps_order(campaign)
    if settings is None:
        found = lay_out(campaign, rng=rng, **design)
        n_seats = [seats] * len(found.batches)
        check_size(sum(map(len, found.batches)) * seats * len(found.parts))
        orderer = None if in_order else layout.Orderer(rng)
        tasks = rows.write(campaign, found.batches, n_seats, found.parts, orderer)
    else:
        made = composed(campaign, settings, write=True)
        check_size(made.n_items)
        orderer = None if in_order else layout.BalancedOrderer(order_rng(settings))
        tasks = rows.write(campaign, made.batches, made.seats, made.parts, orderer)
    campaign.plan = settings.stored() if settings else {}
    campaign.save(update_fields=["plan"])
    return tasks


def keeps_order(campaign: Campaign) -> bool:
    """Whether what a screen holds stays in its order, as the segments of a document do."""
    return protocol_of(campaign).unit in ("document", "whole document")


def composed(campaign: Campaign, settings: PlanSettings, *, write=False) -> Composition:
    """The plan of these settings. write: whether the hidden reference is stored."""
    if problems := list(settings.problems()):
        raise PlanError("; ".join(problems))
    hidden = hidden_reference(campaign, settings, write=write)
    return compose(campaign, settings, hidden=hidden)


def order_rng(settings: PlanSettings):
    """Orders on screens have chance of their own, so that they change nothing else of a plan."""
    return np.random.default_rng([settings.seed, 1])


def check_seats(seats: int) -> None:
    if seats < 1:
        raise PlanError("At least one annotator must judge each item.")


def check_screens(campaign: Campaign) -> None:
    if reason := protocol_of(campaign).why_only_read():
        raise PlanError(f"This campaign can only be read. {reason}")


def clear(campaign: Campaign) -> None:
    """Delete the tasks of a campaign on which nobody has begun.

    The campaign's row is locked, as by an import, so that neither sees half of the other.
    """
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    tasks = list(campaign.tasks.select_for_update().order_by("pk"))
    if Judgment.objects.filter(campaign=campaign).exists():
        raise PlanError(
            "Judgments are stored, so the work cannot be planned anew; make another campaign."
        )
    if campaign.is_open and any(task.annotator_id for task in tasks):
        raise PlanError("Annotators are at work; pause the campaign before you plan anew.")
    delete_items(campaign)
    campaign.tasks.all().delete()
    AlteredOutput.objects.filter(campaign=campaign).delete()
