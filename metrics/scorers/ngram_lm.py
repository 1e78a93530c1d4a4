"""Fluency by an n-gram language model, which looks at the output alone."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from metrics.scorers.encoding import Encoded, Integers

from .base import Floats, Scorer, Stream, check_integer
from .language_model import (
    END,
    FIRST_WORD,
    UNKNOWN,
    NgramModel,
    count_ngrams,
    kneser_ney,
    stupid_backoff,
    with_edges,
)
from .tokenizers import TOKENIZERS, get_tokenizer

SMOOTHINGS = ("kneser-ney", "stupid-backoff")
HIGHEST_ORDER = 10
# Cut into words together: few enough that the words of a large text are never all there at once.
_BLOCK_LINES = 20_000


@dataclass(kw_only=True)
class NgramLM(Scorer):
    """Mean log10 probability of a word of the output, given the words before it; at most 0.

    Statistics: the sum of the log10 probabilities of all words and of the end of the segment, and
    how many these are; a corpus pools them. 10 to the power of minus the score is the perplexity.

    ``corpus``: the name of the text that the model is trained on (see ``train``). ``order``: the
    longest n-grams. ``smoothing``: interpolated modified Kneser–Ney (Chen and Goodman 1999), or
    stupid backoff (Brants et al. 2007), whose scores are no probabilities, with the factor
    ``backoff``. ``min_count``: rarer words of the corpus count as unknown.
    """

    slug = "ngram_lm"
    name = "N-gram language model"
    family = "Fluency"
    description = "How probable the words of the output are after each other, by a text you give."
    higher_is_better = True
    score_range = (-np.inf, 0.0)
    needs_references = False
    needs_corpus = True
    option_values = {"smoothing": SMOOTHINGS, "tokenize": TOKENIZERS}

    corpus: str = ""
    order: int = 5
    smoothing: str = "kneser-ney"
    backoff: float = 0.4
    tokenize: str = "13a"
    lowercase: bool = False
    min_count: int = 1

    def __post_init__(self) -> None:
        check_integer("order", self.order, 1)
        check_integer("min_count", self.min_count, 1)
        if self.order > HIGHEST_ORDER:
            raise ValueError(f"order must be at most {HIGHEST_ORDER}, not {self.order}.")
        if self.smoothing not in SMOOTHINGS:
            raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}.")
        if not 0 < self.backoff < 1:
            raise ValueError("backoff must be a number between 0 and 1.")
        self._tokenizer = get_tokenizer(self.tokenize)
        self._model: NgramModel | None = None
        self._words: dict[str, int] = {}
        self._digest = "none"

    def train(self, lines: Iterable[str]) -> None:
        """Learn from a text, one sentence a line; lines without a word are passed over.

        Raises ValueError if no line has a word.
        """
        digest = sha256()
        encoder = get_tokenizer(self.tokenize).encoder
        blocks = [encoder.encode(self._prepare(block)) for block in _blocks(lines, digest.update)]
        ids = np.concatenate([np.empty(0, dtype=np.int64), *(block.ids for block in blocks)])
        lengths = np.concatenate([np.empty(0, dtype=int), *(block.lengths for block in blocks)])
        del blocks
        # An empty line is nothing but its end: an end right after another end, or at the start.
        empty = (ids == 0) & (np.concatenate([[0], ids[:-1]]) == 0)
        encoded = Encoded(ids[~empty], lengths[lengths > 0])
        if not len(encoded.lengths):
            raise ValueError("The corpus has no words to learn from.")
        counts = np.bincount(encoded.ids)
        numbers = _number(counts, self.min_count)
        tokens = encoder.vocabulary()
        kept = np.flatnonzero(numbers >= FIRST_WORD).tolist()
        self._words = {tokens[token]: int(numbers[token]) for token in kept}
        text = with_edges(encoded, numbers)
        levels = count_ngrams(text, self.order, FIRST_WORD + len(kept))
        if self.smoothing == "kneser-ney":
            self._model = kneser_ney(levels)
        else:
            self._model = stupid_backoff(levels, self.backoff)
        self._digest = digest.hexdigest()[:16]

    def _prepare(self, lines: Iterable[str]) -> list[str]:
        return [line.lower() for line in lines] if self.lowercase else list(lines)

    def _statistics(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        scores, sentences = self.word_scores(hypotheses)
        sums = np.bincount(sentences, weights=np.log10(scores), minlength=len(hypotheses))
        return np.stack([sums, np.bincount(sentences, minlength=len(hypotheses))], axis=1)

    @property
    def vocabulary(self) -> list[str]:
        """The words that the model knows."""
        return list(self._words)

    def word_scores(self, texts: Sequence[str]) -> tuple[Floats, Integers]:
        """Return the score of every word of the texts after those before it, and of each end, in a
        row; and the number of the text that each belongs to.

        Raises ValueError without a text to learn from.
        """
        if self._model is None:
            raise ValueError(f"{self.name} has no text to learn from: choose a corpus.")
        encoder = self._tokenizer.encoder
        encoder.forget()
        encoded = encoder.encode(self._prepare(texts))
        tokens = encoder.vocabulary()
        numbers = np.array([self._words.get(token, UNKNOWN) for token in tokens], dtype=np.int64)
        numbers[0] = END
        text = with_edges(encoded, numbers)
        predicted = text.places > 0
        return self._model.scores(text)[predicted], text.sentences[predicted]

    def _score(self, stats: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return stats[..., 0] / stats[..., 1]

    def details(self, stats: ArrayLike) -> list[tuple[str, float]]:
        """Return perplexity, or what stands for it with stupid backoff, and the number of words."""
        log_sum, words = np.asarray(stats, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            perplexity = np.power(10.0, -np.divide(log_sum, words))
        return [("Perplexity", float(perplexity)), ("Words and ends", float(words))]

    def _signature_fields(self, level: str) -> dict[str, object]:
        smoothing = self.smoothing
        if smoothing == "stupid-backoff":
            smoothing += f"[{self.backoff:g}]"
        return {
            "order": self.order,
            "smooth": smoothing,
            "case": "lc" if self.lowercase else "mixed",
            "tok": self._tokenizer.signature,
            "min": self.min_count,
            "corpus": self._digest,
        }


def _blocks(lines: Iterable[str], seen) -> Iterator[list[str]]:
    """Yield the lines in blocks; ``seen`` is given the bytes of each."""
    left = iter(lines)
    while block := list(islice(left, _BLOCK_LINES)):
        seen("".join(f"{line}\n" for line in block).encode("utf-8", "surrogatepass"))
        yield block


def _number(counts: Integers, min_count: int) -> Integers:
    """Return the number of each token as a word: by how often it occurs, rare ones unknown."""
    kept = np.flatnonzero(counts >= min_count)
    numbers = np.full(len(counts), UNKNOWN)
    kept = kept[kept > 0]
    numbers[kept] = np.arange(FIRST_WORD, FIRST_WORD + len(kept))
    numbers[0] = END
    return numbers
