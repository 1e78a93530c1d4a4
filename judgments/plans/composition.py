"""A plan by its settings: which blocks, in which batches, with which control items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from judgments.models import Campaign, System, no_texts
from judgments.protocols import protocol_of
from judgments.protocols.kinds import KINDS

from . import blocks, layout, pool, units, versions
from .balance import pack
from .choice import RaceWave, check_complete, first_wave
from .controls import hidden_references
from .controls.copies import Run, in_blocks
from .controls.screens import ControlScreens, insert
from .controls.settings import allowed
from .errors import PlanError, check_size
from .kinds import kind_words
from .layout import Candidates, PlannedScreen
from .runs import Block, BlockReader
from .settings import PlanSettings


class LeftOut(NamedTuple):
    """So many of what are not in the plan, and why, for the manager."""

    n: int
    what: str
    why: str

    def __str__(self) -> str:
        what = {"segments": "segment", "outputs": "output"}.get(self.what) if self.n == 1 else None
        return f"{self.n:,} {what or self.what}: {self.why}"


@dataclass
class Composition:
    """The screens of one seat of every batch, the seats of each, and the number of the batch that
    it follows in a row."""

    batches: list[list[PlannedScreen]]
    seats: list[int]
    follows: list[int | None]
    parts: tuple[str, ...]
    n_segments: int
    n_skipped: int
    n_equal: int
    left_out: list[LeftOut]
    texts: pool.Pool
    merges: bool  # whether outputs that read the same have one place
    n_blocks: int
    around: int = 0  # segments of their documents around the blocks
    wave: RaceWave | None = None
    n_waves: int = 1

    @property
    def n_items(self) -> int:
        """Of all seats, in all passes."""
        seated = zip(self.batches, self.seats, strict=True)
        return sum(len(screens) * n for screens, n in seated) * len(self.parts)


@dataclass
class Drawn:
    """What is to be judged, in the order of judging, and what each batch has beside it."""

    blocks: list[Block]
    calibration: list[PlannedScreen]
    reader: BlockReader
    n_segments: int
    n_skipped: int
    left_out: list[LeftOut]
    n_waves: int = 1


@dataclass(frozen=True)
class WaveTexts:
    """What a plan takes as it is, where something is added to one that stands: the texts, and the
    screens that everybody judges."""

    texts: pool.Pool
    calibration: list[PlannedScreen]


def compose(
    campaign: Campaign,
    settings: PlanSettings,
    *,
    hidden: pool.HiddenReference | None,
    given: WaveTexts | None = None,
    wave: RaceWave | None = None,
) -> Composition:
    """Return the plan, by the seed of its settings. hidden: the reference as a hidden system, where
    the settings want one. wave: which one of a race; None: the first. Raise PlanError."""
    protocol = protocol_of(campaign)
    rng = np.random.default_rng(settings.seed)
    check(campaign, protocol)
    usable = allowed(protocol, settings)
    if hidden is None:
        usable = replace(usable, references=0.0)
    texts = (
        given.texts if given else pool.read(campaign, chosen_systems(campaign, settings), hidden)
    )
    wave, drawn = drawn_with(given, wave, campaign, protocol, usable, texts, rng)
    parts = protocol.parts()
    room = Room.of(usable, drawn, len(parts))
    # Control items need a batch in which they stand apart. A pool with them hands batches out block
    # by block; one without has no batches.
    in_rows = usable.pool and usable.has_controls
    one_by_one = usable.pool and not in_rows
    regular = regular_batches(drawn.blocks, usable, room, one_by_one, rng)
    screens = ControlScreens(campaign, protocol, usable, texts, hidden, drawn.reader, rng)
    whole, missing = insert(
        regular, drawn.calibration, screens, blocks_of_segments(drawn.blocks) if in_rows else {}
    )
    n_equal = drawn.reader.divider.n_equal
    rows = [in_blocks(batch) for batch in whole]
    seats = [n for n, row in zip(seats_of(len(rows), usable, rng), rows, strict=True) for _ in row]
    return Composition(
        [batch for row in rows for batch in row],
        seats,
        followed(rows),
        parts,
        drawn.n_segments,
        drawn.n_skipped,
        n_equal,
        all_left_out(drawn, missing),
        texts,
        drawn.reader.merges,
        len(drawn.blocks),
        segments_around(drawn.blocks, texts) if protocol.unit == "segment" else 0,
        wave,
        drawn.n_waves,
    )


def drawn_with(
    given: WaveTexts | None,
    wave: RaceWave | None,
    campaign,
    protocol,
    settings: PlanSettings,
    texts: pool.Pool,
    rng,
) -> tuple[RaceWave | None, Drawn]:
    """Return how systems are drawn for the blocks, None where each shows all of them, and what is
    judged, with the calibration items drawn or given. Raise PlanError."""
    try:
        if given is None:
            wave = wave or first_wave(settings, chosen_systems(campaign, settings))
            return wave, draw(campaign, protocol, settings, texts, rng, wave)
        drawn = draw(campaign, protocol, replace(settings, calibration=0), texts, rng)
    except ValueError as problem:
        raise PlanError(str(problem)) from None
    return None, replace(drawn, calibration=given.calibration if settings.calibration else [])


def all_left_out(drawn: Drawn, missing: Counter) -> list[LeftOut]:
    """missing: how many control items of each kind there are not."""
    left_out = drawn.left_out + [
        LeftOut(n, kind_words(kind, n), "the batches are too short, or no text is suitable")
        for kind, n in missing.items()
        if n
    ]
    shared = drawn.reader.n_shared
    if shared:
        left_out.append(LeftOut(shared, "outputs", "identical to another one, so judged once"))
    return left_out


def regular_batches(
    made: Sequence[Block], settings: PlanSettings, room: Room, one_by_one: bool, rng
) -> list[list[Run]]:
    """Return the runs of each batch, without control items."""
    if settings.design == "paired" or any(block.runs for block in made):  # edits have no versions
        found = paired(made, room, one_by_one)
    else:
        found = versions.batches(made, room.most, room.by_items, settings.design, one_by_one, rng)
    if not found:
        raise PlanError(
            "The translations of every segment are identical, so there is no difference to judge."
        )
    return found


def segments_around(made: Sequence[Block], texts: pool.Pool) -> int:
    """Return how many segments of their documents annotators see around all blocks, without
    judging."""
    of_document = Counter(each.document for each in texts.segments)
    return sum(of_document[block.document] - len(block.segments) for block in made)


def blocks_of_segments(made: Sequence[Block]) -> dict[int, int]:
    """Return the number of the block of each segment; screens of a document go by its first."""
    return {
        screen.segment: number
        for number, block in enumerate(made)
        for runs in (block.runs, *block.versions.values())
        for run in runs
        for screen in run
    }


def followed(rows: Sequence[Sequence[object]]) -> list[int | None]:
    """Return for each batch, numbered from 1 row by row, the one before it in its row."""
    found: list[int | None] = []
    for row in rows:
        found += [None, *range(len(found) + 1, len(found) + len(row))]
    return found


def check(campaign: Campaign, protocol) -> None:
    if not campaign.test_set.has_texts:
        raise PlanError(no_texts.TO_JUDGE)
    check_screens(campaign)
    if protocol.asks_nothing():
        raise PlanError("The campaign asks no question. Create one that does.")


def check_screens(campaign: Campaign) -> None:
    if reason := protocol_of(campaign).why_only_read():
        raise PlanError(f"This campaign can only be read. {reason}")


def chosen_systems(campaign: Campaign, settings: PlanSettings) -> list[int]:
    """Return the ids of the systems that are judged; never a copy of a reference."""
    known = dict(
        System.objects.filter(test_set=campaign.test_set_id)
        .without_copies()
        .values_list("name", "pk")
    )
    unknown = [name for name in settings.systems if name not in known]
    if unknown:
        raise PlanError(
            f"There is no system {unknown[0]!r}. The systems are {', '.join(sorted(known))}."
        )
    return [known[name] for name in settings.systems] or sorted(known.values())


def hidden_reference(
    campaign: Campaign, settings: PlanSettings, *, kept: str | None = None, write: bool
):
    """Return the reference as a hidden system, where the plan has one. kept: as
    `planned_reference`, of a plan that is no longer there."""
    if not allowed(protocol_of(campaign), settings).references:
        return None
    kept = hidden_references.planned_reference(campaign) if kept is None else kept
    return (hidden_references.get_or_make if write else hidden_references.look_up)(campaign, kept)


def draw(
    campaign, protocol, settings: PlanSettings, texts: pool.Pool, rng, wave: RaceWave | None = None
) -> Drawn:
    """Return the blocks that are judged. Raise ValueError where there are none."""
    fewest, most = protocol.outputs_per_item()
    is_paired = settings.design == "paired"
    if not is_paired and (fewest > 1 or protocol.unit == "edit"):
        raise ValueError(
            "A screen shows several translations of a segment, so nobody can see only one "
            "version. Choose the paired design."
        )
    if wave and not is_paired:
        raise ValueError("Systems can be drawn for blocks only in the paired design.")
    divider = layout.Divider(
        fewest=fewest,
        most=most if is_paired else 1,
        pairs=protocol.in_pairs,
        limit=settings.comparisons if protocol.in_pairs else None,
        rng=rng,
    )
    copied = all(KINDS[name].is_copied for name in protocol.kinds)
    reader = BlockReader(
        texts,
        divider,
        # Of documents that differ elsewhere, one would get what was said of the other.
        merges=settings.equal_once
        and is_paired
        and copied
        and not protocol.shows_twins
        and not protocol.last_part,
        compares=protocol.compares,
        by_run=protocol.options.context == "document",
        rng=rng,
        last_part=protocol.last_part,
    )
    if protocol.unit == "edit":
        return draw_edits(campaign, settings, reader, rng)
    if protocol.unit != "segment":
        return draw_documents(campaign, protocol, settings, reader, rng)
    return draw_segments(settings, reader, rng, wave)


def draw_segments(
    settings: PlanSettings, reader: BlockReader, rng, wave: RaceWave | None = None
) -> Drawn:
    found = reader.pool.segments
    usable = [of for of in found if len(of.outputs) >= reader.divider.fewest]
    if not usable:
        raise ValueError("No segment of the test set has enough translations to be judged.")
    left_out = []
    if len(usable) < len(found):
        n = len(found) - len(usable)
        left_out.append(LeftOut(n, "segments", "they have too few translations to be judged"))
    if reader.last_part and settings.block_length:
        raise ValueError(
            "The campaign asks about whole documents, so they cannot be judged in parts: set the "
            "length of blocks to 0."
        )
    calibration, rest = set_apart(usable, settings, rng)
    if len(rest) + len(calibration) < len(usable):
        n = len(usable) - len(rest) - len(calibration)
        why = "they belong to the documents of the calibration items"
        left_out.append(LeftOut(n, "segments", why))
    documents = [list(group) for _, group in groupby(rest, key=lambda of: of.document)]
    cut = blocks.cut(documents, settings.block_length)
    taken = blocks.draw([len(each) for each in cut], n_blocks(cut, settings, len(rest)), rng)
    n_taken = sum(len(cut[d][b]) for d, b in taken)
    if n_taken < len(rest):
        left_out.append(LeftOut(len(rest) - n_taken, "segments", "they were not drawn"))
    # Before they are made: of so many systems that every pair of them would be millions.
    check_size(sum(reader.n_screens(of) for d, b in taken for of in cut[d][b]))
    judged = [cut[d][b] for d, b in in_documents(taken)]
    n_waves = 1
    if wave:
        check_complete(rest, wave)
        n_waves = wave.n_of(taken)
        # Chance of its own, so that which texts are taken is the same in every wave.
        luck = np.random.default_rng([settings.seed, 2, wave.number])
        judged = [wave.shown(cut[d][b], luck) for d, b in wave.part(in_documents(taken))]
    made = [block_of(reader, block, settings.design == "paired") for block in judged]
    return Drawn(
        [block for block in made if block.n_items],
        [calibration_screen(reader, of, i) for i, of in enumerate(calibration)],
        reader,
        n_taken,
        len(found) - len(usable),
        left_out,
        n_waves,
    )


def in_documents(taken: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the order of judging, but blocks of a document in the document's order: the places
    that they drew are given to them from the first to the last."""
    waiting = {
        document: sorted(block for _, block in group)
        for document, group in groupby(sorted(taken), key=lambda each: each[0])
    }
    return [(document, waiting[document].pop(0)) for document, _ in taken]


