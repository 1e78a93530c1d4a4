"""METEOR (Banerjee and Lavie 2005; Denkowski and Lavie 2014), without its paraphrases."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.scorers.encoding import Encoded

from .base import Floats, Scorer, Stream, prepared, yes_no
from .meteor_alignment import fewest_chunks, greedy, longest_runs
from .meteor_words import STEMMERS, Words
from .tokenizers import TOKENIZERS, get_tokenizer
from .wordnet import find_wordnet

Integers = NDArray[np.int64]


class Parameters(NamedTuple):
    """``alpha``: how much recall counts in the mean; ``beta``, ``gamma``: exponent and weight of
    the fragmentation; ``delta``: weight of content words, function words having the rest;
    ``stem``, ``synonym``: what such a match counts, an exact one being 1; 0 for no such stage."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    stem: float
    synonym: float


# Those of the program METEOR 1.5 for its ranking task, the default, by language; it takes the last
# ones for every other language.
PARAMETERS_1_5 = {
    "en": Parameters(0.85, 0.2, 0.6, 0.75, 0.6, 0.8),
    "cs": Parameters(0.95, 0.2, 0.6, 0.8, 0, 0),
    "de": Parameters(0.95, 1.0, 0.55, 0.55, 0.8, 0),
    "es": Parameters(0.65, 1.3, 0.5, 0.8, 0.8, 0),
    "fr": Parameters(0.9, 1.4, 0.6, 0.65, 0.2, 0),
    "other": Parameters(0.75, 1.4, 0.7, 0.5, 0.5, 0),
}
# 10PR / (R + 9P) and 0.5 (chunks / matches)³ in the same terms; all matches count alike.
PARAMETERS_2005 = Parameters(0.9, 3.0, 0.5, 0.5, 1, 1)

ALIGNMENTS = {"longest-runs": longest_runs, "fewest-chunks": fewest_chunks, "greedy": greedy}
OPTION_VALUES = {
    "tokenize": TOKENIZERS,
    "parameters": ("1.5", "2005"),
    "language": ("", *STEMMERS),
    "synonyms": ("shared", "listed", "none"),
    "alignment": tuple(ALIGNMENTS),
    "corpus_score": ("pooled", "mean"),
}
_PARAMETER_RANGES = {"alpha": (0, 1), "beta": (0, np.inf), "gamma": (0, 1), "delta": (0, 1)}
_STAGES = 3


