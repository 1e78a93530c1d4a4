"""Kinds of systems in a correlation: one kind that stands apart can make it, or break it.

Callison-Burch, Osborne and Koehn (2006), "Re-evaluating the role of BLEU in machine translation
research": BLEU ranked a rule-based system, and one whose outputs people had post-edited, far below
where people put them, and followed people much better without these.
"""

from dataclasses import dataclass
from math import isnan

import numpy as np
from django.utils.translation import gettext as _

from judgments.models import SystemFacts
from judgments.results.selection.selection import Selection
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure, interval

from .agreement import Figure
from .board import Board
from .study import Metric, Study, StudyChoice, full_board, remembered, study_of
from .systems import coefficient
from .tables import HIGHER, TURNED, ends_of, names_of, rules, with_ends

FEWEST_LEFT = 3  # systems, for a correlation
ALL = ""


@dataclass(frozen=True)
class SystemLook:
    """What is stated of systems, by their ids, and who of them is human."""

    facts: dict[int, SystemFacts]
    humans: frozenset[int]

    @property
    def has_kinds(self) -> bool:
        return any(facts.kind for facts in self.facts.values())

    def kind(self, system: int) -> str:
        """Return empty where nobody has stated one."""
        facts = self.facts.get(system)
        return facts.kind if facts else ""

    def of(self, system: int) -> dict[str, object]:
        """Return what a point of a chart says of a system."""
        found: dict[str, object] = {"human_made": system in self.humans}
        if self.has_kinds:
            found["kind"] = self.kind(system) or _("not stated")
        return found

    def kinds_of(self, study: Study) -> tuple[str, ...]:
        """Return for the systems of a study; of one without any metric's score none, since it is in
        no correlation."""
        scored = ~np.isnan(study.metric_systems).all(axis=0)
        pairs = zip(study.system_ids.tolist(), scored.tolist(), strict=True)
        return tuple(self.kind(pk) if is_scored else "" for pk, is_scored in pairs)


def look_of(board: Board) -> SystemLook:
    return SystemLook(board.facts, board.humans)


@dataclass(frozen=True)
class KindAgreement:
    """Pearson's r over systems of each metric: `figures[""]` of all of them, `figures[kind]`
    without the systems of a kind; `names`: these systems."""

    human_name: str
    metrics: tuple[Metric, ...]
    figures: dict[str, tuple[Figure, ...]]
    names: dict[str, tuple[str, ...]]

    def of(self, slug: str) -> dict[str, Figure]:
        """Return those of one metric."""
        i = [metric.slug for metric in self.metrics].index(slug)
        return {kind: found[i] for kind, found in self.figures.items()}

    def most_telling(self, slug: str) -> str:
        """Return the kind without which the correlation changes most; empty where none is
        defined."""
        found = self.of(slug)
        whole = found[ALL].estimate
        changes = {
            kind: abs(each.estimate - whole)
            for kind, each in found.items()
            if kind != ALL and not isnan(each.estimate - whole)
        }
        return max(changes, key=changes.__getitem__, default=ALL)


def kinds_to_leave_out(kinds: tuple[str, ...]) -> list[str]:
    """Return the kinds without which there is a correlation left."""
    n = len(kinds)
    return sorted(k for k in set(kinds) if k and n - kinds.count(k) >= FEWEST_LEFT)


def kind_agreement(
    selection: Selection, choice: StudyChoice, board: Board, look: SystemLook
) -> KindAgreement:
    """Kept until judgments, scores, texts, or what is stated of a system change."""

    def compute() -> KindAgreement:
        study = study_of(selection, choice, full_board(selection, choice, board))
        return kind_agreement_of(study, look.kinds_of(study))

    stated = sorted((pk, facts.kind) for pk, facts in look.facts.items() if facts.kind)
    return remembered(selection, "kinds", choice, board, compute, kinds=stated)


def kind_agreement_of(study: Study, kinds: tuple[str, ...]) -> KindAgreement:
    """Return the same of arrays, with the kind of each system."""
    of = np.array(kinds, object)
    left = kinds_to_leave_out(kinds)
    masks = {ALL: np.ones(len(kinds), bool)} | {kind: of != kind for kind in left}
    return KindAgreement(
        human_name=study.human_name,
        metrics=study.metrics,
        figures={
            kind: tuple(
                coefficient("pearson", study.people_of(i)[keep], scores[keep])
                for i, scores in enumerate(study.metric_systems)
            )
            for kind, keep in masks.items()
        },
        names={
            kind: tuple(n for n, kept in zip(study.systems, keep, strict=True) if not kept)
            for kind, keep in masks.items()
        },
    )


def kind_words(found: KindAgreement, slug: str) -> str:
    """Return the correlation of one metric with all systems, and without the kind that changes it
    most."""
    whole = found.of(slug)[ALL]
    title = next(metric.title for metric in found.metrics if metric.slug == slug)
    said = _("%(metric)s against people: Pearson r = %(r)s over all %(systems)s.") % {
        "metric": title,
        "r": said_of(whole),
        "systems": counted.systems(whole.n),
    }
    kind = found.most_telling(slug)
    return f"{said} {without_words(found, slug, kind)}" if kind != ALL else said


def other_words(found: KindAgreement, slug: str) -> list[str]:
    """Return the same correlation without each of the other kinds."""
    told = (ALL, found.most_telling(slug))
    return [without_words(found, slug, kind) for kind in found.figures if kind not in told]


def without_words(found: KindAgreement, slug: str, kind: str) -> str:
    figure = found.of(slug)[kind]
    return _("Without %(kind)s systems (%(names)s): r = %(r)s, n = %(n)s.") % {
        "kind": kind,
        "names": counted.names(list(found.names[kind])),
        "r": said_of(figure),
        "n": figure.n,
    }


def said_of(found: Figure) -> str:
    return f"{figure(found.estimate)} {interval(found.low, found.high)}".strip()


def kind_table(found: KindAgreement) -> Table:
    """Return one row a metric: with all systems, and without those of each kind."""
    names = names_of(list(found.metrics))
    kinds = list(found.figures)
    order = sorted(range(len(found.metrics)), key=lambda i: rank(found.figures[ALL][i]))
    rows = [
        (
            names[found.metrics[i].slug],
            _(found.metrics[i].turned),
            *(value for kind in kinds for value in ends_of(found.figures[kind][i])),
        )
        for i in order
    ]
    heads = [
        _("Pearson r, all systems") if kind == ALL else _("without %(kind)s") % {"kind": kind}
        for kind in kinds
    ]
    columns = [
        column
        for place, head in enumerate(heads)
        for column in with_ends(f"without_{place}" if place else "all", head)
    ]
    title = _("Pearson r over systems, with and without each kind of systems")
    note = f"{HIGHER} {rules('pearson')}"
    return Table("metric-kinds", title, (Column("metric"), TURNED, *columns), rows, note)


def rank(found: Figure) -> float:
    """Return the best first, what is undefined last."""
    return 2.0 if isnan(found.estimate) else -found.estimate
