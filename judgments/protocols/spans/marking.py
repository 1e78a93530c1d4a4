"""What may be marked in a campaign of the protocol `spans`: its options.

weights           {"minor": 1, "major": 5, "minor/fluency/punctuation": 0.1}: the names without
                  a category are the severities; `judgments.stats.mqm` says which one wins
categories        ["Accuracy/Omission", …], the leaves of the tree; [] for none
sides             some of "target", "source" and "missing"
most_errors       the largest number of errors in one translation; null for no limit
non_translation   whether a translation may be marked as a non-translation
score             whether a score from 0 to 100 is asked in addition to the errors
prefilled         whether a program suggests errors
unaided           percentage of screens without suggestions: the control arm, of whole
                  "segment"s or "document"s (`unaided_by`)
planted           percentage of translations with a planted false suggestion
withheld          percentage of suggestions that are not shown
marks             ["Instructions fault", …]: marks of a translation as a whole, without a
                  position: an error of the side "output" whose category is the name
unmarked          what happens to a score below `unmarked_below` without an error: "ask" once more,
                  "refuse", or "off"
mark_by           "word" or "character"; "language": by character in languages without spaces
                  between words; "reader": as annotators prefer
columns           whether translations are side by side, if there is room
own_tree          whether the manager writes categories and weights
most_per_item     the largest number of translations on a screen that a manager may choose
released          whether the errors come from a release: any number of them, of any kinds
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from judgments.stats.mqm import Scheme, normalized

from ..options import Options

NON_TRANSLATION = "non-translation"
# More than anybody marks in a segment, and few enough to store and to draw.
MOST_ERRORS = 50
SIDES = ("target", "source", "missing")
# Bounds for contradictions between a score and the marked errors, as in Kocmi et al. (2024), whose
# form asks about a score below 66 without an error.
HIGH_SCORE = 99
BY_CHARACTER = ("zh", "ja", "th", "yue")  # as at WMT26


@dataclass(frozen=True)
class Marking(Options):
    """See above. `categories` are as written by the manager; `slug_of` returns the stored form."""

    weights: Mapping[str, float] = field(default_factory=dict)
    categories: tuple[str, ...] = ()
    sides: tuple[str, ...] = ("target",)
    most_errors: int | None = None
    non_translation: bool = False
    score: bool = False
    prefilled: bool = False
    unaided: int = 0
    unaided_by: str = "segment"
    planted: int = 0
    withheld: int = 0
    marks: tuple[str, ...] = ()
    unmarked: str = "ask"
    unmarked_below: int = 66
    mark_by: str = "reader"
    columns: bool = False
    own_tree: bool = False
    most_per_item: int = 5
    released: bool = False

    @cached_property
    def scheme(self) -> Scheme:
        return Scheme("campaign", "the campaign", self.weights)

    @cached_property
    def severities(self) -> tuple[str, ...]:
        """From the lightest to the worst."""
        return tuple(sorted(self.scheme.severities, key=lambda name: self.scheme.weights[name]))

    @cached_property
    def slugs(self) -> frozenset[str]:
        return frozenset(slug_of(category) for category in self.categories)

    @cached_property
    def marks_by_slug(self) -> dict[str, str]:
        return {slug_of(name): name for name in self.marks}

    def unit_for(self, language: str) -> str:
        """Return the initial unit of keys and pointers, "word" or "character"; "": as annotators
        prefer."""
        if self.mark_by == "language":
            return "character" if language.lower().split("-")[0] in BY_CHARACTER else "word"
        return "" if self.mark_by == "reader" else self.mark_by

    @property
    def derived(self) -> str:
        """The dimension of the score derived from the marked errors."""
        return "esa_spans" if self.score else "mqm"

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The categories, ignoring letter case, as normalized by `mqm.normalized`."""
        own = [NON_TRANSLATION] * self.non_translation
        return tuple(dict.fromkeys(map(normalized, (*self.categories, *own, *self.marks))))

    @property
    def most(self) -> int:
        return self.most_errors or MOST_ERRORS

    @property
    def worst(self) -> str:
        return self.severities[-1]

    @property
    def heaviest(self) -> float:
        """Largest weight of one error in a text that is a translation."""
        weights = self.scheme.weights
        return max((w for name, w in weights.items() if NON_TRANSLATION not in name), default=0)

    @property
    def lowest_score(self) -> float:
        """Lower bound of scores."""
        is_marked = self.non_translation and self.severities
        alone = self.scheme.penalty(self.worst, NON_TRANSLATION) if is_marked else 0
        return -max(self.most * self.heaviest, alone)

    @property
    def score_step(self) -> float | None:
        """Step of scores: 0.01, or None if a weight has more than two decimal places."""
        is_fine = any(abs(100 * w - round(100 * w)) > 1e-9 for w in self.scheme.weights.values())
        return None if is_fine else 0.01

    def score_of(self, errors: Sequence[tuple[str, str]]) -> float:
        """Return minus the sum of the weights of errors (severity, category); 0 without errors.

        Freitag et al. (2021), "Experts, errors, and context"; for ESA Kocmi et al. (2024), "Error
        span annotation".
        """
        total = math.fsum(self.scheme.penalty(*error) for error in errors)
        return 0.0 - round(total, 9)

    def is_doubtful(self, score: float, severities: Sequence[str]) -> str:
        """Return whether score and errors contradict each other: "refused", or the score seems
        "low" or "high", or "".

        severities: of all errors, including marks of the whole translation.
        """
        if self.unmarked != "off" and score < self.unmarked_below and not severities:
            return "refused" if self.unmarked == "refuse" else "low"
        if score >= HIGH_SCORE and len(self.severities) > 1 and self.worst in severities:
            return "high"
        return ""


def slug_of(category: str) -> str:
    """Return the stored form of a category: `Accuracy / Omission` → `accuracy/omission`."""
    return "/".join(level.strip().lower() for level in category.split("/"))
