"""The amount of work in a plan, and its kind of answers; the basis of its price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judgments.models import Kind
from judgments.protocols import Protocol

from .listening import NONE_HEARD, Listening
from .previews import Preview
from .settings import PlanSettings


@dataclass(frozen=True)
class PlannedWork:
    """The work to judge. ``words`` of sources and outputs, ``outputs``, ``items``, ``batches`` and
    ``answers``: for all seats, including control items. ``of_documents``: how many segments of each
    document are judged; ``pooled``: how many it has. ``n_blocks``: assigned blocks, with this many
    segments ``around`` them in their documents; a source has ``source_words`` on average, and their
    squares have ``source_squares``. ``degraded``: copies, for all seats."""

    n_systems: int
    of_documents: Sequence[int]
    pooled: Sequence[int]
    n_blocks: int
    batches: int
    items: int
    answers: int
    words: float
    outputs: float
    degraded: int = 0
    around: float = 0.0
    source_words: float = 0.0
    source_squares: float = 0.0
    listening: Listening = NONE_HEARD

    @property
    def segments(self) -> int:
        return sum(self.of_documents)

    def share(self, share: float) -> PlannedWork:
        """Return this share of the reading, judging and listening; the rest stays unchanged."""
        return replace(
            self,
            words=self.words * share,
            outputs=self.outputs * share,
            listening=self.listening.share(share),
        )


def planned_work(preview: Preview) -> PlannedWork:
    return PlannedWork(
        n_systems=len(preview.systems),
        of_documents=preview.of_documents,
        pooled=preview.pooled,
        n_blocks=preview.n_blocks,
        batches=preview.n_tasks,
        items=preview.n_items,
        answers=preview.n_answers,
        words=preview.n_words,
        outputs=preview.n_outputs,
        around=preview.around,
        source_words=preview.source_words,
        source_squares=preview.source_squares,
        listening=preview.listening,
        degraded=preview.kinds.get(Kind.DEGRADED, 0) + preview.controls.get(Kind.DEGRADED, 0),
    )


def scores_outputs(protocol: Protocol) -> bool:
    """Return whether its judgments rate or compare outputs, so that systems can be
    distinguished."""
    return protocol.compares or bool(protocol.dimensions())


def may_be_controlled(protocol: Protocol) -> bool:
    """Return whether a stopping plan can name metrics that correct for which segments were
    judged."""
    return protocol.unit == "segment" and scores_outputs(protocol) and not protocol.compares


def most_seats(settings: PlanSettings) -> int:
    """Return how many different people a batch needs at most."""
    return max(settings.seats, settings.agreement_seats if settings.agreement_share else 1)


def mean_seats(settings: PlanSettings) -> float:
    share = settings.agreement_share
    return (1 - share) * settings.seats + share * max(settings.seats, settings.agreement_seats)
