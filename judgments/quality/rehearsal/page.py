"""What a rehearsal has shown, in sentences and tables."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np

from judgments.results.power.figures import POWER
from judgments.stats.planning.simulated_people import CAREFUL, FAST, KINDS, LAZY, RANDOM
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, figure

from ..rules.verdicts import FAIL, OPEN, PASS
from .figures import Rehearsal, RehearsedPerson, RehearsedRun, pairs_by_distance

KIND_WORDS = {CAREFUL: "Careful", RANDOM: "At random", LAZY: "Lazy", FAST: "Fast"}
OF_KINDS = (
    Column("kind", "Who"),
    Column("people", "People", "count", "In all rehearsals together, those without work left out."),
    Column("fail", "Fail", "count", "By the rule. They stop, and others get their work."),
    Column("pass", "Pass", "count", "At the end of their work."),
    Column("open", "Not decided", "count", "Too little was judged for a verdict."),
    Column("fail_median", "Judgments until fail, median", "number"),
    Column("fail_most", "Most", "count"),
    Column("pass_median", "Judgments until pass, median", "number"),
    Column("idle", "Without work", "count", "Nothing was free for them."),
)
# Threshold of the rule → what failed.
CRITERIA = {
    "least_checks": "Checks",
    "degraded_level": "Degraded copies",
    "most_deviation": "Repeats",
    "least_references": "References",
    "seconds_per_word": "Time",
}
OF_REASONS = (
    Column("kind", "Who"),
    *(Column(name, words, "count") for name, words in CRITERIA.items()),
)
OF_DIFFERENCES = (
    Column("difference", "True difference", "number", "In points of the scale."),
    Column("pairs", "Pairs", "count", "In one rehearsal."),
    Column(
        "separated", "Separated", "number", "Share of rehearsals and pairs, the right way round."
    ),
    Column("wrong", "Wrong way round", "number"),
    Column(
        "with_all", "If all counted", "number", "Separated if nobody were left out by the rule."
    ),
)
OF_RUNS = (
    Column("rehearsal", "Rehearsal", "count"),
    Column("planned", "Planned", "count"),
    Column("counting", "Count", "count", "Judgments of people whom the rule does not fail."),
    Column("lost", "Lost", "count", "Judgments of people whom it fails."),
    Column("left", "Nobody's", "count", "Items that nobody was left for."),
    Column("hours", "Hours", "number", "Until the last one stopped, if all begin at once."),
    Column("clusters", "Clusters", "count"),
    Column("best_first", "Best first", "count", "1: the best system had the best score."),
    Column("best_alone", "Best alone", "count", "1: in a cluster of its own."),
    Column("separated", "Pairs separated", "number"),
)


def is_enough(found: Rehearsal) -> bool:
    return not list(_what_lacks(found))


def sentence(found: Rehearsal) -> str:
    """Return the verdict on the plan."""
    lacks = list(_what_lacks(found))
    if not lacks:
        return "The plan is enough."
    return f"The plan is not enough: {'; '.join(lacks)}."


def _what_lacks(found: Rehearsal) -> Iterator[str]:
    separated = asked_share(found)
    if separated is None:
        yield "no systems could be compared"
    elif separated < POWER:
        yield f"{_percent(separated)} of {_asked_pairs(found)} are separated, not {_percent(POWER)}"
    careless = [person for person in found.people if person.kind != CAREFUL and person.judged]
    failed = sum(person.verdict == FAIL for person in careless)
    if careless and failed < POWER * len(careless):
        yield f"the rule finds {failed} of {len(careless)} careless people"


def asked_share(found: Rehearsal) -> float | None:
    """Return the share of the pairs that the plan's question is about which are separated."""
    known = [run.ranks.decided for run in found.runs if run.ranks is not None]
    if not known:
        return None
    decided = np.array(known)[:, *np.triu_indices(len(found.means), 1)]
    if is_about_best(found):
        decided = np.array(known)[:, 0, 1:]
    return float(decided.mean())


def is_about_best(found: Rehearsal) -> bool:
    return found.question in ("best", "one-against-others")


def _asked_pairs(found: Rehearsal) -> str:
    return "pairs with the best system" if is_about_best(found) else "pairs of systems"


def sentences(found: Rehearsal) -> Iterator[str]:
    """Yield what else there is to say, each in a sentence."""
    known = [run.ranks for run in found.runs if run.ranks is not None]
    if known:
        best = sum(ranks.finds_best for ranks in known)
        alone = sum(ranks.best_alone for ranks in known)
        clusters = np.mean([ranks.n_clusters for ranks in known])
        yield (
            f"In {best} of {len(found.runs)} rehearsals the best of {len(found.means)} systems had "
            f"the best score, in {alone} it was alone in its cluster; there were "
            f"{figure(float(clusters), 1)} clusters on average."
        )
        yield _difference_in_reach(found)
    yield from _of_people(found)
    lost = np.mean([run.lost / max(1, run.planned) for run in found.runs])
    left = np.mean([run.left / max(1, run.planned) for run in found.runs])
    if lost > 0:
        yield (
            f"{_percent(float(lost))} of the judgments are of people whom the rule fails: Watch "
            "can plan these again for others."
        )
    if left > 0:
        yield f"For {_percent(float(left))} of the items nobody is left: invite more people."


