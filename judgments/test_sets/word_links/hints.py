"""Words of a source to which nothing in a translation answers: hints at what was left out.

A word is hinted at if all of this holds (docs/decisions/0034-links-by-an-aligner.md):

1. It tells something: it has a letter or a digit, and stands in few of the test set's sources, as
   articles, prepositions and pronouns do not.
2. The two directions of the aligner do not link it to one and the same word, and the probability
   of the word that most probably answers to it, the mean of what both directions say, is below
   `WEAK`.
3. Others could translate it: in at least `SHARE` of the other texts for the same source (outputs
   and references) something answers to it with a probability of `FIRM` or more.

Without other texts nobody knows whether the aligner knows the word, so there are no hints.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

# Chosen on what experts marked as left out in WMT23 en-de: benchmarks/omission_hints.py.
WEAK = 0.35
FIRM = 0.7
SHARE = 0.75
# A word that stands in more of the sources than that tells nothing by itself.
SHARE_OF_SOURCES, FEWEST_SOURCES = 0.05, 2


def common_words(sources: Iterable[Sequence[str]]) -> frozenset[str]:
    """Return words in lower case that stand in many of the sources, given as words."""
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
    """Return the places of the words of a source that nothing in one text answers to.

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
