"""A phrase-based system from pairs of texts: alignment, phrases, language model, weights.

The weights are tuned on pairs that are set aside (Och 2003); then table and model are made of all
pairs, and the weights stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from .decoder import FEATURES, WEIGHTS, Decoder
from .decoder_weights import Tuning, tune_decoder
from .lattice import Entry, Words
from .phrases import PhraseTable, phrase_table
from .training_text import (
    LONGEST_PART,
    Pair,
    Told,
    TrainingText,
    Translation,
    finished,
    parts_of,
    training_text,
)

LONGEST_PHRASE = 5
# Fewer pairs than this are all learned from, and the weights stay as they are.
FEWEST_TO_TUNE = 100
MOST_TO_TUNE = 60


class TableCosts:
    """A phrase table as the decoder reads it: negative logarithms, made when asked for."""

    def __init__(self, table: PhraseTable) -> None:
        self._table = table
        self._known: dict[Words, tuple[Entry, ...]] = {}

    def get(self, phrase: Words, default: Sequence[Entry] = ()) -> Sequence[Entry]:
        if (found := self._known.get(phrase)) is None:
            found = tuple(
                (
                    each.target,
                    (
                        -log(each.direct),
                        -log(each.inverse),
                        -log(each.direct_lexical),
                        -log(each.inverse_lexical),
                    ),
                )
                for each in self._table.translations(phrase)
            )
            self._known[phrase] = found
        return found or default


@dataclass(frozen=True)
class PhraseBasedSystem:
    """``tuning``: None where there was too little to tune on."""

    text: TrainingText
    decoder: Decoder
    n_phrase_pairs: int
    tuning: Tuning | None

    def translate(self, source: str) -> Translation:
        parts = parts_of(self.text.tokens(source))
        paths = [self.decoder.translate(part) for part in parts]
        words = [word for path in paths for word in path.words]
        unknown = sum(each.is_unknown for path in paths for each in path.applications)
        return Translation(finished(words), len(parts), unknown)

    def described(self) -> dict[str, object]:
        """Return what it was made of, for whoever asks later."""
        return {
            "pairs": len(self.text.sources),
            "left out as too long": self.text.n_long,
            "phrase pairs": self.n_phrase_pairs,
            "weights": ", ".join(
                f"{name} {weight:.3g}"
                for name, weight in zip(FEATURES, self.decoder.weights, strict=True)
            ),
            "tuned on": self.tuning.n if self.tuning else 0,
            "BLEU before": round(self.tuning.before, 2) if self.tuning else None,
            "BLEU after": round(self.tuning.after, 2) if self.tuning else None,
        }


def train_phrase_based(
    pairs: Sequence[Pair], *, rng: np.random.Generator, told: Told = lambda step: None
) -> PhraseBasedSystem:
    """Learn from (source, target) pairs; ``told`` hears what is being done.

    Raises ValueError where there is nothing to learn from.
    """
    text = training_text(pairs)
    weights: Sequence[float] = WEIGHTS
    tuning = None
    if len(text.sources) >= FEWEST_TO_TUNE:
        told("tuning")
        weights, tuning = tuned_weights(text, rng)
    told("learning phrases")
    decoder, n = trained(text, weights)
    return PhraseBasedSystem(text, decoder, n, tuning)


def trained(text: TrainingText, weights: Sequence[float]) -> tuple[Decoder, int]:
    """Return a decoder with the phrases and the language model of a text; how many phrase pairs."""
    table = phrase_table(text.sources, text.targets, text.links, LONGEST_PHRASE)
    return Decoder(TableCosts(table), text.model, weights, longest=LONGEST_PHRASE), len(table)


def tuned_weights(
    text: TrainingText, rng: np.random.Generator
) -> tuple[tuple[float, ...], Tuning | None]:
    """Return weights that are best for pairs that the rest of the text translates."""
    n = len(text.sources)
    held_out = set(rng.permutation(n)[: min(MOST_TO_TUNE, n // 5)].tolist())
    short = [i for i in sorted(held_out) if len(text.sources[i]) <= LONGEST_PART]
    if not short:
        return WEIGHTS, None
    decoder, _ = trained(text.part([i for i in range(n) if i not in held_out]), WEIGHTS)
    return tune_decoder(
        decoder, [text.sources[i] for i in short], [text.targets[i] for i in short], rng
    )