def n_blocks(cut, settings: PlanSettings, n_segments: int) -> int | None:
    """As many blocks as have so many segments, nearly; None for all."""
    if settings.segments is None or settings.segments >= n_segments:
        return None
    total = sum(map(len, cut))
    return max(1, round(settings.segments * total / n_segments))


def set_apart(
    usable: Sequence[Candidates], settings: PlanSettings, rng
) -> tuple[list[Candidates], list[Candidates]]:
    """Return the segments that everybody judges, and those that are judged otherwise: where nobody
    sees a document in two versions, none of the same documents."""
    n = settings.calibration
    if n >= len(usable):
        raise ValueError("There must be more segments than calibration items.")
    if not n:
        return [], list(usable)
    drawn = {int(i) for i in rng.permutation(len(usable))[:n]}
    calibration = [of for i, of in enumerate(usable) if i in drawn]
    documents = {of.document for of in calibration} if settings.design != "paired" else set()
    rest = [of for i, of in enumerate(usable) if i not in drawn and of.document not in documents]
    if not rest:
        raise ValueError("The calibration items come from all documents, so nothing else is left.")
    return calibration, rest


def calibration_screen(reader: BlockReader, of: Candidates, turn: int) -> PlannedScreen:
    """Return the screen that everybody sees: all translations that it holds, or one, the systems in
    turn."""
    most = reader.divider.most
    outputs = [of.outputs[(turn + i) % len(of.outputs)] for i in range(len(of.outputs))]
    distinct = list({of.texts[output]: (output, system) for output, system in outputs}.values())
    chosen = (distinct if len(distinct) >= reader.divider.fewest else outputs)[:most]
    return replace(reader.screen(of, chosen), kind="control")


