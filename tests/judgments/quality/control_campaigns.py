"""Campaigns with every kind of control item, planned by hand, and annotators of known care."""

import uuid
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from judgments.models import (
    Alteration,
    Campaign,
    Document,
    ErrorSpan,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    Output,
    QualityRule,
    Rating,
    Reference,
    Segment,
    System,
    Task,
    TestSet,
)
from judgments.plans.controls.damage import altered_outputs
from judgments.stats.planning.simulated_people import (
    CAREFUL,
    FAST,
    LAZY,
    RANDOM,
    AnswerScale,
    answers,
)
from tests import factory

WORDS = [
    "time",
    "year",
    "people",
    "way",
    "day",
    "man",
    "thing",
    "woman",
    "life",
    "child",
    "world",
    "school",
    "state",
    "family",
]
CONTROLS = (
    [(Kind.DEGRADED, Alteration.WMT16)] * 10
    + [(Kind.REPEAT, "")] * 10
    + [(Kind.CHECK, Alteration.LOUD)] * 4
    + [(Kind.CHECK, Alteration.SILENT)] * 4
    + [(Kind.REFERENCE, "")] * 6
)
N_REGULAR = 100 - len(CONTROLS)
RULE = {
    "least_checks": 0.7,
    "degraded_level": 0.05,
    "most_deviation": 0.25,
    "least_references": 0.5,
}


CARES = {"good": CAREFUL, "random": RANDOM, "middle": LAZY, "fast": FAST}
NOISE = 7.0
HUNDRED = AnswerScale(0, 100)


def score(care: str, quality: float, rng) -> float:
    """What somebody with a care says of a quality, from 0 to 100."""
    return float(answers(CARES[care], np.array([quality]), HUNDRED, rng, noise=NOISE)[0])


@dataclass
class Planned:
    """A campaign, its annotators by care, and the quality of what they are shown."""

    campaign: Campaign
    people: dict = field(default_factory=dict)
    quality: dict = field(default_factory=dict)


