"""METEOR's knowledge of single words: their stems, their synonyms, and their positions."""

from array import array
from collections.abc import Callable, Iterable, Sequence

import Stemmer

from .wordnet import Synset, WordNet

# Snowball's stemmers by the code of their language.
STEMMERS = {
    **{"ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german"},
    **{"el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian"},
    **{"eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish"},
    **{"hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian"},
    **{"lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "no": "norwegian"},
    **{"pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian"},
    **{"sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish"},
}


class _Related(dict[int, set[int]]):
    """Results by key, computed on first use."""

    def __init__(self, find: Callable[[int], set[int]]) -> None:
        self._find = find

    def __missing__(self, key: int) -> set[int]:
        found = self[key] = self._find(key)
        return found


class Words:
    """The stems and synonyms of a growing vocabulary, known by the numbers of its words.

    ``language``: of the stemmer, "" for none: every word is then its own stem. ``wordnet``: None
    for no synonyms. ``shared``: synonyms are words with a synset in common. Otherwise synonyms are
    as in NLTK's ``meteor_score``: the stem of the reference's word is in a synset of the stem of
    the output's word.
    """

    def __init__(self, language: str, wordnet: WordNet | None, shared: bool) -> None:
        self._stemmer = Stemmer.Stemmer(STEMMERS[language]) if language else None
        self._wordnet = wordnet
        self._shared = shared
        self._texts: list[str] = []
        self._stem_texts: list[str] = []
        self._stem_numbers: dict[str, int] = {}
        self.stems = array("q")
        """The number of the stem of every word."""
        self._synsets_of: dict[int, list[Synset]] = {}
        self._keys_of_synset: dict[Synset, set[int]] = {}
        self._reference_keys: set[int] = set()
        self.related = _Related(self._find_related)
        """For the key of an output's word, the keys of its synonyms in the references."""

    def learn(self, vocabulary: Sequence[str]) -> None:
        """Process the words that were added to the vocabulary."""
        new = list(vocabulary[len(self._texts) :])
        stems = self._stemmer.stemWords(new) if self._stemmer else new
        self._texts += new
        for stem in stems:
            number = self._stem_numbers.setdefault(stem, len(self._stem_texts))
            if number == len(self._stem_texts):
                self._stem_texts.append(stem)
            self.stems.append(number)

    @property
    def has_synonyms(self) -> bool:
        return self._wordnet is not None

    @property
    def sense_keys(self) -> Sequence[int]:
        """The number of every word under which its synonyms are looked up."""
        return range(len(self.stems)) if self._shared else self.stems

    def read_references(self, words: Iterable[int]) -> None:
        """Make these words findable as synonyms."""
        if self._wordnet is None:
            return
        keys = self.sense_keys
        new = {keys[word] for word in words} - self._reference_keys
        if not new:
            return
        self._reference_keys |= new
        self.related.clear()
        if self._shared:
            for key in new:
                for synset in self._synsets(self._wordnet, key):
                    self._keys_of_synset.setdefault(synset, set()).add(key)

    def _find_related(self, key: int) -> set[int]:
        wordnet, found = self._wordnet, set[int]()
        if wordnet is None:
            return found
        if self._shared:
            for synset in self._synsets(wordnet, key):
                found |= self._keys_of_synset.get(synset, set())
        else:
            for synset in wordnet.synsets(self._stem_texts[key]):
                names = map(self._stem_numbers.get, wordnet.words(synset))
                found |= {name for name in names if name in self._reference_keys}
        return found

    def _synsets(self, wordnet: WordNet, word: int) -> list[Synset]:
        found = self._synsets_of.get(word)
        if found is None:
            found = self._synsets_of[word] = wordnet.synsets(self._texts[word])
        return found