def _difference_in_reach(found: Rehearsal) -> str:
    enough = [each.difference for each in pairs_by_distance(found) if each.decided >= POWER]
    if not enough:
        return (
            f"No two systems are far enough from each other to be separated in {_percent(POWER)} "
            "of rehearsals."
        )
    return (
        f"Systems that differ by {figure(min(enough), 1)} points or more are separated in at least "
        f"{_percent(POWER)} of rehearsals."
    )


def _of_people(found: Rehearsal) -> Iterator[str]:
    careless = [person for person in found.people if person.kind != CAREFUL and person.judged]
    failed = [person.first for person in careless if person.verdict == FAIL]
    if careless:
        when = f", after {np.median(failed):g} judgments at the median" if failed else ""
        yield f"Of {len(careless)} careless people {len(failed)} fail the rule{when}."
    careful = [person for person in found.people if person.kind == CAREFUL and person.judged]
    wrongly = sum(person.verdict == FAIL for person in careful)
    if careful:
        yield f"Of {len(careful)} careful people {wrongly} fail it as well."


def notes(found: Rehearsal) -> Iterator[str]:
    """Yield what was assumed."""
    if found.is_proposed:
        yield (
            "No rule with thresholds is written down: these verdicts are by the thresholds that "
            "the page Quality control proposes."
        )
    if found.hold_after is None:
        yield (
            "The rule is applied after control items, and annotators who fail stop at once, as "
            "if an owner acted at that moment."
        )
    else:
        yield (
            f"The rule holds annotators who fail after {found.hold_after} control items or a "
            "first batch; here annotators who are held do not go on."
        )
    yield (
        "The systems' scores vary as assumed for the plan's smallest difference. A degraded copy "
        "loses a quarter of the scale, a silent check 60 %, and hidden references are better "
        "than the systems. All begin at the same time and take what is free until nothing is "
        "left. Real careless people are less distinct."
    )


def kinds_table(found: Rehearsal) -> Table:
    rows = []
    for kind in KINDS:
        people = [person for person in found.people if person.kind == kind]
        if people:
            rows.append((KIND_WORDS[kind], *_cells([p for p in people if p.judged]), _idle(people)))
    return Table("kinds", "Verdicts by kind of annotator", OF_KINDS, rows)


def _cells(people: Sequence[RehearsedPerson]) -> Iterator[object]:
    by_state = {state: [p.first for p in people if p.verdict == state] for state in (PASS, FAIL)}
    yield len(people)
    yield len(by_state[FAIL])
    yield len(by_state[PASS])
    yield sum(person.verdict == OPEN for person in people)
    yield float(np.median(by_state[FAIL])) if by_state[FAIL] else None
    yield int(max(by_state[FAIL])) if by_state[FAIL] else None
    yield float(np.median(by_state[PASS])) if by_state[PASS] else None


def _idle(people: Sequence[RehearsedPerson]) -> int:
    return sum(not person.judged for person in people)


def reasons_table(found: Rehearsal) -> Table:
    rows = []
    for kind in KINDS:
        failed = [p for p in found.people if p.kind == kind and p.verdict == FAIL]
        if failed:
            counts = (sum(name in person.why for person in failed) for name in CRITERIA)
            rows.append((KIND_WORDS[kind], *counts))
    note = "People, in all rehearsals together; some fail by several criteria at once."
    return Table("reasons", "What they fail by", OF_REASONS, rows, note)


def differences_table(found: Rehearsal) -> Table:
    return Table(
        "differences", "Pairs by their true difference", OF_DIFFERENCES, pairs_by_distance(found)
    )


def runs_table(found: Rehearsal) -> Table:
    rows = [_of_run(n, run) for n, run in enumerate(found.runs, 1)]
    return Table("rehearsals", "Each rehearsal", OF_RUNS, rows)


def _of_run(n: int, run: RehearsedRun) -> tuple[object, ...]:
    work = (n, run.planned, run.counting, run.lost, run.left, run.hours)
    ranks = run.ranks
    if ranks is None:
        return (*work, None, None, None, None)
    n_systems = len(ranks.decided)
    share = float(ranks.decided.sum()) / (n_systems * (n_systems - 1) / 2)
    return (*work, ranks.n_clusters, int(ranks.finds_best), int(ranks.best_alone), share)


TABLES = {
    "kinds": kinds_table,
    "reasons": reasons_table,
    "differences": differences_table,
    "rehearsals": runs_table,
}


def sections(found: Rehearsal) -> list[Section]:
    """Return the page as a list, for its JSON."""
    tables = [
        Lazy(slug, slug.capitalize(), functools.partial(make, found))
        for slug, make in TABLES.items()
    ]
    return [
        Section(
            "rehearsal",
            "Rehearsal",
            sentence=lambda: sentence(found),
            notes=lambda: [*sentences(found), *notes(found)],
            tables=tables,
        )
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
