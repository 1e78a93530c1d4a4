"""What a language model judged, as a metric of its test set: scores of segments, and its errors."""

from __future__ import annotations

import hashlib
from collections import defaultdict

import numpy as np
from django.db import transaction
from django.utils import timezone

from judgments.models import ErrorSpan, Judge, Judgment, Preference, Rating
from judgments.protocols import Protocol, protocol_of
from judgments.protocols.kinds import KINDS
from metrics.formats.marked_errors import ErrorOfMetric
from metrics.models import MetricScore, MetricSpans, to_bytes
from metrics.scorers.uploads import Uploaded
from metrics.scoring.parts import Bench, inputs_of

from .tasks import enqueue_comparisons

# (system, segment) → its values.
Values = dict[tuple[int, int], list[float]]


def publish(judge: Judge) -> int:
    """Store a judge as a metric and have its systems compared. Return how many have scores."""
    n_systems = store(judge)
    if n_systems > 1:
        enqueue_comparisons(judge.answers.test_set_id)
    return n_systems


def store(judge: Judge) -> int:
    """Store the judgments of a judge as a metric in the place of what was stored of it before.
    Return how many systems have scores."""
    own = judge.answers
    protocol = protocol_of(own)
    if protocol.unit == "edit":  # what people edited is no system's output
        return 0
    values = values_of(judge, protocol)
    with transaction.atomic():
        forget(judge)
        scores = stored(judge, values)
        if ErrorSpan in {KINDS[kind].model for kind in protocol.kinds}:
            store_errors(judge, scores)
    return len(scores)


def forget(judge: Judge) -> None:
    """Delete the scores of a judge."""
    scores = MetricScore.objects.filter(test_set=judge.answers.test_set, metric=Uploaded.slug)
    scores.filter(options__origin="judge", options__made_by=made_by(judge)).delete()


def made_by(judge: Judge) -> str:
    """Return who made the scores: the number of the judge's campaign, its model and its prompt."""
    said = f"{judge.answers_id} {judge.model[:60]} {judge.prompt} {judge.prompt_hash[:8]}"
    return said.replace("|", "/")


def values_of(judge: Judge, protocol: Protocol) -> Values:
    """Return the scores of the first dimension; of comparisons 1 for an output that is better, .5
    for one that is equal, 0 for one that is worse."""
    last = Judgment.objects.current().filter(campaign=judge.answers)
    found: Values = defaultdict(list)
    if protocol.rates and protocol.dimensions():
        rated = Rating.objects.filter(
            judgment__in=last.values("pk"), dimension=protocol.dimensions()[0].slug
        )
        for system, segment, value in rated.values_list(
            "output__system", "output__segment", "value"
        ):
            found[system, segment].append(value)
    elif protocol.ranks:
        screens: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
        rated = Rating.objects.filter(judgment__in=last.values("pk"))
        columns = ("judgment", "output__system", "output__segment", "value")
        for judgment, *row in rated.values_list(*columns):
            screens[judgment].append(tuple(row))  # type: ignore[arg-type]
        for rows in screens.values():
            for system, segment, rank in rows:
                others = [(rank < other) + 0.5 * (rank == other) for _, _, other in rows]
                if len(rows) > 1:
                    found[system, segment].append((sum(others) - 0.5) / (len(rows) - 1))
    elif "preferences" in protocol.kinds:
        said = Preference.objects.filter(judgment__in=last.values("pk"))
        columns = ("output_a__system", "output_b__system", "output_a__segment", "value")
        for first, second, segment, sign in said.values_list(*columns):
            found[first, segment].append((1 + sign) / 2)
            found[second, segment].append((1 - sign) / 2)
    return found


def stored(judge: Judge, values: Values) -> dict[int, MetricScore]:
    """Return the stored scores, by system."""
    test_set = judge.answers.test_set
    places = {pk: i for i, pk in enumerate(segments_of(judge))}
    arrays: dict[int, np.ndarray] = {}
    for (system, segment), found in values.items():
        if segment in places:
            array = arrays.setdefault(system, np.full(len(places), np.nan))
            array[places[segment]] = np.mean(found)
    scorer = scorer_of(judge, arrays)
    inputs = inputs_of(Bench(), test_set, sorted(arrays), [], False)
    signatures = {
        field: f"{scorer.label}|{scorer.signature(0, level=level)}"
        for field, level in (("signature", "corpus"), ("segment_signature", "segment"))
    }
    rows = []
    for system, array in sorted(arrays.items()):
        is_there = ~np.isnan(array)
        stats = np.full((len(array), 2), np.nan)
        stats[is_there] = np.stack([array[is_there], np.ones(is_there.sum())], axis=1)
        rows.append(
            MetricScore(
                test_set=test_set,
                system_id=system,
                references=[],
                metric=scorer.slug,
                options=scorer.options(),
                score=float(np.nanmean(array)),
                n_segments=int(is_there.sum()),
                segment_data=to_bytes(array),
                statistics_data=to_bytes(stats),
                statistics_width=2,
                texts_hash=inputs[system].texts_hash,
                created_at=timezone.now(),
                **signatures,
            )
        )
    return {row.system_id: row for row in MetricScore.objects.bulk_create(rows)}


def segments_of(judge: Judge) -> list[int]:
    """Return the ids of the test set's segments in its order."""
    segments = judge.answers.test_set.segments.order_by("position")
    return list(segments.values_list("pk", flat=True))


def scorer_of(judge: Judge, arrays: dict[int, np.ndarray]) -> Uploaded:
    digest = hashlib.sha256()
    for system, array in sorted(arrays.items()):
        digest.update(f"{system}:".encode() + to_bytes(array))
    return Uploaded(
        name=judge.name.replace("|", "/"),
        digest=digest.hexdigest()[:16],
        made_by=made_by(judge),
        origin="judge",
    )


def store_errors(judge: Judge, scores: dict[int, MetricScore]) -> None:
    """The errors in the translations that its first sample marked."""
    places = {pk: i for i, pk in enumerate(segments_of(judge))}
    last = Judgment.objects.current().filter(campaign=judge.answers, item__task__seat=1)
    marked: dict[int, list[list[ErrorOfMetric] | None]] = {
        system: [None] * len(places) for system in scores
    }
    shown = last.values_list("item__shown__output__system", "item__shown__output__segment")
    for system, segment in shown:
        if system in marked and segment in places:
            marked[system][places[segment]] = []
    spans = ErrorSpan.objects.filter(judgment__in=last.values("pk"), side="target").order_by("pk")
    columns = ("start", "end", "severity", "category")
    for system, segment, *error in spans.values_list("output__system", "output__segment", *columns):
        found = marked.get(system, [])
        if segment in places and (errors := found[places[segment]]) is not None:
            errors.append(ErrorOfMetric(*error))
    MetricSpans.objects.bulk_create(
        MetricSpans(score=scores[system], data=found, n_errors=sum(map(len, filter(None, found))))
        for system, found in marked.items()
    )
