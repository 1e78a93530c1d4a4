"""Test set → sufficient statistics → stored scores: the computing of one part of a job."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from django.utils import timezone

from metrics import choices
from metrics.models import MetricScore, ScoringJob, ScoringPart, to_bytes
from metrics.scorers import Scorer, count_references
from metrics.texts import SourceTexts, load_outputs, load_sources


class CannotScore(Exception):
    """A part that cannot be computed, with the reason in words for the person who asked."""


@dataclass
class Bench:
    """What one worker keeps between the parts of a job: the texts that all systems share, and
    the scorers, which remember how they cut the words they have met."""

    sources: SourceTexts | None = None
    scorers: dict[int, Scorer] = field(default_factory=dict)

    def sources_of(self, job: ScoringJob) -> SourceTexts:
        if self.sources is None:
            self.sources = load_sources(job.test_set, job.references)
        return self.sources

    def scorer_of(self, part: ScoringPart) -> Scorer:
        index = part.metric_index
        if index not in self.scorers:
            self.scorers[index] = choices.from_json(part.job.metrics[index]).scorer()
        return self.scorers[index]


def compute(part: ScoringPart, bench: Bench) -> MetricScore:
    """Score one system with one metric, unless a score of the same texts is there already.

    Raises CannotScore or ValueError with a reason for people.
    """
    system, references = part.system, part.job.references
    sources, scorer = bench.sources_of(part.job), bench.scorer_of(part)
    outputs = load_outputs(sources, [system.pk])[system.pk]
    texts_hash = sources.hash_with(outputs)
    n_references = count_references(sources.references)
    signature = f"{scorer.label}|{scorer.signature(n_references)}"
    scores = MetricScore.objects.light().filter(system=system, references=references)
    if found := scores.filter(signature=signature, texts_hash=texts_hash).first():
        return found
    segment_signature = f"{scorer.label}|{scorer.signature(n_references, level='segment')}"
    computed = score_texts(scorer, outputs, sources.references, system.name)
    # A new version of a metric has a new signature; its score takes the old one's place.
    same_metric = scores.filter(metric=scorer.slug, options=scorer.options())
    same_metric.exclude(signature=signature).delete()
    score, _ = MetricScore.objects.update_or_create(
        system=system,
        references=references,
        signature=signature,
        defaults={
            **computed,
            "test_set": part.job.test_set,
            "metric": scorer.slug,
            "options": scorer.options(),
            "segment_signature": segment_signature,
            "texts_hash": texts_hash,
            "created_at": timezone.now(),
        },
    )
    return score


def score_texts(
    scorer: Scorer, outputs: list[str | None], references: list[list[str | None]], system: str
) -> dict:
    """The computed fields of a MetricScore, over the segments with an output and a reference."""
    scored = [
        i
        for i, output in enumerate(outputs)
        if output is not None and any(stream[i] is not None for stream in references)
    ]
    if not scored:
        raise CannotScore(f"{system} has no segment with an output and a reference.")
    stats = scorer.statistics(
        [outputs[i] or "" for i in scored], [[stream[i] for i in scored] for stream in references]
    )
    segment_scores = np.full(len(outputs), np.nan)
    segment_scores[scored] = scorer.segment_scores(stats)
    all_stats = np.full((len(outputs), stats.shape[1]), np.nan)
    all_stats[scored] = stats
    score = float(scorer.score(stats.sum(axis=0)))
    if not np.isfinite(score):
        raise CannotScore(f"The score of {system} is not a finite number.")
    return {
        "score": score,
        "n_segments": len(scored),
        "segment_data": to_bytes(segment_scores),
        "statistics_data": to_bytes(all_stats),
        "statistics_width": stats.shape[1],
    }


def stale_scores(scores: Sequence[MetricScore]) -> set[int]:
    """Keys of those scores whose texts have changed since they were computed."""
    stale: set[int] = set()
    groups: dict[tuple[int, tuple[str, ...]], list[MetricScore]] = {}
    for score in scores:
        groups.setdefault((score.test_set_id, tuple(score.references)), []).append(score)
    for (_, names), group in groups.items():
        sources = load_sources(group[0].test_set, names)
        outputs = load_outputs(sources, sorted({score.system_id for score in group}))
        hashes = {system: sources.hash_with(texts) for system, texts in outputs.items()}
        stale |= {score.pk for score in group if hashes[score.system_id] != score.texts_hash}
    return stale
