"""Simulated errors: the worse a translation seems, the more words are marked, and as major ones."""

import re

import numpy as np

from judgments.models import ErrorSpan, Judgment, Rating
from judgments.protocols.spans.marking import Marking

from . import simulation
from .simulation import Annotator

MOST = 5
WORD = re.compile(r"\w+")


def write(judgments: list[Judgment], person: Annotator, quality, rng) -> None:
    """Store what a simulated annotator marks and scores in these judgments."""
    spans: list[ErrorSpan] = []
    ratings: list[Rating] = []
    for judgment in judgments:
        marking = Marking.of(judgment.campaign)
        for row in judgment.item.shown.all():
            adequacy, _ = simulation.seen(person, row, quality)
            seen = adequacy - person.severity + rng.normal(0, person.noise)
            found = errors_of(judgment, row, seen, rng)
            if person.reads and row.altered is not None and row.altered.start is not None:
                found = with_planted(found, judgment, row)
            spans += found
            total = marking.score_of([(span.severity, span.category) for span in found])
            score = float(np.clip(np.rint(25 * (seen - 1) + rng.normal(0, 5)), 0, 100))
            ratings += (
                Rating(judgment=judgment, output_id=row.output_id, dimension=slug, value=value)
                for slug, value in (("esa", score), (marking.derived, total))
            )
    Rating.objects.bulk_create(ratings)
    ErrorSpan.objects.bulk_create(spans)


def with_planted(found: list[ErrorSpan], judgment: Judgment, row) -> list[ErrorSpan]:
    """Return the planted phrase as one major error, instead of what was marked within it."""
    start, end = row.altered.start, row.altered.end
    rest = [span for span in found if span.end <= start or end <= span.start]
    planted = ErrorSpan(
        judgment=judgment, output_id=row.output_id, start=start, end=end, severity="major"
    )
    return [*rest[: MOST - 1], planted]


def errors_of(judgment: Judgment, row, seen: float, rng) -> list[ErrorSpan]:
    words = [match.span() for match in WORD.finditer(row.text)]
    flaws = max(0.0, 5 - seen)
    n = min(MOST, len(words), rng.poisson(flaws * 0.7))
    return [
        ErrorSpan(
            judgment=judgment,
            output_id=row.output_id,
            start=words[place][0],
            end=words[place][1],
            severity="major" if rng.random() < flaws / 6 else "minor",
        )
        for place in sorted(rng.choice(len(words), n, replace=False))
    ]
