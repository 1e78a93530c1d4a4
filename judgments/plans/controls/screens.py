"""The screens of control items: made of those of the batch, with the texts that they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgments.models import Alteration, AlteredOutput, Campaign
from judgments.plans.controls.damage import DonorTexts, altered_outputs
from judgments.protocols import Protocol

from ..layout import PlannedScreen
from ..pool import HiddenReference, Pool
from ..runs import BlockReader
from ..settings import PlanSettings
from . import copies as controls
from .copies import Run, Stretch


class ControlScreens:
    """Makes the copies of runs that a plan inserts; `insert` places them."""

    def __init__(
        self,
        campaign: Campaign,
        protocol: Protocol,
        settings: PlanSettings,
        texts: Pool,
        hidden: HiddenReference | None,
        reader: BlockReader,
        rng,
    ) -> None:
        self.campaign = campaign
        self.settings = settings
        self.texts = texts
        self.hidden = hidden
        self.rng = rng
        self.most = reader.divider.most
        self.pairs = protocol.in_pairs
        self.is_segment = protocol.unit == "segment"
        self.dimension = next((each.slug for each in protocol.dimensions()), "")
        self.class_of = (
            {output: text for of in texts.segments for output, text in of.texts.items()}
            if reader.merges
            else {}
        )

    def copy(self, run: Run, kind: str) -> Stretch | None:
        """Return a run again: as it was, in the reference, or with an output that is still to be
        altered; None where there is no reference for it. Nothing on it stands for its twins."""
        if kind == "reference":
            return self.in_reference(run) if self.hidden else None
        alone = tuple(replace(self.alone(screen), kind="repeat") for screen in run)
        if kind == "repeat":
            return Stretch(alone, kind)
        return self.to_alter(alone, kind, self.settings.damage)

    def to_alter(self, run: Run, kind: str, rule: str) -> Stretch:
        """Return one output of the run is to be altered; of a reading in one translation, as in
        WMT's campaigns of whole documents, each."""
        options = [(i, output) for i, screen in enumerate(run) for output, _ in screen.outputs]
        if len(options) == len(run):
            return Stretch(run, kind, rule, tuple((option,) for option in options))
        order = tuple(options[i] for i in self.rng.permutation(len(options)))
        return Stretch(run, kind, rule, (order,))

    def alone(self, screen: PlannedScreen) -> PlannedScreen:
        """Return the screen without outputs that only share another one's place."""
        first = {self.class_of.get(row[0], row[0]): row for row in reversed(screen.outputs)}
        rows = tuple(row for row in screen.outputs if row in first.values())
        return replace(screen, outputs=rows)

    def in_reference(self, run: Run) -> Stretch | None:
        screens = []
        for screen in run:
            made = self.of_reference(self.alone(screen))
            if made is None:
                return None
            screens.append(made)
        return Stretch(tuple(screens), "reference")

    def of_reference(self, screen: PlannedScreen) -> PlannedScreen | None:
        """Return the reference alone, or in the place of one of several outputs, the others
        again."""
        if not self.is_segment or len(screen.outputs) == 1 == self.most:
            segments = dict.fromkeys(self.texts.segment_of[output] for output, _ in screen.outputs)
            if not all(segment in self.texts.references for segment in segments):
                return None
            outputs = tuple(self.reference(segment) for segment in segments)
            words = self.texts.words_on(outputs, screen.segment)
            return replace(screen, outputs=outputs, words=words, kind="reference")
        if screen.segment not in self.texts.references:
            return None
        leaves = int(self.rng.integers(len(screen.outputs)))
        others = screen.outputs[:leaves] + screen.outputs[leaves + 1 :]
        # Of two that are compared, one comparison is another one with the reference.
        return self.beside(screen, others, "reference" if self.pairs else "repeat")

    def reference(self, segment: int) -> tuple[int, int]:
        assert self.hidden
        return self.texts.references[segment][0], self.hidden.system

    def beside(self, screen: PlannedScreen, others, kind: str) -> PlannedScreen | None:
        """These outputs with the reference, where it reads unlike each of them."""
        if any(output in self.texts.like_reference for output, _ in others):
            return None
        row = self.reference(screen.segment)
        outputs = (*others, row)
        return replace(
            screen,
            outputs=outputs,
            words=self.texts.words_on(outputs, screen.segment),
            kind=kind,
            control=row[0],
            control_kind="reference",
        )

    def hide_references(self, regular: Sequence[Run], n: int) -> tuple[list[Run], int]:
        """So many references as one output more on screens that have a place left, and how many
        found none."""
        found = list(regular)
        if self.pairs or not self.is_segment or self.most == 1 or not self.hidden:
            return found, n
        referenced: set[int] = set()  # one that came twice would be told by that
        for i in self.rng.permutation(len(found)):
            screen = found[i][0]
            has_room = len(self.alone(screen).outputs) < self.most
            is_free = screen.segment in self.texts.references and screen.segment not in referenced
            if n and has_room and is_free:
                made = self.beside(screen, screen.outputs, screen.kind)
                if made is not None:
                    found[i] = (made,)
                    referenced.add(screen.segment)
                    n -= 1
        return found, n

    def checks(self, regular: Sequence[Run]) -> list[Stretch]:
        """Return the attention checks of a batch: screens of it, with a text that is still to be
        made."""
        rules = [Alteration.LOUD] * self.settings.loud_checks
        rules += [Alteration.SILENT] * self.settings.silent_checks
        screens = [screen for run in regular for screen in run if not screen.control]
        # It stands anywhere, so it asks nothing about a document.
        drawn = [
            replace(self.alone(screens[i]), kind="check", part="")
            for i in self.rng.permutation(len(screens))
        ]
        n = len(rules)
        found = [
            self.to_alter((screen,), "check", rule)
            for rule, screen in zip(rules, drawn, strict=False)
        ]
        several = [screen for screen in drawn[n:] if len(screen.outputs) > 1]
        for screen in several[: self.settings.beside_checks]:
            found.append(self.to_alter((screen,), "check", Alteration.BESIDE))
        return found

    def beside_original(self, stretch: Stretch, output: int, row: AlteredOutput) -> Stretch:
        """Return a check that shows the altered copy of an output in the place of the next one.
        None of its scores counts: an output looks better beside its own damaged copy."""
        (screen,) = stretch.run
        outputs = [each for each, _ in screen.outputs]
        other = outputs[(outputs.index(output) + 1) % len(outputs)]
        row.output_id, row.rule = other, Alteration.BESIDE
        expected = {
            "output_id": output,
            "dimension": self.dimension,
            "low": None,
            "high": None,
            "above_id": other,
        }
        made = replace(
            screen,
            altered=row,
            expected=(expected,),
        )
        return replace(stretch, run=(made,), rule="", options=())

    def with_texts(self, batches: list[list[Stretch]]) -> tuple[list[list[Stretch]], Counter]:
        """Return the texts made, for all batches at once; and how many items of each kind found
        none."""
        waiting = [
            ((b, i), order)
            for b, batch in enumerate(batches)
            for i, stretch in enumerate(batch)
            for order in stretch.options
        ]
        made: dict[tuple[int, int], dict[int, tuple[int, AlteredOutput]]] = {}
        for (b, i), _ in waiting:
            made[b, i] = {}
        donors = DonorTexts(self.campaign)
        while waiting:
            wanted = [(order[0][1], self.rule_of(batches[b][i].rule)) for (b, i), order in waiting]
            rows = altered_outputs(self.campaign, wanted, self.rng, donors)
            following = []
            for (place, order), row in zip(waiting, rows, strict=True):
                if row is not None:
                    at, output = order[0]
                    made[place][at] = (output, row)
                elif len(order) > 1:
                    following.append((place, order[1:]))
            waiting = following
        gone: Counter = Counter()
        for (b, i), texts in made.items():
            stretch = batches[b][i]
            gone[stretch.kind] += not texts
            if texts and stretch.rule == Alteration.BESIDE:
                batches[b][i] = self.beside_original(stretch, *texts[0])
            elif texts:
                batches[b][i] = controls.altered(stretch, texts)
            else:
                batches[b][i] = controls.unaltered(stretch) or Stretch(())
        return batches, gone

    def rule_of(self, rule: str) -> str:
        """Return how the text of an alteration is made; a copy beside its original is like any
        other."""
        return self.settings.damage if rule == Alteration.BESIDE else rule


