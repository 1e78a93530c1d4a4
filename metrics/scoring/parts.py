"""Test set → sufficient statistics → stored scores: computing one part of a job."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.conf import settings
from django.utils import timezone

from judgments.models import TestSet
from metrics.formats import marked_errors
from metrics.models import MetricScore, MetricSpans, ScoringJob, ScoringPart, to_bytes
from metrics.neural.process import watched
from metrics.scorers import SCORERS, Scorer, count_references
from metrics.scorers.neural import Neural
from metrics.scoring import choices, corpora
from metrics.scoring.calculator import Calculator
from metrics.scoring.lanes import Lane
from metrics.scoring.texts import SourceTexts, load_outputs, load_sources, load_targeted

# Characters of scripts written without spaces, and runs of all others.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
TOKEN = re.compile(f"[{UNSPACED}]|[^\\s{UNSPACED}]+")
LONGEST_SIGNATURE = MetricScore._meta.get_field("signature").max_length or 0


class CannotScore(Exception):
    """A part that cannot be computed, with the reason as a message for the user."""


@dataclass(frozen=True)
class Inputs:
    """A metric's input for one system, in the order of the test set. `names`: of the references in
    use; `texts_hash`: changes when any of these texts does."""

    hypotheses: list[str | None]
    sources: list[str]
    names: list[str]
    references: list[list[str | None]]
    texts_hash: str


@dataclass
class Bench:
    """State of a worker between the parts of a job: the texts that all systems share, and a process
    for computing, whose scorers remember tokenized words."""

    # The lane whose parts it takes; None for all.
    lane: Lane | None = None
    sources: dict[tuple[str, ...], SourceTexts] = field(default_factory=dict)
    calculator: Calculator | None = None
    # Metrics of the job with a scorer in the process; and those with one here.
    prepared: set[int] = field(default_factory=set)
    kept: dict[int, Scorer] = field(default_factory=dict)
    # Called while a part is computed; an exception from it ends the computation.
    watch: Callable[..., object] = field(default=lambda *how_far: None)

    def sources_of(self, test_set: TestSet, names: Sequence[str]) -> SourceTexts:
        key = tuple(names)
        if key not in self.sources:
            self.sources[key] = load_sources(test_set, names)
        return self.sources[key]

    def scorer_of(self, part: ScoringPart) -> Scorer:
        """Return the metric of a part, untrained."""
        index = part.metric_index
        if index not in self.kept:
            row = part.job.metrics[index]
            self.kept[index] = choices.choose(row["metric"], row["options"]).scorer()
        return self.kept[index]

    def ask(self, part: ScoringPart, what: Callable, *texts: Any) -> Any:
        """Return `what(scorers, index, *texts)` of a part's metric, computed in the process.

        Raise what Calculator.call does, and CannotScore if the metric's corpus is missing.
        """
        scorer, index, watch = self.scorer_of(part), part.metric_index, self.watch
        if isinstance(scorer, Neural):  # already computed in a separate process
            with watched(watch):
                return what(self.kept, index, *texts)
        if self.calculator is None or not self.calculator.is_alive:
            self.stop()
            self.calculator = Calculator(settings.SCORING_MEMORY_MB)
        if index not in self.prepared:
            corpus = corpus_of(scorer, part.job) if scorer.needs_corpus else b""
            self.calculator.call(prepare, index, part.job.metrics[index], corpus, watch=watch)
            self.prepared.add(index)
        return self.calculator.call(what, index, *texts, watch=watch)

    def stop(self) -> None:
        """End the process, if there is one."""
        if self.calculator is not None:
            self.calculator.stop()
        self.calculator = None
        self.prepared.clear()


def corpus_of(scorer: Scorer, job: ScoringJob) -> bytes:
    """Return the stored corpus that a metric's options name, of the user who requested the scores
    or of the test set's owner. Raise CannotScore if neither has it."""
    name = scorer.options()["corpus"]
    if not name:
        raise CannotScore(f"{scorer.name} learns from a text: choose a corpus.")
    corpus = corpora.find_corpus(name, [job.created_by, job.test_set.owner])
    if corpus is None:
        raise CannotScore(f"There is no corpus named “{name}”; upload it, or choose another.")
    return bytes(corpus.data)


