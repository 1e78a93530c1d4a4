"""Facts about an evaluation in the database, read once for all parts of a report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from statistics import median
from typing import Any

from django.db.models import Count, Max, Min, QuerySet

from judgments.files.languages import language_name
from judgments.models import (
    NO_CONTROLS,
    Campaign,
    Item,
    ItemOutput,
    Judgment,
    Kind,
    RegisteredPlan,
)
from judgments.people.staffing.pay import Pay, pay_of
from judgments.people.staffing.settings import PersonQuestion, Staffing, staffing_of
from judgments.plans.settings import PlanSettings
from judgments.plans.stopping import plan_of
from judgments.protocols import protocol_of
from judgments.protocols.base import Dimension, as_shown, with_language
from judgments.protocols.contract import Protocol
from judgments.results.coverage.figures import (
    Coverage,
    coverage,
    judgments_with_systems,
    time_by_kind,
)
from judgments.results.selection.selection import Selection
from judgments.test_sets.reference_facts.words import stated_names
from judgments.web.extension_points import registered
from judgments.web.sections import Section

from .blocks import Statement, to_add


@dataclass(frozen=True)
class MetricFacts:
    """The automatic metrics of a test set. n_uploaded: of those computed elsewhere."""

    signatures: tuple[tuple[str, str], ...] = ()
    n_uploaded: int = 0


@dataclass(frozen=True)
class BroughtPart:
    """A part that an app above this one adds to reports; registered in its AppConfig as
    `report_parts`."""

    sections: Callable[[Selection], Sequence[Section]]
    facts: Callable[[Selection], MetricFacts]


@dataclass(frozen=True)
class Facts:
    """``systems`` were judged; ``copies`` among them are references under the name of a system.
    ``is_imported``: people judged elsewhere, and what they saw is unknown. ``answers``: questions
    and summarized answers of annotators who judged. ``kinds``: how many items of each kind were
    planned; an item with a control among its outputs is also one of that kind.
    ``is_release``: for the copy in a release, which contains nothing about people's identity and
    pay."""

    selection: Selection
    protocol: Protocol
    systems: tuple[str, ...]
    copies: tuple[str, ...]
    is_imported: bool
    references: tuple[str, ...]
    n_segments: int
    n_documents: int
    domains: Counter[str]
    origins: Counter[str]
    n_annotators: int
    n_judgments: int
    coverage: Coverage
    first: date | None
    last: date | None
    hours: float
    guidelines: tuple[int, ...]
    kinds: Counter[str]
    n_practiced: int
    staffing: Staffing
    answers: tuple[tuple[str, str], ...]
    n_consented: int
    pay: Pay
    plan: PlanSettings
    stopping: RegisteredPlan | None
    metrics: MetricFacts = field(default_factory=MetricFacts)
    is_release: bool = False

    def unknown(self, what: str, why: str) -> Statement:
        """Return what the author has to add about people, because the site, or a release, does not
        have it."""
        return to_add(f"{what}; {'releases leave it out' if self.is_release else why}.")

    @property
    def campaign(self) -> Campaign:
        return self.selection.campaign

    @property
    def languages(self) -> tuple[str, str]:
        test_set = self.campaign.test_set
        return named(test_set.source_language), named(test_set.target_language)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The dimensions with the questions that annotators read, for the texts shown with an
        output."""
        target = language_name(self.campaign.test_set.target_language)
        shown = self.protocol.texts_beside()
        every = self.protocol.dimensions()
        return tuple(with_language(as_shown(each, *shown), target) for each in every)

    @property
    def outputs_per_system(self) -> tuple[int, int]:
        """The smallest and the largest number of segments judged for a system; 0 without any."""
        n = self.coverage.of_system.tolist()
        return (min(n), max(n)) if n else (0, 0)


def named(tag: str) -> str:
    name = language_name(tag)
    return name if name == tag else f"{name} ({tag})"