def insert(
    regular: Sequence[list[Run]],
    calibration: Sequence[PlannedScreen],
    screens: ControlScreens,
    block_of: Mapping[int, int],
) -> tuple[list[list[Stretch]], Counter]:
    """Return every batch with its control items, and how many are missing of each kind. block_of:
    the block of each segment, where batches are handed out block by block."""
    settings = screens.settings
    per_ten = {
        "repeat": settings.repeats,
        "reference": settings.references,
        "degraded": settings.degraded,
    }
    missing: Counter = Counter()
    found = []
    for runs in regular:
        counts = controls.wanted(sum(map(len, runs)), per_ten)
        checks = screens.checks(runs)
        missing["check"] += settings.n_checks - len(checks)
        fixed = [Stretch((screen,), "control") for screen in calibration] + checks
        if counts["reference"]:
            runs, counts["reference"] = screens.hide_references(runs, counts["reference"])
        base = controls.spread(runs, fixed, screens.rng)
        if block_of:
            base = [
                replace(each, block=block_of[each.run[0].segment])
                if each.kind == "regular"
                else each
                for each in base
            ]
        wanted = {kind: n for kind, n in counts.items() if n}
        if wanted:
            base, short = controls.with_copies(base, wanted, screens.copy, screens.rng)
            missing.update(short)
        found.append(base)
    found, gone = screens.with_texts(found)
    missing.update(gone)
    return found, missing