def block_of(reader: BlockReader, segments: Sequence[Candidates], is_paired: bool) -> Block:
    document = segments[0].document
    if is_paired:
        return Block(document, reader.paired(segments))
    return Block(document, versions=reader.versions(segments))


def draw_edits(campaign, settings: PlanSettings, reader: BlockReader, rng) -> Drawn:
    """Return edits, segment by segment, in blocks of at most so many segments of a document."""
    edits, n_segments, n_skipped = units.edits_of_documents(campaign, judged_in(reader), rng)
    by_segment = [
        [list(group) for _, group in groupby(screens, key=lambda screen: screen.segment)]
        for screens in edits.values()
    ]
    cut = blocks.cut(by_segment, settings.block_length)
    documents = list(edits)
    made = [
        Block(
            documents[d],
            tuple((sized(reader, s, documents[d]),) for segment in cut[d][b] for s in segment),
        )
        for d, b in in_documents(blocks.draw([len(each) for each in cut], None, rng))
    ]
    return Drawn(made, [], reader, n_segments, n_skipped, nothing_to_ask(n_skipped))


def draw_documents(campaign, protocol, settings: PlanSettings, reader: BlockReader, rng) -> Drawn:
    """Return screens of whole documents as blocks."""
    by_unit = {
        "document": units.documents_with_questions,
        "whole document": units.whole_versions,
    }
    found, n_segments, n_skipped = by_unit[protocol.unit](campaign, judged_in(reader))
    made: list[Block] = []
    for document, whole in found.items():
        each = {system: (sized(reader, s, document),) for system, s in whole.items()}
        if settings.design == "paired":
            order = reader.next_order(set(each))
            made.append(Block(document, tuple(each[system] for system in order)))
        else:
            made.append(Block(document, versions={s: (run,) for s, run in each.items()}))
    made = [made[i] for i in rng.permutation(len(made))]
    return Drawn(made, [], reader, n_segments, n_skipped, nothing_to_ask(n_skipped))


