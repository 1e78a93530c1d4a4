"""A generated campaign with a million ratings for benchmarks: seeded, and written by COPY.

Five hundred annotators judge fifteen systems on two thousand segments of a hundred documents. An
annotator's score of an output depends on the system, the segment, the annotator's own mean and
spread, and chance. Every annotator judges random screens, so that any two of them share some
outputs; the last screens repeat the first, a few are degraded copies, and a few judgments were
revised. Each annotator works through the screens in one session, some days after the previous
annotator.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import numpy as np

N_SYSTEMS, N_SEGMENTS, N_DOCUMENTS = 15, 2000, 100
DOMAINS, LANGUAGES = ("news", "speech", "social"), ("de", "en")
REPEATED, DEGRADED, REVISED = 0.05, 0.03, 0.005
FIRST_DAY, N_DAYS = np.datetime64("2026-03-01T08:00:00.000"), 30
SEED = 4


@dataclass(frozen=True)
class Screens:
    """Content of each screen (n,): annotator, segment, kind, and systems (n, outputs)."""

    annotator: np.ndarray
    segment: np.ndarray
    kind: np.ndarray
    systems: np.ndarray


def make(name: str, preset: str, n_ratings: int, n_annotators: int):
    """Return the stored campaign, with the owner of its test set."""
    from django.db import connection

    from tests import factory

    campaign = add(name, preset, n_ratings, n_annotators, factory.make_user("bench-owner"))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return campaign


def add(
    name: str, preset: str, n_ratings: int, n_annotators: int, owner, task_items: int | None = None
):
    """Return the stored campaign, one of several. task_items: how many items a task has (None: each
    annotator has one task)."""
    from judgments.protocols import PRESETS, protocol_of
    from tests import factory

    rng = np.random.default_rng(SEED)
    test_set = _texts(owner, f"Texts of {name}")
    campaign = factory.make_campaign(test_set, preset=preset, owner=owner, name=name)
    dimensions = protocol_of(campaign).dimensions()
    slugs = [dimension.slug for dimension in dimensions] or ["rank"]
    shown = int(PRESETS[preset].options["outputs_per_item"])
    each = n_ratings // (n_annotators * shown * len(slugs))
    screens = _screens(rng, n_annotators, each, shown)
    values = [_values(rng, screens, slug, dimensions) for slug in slugs]
    columns = dict(zip(slugs, values, strict=True))
    _store(campaign, test_set, screens, columns, rng, task_items or each)
    return campaign


def _texts(owner, name: str):
    from judgments.files.copying import copy_rows
    from judgments.models import Document, Output, Reference, Segment, System, TestSet

    test_set = TestSet.objects.create(
        name=name, owner=owner, source_language="de", target_language="en"
    )
    documents = [
        Document(
            test_set=test_set,
            name=f"document {d}",
            position=d,
            domain=DOMAINS[d % len(DOMAINS)],
            original_language=LANGUAGES[d % len(LANGUAGES)],
        )
        for d in range(N_DOCUMENTS)
    ]
    Document.objects.bulk_create(documents)
    systems = [System(test_set=test_set, name=f"System-{s:02}") for s in range(N_SYSTEMS)]
    System.objects.bulk_create(systems)
    per_document = N_SEGMENTS // N_DOCUMENTS
    segments = [
        Segment(
            test_set=test_set,
            document=documents[i // per_document],
            key=f"segment {i}",
            position=i,
            source=f"Satz Nummer {i} der Sammlung.",
        )
        for i in range(N_SEGMENTS)
    ]
    Segment.objects.bulk_create(segments)
    Reference.objects.bulk_create(
        Reference(segment=segment, text=f"Sentence number {i} of the collection.")
        for i, segment in enumerate(segments)
    )
    rows = (
        (segment.pk, system.pk, f"Sentence number {i} of the collection, as {s} wrote it.")
        for i, segment in enumerate(segments)
        for s, system in enumerate(systems)
    )
    copy_rows(Output, ("segment", "system", "text"), rows)
    return test_set


def _screens(rng, n_annotators: int, each: int, shown: int) -> Screens:
    """Return ``each`` screens for every annotator."""
    from judgments.models import Kind

    repeated, degraded = int(REPEATED * each), int(DEGRADED * each)
    segments, systems, kinds = [], [], []
    for _ in range(n_annotators):
        fresh = each - repeated
        segment = rng.permutation(np.tile(np.arange(N_SEGMENTS), -(-fresh // N_SEGMENTS)))[:fresh]
        order = np.argsort(rng.random((fresh, N_SYSTEMS)), axis=1)[:, :shown]
        kind = np.full(each, Kind.REGULAR.value, object)
        kind[fresh:] = Kind.REPEAT.value
        kind[fresh - degraded : fresh] = Kind.DEGRADED.value
        segments.append(np.concatenate([segment, segment[:repeated]]))
        systems.append(np.concatenate([order, order[:repeated]]))
        kinds.append(kind)
    annotator = np.repeat(np.arange(n_annotators), each)
    return Screens(
        annotator, np.concatenate(segments), np.concatenate(kinds), np.concatenate(systems)
    )


def _values(rng, screens: Screens, slug: str, dimensions) -> np.ndarray:
    """Return values (n, outputs) on the scale of a dimension; ranks on a screen if there is
    none."""
    quality = np.linspace(-0.8, 0.8, N_SYSTEMS)[screens.systems]
    difficulty = rng.normal(0, 0.6, (N_SEGMENTS, N_SYSTEMS))
    latent = quality + difficulty[screens.segment[:, None], screens.systems]
    latent += rng.normal(0, 0.8, latent.shape) - (screens.kind == "degraded")[:, None]
    n_annotators = screens.annotator[-1] + 1
    lenient, wide = rng.normal(0, 0.5, n_annotators), rng.uniform(0.6, 1.4, n_annotators)
    latent = latent * wide[screens.annotator, None] + lenient[screens.annotator, None]
    scale = next((d.scale for d in dimensions if d.slug == slug), None)
    if scale is None or slug == "rank":
        steps = np.round(-2 * latent)  # equal steps are ties
        return 1 + (steps[:, :, None] > steps[:, None, :]).sum(axis=2).astype(float)
    middle, reach = (scale.low + scale.high) / 2, (scale.high - scale.low) / 5
    steps = np.round((middle + reach * latent - scale.low) / scale.step)
    return np.clip(scale.low + scale.step * steps, scale.low, scale.high)


def _store(campaign, test_set, screens: Screens, values, rng, task_items: int) -> None:
    """values: by dimension, (n, outputs)."""
    from judgments.files.copying import copy_rows, new_ids
    from judgments.models import Item, ItemOutput

    users, tasks = _people(campaign, screens, task_items)
    segment_ids = np.array(
        list(test_set.segments.order_by("position").values_list("pk", flat=True))
    )
    system_ids = np.array(list(test_set.systems.order_by("name").values_list("pk", flat=True)))
    outputs = _outputs(test_set, segment_ids, system_ids)[screens.segment[:, None], screens.systems]
    n = len(screens.annotator)
    batch, place = np.divmod(_places(screens.annotator), task_items)
    task, place = tasks[screens.annotator, batch].tolist(), place.tolist()
    items = new_ids(Item, n)
    columns = (items, task, place, segment_ids[screens.segment].tolist(), screens.kind.tolist())
    fields = ("id", "task", "position", "segment", "kind", "part", "is_judged")
    copy_rows(Item, fields, ((*row, "", True) for row in zip(*columns, strict=True)))
    copy_rows(
        ItemOutput,
        ("item", "output", "position"),
        (
            (i, o, p)
            for i, row in zip(items, outputs.tolist(), strict=True)
            for p, o in enumerate(row)
        ),
    )
    annotators = users[screens.annotator].tolist()
    times = _times(rng.lognormal(9.5, 0.6, n).astype(int), screens.annotator)
    work = (campaign, items, annotators, times, outputs, values)
    changed = np.flatnonzero(rng.random(n) < REVISED)
    first = _judge(*work, changed, {})
    _judge(*work, np.arange(n), dict(zip(changed.tolist(), first, strict=True)))


def _times(active: np.ndarray, annotator: np.ndarray) -> list[tuple[int, str, str]]:
    """Return milliseconds of each screen (n,), and when it was opened and sent."""
    end = (
        np.cumsum(active)
        - np.concatenate([[0], np.cumsum(active)])[np.searchsorted(annotator, annotator)]
    )
    day = FIRST_DAY + (annotator % N_DAYS).astype("timedelta64[D]")
    opened, sent = (
        np.datetime_as_string(day + t.astype("timedelta64[ms]"), timezone="UTC").tolist()
        for t in (end - active, end)
    )
    return list(zip(active.tolist(), opened, sent, strict=True))


def _judge(campaign, items, annotators, times, outputs, values, which, old) -> list[int]:
    """Store judgments of the items numbered ``which``; those in ``old`` supersede it. Return their
    ids."""
    from judgments.files.copying import copy_rows, new_ids
    from judgments.models import Judgment, Rating

    judgments = new_ids(Judgment, len(which))
    keys = [str(uuid.UUID(int=pk)) for pk in judgments]
    fields = "id item campaign annotator revision supersedes client_key guideline_version"
    fields += " active_ms started_at submitted_at"
    rows = (
        (pk, items[i], campaign.pk, annotators[i], 1 + (i in old), old.get(i), key, 1, *times[i])
        for pk, i, key in zip(judgments, which.tolist(), keys, strict=True)
    )
    copy_rows(Judgment, fields.split(), rows)
    columns = [(slug, table[which].tolist()) for slug, table in values.items()]
    ratings = (
        (judgment, output, slug, value, False)
        for k, (judgment, shown) in enumerate(zip(judgments, outputs[which].tolist(), strict=True))
        for slug, table in columns
        for output, value in zip(shown, table[k], strict=True)
    )
    copy_rows(Rating, ("judgment", "output", "dimension", "value", "is_copy"), ratings)
    return judgments


def _people(campaign, screens: Screens, task_items: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ids of the annotators (n,) and of their tasks (n, tasks of one annotator)."""
    from django.contrib.auth import get_user_model

    from judgments.models import Membership, Role, Task

    each = np.bincount(screens.annotator).tolist()
    model = get_user_model()
    users = model.objects.bulk_create(
        model(username=f"bench-{campaign.pk}-{i}", password="!") for i in range(len(each))
    )
    Membership.objects.bulk_create(
        Membership(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=f"annotator {i:03}")
        for i, user in enumerate(users)
    )
    sizes = [
        (user, min(task_items, n - begun))
        for user, n in zip(users, each, strict=True)
        for begun in range(0, n, task_items)
    ]
    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, batch=i + 1, annotator=user, n_items=n, n_judged=n)
        for i, (user, n) in enumerate(sizes)
    )
    ids = np.array([task.pk for task in tasks]).reshape(len(users), -1)
    return np.array([user.pk for user in users]), ids


def _places(annotator: np.ndarray) -> np.ndarray:
    """Return 0, 1, 2 … within each run of equal values."""
    start = np.searchsorted(annotator, annotator)
    return np.arange(len(annotator)) - start


def _outputs(test_set, segment_ids: np.ndarray, system_ids: np.ndarray) -> np.ndarray:
    """Return the ids of the outputs (segments, systems)."""
    from judgments.models import Output

    table = np.zeros((len(segment_ids), len(system_ids)), np.int64)
    found = Output.objects.filter(segment__test_set=test_set).order_by()
    for pk, segment, system in found.values_list("pk", "segment_id", "system_id"):
        table[np.searchsorted(segment_ids, segment), np.searchsorted(system_ids, system)] = pk
    return table
