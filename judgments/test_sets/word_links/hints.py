"""Source words without a counterpart in a translation: hints at omissions.

A word is hinted at if all of this holds (docs/decisions/0034-links-by-an-aligner.md):

1. It is informative: it has a letter or a digit, and occurs in few of the test set's sources,
   unlike articles, prepositions and pronouns.
2. The two directions of the aligner do not link it to the same word, and the probability of its
   most probable counterpart, the mean of both directions, is below `WEAK`.
3. Others could translate it: in at least `SHARE` of the other texts for the same source (outputs
   and references) a counterpart has a probability of `FIRM` or more.

Without other texts it is unknown whether the aligner knows the word, so there are no hints.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

# Chosen on omissions marked by experts in WMT23 en-de: benchmarks/omission_hints.py.
WEAK = 0.35
FIRM = 0.7
SHARE = 0.75
# A word that occurs in more of the sources is not informative by itself.
SHARE_OF_SOURCES, FEWEST_SOURCES = 0.05, 2


def common_words(sources: Iterable[Sequence[str]]) -> frozenset[str]:
    """Return lower-case words that occur in many of the sources, given as words."""
    counts: Counter[str] = Counter()
    n = 0
    for words in sources:
        counts.update({word.lower() for word in words})
        n += 1
    most = max(FEWEST_SOURCES, SHARE_OF_SOURCES * n)
    return frozenset(word for word, count in counts.items() if count > most)


def hinted_words(
    words: Sequence[str],
    support: np.ndarray,
    linked: Iterable[int],
    others: Sequence[np.ndarray],
    common: frozenset[str],
) -> list[int]:
    """Return the places of the source words without a counterpart in one text.

    support: of each word in this text; linked: places that both directions link; others: the
    support of each word in every other text.
    """
    if not others:
        return []
    answered = np.mean([np.nan_to_num(each) >= FIRM for each in others], axis=0)
    weak = np.nan_to_num(support, nan=1.0) < WEAK
    free = set(range(len(words))) - set(linked)
    return [
        i
        for i in np.flatnonzero(weak & (answered >= SHARE)).tolist()
        if i in free and _tells(words[i]) and words[i].lower() not in common
    ]


def _tells(word: str) -> bool:
    return any(character.isalnum() for character in word)
