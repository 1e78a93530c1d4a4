"""Scores that a release gives of metrics that the site computes itself, beside its own figures."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isnan, nan

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from judgments.models import TestSet
from judgments.results.recomputation.figures import IN, NONE, OTHER, REASONS, Recomputed, compared
from metrics.formats import score_files
from metrics.formats.spellings import SHORTEST, spelled
from metrics.models import MetricScore
from metrics.scorers import Scorer, get_scorer
from metrics.scorers.uploads import Uploaded
from metrics.scoring.parts import Bench, Inputs, inputs_of, scorable

from .levels import Groups, groups_of
from .tables import MetricColumn, score_table

SUFFIXES = {level: suffix for suffix, level in score_files.LEVELS.items()}
UNKNOWN = gettext_noop("the release does not say with which options of which program")
NO_OUTPUTS = gettext_noop("there are no outputs here that it could be of")
# What shared tasks call a metric of ours, and the options with which they compute it: the defaults
# of sacreBLEU, of `sentence_bleu` for segments, but for the tokenizer of sentence pieces.
KNOWN: dict[str, tuple[str, dict]] = {
    "bleu": ("bleu", {}),
    "sentbleu": ("bleu", {}),
    "f101spbleu": ("bleu", {"tokenize": "flores101"}),
    "f200spbleu": ("bleu", {"tokenize": "flores200"}),
    "chrf": ("chrf", {}),
    "chrf++": ("chrf", {"word_order": 2}),
    "ter": ("ter", {}),
}
# sacreBLEU's advice for targets that are written without spaces.
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def recomputed_scores(test_set: TestSet) -> list[Recomputed]:
    """Return every score of a system, domain and document that files gave of a metric that the site
    has, beside the site's own; of the segments of a system one row, of the largest difference. What
    the command `recompute` asks for (`recomputed_scores` of the app)."""
    table = score_table(test_set, statistics=True, check_stale=False)
    texts = MetricInputs(test_set)
    found: list[Recomputed] = []
    for column in table.columns:
        score = next(iter(column.scores.values()))
        known = KNOWN.get(score.options.get("name", "").lower())
        if column.metric != Uploaded.slug or known is None or not column.references:
            continue
        scores = [
            (system.name, column.scores[system.pk])
            for system in table.systems
            if system.pk in column.scores
        ]
        found += rows_of(column, scores, known, texts)
    return found


class MetricInputs:
    """What metrics read of a test set, and its documents and domains."""

    def __init__(self, test_set: TestSet) -> None:
        self.test_set = test_set
        self.bench = Bench()

    @cached_property
    def keys(self) -> list[str]:
        segments = self.test_set.segments.order_by("position")
        return list(segments.values_list("key", flat=True))

    @cached_property
    def groups(self) -> Groups:
        return groups_of(self.test_set)

    def inputs(self, score: MetricScore) -> Inputs:
        found = inputs_of(self.bench, self.test_set, [score.system_id], score.references, False)
        return found[score.system_id]


def rows_of(
    column: MetricColumn,
    scores: Sequence[tuple[str, MetricScore]],
    known: tuple[str, dict],
    texts: MetricInputs,
) -> Iterator[Recomputed]:
    """Yield all figures of one metric."""
    name, file = scores[0][1].options["name"], scores[0][1].levels.get("file", "")
    try:
        scorer = scorer_of(known, texts.test_set)
        own = [Own(scorer, texts.inputs(score), texts) for _, score in scores]
    except (ValueError, ImportError) as problem:  # a tokenizer that this installation lacks
        for system, score in scores:
            figure = f"{name} of a system"
            yield Recomputed(
                figure, "", system, stated(score), "", NONE, "", str(problem), f"{file}.sys.score"
            )
        return
    convention = scorer.signature(len(column.references))
    for (system, score), figures in zip(scores, own, strict=True):
        for level, of, text, value in figures.beside(score):
            verdict, here = (NONE, "") if isnan(value) else compared(text, value)
            yield Recomputed(
                f"{name} of a {level}",
                "",
                f"{system}{IN}{of}" if of else system,
                text,
                here,
                verdict,
                convention,
                NO_OUTPUTS if isnan(value) else REASONS.get(verdict, UNKNOWN),
                f"{file}.{SUFFIXES[level]}.score",
            )
        yield from segment_row(f"{name} of segments", system, score, figures)


def scorer_of(known: tuple[str, dict], test_set: TestSet) -> Scorer:
    """Return the metric as sacreBLEU would have it for the target language.

    Raises ValueError where this installation lacks the tokenizer.
    """
    slug, options = known
    language = test_set.target_language.partition("-")[0]
    if slug == "bleu" and "tokenize" not in options and language in TOKENIZERS:
        options = {**options, "tokenize": TOKENIZERS[language]}
    return get_scorer(slug, **options)


class Own:
    """The site's figures of one system at every level; a metric of errors is turned, as releases
    have it: higher is better."""

    def __init__(self, scorer: Scorer, inputs: Inputs, texts: MetricInputs) -> None:
        self.texts = texts
        self.scorer = scorer
        self.sign = 1 if scorer.higher_is_better else -1
        at = scorable(scorer, inputs)
        found = scorer.statistics(
            [inputs.hypotheses[i] or "" for i in at],
            [[stream[i] for i in at] for stream in inputs.references],
            [inputs.sources[i] for i in at],
        )
        self.there = np.zeros(len(inputs.hypotheses), dtype=bool)
        self.there[at] = True
        self.stats = np.zeros((len(self.there), found.shape[1]))
        self.stats[at] = found
        self.segments = np.full(len(self.there), nan)
        self.segments[at] = self.sign * scorer.segment_scores(found)

    def over(self, where: np.ndarray) -> float:
        """Return the score over some segments, a mask."""
        if not (where & self.there).any():
            return nan
        return self.sign * float(self.scorer.score(self.stats[where & self.there].sum(axis=0)))

    def beside(self, score: MetricScore) -> Iterator[tuple[str, str, str, float]]:
        """Yield (level, of which domain or document, as published, own) of all that files gave."""
        documents, document_of, domains, domain_of = self.texts.groups
        everywhere = np.ones(len(self.there), dtype=bool)
        yield "system", "", stated(score), self.over(everywhere)
        for name, text in sorted(score.levels.get("domain", {}).items()):
            if text is not None and name in domains:
                yield "domain", name, text, self.over(domain_of == domains.index(name))
        given = score.levels.get("document", [])
        if len(given) == len(documents):
            for i, text in enumerate(given):
                if text is not None:
                    yield "document", documents[i], text, self.over(document_of == i)


def segment_row(figure: str, system: str, score: MetricScore, own: Own) -> Iterator[Recomputed]:
    """Yield the segment of a system whose score is farthest from the site's, and how many are
    apart."""
    published = score.segment_scores
    if len(published) != len(own.segments):
        return
    places = np.flatnonzero(~np.isnan(published + own.segments))
    if not len(places):
        return
    spelling = score.levels.get("segment", SHORTEST)
    texts = [spelled(value, spelling) for value in published[places].tolist()]
    found = [compared(*pair) for pair in zip(texts, own.segments[places].tolist(), strict=True)]
    n_apart = sum(each == OTHER for each, _own in found)
    far = int(np.abs(published - own.segments)[places].argmax())
    verdict, text = found[far]
    apart = _("%(n)s of %(all)s segments differ; this one most.") % {
        "n": f"{n_apart:,}",
        "all": f"{len(places):,}",
    }
    yield Recomputed(
        figure,
        "",
        f"{system}{IN}{own.texts.keys[places[far]]}",
        texts[far],
        text,
        verdict,
        own.scorer.signature(len(score.references), level="segment"),
        apart if n_apart else REASONS.get(verdict, UNKNOWN),
        f"{score.levels.get('file', '')}.seg.score",
    )


def stated(score: MetricScore) -> str:
    return score.levels.get("system") or spelled(score.score)