def prepare(scorers: dict[int, Scorer], index: int, row: dict[str, Any], corpus: bytes) -> None:
    """Prepare a scorer of a job's metric, trained on a corpus if it needs one."""
    scorer = choices.choose(row["metric"], row["options"]).scorer()
    if corpus:
        scorer.train(corpora.unpacked(corpus))
    scorers[index] = scorer


def signatures(scorers: dict[int, Scorer], index: int, n_references: int | str) -> tuple[str, str]:
    """Return the signatures of the score and of the scores of segments."""
    scorer = scorers[index]
    of_corpus = scorer.signature(n_references)
    of_segments = scorer.signature(n_references, level="segment")
    return f"{scorer.label}|{of_corpus}", f"{scorer.label}|{of_segments}"


def scores(
    scorers: dict[int, Scorer], index: int, inputs: Inputs, system: str
) -> dict[str, Any] | str:
    """Return the computed fields of a MetricScore, or the reason why there are none."""
    try:
        found = score_texts(scorers[index], inputs, system)
        return found | {"marked": marked_in(scorers[index], inputs)}
    except CannotScore as error:
        return str(error)


def marked_in(scorer: Scorer, inputs: Inputs) -> list | None:
    """Return the errors that a metric has just marked, in the format of MetricSpans; None for a
    metric that marks none."""
    marks = scorer.marks if isinstance(scorer, Neural) else None
    if marks is None:
        return None
    found: list = [None] * len(inputs.hypotheses)
    for place, errors in zip(scorable(scorer, inputs), marks, strict=True):
        length = len(inputs.hypotheses[place] or "")
        spans = (marked_errors.computed(error, length) for error in errors)
        found[place] = [span for span in spans if span is not None]
    return found


def names_for(scorer: type[Scorer] | Scorer, test_set: TestSet, chosen: Sequence[str]) -> list[str]:
    """Return the names of the references a metric reads: the chosen ones, all post-edits for a
    metric that needs targeted references, or none."""
    if scorer.targeted:
        return test_set.targeted_names
    return list(chosen) if scorer.needs_references else []


def inputs_of(
    bench: Bench, test_set: TestSet, system_ids: Sequence[int], names: Sequence[str], targeted: bool
) -> dict[int, Inputs]:
    """Return a metric's input for some systems, by system, in as many queries as for one."""
    sources = bench.sources_of(test_set, () if targeted else names)
    outputs = load_outputs(sources, system_ids)
    edits = load_targeted(sources, names, system_ids) if targeted else {}
    found = {}
    for pk in system_ids:
        references = edits[pk] if targeted else sources.references
        # Shared references are already in the hash of the sources.
        own = [text for stream in references for text in stream] if targeted else []
        texts_hash = sources.hash_with([*outputs[pk], *own])
        found[pk] = Inputs(outputs[pk], sources.sources, list(names), references, texts_hash)
    return found


@dataclass(frozen=True)
class Computed:
    """A score that is not stored yet: its key, its other fields, and marked errors."""

    names: dict[str, Any]
    fields: dict[str, Any]
    marked: list | None = None

    def store(self) -> None:
        # A new version of a metric has a new signature; its score replaces the old one.
        scores = MetricScore.objects.filter(
            system=self.names["system"],
            references=self.names["references"],
            metric=self.fields["metric"],
            options=self.fields["options"],
        )
        scores.exclude(signature=self.names["signature"]).delete()
        score, _ = MetricScore.objects.update_or_create(**self.names, defaults=self.fields)
        MetricSpans.objects.filter(score=score).delete()
        if self.marked is not None:
            n_errors = sum(map(len, filter(None, self.marked)))
            MetricSpans.objects.create(score=score, data=self.marked, n_errors=n_errors)


