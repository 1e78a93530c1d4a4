"""Notes on the price of a plan: its assumptions, and settings that should be changed."""

from __future__ import annotations

from collections.abc import Iterator

from judgments.people.workload.pace import Pace
from judgments.protocols import Protocol
from judgments.stats.planning.blocks import best_block_length
from judgments.stats.planning.choice import price_of_random
from judgments.stats.planning.spreads import DifferenceSpread
from judgments.stats.quality_control import MIN_PAIRS
from judgments.web import plurals as counted

from ..choice import FEW_SYSTEMS, GAPS, may_draw
from ..scope import PlannedWork, may_be_controlled, mean_seats, most_seats, scores_outputs
from ..settings import PlanSettings
from .context import cost_of_context
from .spread import KnownSpread


def notes_on(
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, pace: Pace, known: KnownSpread
) -> Iterator[str]:
    """Yield the assumptions and warnings."""
    is_by_segment = protocol.unit == "segment"
    yield _of_time(protocol, pace)
    yield from notes_on_listening(work, pace)
    if work.batches < settings.annotators:
        yield (
            f"There {('is one batch' if work.batches == 1 else f'are {work.batches} batches')} "
            f"for {settings.annotators} annotators, so not all of them get work. Use shorter "
            "batches, or more annotators for each."
        )
    if settings.annotators < (needed := most_seats(settings)):
        yield (
            f"Some batches go to {needed} annotators, and nobody judges a batch twice, so at least "
            f"{needed} are needed: with {settings.annotators}, work stays open. Days and items are "
            f"those of {needed} annotators."
        )
    each = work.degraded / (min(settings.annotators, work.batches) or 1)
    if 0 < each < MIN_PAIRS:
        yield (
            f"About {each:.2g} degraded {'copy' if each == 1 else 'copies'} for each annotator: "
            f"the test of who reads with care needs {MIN_PAIRS}."
        )
    if settings.pool and not settings.has_controls:
        yield (
            "Nothing in this pool shows who reads with care; repeats, degraded copies and "
            "attention checks do."
        )
    asked = settings.segments
    if asked is not None and abs(work.segments - asked) > asked / 10 and is_by_segment:
        yield (
            f"{work.segments:,} segment{('s' if work.segments > 1 else '')} will be judged, not "
            f"{asked:,}: blocks stay whole. Shorter blocks come closer."
        )
    mean_length = len([n for n in work.pooled if n]) and sum(work.pooled) / len(work.pooled)
    if settings.block_length and mean_length:
        judging = pace.hours(work.outputs, work.words)
        kappa = cost_of_context(settings, work, judging)
        best = best_block_length(kappa, mean_length=mean_length)
        if best.reason:
            yield f"{best.reason[0].upper()}{best.reason[1:]}."
        elif best.length != settings.block_length:
            yield f"With context at this cost, blocks of {best.length} are best."
    if scores_outputs(protocol):
        yield from notes_on_difference(protocol, settings, work, known)


def _of_time(protocol: Protocol, pace: Pace) -> str:
    """Return the time that an output takes, and how it is known."""
    kind = "a rule of thumb"
    if pace.is_set:
        kind = "as set"
    elif pace.n_judged:
        kind = f"adjusted by the times of {pace.n_judged:,} judged here"
    elif pace.n_elsewhere:
        kind = f"adjusted by the times of {pace.n_elsewhere:,} judged in other campaigns"
    elif protocol.seconds_per_output:
        kind = "as in the ESA study of WMT23"
    each = f"{pace.per_output:.3g} s for each translation and " if pace.per_output else ""
    return f"{each}{pace.per_word:.2g} s for each word of sources and translations: {kind}."


def notes_on_listening(work: PlannedWork, pace: Pace) -> Iterator[str]:
    """Yield notes for sources with sound."""
    if more := work.listening.extra_hours(pace):
        hours = f"{more:,.1f}" if more >= 0.1 else "under 0.1"
        yield f"No item takes less than its sound or video: that adds {hours} hours."
    if n := work.listening.n_unknown:
        yield (
            f"The length of the sound or video of {n:,} segment{('s' if n > 1 else '')} is not "
            "known, so listening to it is not counted. Give it in the column media_end."
        )


