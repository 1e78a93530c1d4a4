"""The case of first words: learned from the middle of sentences, put back where one begins."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence


class Casing:
    """How words are written inside of sentences, the most frequent way each."""

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for word in sentence[first_word(sentence) + 1 :]:
                counts[word.lower()][word] += 1
        self._usual = {low: max(found, key=found.__getitem__) for low, found in counts.items()}

    def without_first(self, sentence: Sequence[str]) -> list[str]:
        """Return the sentence with its first word as it is usually written; one that was never met
        inside of a sentence stays as it is."""
        found = list(sentence)
        place = first_word(found)
        if place < len(found):
            found[place] = self._usual.get(found[place].lower(), found[place])
        return found


def first_word(sentence: Sequence[str]) -> int:
    """Return the place of the first token with a letter; the length of the sentence without any."""
    places = (i for i, token in enumerate(sentence) if any(map(str.isalpha, token)))
    return next(places, len(sentence))


def with_capital(text: str) -> str:
    """Return a text with its first letter as a capital, as sentences begin where there are
    capitals."""
    for place, character in enumerate(text):
        if character.isalpha():
            return text[:place] + character.upper() + text[place + 1 :]
        if character.isdigit():
            break
    return text