def compute(part: ScoringPart, bench: Bench) -> Computed | None:
    """Score one system with one metric; return None if a score of the same texts exists already.

    Raise CannotScore or ValueError with a reason for the user, and what Bench.ask raises.
    """
    system, test_set, scorer = part.system, part.job.test_set, bench.scorer_of(part)
    names = names_for(scorer, test_set, part.job.references)
    inputs = inputs_of(bench, test_set, [system.pk], names, scorer.targeted)[system.pk]
    check_lengths(inputs, system.name, settings.SCORING_TOKENS)
    n_references = n_references_of(inputs, scorer.targeted)
    signature, segment_signature = bench.ask(part, signatures, n_references)
    named = {"system": system, "references": names, "signature": signature}
    if MetricScore.objects.filter(**named, texts_hash=inputs.texts_hash).exists():
        return None
    if max(len(signature), len(segment_signature)) > LONGEST_SIGNATURE:
        raise CannotScore(f"The signature has more than {LONGEST_SIGNATURE} characters.")
    computed = bench.ask(part, scores, inputs, system.name)
    if isinstance(computed, str):
        raise CannotScore(computed)
    marked = computed.pop("marked")
    return Computed(
        named,
        {
            **computed,
            "test_set": test_set,
            "metric": scorer.slug,
            "options": scorer.options(),
            "segment_signature": segment_signature,
            "texts_hash": inputs.texts_hash,
            "created_at": timezone.now(),
        },
        marked,
    )


def n_references_of(inputs: Inputs, targeted: bool) -> int | str:
    """Return the number of references per segment for a signature. Of post-edits, those of the
    outputs that have one: a system that lacks some is compared with the others all the same."""
    if not inputs.references:
        return 0
    if not targeted:
        return count_references(inputs.references)
    edits = [texts for texts in zip(*inputs.references, strict=True) if set(texts) != {None}]
    return count_references(list(zip(*edits, strict=True))) if edits else 0


def check_lengths(inputs: Inputs, system: str, most: int) -> None:
    """Raise CannotScore for a segment with more tokens than a metric may process: the time of some
    metrics grows with the square of the length, or faster. Words are counted by spaces, and
    characters of scripts written without spaces one by one."""
    for streams, whose in (([inputs.hypotheses], f"of {system}"), (inputs.references, "")):
        for stream in streams:
            for i, text in enumerate(stream):
                # A text has no more tokens than characters: most texts need not be counted.
                if text is not None and len(text) > most and (n := count_tokens(text)) > most:
                    what = f"the output {whose}" if whose else "a reference"
                    raise CannotScore(
                        f"Segment {i + 1}: {what} has {n:,} tokens, and at most {most:,} are "
                        "scored (SCORING_TOKENS)."
                    )


def count_tokens(text: str) -> int:
    return len(TOKEN.findall(text))


def score_texts(scorer: Scorer, inputs: Inputs, system: str) -> dict:
    """Return the computed fields of a MetricScore, over the segments with everything the metric
    needs."""
    scored = scorable(scorer, inputs)
    if not scored:
        needed = "an output"
        if scorer.needs_references:
            needed += " and a post-edit" if scorer.targeted else " and a reference"
        raise CannotScore(f"{system} has no segment with {needed}.")
    stats = scorer.statistics(
        [inputs.hypotheses[i] or "" for i in scored],
        [[stream[i] for i in scored] for stream in inputs.references],
        [inputs.sources[i] for i in scored],
    )
    n_segments = len(inputs.hypotheses)
    segment_scores = np.full(n_segments, np.nan)
    segment_scores[scored] = scorer.segment_scores(stats)
    all_stats = np.full((n_segments, stats.shape[1]), np.nan)
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


def scorable(scorer: Scorer, inputs: Inputs) -> list[int]:
    """Return indices of the segments that have an output and, if the metric needs one, a
    reference."""
    return [
        i
        for i, output in enumerate(inputs.hypotheses)
        if output is not None
        and (
            not scorer.needs_references
            or any(stream[i] is not None for stream in inputs.references)
        )
    ]


def stale_scores(scores: Sequence[MetricScore]) -> set[int]:
    """Return keys of those scores whose texts have changed since they were computed; unknown for
    those imported before the texts."""
    stale: set[int] = set()
    bench = Bench()
    groups: dict[tuple[int, tuple[str, ...], bool], list[MetricScore]] = {}
    for score in scores:
        targeted = score.metric in SCORERS and SCORERS[score.metric].targeted
        key = (score.test_set_id, tuple(score.references), targeted)
        groups.setdefault(key, []).append(score)
    for (_, names, targeted), group in groups.items():
        systems = sorted({score.system_id for score in group})
        inputs = inputs_of(bench, group[0].test_set, systems, names, targeted)
        stale |= {
            s.pk for s in group if s.texts_hash and inputs[s.system_id].texts_hash != s.texts_hash
        }
    return stale