def facts_of(selection: Selection, *, is_release: bool = False) -> Facts:
    campaign = selection.campaign
    test_set = campaign.test_set
    documents = list(test_set.documents.values_list("domain", "original_language"))
    current = judgments_with_systems(selection)
    known = current.aggregate(first=Min("submitted_at"), last=Max("submitted_at"))
    users = set(current.order_by().values_list("annotator", flat=True).distinct())
    versions = current.order_by().values_list("guideline_version", flat=True).distinct()
    members = campaign.memberships.filter(user__in=users)
    seen = coverage(selection)
    times = time_by_kind(selection)[-1]
    copies = test_set.systems.filter(name__in=seen.systems).exclude(copies_reference="")
    staffing = staffing_of(campaign)
    abouts = [each for each in members.values_list("about", flat=True) if each]
    items = Item.objects.filter(task__campaign=campaign).order_by()
    return Facts(
        selection=selection,
        protocol=protocol_of(campaign),
        is_imported=is_imported(current),
        references=tuple(stated_names(test_set)),
        n_segments=test_set.segments.count(),
        n_documents=len(documents),
        domains=Counter(domain for domain, _ in documents if domain),
        origins=Counter(origin for _, origin in documents if origin),
        n_annotators=len(seen.aliases) or len(users),
        n_judgments=times.n_judgments,
        coverage=seen,
        systems=seen.systems or _of_items(selection),
        copies=tuple(copies.order_by("name").values_list("name", flat=True)),
        first=known["first"] and known["first"].date(),
        last=known["last"] and known["last"].date(),
        hours=0.0 if math.isnan(times.hours) else times.hours,
        guidelines=tuple(sorted(versions)),
        kinds=_kinds(items),
        n_practiced=members.filter(n_practiced__gt=0).count(),
        staffing=staffing,
        answers=tuple((q.label("en"), summed_up(q, abouts)) for q in staffing.questions),
        n_consented=members.exclude(consent_version=None).count(),
        pay=pay_of(campaign),
        plan=PlanSettings.read(campaign.plan),
        stopping=plan_of(campaign),
        is_release=is_release,
        metrics=next((each.facts(selection) for each in registered("report_parts")), MetricFacts()),
    )


def _kinds(items: QuerySet[Item]) -> Counter[str]:
    found: Counter[str] = Counter()
    for kind, control, n in items.values_list("kind", "control_kind").annotate(n=Count("pk")):
        for each in {kind, control} - {""}:
            found[each] += n
    return found


def _of_items(selection: Selection) -> tuple[str, ...]:
    """Return the systems of a campaign whose judgments have no scores: those on its screens."""
    outputs = ItemOutput.objects.filter(
        item__task__campaign=selection.campaign, item__is_judged=True
    )
    if selection.system_ids is not None:
        outputs = outputs.filter(output__system__in=selection.system_ids)
    names = outputs.order_by().values_list("output__system__name", flat=True).distinct()
    return tuple(sorted(names))


def is_imported(judgments: QuerySet[Judgment]) -> bool:
    """Return whether judgments come from files, by the first and the last of them: the key of an
    imported one is derived from its content (UUID version 5), that of a screen is random."""
    ends = judgments.aggregate(first=Min("pk"), last=Max("pk"))
    keys = Judgment.objects.filter(pk__in=filter(None, ends.values()))
    return any(key.version == 5 for key in keys.values_list("client_key", flat=True))


def summed_up(question: PersonQuestion, abouts: list[dict[str, Any]]) -> str:
    """Return people's answers to a question, anonymously; free text is only counted."""
    given = [each[question.name] for each in abouts if each.get(question.name) not in (None, "")]
    if not given:
        return "no answer"
    if question.kind in ("choice", "yes-no"):
        return ", ".join(f"{value}: {n}" for value, n in Counter(map(str, given)).most_common())
    numbers = [value for value in given if isinstance(value, int | float)]
    if question.kind == "number" and numbers:
        ends = f"{min(numbers):g} to {max(numbers):g}"
        return f"{ends}, median {median(numbers):g} ({len(numbers)} answered)"
    return f"{len(given)} answered in their own words"


def asked_for(facts: Facts, *parts: str) -> str:
    """Return the summarized answers to the first question whose name or words contain one of the
    parts."""
    for question, (label, answer) in zip(facts.staffing.questions, facts.answers, strict=True):
        if any(part in f"{question.name} {label}".lower() for part in parts):
            return f"{label} {answer}"
    return ""


def control_kinds(facts: Facts) -> list[tuple[str, int]]:
    """Return the kinds of control items, with their numbers."""
    rest = [kind for kind in Kind if kind not in NO_CONTROLS]
    return [
        (str(kind.label).lower(), facts.kinds[kind.value])
        for kind in rest
        if facts.kinds[kind.value]
    ]
