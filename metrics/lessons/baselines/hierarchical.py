"""A hierarchical system from pairs of texts: alignment, rules with gaps, language model."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .hierarchy import Grammar, extract_rules, translate
from .training_text import Pair, Told, TrainingText, Translation, finished, parts_of, training_text

# A rule with gaps comes from so many phrase pairs at least: most come from one alone.
FEWEST = 2
# Rules are so many that these pairs fill a gigabyte while they are counted.
MOST_PAIRS = 2_000


@dataclass(frozen=True)
class HierarchicalSystem:
    text: TrainingText
    grammar: Grammar
    n_rules: int
    n_with_gaps: int

    def translate(self, source: str) -> Translation:
        parts = parts_of(self.text.tokens(source))
        words: list[str] = []
        unknown = 0
        for part in parts:
            if part:
                words += translate(part, self.grammar, self.text.model)[0].outputs
                unknown += sum(word not in self.text.source_words for word in part)
        return Translation(finished(words), len(parts), unknown)

    def described(self) -> dict[str, object]:
        """Return what it was made of, for whoever asks later."""
        return {
            "pairs": len(self.text.sources),
            "left out as too long": self.text.n_long,
            "rules": self.n_rules,
            "rules with gaps": self.n_with_gaps,
        }


def train_hierarchical(
    pairs: Sequence[Pair], *, rng: np.random.Generator, told: Told = lambda step: None
) -> HierarchicalSystem:
    """Learn from (source, target) pairs; ``told`` hears what is being done. Weights are not tuned,
    and nothing is drawn from ``rng``.

    Raises ValueError where there is nothing to learn from.
    """
    text = training_text(pairs, most=MOST_PAIRS)
    told("learning rules")
    rules = extract_rules(text.sources, text.targets, text.links, fewest=FEWEST)
    n_with_gaps = sum(bool(rule.gaps) for rule in rules)
    return HierarchicalSystem(text, Grammar(rules), len(rules), n_with_gaps)