def make_texts(owner, rng, *, n_segments=120, n_systems=3) -> TestSet:
    """Sentences of eight to twenty words in documents of four; the last system is the reference."""
    test_set = TestSet.objects.create(
        name="Controls", owner=owner, source_language="de", target_language="en"
    )
    documents = Document.objects.bulk_create(
        Document(test_set=test_set, name=f"d{i}", position=i) for i in range(n_segments // 4)
    )
    systems = [System.objects.create(test_set=test_set, name=f"s{i}") for i in range(n_systems)]
    systems.append(System.objects.create(test_set=test_set, name="zz", copies_reference="ref"))

    def sentence():
        return " ".join(rng.choice(WORDS, rng.integers(8, 20)))

    segments = Segment.objects.bulk_create(
        Segment(
            test_set=test_set, document=documents[i // 4], key=str(i), position=i, source=sentence()
        )
        for i in range(n_segments)
    )
    references = [Reference(segment=each, text=sentence()) for each in segments]
    Reference.objects.bulk_create(references)
    Output.objects.bulk_create(
        Output(
            segment=segment,
            system=system,
            text=reference.text if system.copies_reference else sentence(),
        )
        for segment, reference in zip(segments, references, strict=True)
        for system in systems
    )
    return test_set


def plan(
    preset: str, rng, *, n_outputs=1, cares=("good", "middle", "random"), rule=RULE
) -> Planned:
    """A task of a hundred screens for each annotator; with several outputs on a screen, a control
    is one of them."""
    owner = factory.make_user(f"owner{uuid.uuid4().hex[:8]}")
    test_set = make_texts(owner, rng, n_systems=max(3, n_outputs))
    users = {care: factory.make_user(f"{care}{uuid.uuid4().hex[:8]}") for care in cares}
    campaign = factory.make_campaign(
        test_set, preset=preset, owner=owner, annotators=list(users.values())
    )
    if rule:
        QualityRule.objects.create(campaign=campaign, n_judgments=0, written_by=owner, **rule)
    planned = Planned(campaign)
    for batch, (care, user) in enumerate(users.items(), 1):
        planned.people[care] = campaign.memberships.get(user=user)
        _work(planned, batch, user, n_outputs, rng)
    return planned


def _work(planned, batch, user, n_outputs, rng):
    campaign = planned.campaign
    outputs: dict[int, list[Output]] = {}
    known = Output.objects.filter(system__test_set=campaign.test_set).select_related("system")
    for output in known.order_by("system__name"):
        outputs.setdefault(output.segment_id, []).append(output)
        base = 85 if output.system.copies_reference else 72
        planned.quality.setdefault((output.pk, ""), float(np.clip(rng.normal(base, 9), 0, 100)))
    segments = list(outputs)[:100]
    screens = [(segment, Kind.REGULAR, "") for segment in segments[:N_REGULAR]]
    for place, (kind, rule) in enumerate(CONTROLS):
        repeats = kind in (Kind.DEGRADED, Kind.REPEAT)
        segment = segments[place] if repeats else segments[N_REGULAR + place]
        screens.append((segment, kind, rule))
    wanted = [(outputs[segment][0].pk, rule) for segment, _, rule in screens if rule]
    altered = iter(altered_outputs(campaign, wanted, rng))
    task = Task.objects.create(campaign=campaign, batch=batch, annotator=user, n_items=len(screens))
    for position, (segment, kind, rule) in enumerate(screens):
        own = outputs[segment]
        about = own[-1] if kind == Kind.REFERENCE else own[0]
        row = next(altered) if rule else None
        if row:
            row.save()
            lost = {"loud": 100, "silent": 60}.get(rule, 25)
            planned.quality[about.pk, rule] = max(0.0, planned.quality[about.pk, ""] - lost)
        fields: dict[str, Any] = {"kind": kind}
        if n_outputs > 1 and kind != Kind.REGULAR:
            fields = {"control_output": about, "control_kind": kind}
        item = Item.objects.create(task=task, position=position, segment_id=segment, **fields)
        shown = [about]
        if n_outputs > 1:
            others = [o for o in own if o != about and not o.system.copies_reference]
            shown = [about, *others][:n_outputs]
        ItemOutput.objects.bulk_create(
            ItemOutput(
                item=item, output=output, position=place, altered=row if output == about else None
            )
            for place, output in enumerate(shown)
        )


def judge_all(planned: Planned, rng, *, spans=False, until=100) -> None:
    """Everybody answers the first items, with the care that they have."""
    for care, membership in planned.people.items():
        items = Item.objects.filter(task__annotator=membership.user).order_by("position")[:until]
        for item in items.prefetch_related("shown__output", "shown__altered"):
            judgment = Judgment.objects.create(
                item=item,
                campaign=planned.campaign,
                annotator=membership.user,
                client_key=uuid.uuid4(),
                active_ms=20_000,
            )
            for row in item.shown.all():
                rule = row.altered.rule if row.altered else ""
                said = score(care, planned.quality[row.output_id, rule], rng)
                _store(planned.campaign, judgment, row, said, care, rng, spans)


def _store(campaign, judgment, row, said, care, rng, spans):
    values = {"esa": said} if spans else {"da": said}
    if spans:
        marks = []
        if care == "good" and row.altered and row.altered.start is not None:
            marks.append((row.altered.start, row.altered.end))
        elif care == "random":
            marks.append((0, int(rng.integers(1, len(row.text)))))
        ErrorSpan.objects.bulk_create(
            ErrorSpan(
                judgment=judgment, output_id=row.output_id, start=start, end=end, severity="major"
            )
            for start, end in marks
        )
        values["esa_spans"] = -5.0 * len(marks)
    Rating.objects.bulk_create(
        Rating(judgment=judgment, output_id=row.output_id, dimension=slug, value=value)
        for slug, value in values.items()
    )
