"""The screens of blocks: read through in one translation after another, or segment by segment; no
database here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from .controls.copies import Run
from .layout import Candidates, Divider, PlannedScreen
from .pool import Pool


@dataclass(frozen=True)
class Block:
    """What one annotator judges together. runs: in their order. versions: the runs of each system,
    where the design shows one of them to each annotator; `runs` are then none."""

    document: int
    runs: tuple[Run, ...] = ()
    versions: Mapping[int, tuple[Run, ...]] = field(default_factory=dict)

    @property
    def segments(self) -> set[int]:
        ways = [self.runs, *self.versions.values()]
        return {screen.segment for runs in ways for run in runs for screen in run}

    @property
    def words(self) -> float:
        """What there is to read, in one version where there are several."""
        ways = [self.runs, *self.versions.values()]
        n = sum(screen.words for runs in ways for run in runs for screen in run)
        return n / max(1, len(self.versions))

    @property
    def n_items(self) -> int:
        return max(sum(map(len, runs)) for runs in (self.runs, *self.versions.values()))


class BlockReader:
    """Makes the screens of blocks. The systems take turns to come first.

    merges: whether outputs that read the same share a place; n_shared counts those that do.
    compares: whether there is nothing to ask about them. by_run: whether a reading through is one
    run, because its screens show the text around. last_part: the `part` of its last screen then.
    """

    def __init__(
        self, pool: Pool, divider: Divider, *, merges: bool, compares: bool, by_run: bool, rng,
        last_part: str = "",
    ) -> None:  # fmt: skip
        self.pool = pool
        self.divider = divider
        self.merges = merges
        self.compares = compares
        self.by_run = by_run
        self.last_part = last_part
        self.rng = rng
        self.n_shared = 0
        self.turn = 0
        self.order: list[int] = []

    def screen(self, of: Candidates, outputs) -> PlannedScreen:
        words = self.pool.words_on(self.judged(of, outputs), of.segment)
        return PlannedScreen(of.segment, tuple(outputs), document=of.document, words=words)

    def judged(self, of: Candidates, outputs):
        """Return those that get a place of their own on the screen."""
        if not self.merges:
            return outputs
        return tuple({of.texts[output]: (output, system) for output, system in outputs}.values())

    def paired(self, segments: Sequence[Candidates]) -> tuple[Run, ...]:
        """Return all outputs of a block, for one annotator."""
        if self.divider.most == 1:
            return self.read_through(segments)
        found = []
        for of in segments:
            found += [(self.screen(of, group),) for group in self.groups(of)]
        return tuple(found)

    def n_screens(self, of: Candidates) -> int:
        """Return how many a segment gets at most, over all versions of it."""
        n = len(set(of.texts.values())) if self.merges else len(of.outputs)
        return self.divider.n_screens(n)

    def groups(self, of: Candidates):
        """Return the screens of one segment. Those that read the same as another go where it
        goes."""
        if not self.merges:
            return self.divided(of)
        twins: dict[int, list[tuple[int, int]]] = {}
        for output, system in of.outputs:
            twins.setdefault(of.texts[output], []).append((output, system))
        self.n_shared += len(of.outputs) - len(twins)
        firsts = tuple(group[0] for group in twins.values())
        if len(firsts) < self.divider.fewest:
            self.divider.n_equal += self.compares
            return [] if self.compares else [of.outputs]
        return [
            [twin for output, _ in group for twin in twins[of.texts[output]]]
            for group in self.divided(replace(of, outputs=firsts))
        ]

    def divided(self, of: Candidates):
        """Return one screen where all fit; as the divider has it otherwise."""
        if self.divider.pairs or len(of.outputs) > self.divider.most:
            # Where nothing is compared, the divider need not know what reads the same.
            return self.divider.groups(of if self.compares else replace(of, texts={}))
        if self.compares and len({of.texts[output] for output, _ in of.outputs}) < 2:
            self.divider.n_equal += 1
            return []
        return [of.outputs]

    def read_through(self, segments: Sequence[Candidates]) -> tuple[Run, ...]:
        """Once for each system; a text that was read before, in another system's name, is not asked
        again."""
        done: set[int] = set()
        passes: list[Run] = []
        for system in self.next_order({system for of in segments for _, system in of.outputs}):
            run = []
            for of in segments:
                own = next((output for output, of_ in of.outputs if of_ == system), None)
                if own is None or own in done:
                    continue
                alike = of.texts[own] if self.merges else own
                group = [(own, system)]
                if self.merges:
                    group += [
                        row for row in of.outputs if row[0] != own and of.texts[row[0]] == alike
                    ]
                    self.n_shared += len(group) - 1
                done.update(output for output, _ in group)
                run.append(self.screen(of, group))
            passes += self.as_runs(run)
        return tuple(passes)

    def next_order(self, systems: set[int]) -> list[int]:
        """Return a random order, turned by one for each block, so that over as many blocks as there
        are systems each has every turn once."""
        missing = systems.difference(self.order)
        if missing or self.turn >= len(self.order):
            every = sorted(systems.union(self.order))
            self.order = [every[i] for i in self.rng.permutation(len(every))]
            self.turn = 0
        turned = self.order[self.turn :] + self.order[: self.turn]
        self.turn += 1
        return [system for system in turned if system in systems]

    def versions(self, segments: Sequence[Candidates]) -> dict[int, tuple[Run, ...]]:
        """Return the block in the translation of each system that has all of it."""
        found: dict[int, list[PlannedScreen]] = {}
        for of in segments:
            for output, system in of.outputs:
                found.setdefault(system, []).append(self.screen(of, ((output, system),)))
        return {
            system: self.as_runs(screens)
            for system, screens in found.items()
            if len(screens) == len(segments)
        }

    def as_runs(self, screens: Sequence[PlannedScreen]) -> tuple[Run, ...]:
        """Return one run where the text around is shown, or as many as there are screens."""
        if self.by_run and screens:
            last = replace(screens[-1], part=self.last_part or screens[-1].part)
            return ((*screens[:-1], last),)
        return tuple((screen,) for screen in screens)