def notes_on_choice(n_systems: int, size: int) -> Iterator[str]:
    """Yield notes for blocks that show some of the systems; measured by
    `benchmarks/choosing_systems.py`."""
    price = price_of_random(n_systems, size, gaps=GAPS)
    yield (
        f"To show the same difference, {size} of {n_systems} systems in a block, drawn at "
        f"random, take {price:.1f} times as many translations as all of them, by formula, if a "
        "translation is judged as reliably next to few others as next to many. Replayed on WMT23 "
        "English–German, 3 of 12 took 2.1 times as many for all pairs, 2.5 for the top cluster, "
        "2.2 for the best."
    )
    yield (
        "A race for the top cluster took 18 % fewer there than all systems, for that cluster and "
        "for the best. Each of its waves waits until the one before it is judged."
    )
    yield (
        "Nobody has measured whether a translation is judged as reliably next to few others as "
        "next to many. Two campaigns of a project on the same texts can measure it, one with all "
        "systems in a block and one with some at random: the project's page Protocols compares "
        "them."
    )


def _of_spread(protocol: Protocol, work: PlannedWork, known: KnownSpread) -> str:
    """Return how much differences vary, and how that is known."""
    usual, width = protocol.usual_spread(), "the scale"
    if usual.scale:
        width = f"{usual.scale:g} points"
    share = known.spread.share(work.source_words, work.source_squares)
    words = f"From segment to segment differences vary by {100 * share:.0f} % of {width}"
    if not known.n_judged and not known.n_elsewhere:
        is_rule = usual == DifferenceSpread()
        return f"{words}: {'a rule of thumb' if is_rule else 'as in WMT23, for such texts'}."
    of_site = f"{known.n_campaigns:,} of the site's other campaigns"
    elsewhere = f"{counted.segments(known.n_elsewhere)} of {of_site}"
    own = f"{counted.segments(known.n_judged)} of this campaign"
    moved = [elsewhere] * bool(known.n_elsewhere) + [own] * bool(known.n_judged)
    return (
        f"{words}, and within documents they correlate by {known.spread.rho:.2f}: adjusted by "
        f"{' and '.join(moved)}."
    )


def notes_on_difference(
    protocol: Protocol, settings: PlanSettings, work: PlannedWork, known: KnownSpread
) -> Iterator[str]:
    """Yield notes on the smallest difference."""
    if work.segments > 1 and len(work.pooled) == 1:
        yield (
            "All segments are one document. If they are not, import the texts with the document of "
            "each segment."
        )
    if sum(1 for n in work.of_documents if n) < 20:
        yield "Fewer than 20 documents: the difference is larger than the formula says."
    if may_be_controlled(protocol) and work.segments >= 4:
        yield (
            "Metrics with scores of all texts can control for which of them are judged, if a "
            "stopping plan names them before the first judgment. Trained metrics help, BLEU and "
            "chrF hardly do; where every text is judged, none does."
        )
    if settings.spread is None and not protocol.compares:
        yield _of_spread(protocol, work, known)
    if mean_seats(settings) > 1 and not protocol.compares:
        yield (
            "A second annotator of a segment removes 31 % of the variance, as in MQM with three "
            "raters; as many judgments of new segments remove half, but show no agreement."
        )
    if may_draw(protocol) and work.n_systems > FEW_SYSTEMS:
        size = settings.systems_shown if settings.choice == "random" else FEW_SYSTEMS
        yield from notes_on_choice(work.n_systems, min(size, work.n_systems))
    if settings.promise == "bh":
        yield (
            "Benjamini–Hochberg promises less than Holm: some of the separations shown are "
            "expected to be false."
        )
    yield (
        "With a chance of 80 %, by formula; a pilot's own data give a better answer (page Power)."
        if not protocol.compares
        else "With a chance of 80 %, by formula."
    )
