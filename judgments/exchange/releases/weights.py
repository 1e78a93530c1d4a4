"""Which weights a table of marked errors was published with, where it does not say so itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from statistics import fmean

from judgments.results.recomputation.figures import IN, OTHER, compared
from judgments.stats.mqm import SCHEMES, Scheme

from .format import Answers
from .records import JudgmentsPart, OpenQuestion, Published, Release
from .writing import is_about

FIRST = "google"  # where nothing says otherwise


def settle_weights(release: Release, answers: Answers) -> None:
    """Give each campaign of marked errors the weights that somebody chose, else those by which most
    of its published means come out; ask where they make a difference, and say what was found."""
    texts = {part.key: part for part in release.texts}
    chosen: list[str] = []
    for n, part in enumerate(release.judgments):
        if not part.weights:
            continue
        means = {slug: means_of(part, weights) for slug, weights in part.weights.items()}
        published = [row for row in release.published if is_about(row, texts[part.texts])]
        found = {slug: n_given(published, own) for slug, own in means.items()}
        best = max(found, key=lambda slug: (found[slug], slug == FIRST))
        chosen.append(best)
        slug = answers.get("weights") or best
        release.judgments[n] = replace(
            part, options={**part.options, "weights": part.weights.get(slug, part.weights[best])}
        )
        if any(found.values()):
            counts = ", ".join(f"{k:,} by {SCHEMES[slug].name}" for slug, k in found.items())
            release.notes.append(f"{part.name}: of the published means come out {counts}.")
    if chosen:
        release.questions.append(
            OpenQuestion(
                "weights",
                "Weights of errors",
                "Google's releases of WMT20–23 count no source errors and creative "
                "reinterpretations; those of TED do, as Freitag et al. (2021).",
                [(slug, SCHEMES[slug].name) for slug in ("google", "freitag")],
                default=chosen[0],
                required=False,
            )
        )


def means_of(part: JudgmentsPart, weights: Mapping[str, float]) -> dict[str, float]:
    """Return the means of segments, by "SYSTEM in SEGMENT", and those of systems over them."""
    scheme = Scheme("", "these weights", weights)
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for screen in part.screens():
        for system in screen.outputs:
            marked = (span for span in screen.spans or () if span.system == system)
            penalty = sum(scheme.penalty(span.severity, span.category) for span in marked)
            scores[system, screen.segment].append(0.0 - penalty)
    found = {f"{system}{IN}{segment}": fmean(some) for (system, segment), some in scores.items()}
    of_system: dict[str, list[float]] = defaultdict(list)
    for system, segment in scores:
        of_system[system].append(found[f"{system}{IN}{segment}"])
    return found | {system: fmean(some) for system, some in of_system.items()}


def n_given(published: Iterable[Published], own: Mapping[str, float]) -> int:
    """Return how many published means come out."""
    return sum(
        row.figure in ("system mean", "segment mean")
        and row.of in own
        and compared(row.text, own[row.of])[0] != OTHER
        for row in published
    )
