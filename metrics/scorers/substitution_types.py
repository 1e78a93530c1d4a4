"""What kind of difference a substitution is: another form, an article, a preposition, a synonym.

Forsbom (2003) sorted the substitutions of a system by hand. Here small lists of words, a stemmer
and WordNet do it, so it is a guess, and the rest is one kind.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import Stemmer

from .meteor_words import STEMMERS
from .substitutions import SubstitutionPair
from .wordnet import WordNet

TYPES = ("article", "preposition", "inflection", "synonym", "several words", "other")

ARTICLES = {
    "de": "der die das des dem den ein eine eines einem einen einer",
    "en": "a an the",
    "es": "el la los las lo un una unos unas",
    "fr": "le la les l' un une des du",
    "it": "il lo la i gli le l' un uno una",
    "nl": "de het een 't",
    "pt": "o a os as um uma uns umas",
    "sv": "en ett den det de",
}
PREPOSITIONS = {
    "de": "ab an am ans auf aus bei beim bis durch für gegen hinter in im ins mit nach neben ohne "
    "seit über um unter von vom vor während wegen zu zum zur zwischen",
    "en": "about above across after against along among around at before behind below beneath "
    "beside between beyond by despite down during for from in inside into near of off on onto out "
    "outside over past since through throughout to toward towards under until up upon via with "
    "within without",
    "es": "a al ante bajo con contra de del desde durante en entre hacia hasta mediante para por "
    "según sin sobre tras",
    "fr": "à au aux après avant avec chez contre dans de depuis dès devant durant en entre hors "
    "jusque malgré par parmi pendant pour sans selon sous sur vers",
    "it": "a al alla ai alle con contro da dal dalla dei del della di dopo durante fra in nel "
    "nella per presso senza sopra sotto su sul sulla tra verso",
    "nl": "aan achter bij binnen boven buiten door in langs met na naar naast om onder op over "
    "sinds tegen tot tussen uit van vanaf via volgens voor zonder",
    "pt": "a ao aos ante até com contra de do da dos das desde durante em no na nos nas entre para "
    "perante por pelo pela sem sob sobre",
    "sv": "av bakom bland efter enligt från för före genom hos i in inom intill kring med mellan "
    "mot om på sedan till trots under utan utanför vid över",
}


@dataclass
class TypedCount:
    """Substitutions of one kind: ``count`` in all, and the pairs, the most frequent first."""

    kind: str
    count: int = 0
    pairs: list[SubstitutionPair] = field(default_factory=list)


class SubstitutionTypes:
    """Tells kinds apart in one target language, such as "de"; ``wordnet`` for English alone.

    ``unknown``: the kinds that cannot be told here, for lack of a list, a stemmer or WordNet.
    """

    def __init__(self, language: str, wordnet: WordNet | None = None) -> None:
        self._articles = frozenset(ARTICLES.get(language, "").split())
        self._prepositions = frozenset(PREPOSITIONS.get(language, "").split())
        has_stemmer = language in STEMMERS
        self._stemmer = Stemmer.Stemmer(STEMMERS[language]) if has_stemmer else None
        self._wordnet = wordnet if language == "en" else None
        there = (self._articles, self._prepositions, self._stemmer, self._wordnet)
        self.unknown = tuple(
            kind for kind, known in zip(TYPES[:4], there, strict=True) if not known
        )

    def kind(self, output: str, reference: str) -> str:
        """Return one of `TYPES`, of the words of an output that stand for those of the
        reference."""
        ours, theirs = output.lower(), reference.lower()
        if " " in ours or " " in theirs:
            return "several words"
        if ours in self._articles and theirs in self._articles:
            return "article"
        if ours in self._prepositions and theirs in self._prepositions:
            return "preposition"
        stem = self._stemmer.stemWord if self._stemmer else str
        if stem(ours) == stem(theirs):
            return "inflection"
        synsets = self._wordnet.synsets if self._wordnet else lambda word: []
        return "synonym" if set(synsets(ours)) & set(synsets(theirs)) else "other"

    def sort(self, pairs: Iterable[SubstitutionPair]) -> dict[str, TypedCount]:
        """Return the pairs by kind, in their order."""
        found = {kind: TypedCount(kind) for kind in TYPES}
        for pair in pairs:
            of_kind = found[self.kind(pair.output, pair.reference)]
            of_kind.count += pair.count
            of_kind.pairs.append(pair)
        return found
