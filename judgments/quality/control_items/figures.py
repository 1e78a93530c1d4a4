"""Properties of a campaign's control items besides their kinds: how texts were altered, which
systems are hidden references, and which planted errors were marked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from django.db.models import QuerySet

from judgments.models import (
    NO_CONTROLS,
    Alteration,
    Campaign,
    ErrorSpan,
    ExpectedScore,
    Item,
    ItemOutput,
    Kind,
    Rating,
    System,
    kind_of_output,
)
from judgments.protocols import protocol_of
from judgments.protocols.base import Scale
from judgments.results.observations.observations import KINDS, Observed
from judgments.results.observations.rows import Rows
from judgments.results.selection.selection import Selection
from judgments.stats.control_items import (
    Checks,
    FoundErrors,
    found_errors,
    is_low_for,
    is_lowest,
    others_mean,
)

REGULAR, CHECK, CONTROL = (KINDS.index(k) for k in ("regular", "check", "control"))
PLANTED = (Alteration.WMT16.value, Alteration.APPRAISE.value, Alteration.CROWD_ALONE.value)


class JudgedPlace(NamedTuple):
    """One judgment of an output. start, end: the planted phrase; None in the original."""

    judgment: int
    annotator: int
    output: int
    start: int | None = None
    end: int | None = None


class ExpectedAnswer(NamedTuple):
    """An `ExpectedScore` with the given answer: the ids of the judgment, its annotator and the
    expectation, and the scores of its output and of the output that it should exceed."""

    judgment: int
    annotator: int
    expected: int
    low: float | None
    high: float | None
    above: int | None
    score: float | None
    other: float | None

    @property
    def is_met(self) -> bool:
        """Whether the expectation is met, as in Pearmut's `validateResponse`: a missing score meets
        nothing."""
        if self.score is None:
            return False
        if (
            self.low is not None
            and self.high is not None
            and not (self.low <= self.score <= self.high)
        ):
            return False
        return self.above is None or (self.other is not None and self.score > self.other)


@dataclass(frozen=True)
class ControlFacts:
    """``rules`` by item, segment and system (ids); ``references`` are the ids of systems whose
    outputs are a reference; ``found`` by user, if errors are marked; ``expected`` by user and
    judgment, whether all scores that a check expects were given; ``expecting``: the ids of items
    with such expectations, also about outputs of other systems than those that were asked for."""

    rules: dict[tuple[int, int, int], str] = field(default_factory=dict)
    references: frozenset[int] = frozenset()
    found: dict[int, FoundErrors] = field(default_factory=dict)
    expected: dict[int, dict[int, bool]] = field(default_factory=dict)
    expecting: frozenset[int] = frozenset()


def control_facts(
    campaign: Campaign, user: int | None = None, among: Selection | None = None
) -> ControlFacts:
    """Return the facts of a campaign, of one annotator's work, or of the judgments of a
    selection."""
    shown = ItemOutput.objects.filter(item__task__campaign=campaign, altered__isnull=False)
    if user is not None:
        shown = shown.filter(item__task__annotator=user)
    rows = shown.order_by().values_list(
        "item", "output__segment", "output__system", "altered__rule"
    )
    copies = System.objects.filter(test_set=campaign.test_set_id).exclude(copies_reference="")
    expecting = ExpectedScore.objects.filter(item__task__campaign=campaign).order_by()
    return ControlFacts(
        rules={(item, segment, system): rule for item, segment, system, rule in rows},
        references=frozenset(copies.values_list("pk", flat=True)),
        found=_found(campaign, user, among) if protocol_of(campaign).has_page("errors") else {},
        expected=_expected(campaign, user, among),
        expecting=frozenset(expecting.values_list("item", flat=True)),
    )


def _of_judgments(user: int | None, among: Selection | None) -> dict[str, Any]:
    """Return conditions on rows about an item and an output. They go into the filter that joins the
    judgments, so that all apply to the same judgment."""
    found: dict[str, Any] = {} if user is None else {"item__judgments__annotator": user}
    if among is not None and not among.is_everything:
        found["item__judgments__in"] = among.judgments().order_by().values("pk")
        if among.system_ids is not None:
            found["output__system__in"] = among.system_ids
    return found


def _expected(
    campaign: Campaign, user: int | None, among: Selection | None
) -> dict[int, dict[int, bool]]:
    found: dict[int, dict[int, bool]] = defaultdict(dict)
    for answer in expected_answers(campaign, user, among):
        own = found[answer.annotator]
        own[answer.judgment] = own.get(answer.judgment, True) and answer.is_met
    return dict(found)


def expected_answers(
    campaign: Campaign, user: int | None = None, among: Selection | None = None
) -> list[ExpectedAnswer]:
    """Return the expectations of checks on the judged screens, in the order of the judgments."""
    if among is not None and not among.filters.let_kind(Kind.CHECK):
        return []
    judged = ExpectedScore.objects.filter(
        item__judgments__campaign=campaign,
        item__judgments__superseded_by=None,
        **_of_judgments(user, among),
    ).order_by()
    columns = ("item__judgments", "item__judgments__annotator", "pk", "low", "high", "above")
    rows = list(judged.values_list(*columns, "output", "dimension"))
    if not rows:
        return []
    of = Rating.objects.filter(judgment__in={row[0] for row in rows}).order_by()
    given = {row[:3]: row[3] for row in of.values_list("judgment", "output", "dimension", "value")}
    found = []
    for judgment, annotator, pk, low, high, above, output, slug in sorted(rows):
        score, other = given.get((judgment, output, slug)), given.get((judgment, above, slug))
        found.append(ExpectedAnswer(judgment, annotator, pk, low, high, above, score, other))
    return found


def _found(campaign: Campaign, user: int | None, among: Selection | None) -> dict[int, FoundErrors]:
    """Return, by user, whether the planted errors were marked, and whether more errors than in the
    originals."""
    judged = ItemOutput.objects.filter(
        item__judgments__campaign=campaign,
        item__judgments__superseded_by=None,
        **_of_judgments(user, among),
    ).annotate(kind=kind_of_output("item", "output"))
    if among is not None and among.filters.kinds:
        judged = judged.filter(kind__in=among.filters.kinds)
    columns = ("item__judgments", "item__judgments__annotator", "output")
    planted = judged.filter(altered__rule__in=PLANTED)
    copies = [
        JudgedPlace(*row)
        for row in planted.order_by().values_list(*columns, "altered__start", "altered__end")
    ]
    outputs = {place.output for place in copies}
    regular = judged.filter(output__in=outputs, altered=None, kind=Kind.REGULAR)
    originals = [JudgedPlace(*row) for row in regular.order_by().values_list(*columns)]
    marks = _marks(copies + originals)
    before = {(p.annotator, p.output): len(marks[p.judgment, p.output]) for p in originals}
    found = {}
    for annotator in {place.annotator for place in copies}:
        own = [place for place in copies if place.annotator == annotator]
        pairs = [
            (before[annotator, p.output], len(marks[p.judgment, p.output]))
            for p in own
            if (annotator, p.output) in before
        ]
        n_found = sum(_is_marked(p, marks[p.judgment, p.output]) for p in own)
        found[annotator] = found_errors(
            len(own), n_found, [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        )
    return found


def _marks(places: Iterable[JudgedPlace]) -> dict[tuple[int, int], list[tuple[str, int, int]]]:
    """Return side, start and end of the marked errors, by judgment and output."""
    found: dict[tuple[int, int], list[tuple[str, int, int]]] = defaultdict(list)
    rows = ErrorSpan.objects.filter(judgment__in={place.judgment for place in places}).order_by()
    for judgment, output, side, start, end in rows.values_list(
        "judgment_id", "output_id", "side", "start", "end"
    ):
        found[judgment, output].append((side, start, end))
    return found


def _is_marked(place: JudgedPlace, marks: list[tuple[str, int, int]]) -> bool:
    """Return whether a mark in the translation overlaps the planted phrase, or touches a gap; for a
    gap, marking missing text is right, too."""
    assert place.start is not None and place.end is not None
    is_gap = place.start == place.end
    for side, start, end in marks:
        if side == "missing" and is_gap:
            return True
        overlaps = start < place.end and place.start < end
        touches = is_gap and start <= place.start <= end
        if side == "target" and (overlaps or touches):
            return True
    return False


def planned_controls(campaign: Campaign, user: int | None = None) -> dict[int, Counter[str]]:
    """Return, by user, how many items of each kind of control their tasks have."""
    items = Item.objects.filter(task__campaign=campaign, task__annotator__isnull=False)
    if user is not None:
        items = items.filter(task__annotator=user)
    found: dict[int, Counter[str]] = defaultdict(Counter)
    rows = items.exclude(kind__in=NO_CONTROLS, control_kind="").order_by()
    for annotator, *kinds in rows.values_list("task__annotator", "kind", "control_kind"):
        found[annotator].update({*kinds} - {"", Kind.REGULAR.value})
    return found


def shown_controls(campaign: Campaign) -> QuerySet[ItemOutput]:
    """Return the outputs shown by control items, with `kind`: all of their outputs, or the control
    among others."""
    shown = ItemOutput.objects.filter(item__task__campaign=campaign)
    return shown.annotate(kind=kind_of_output("item", "output")).exclude(kind__in=NO_CONTROLS)


def checks_of(
    observed: Observed, user: int, rows: Rows, facts: ControlFacts, scale: Scale | None
) -> Checks:
    """Return the attention checks among the rows of one annotator (id). scale: of the dimension
    that was rated; None: ranks or comparisons, where a check is passed if nothing on its screen is
    worse. If a check states expected scores, only these are checked, on all dimensions; if it is
    unknown what was shown instead of an output, nothing is."""
    expected = facts.expected.get(user, {})
    known = Checks(n_expected=len(expected), n_expected_passed=sum(expected.values()))
    is_check = rows.among("kind", [CHECK]) & ~np.isin(rows["item"], list(facts.expecting))
    checks = rows[is_check]
    if not len(checks):
        return known
    rules = [_rules(observed, checks, i, facts) for i in range(len(checks))]
    has_rule = np.array([bool(each) for each in rules], bool)
    checks, rules = checks[has_rule], [each for each in rules if each]
    is_loud = np.array([Alteration.LOUD.value in each for each in rules], bool)
    if observed.ranks:
        passed = np.array(
            [
                checks["value"][i] >= rows["value"][rows["judgment"] == judgment].max()
                for i, judgment in enumerate(checks["judgment"])
            ],
            bool,
        )
    elif scale is None:
        first = np.array(
            [_rule(observed, checks, i, "first", facts) is not None for i in range(len(checks))]
        )
        passed = np.where(first, checks["label"] <= 0, checks["label"] >= 0)
    else:
        own = rows["value"][rows.among("kind", [REGULAR])]
        passed = is_low_for(checks["value"], own)
        if scale.low is not None and scale.high is not None:
            lowest = is_lowest(checks["value"], scale.low, scale.high)
            passed = np.where(is_loud, lowest, passed)
    return replace(
        known,
        n_loud=int(is_loud.sum()),
        n_loud_passed=int((is_loud & passed).sum()),
        n_silent=int((~is_loud).sum()),
        n_silent_passed=int((~is_loud & passed).sum()),
    )


def _rules(observed: Observed, rows: Rows, at: int, facts: ControlFacts) -> set[str]:
    """Return how the texts of a row were altered; possibly unknown for imported judgments."""
    names = ("system",) if "system" in rows else ("first", "second")
    found = (_rule(observed, rows, at, name, facts) for name in names)
    return {rule for rule in found if rule is not None}


def _rule(observed: Observed, rows: Rows, at: int, name: str, facts: ControlFacts) -> str | None:
    segment = int(observed.segment_ids[rows["segment"][at]])
    system = int(observed.system_ids[rows[name][at]])
    return facts.rules.get((int(rows["item"][at]), segment, system))


def others_of(observed: Observed) -> np.ndarray:
    """Return for each row (n,) the mean value of all other annotators for the same output; NaN if
    there is none. Covers the items that everybody judges, or all regular ones if there are none."""
    rows = observed.rows
    found = np.full(len(rows), np.nan)
    if not observed.rates:
        return found
    kind = [CONTROL] if rows.among("kind", [CONTROL]).any() else [REGULAR]
    at = np.flatnonzero(rows.among("kind", kind))
    chosen = rows[at]
    key = chosen["segment"] * max(len(observed.system_ids), 1) + chosen["system"]
    found[at] = others_mean(key, chosen["annotator"], chosen["value"])
    return found


def codes_of_systems(system_ids: np.ndarray, wanted: Iterable[int]) -> list[int]:
    """Return the positions of systems in `Observed.system_ids`."""
    return np.flatnonzero(np.isin(system_ids, list(wanted))).tolist()