def judged_in(reader: BlockReader) -> set[int]:
    """Return the systems with outputs among the texts."""
    return {system for of in reader.pool.segments for _, system in of.outputs}


def nothing_to_ask(n_skipped: int) -> list[LeftOut]:
    why = "there is nothing to ask about them"
    return [LeftOut(n_skipped, "segments", why)] if n_skipped else []


def sized(reader: BlockReader, screen: PlannedScreen, document: int) -> PlannedScreen:
    words = reader.pool.words_on(screen.outputs, screen.segment)
    return replace(screen, document=document, words=words)


@dataclass(frozen=True)
class Room:
    """What a batch holds of regular items: words, or items where `by_items`."""

    most: float
    by_items: bool

    @classmethod
    def of(cls, settings: PlanSettings, drawn: Drawn, n_passes: int) -> Room:
        by_items = settings.batch_items is not None
        most = float(settings.batch_words if settings.batch_items is None else settings.batch_items)
        per_screen = 1.0
        if not by_items:
            sizes = [block.words / block.n_items for block in drawn.blocks] or [1.0]
            per_screen = sum(sizes) / len(sizes)
        fixed = settings.n_checks * per_screen
        fixed += sum(1.0 if by_items else screen.words for screen in drawn.calibration)
        share = settings.repeats + settings.references + settings.degraded
        return cls(max(1.0, (most / n_passes - fixed) * (10 - share) / 10), by_items)


def paired(made: Sequence[Block], room: Room, one_by_one: bool) -> list[list[Run]]:
    """Return the runs of each batch: whole blocks, those of a document after each other."""
    if one_by_one:
        return [list(block.runs) for block in made]
    sizes = [float(block.n_items) if room.by_items else block.words for block in made]
    found = []
    for batch in pack(sizes, room.most):
        first: dict[int, int] = {}
        for i in batch:
            first.setdefault(made[i].document, i)
        order = sorted(batch, key=lambda i: (first[made[i].document], i))
        found.append([run for i in order for run in made[i].runs])
    return found


def seats_of(n_batches: int, settings: PlanSettings, rng) -> list[int]:
    """Return the annotators of each batch; more of a share of the batches, drawn at random."""
    seats = [settings.seats] * n_batches
    n_more = round(settings.agreement_share * n_batches)
    if settings.agreement_share:
        n_more = max(1, n_more)
    for i in rng.permutation(n_batches)[:n_more] if n_more else ():
        seats[i] = max(settings.agreement_seats, settings.seats)
    return seats