@dataclass(kw_only=True)
class METEOR(Scorer):
    """Mean of precision and recall of words, stems and synonyms, less a penalty for every break in
    their order; from 0 to 1.

    Statistics of the best-scoring reference of a segment: words of the output, of the reference,
    words linked exactly, by stem, by synonym, and chunks. With ``function_words`` also: how many
    of the words are such, of the output and of the reference, and of the linked words, by stage,
    those of the output and those of the reference.

    ``parameters``: of METEOR 1.5 for the ``language``, or of 2005; ``alpha``, ``beta``, ``gamma``
    and ``delta`` take the place of single ones. ``language``: of the stemmer ("" for none) and, if
    it is English, of the synonyms. ``synonyms``: "shared", words with a synset of WordNet in
    common; "listed", as NLTK has it; "none". ``function_words``: words that count 1 - ``delta``,
    separated by white space; without any, all words count alike. ``corpus_score``: of the
    "pooled" statistics (Denkowski and Lavie), or the "mean" of the scores of segments.
    """

    slug = "meteor"
    name = "METEOR"
    family = "Words"
    description = "Shared words, stems and synonyms, and how far they are in the same order."
    higher_is_better = True
    score_range = (0.0, 1.0)
    option_values = OPTION_VALUES

    parameters: str = "1.5"
    language: str = "en"
    synonyms: str = "shared"
    alignment: str = "longest-runs"
    corpus_score: str = "pooled"
    function_words: str = ""
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    tokenize: str = "13a"
    lowercase: bool = True

    def __post_init__(self) -> None:
        for name, values in OPTION_VALUES.items():
            if name != "tokenize" and getattr(self, name) not in values:
                known = ", ".join(value or '""' for value in values)
                raise ValueError(f"{name} must be one of {known}, not {getattr(self, name)!r}.")
        for name, (low, high) in _PARAMETER_RANGES.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise ValueError(f"{name} must be a number from {low} to {high}, not {value!r}.")
        self._tokenizer = get_tokenizer(self.tokenize)
        self._values = self._parameters()
        self._weights = np.array([1, self._values.stem, self._values.synonym])
        self._function_words = frozenset(prepared([self.function_words], self.lowercase)[0].split())
        wants_synonyms = self.language == "en" and self._values.synonym and self.synonyms != "none"
        self._wordnet = find_wordnet() if wants_synonyms else None
        self._words = self._new_words()

    def _parameters(self) -> Parameters:
        if self.parameters == "2005":
            chosen = PARAMETERS_2005
        else:
            chosen = PARAMETERS_1_5.get(self.language, PARAMETERS_1_5["other"])
        given = {name: getattr(self, name) for name in _PARAMETER_RANGES}
        return chosen._replace(**{name: v for name, v in given.items() if v is not None})

    def _new_words(self) -> Words:
        language = self.language if self._values.stem else ""
        return Words(language, self._wordnet, self.synonyms == "shared")

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        encoder = self._tokenizer.encoder
        known = len(encoder.vocabulary())
        encoder.forget()
        if len(encoder.vocabulary()) < known:
            self._words = self._new_words()
        encoded = [encoder.encode_kept(prepared(stream, self.lowercase)) for stream in references]
        hypothesis = encoder.encode(prepared(hypotheses, self.lowercase))
        vocabulary = encoder.vocabulary()
        self._words.learn(vocabulary)
        if self._words.has_synonyms:
            ids = np.concatenate([reference.ids for reference in encoded])
            self._words.read_references(np.unique(ids).tolist())
        listed = self._function_words
        functional = np.array([word in listed for word in vocabulary] if listed else [])
        rows = np.array([self._rows(hypothesis, reference, functional) for reference in encoded])
        missing = np.array([[text is None for text in stream] for stream in references])
        scores = np.where(missing, -1, self._score_pooled(rows))
        best = scores.argmax(axis=0)
        if self.corpus_score == "mean":
            return np.stack([scores.max(axis=0), np.ones(len(hypotheses))], axis=1)
        return rows[best, np.arange(len(hypotheses))]

    def links(self, output: str, reference: str) -> list[tuple[int, int, str]]:
        """Return the links of two texts: the place of the word in the output, from 0, its place in
        the reference, and "exact", "stem" or "synonym"."""
        encoder = self._tokenizer.encoder
        self._statistics([output], [[reference]], ())
        ours = encoder.encode(prepared([output], self.lowercase))
        theirs = encoder.encode(prepared([reference], self.lowercase))
        links = ALIGNMENTS[self.alignment](ours, theirs, self._words)
        stages = _Linked(ours, theirs, links).stages(np.array(self._words.stems))
        names = ("exact", "stem", "synonym")
        return [
            (place, int(link), names[stage])
            for place, (link, stage) in enumerate(zip(links, stages, strict=True))
            if link >= 0
        ]

    def _rows(
        self, hypothesis: Encoded, reference: Encoded, functional: NDArray[np.bool_]
    ) -> Floats:
        """Return statistics of all segments against one reference."""
        known = self._words
        links = ALIGNMENTS[self.alignment](hypothesis, reference, known)
        linked = _Linked(hypothesis, reference, links)
        stages = linked.stages(np.array(known.stems))
        columns = [
            hypothesis.lengths,
            reference.lengths,
            *(linked.per_segment(stages == stage) for stage in range(_STAGES)),
            linked.per_segment(linked.chunk_starts()),
        ]
        if self._function_words:
            ours, of_links = functional[hypothesis.ids], functional[linked.theirs]
            columns += [
                linked.per_segment(ours),
                _sums(functional[reference.ids], reference.edges),
                *(linked.per_segment(ours & (stages == stage)) for stage in range(_STAGES)),
                *(linked.per_segment(of_links & (stages == stage)) for stage in range(_STAGES)),
            ]
        return np.stack(columns, axis=1).astype(np.float64)

    def _score(self, stats: Floats) -> Floats:
        if self.corpus_score == "mean":
            with np.errstate(divide="ignore", invalid="ignore"):
                return stats[..., 0] / stats[..., 1]
        return self._score_pooled(stats)

    def _score_pooled(self, stats: Floats) -> Floats:
        precision, recall = self._precision_and_recall(stats)
        alpha = self._values.alpha
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
            score = mean * (1 - self._penalty(stats))
        return np.where(stats[..., 2:5].any(axis=-1), np.nan_to_num(score), 0.0)

    def _precision_and_recall(self, stats: Floats) -> tuple[Floats, Floats]:
        """Return for the weighted words; nan where there is no word."""
        linked = stats[..., 2:5]
        ours, theirs = stats[..., 0], stats[..., 1]
        of_ours, of_theirs = linked @ self._weights, linked @ self._weights
        if self._function_words:
            delta = self._values.delta
            # delta for every word, and what function words have too much or too little
            ours = delta * ours + (1 - 2 * delta) * stats[..., 6]
            theirs = delta * theirs + (1 - 2 * delta) * stats[..., 7]
            extra_ours, extra_theirs = stats[..., 8:11], stats[..., 11:14]
            of_ours = delta * of_ours + (1 - 2 * delta) * (extra_ours @ self._weights)
            of_theirs = delta * of_theirs + (1 - 2 * delta) * (extra_theirs @ self._weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            return of_ours / ours, of_theirs / theirs

    def _penalty(self, stats: Floats) -> Floats:
        """Return gamma (chunks / links)^beta; in METEOR 1.5 none for a text that is all one
        chunk."""
        links, chunks = stats[..., 2:5].sum(axis=-1), stats[..., 5]
        with np.errstate(divide="ignore", invalid="ignore"):
            fragmentation = np.where(links > 0, chunks / links, 0.0)
        if self.parameters == "1.5":
            whole = (links == stats[..., 0]) & (links == stats[..., 1]) & (chunks == 1)
            fragmentation = np.where(whole, 0.0, fragmentation)
        return self._values.gamma * fragmentation**self._values.beta

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return links of each stage, chunks, precision, recall and penalty; of a mean, nothing."""
        if self.corpus_score == "mean":
            return []
        sums = np.asarray(stats, dtype=np.float64)
        precision, recall = self._precision_and_recall(sums)
        return [
            ("Output length in tokens", float(sums[0])),
            ("Reference length in tokens", float(sums[1])),
            ("Linked exactly", float(sums[2])),
            ("Linked by stem", float(sums[3])),
            ("Linked as synonyms", float(sums[4])),
            ("Chunks", float(sums[5])),
            ("Precision (weighted)", float(precision)),
            ("Recall (weighted)", float(recall)),
            ("Fragmentation penalty", float(self._penalty(sums))),
        ]

    def _signature_fields(self, level: str) -> dict[str, object]:
        stems, synonyms = bool(self.language and self._values.stem), self._wordnet is not None
        stages = ["exact", *["stem"] * stems, *["synonym"] * synonyms]
        pairs: dict[str, object] = {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self._tokenizer.signature,
            "params": self._parameters_name(),
            "stages": "+".join(stages),
        }
        if stems:
            pairs["stem"] = f"snowball-{version('PyStemmer')}-{self.language}"
        if self._wordnet:
            pairs["wordnet"] = f"{self._wordnet.version}-{self.synonyms}"
        pairs["align"] = self.alignment
        pairs["func"] = yes_no(False)
        if self._function_words:
            digest = sha256(" ".join(sorted(self._function_words)).encode()).hexdigest()
            pairs["func"] = f"{len(self._function_words)}-{digest[:8]}"
        if level == "corpus":
            pairs["corpus"] = self.corpus_score
        return pairs

    def _parameters_name(self) -> str:
        """Such as "1.5-en", with those that were given instead: "1.5-en[alpha=0.5]"."""
        name = self.parameters
        if name == "1.5":
            name += f"-{self.language if self.language in PARAMETERS_1_5 else 'other'}"
        given = {option: getattr(self, option) for option in _PARAMETER_RANGES}
        changed = [f"{option}={value:g}" for option, value in given.items() if value is not None]
        return f"{name}[{','.join(changed)}]" if changed else name


class _Linked:
    """The links of all segments against one reference: for every word of the outputs, and for the
    0 after every text, the place in the reference's segment or -1."""

    def __init__(self, hypothesis: Encoded, reference: Encoded, links: Integers) -> None:
        self._hypothesis = hypothesis
        self._links = links
        self._linked = links >= 0
        places = np.repeat(reference.edges[:-1], hypothesis.lengths + 1) + links
        self.theirs = np.where(self._linked, reference.ids[places * self._linked], 0)
        """The word that each is linked with, or 0."""

    def stages(self, stems: Integers) -> Integers:
        """Return 0 for exact links, 1 for stems, 2 for synonyms, -1 for none."""
        ours = self._hypothesis.ids
        stages = np.where(stems[ours] == stems[self.theirs], 1, 2)
        stages[ours == self.theirs] = 0
        stages[~self._linked] = -1
        return stages

    def chunk_starts(self) -> NDArray[np.bool_]:
        """Return which links do not continue the link of the word before."""
        continues = self._linked.copy()
        continues[0] = False
        continues[1:] &= self._linked[:-1] & (self._links[1:] == self._links[:-1] + 1)
        return self._linked & ~continues

    def per_segment(self, which: NDArray[np.bool_]) -> Integers:
        return _sums(which, self._hypothesis.edges)


def _sums(which: NDArray[np.bool_], edges: Integers) -> Integers:
    """Return how many are true in each segment."""
    return np.add.reduceat(which.astype(np.int64), edges[:-1])
