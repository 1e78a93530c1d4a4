"""A small dictionary of synonyms and stemmers, for METEOR and for NLTK's."""

import Stemmer
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from metrics.scorers import get_scorer

AS_NLTK = {"parameters": "2005", "alignment": "greedy", "synonyms": "listed"}

SYNSETS = [["car", "auto", "wagon"], ["wagon", "cart"], ["big", "large"], ["run", "race", "go"]]

RELATED = [
    *["car", "cars", "auto", "autos", "wagon", "cart", "carts", "big", "large"],
    *["run", "runs", "race", "going", "go", "the", "the", ".", ","],
]

related_texts = st.lists(st.sampled_from(RELATED), max_size=9).map(" ".join)


class SmallWordNet:
    """A fake WordNet, which NLTK can read too."""

    version = "small"

    def synsets(self, word):
        return [synset for synset in map(tuple, SYNSETS) if word in synset]

    def words(self, synset):
        return list(synset)


class SmallWordNetForNLTK:
    def synsets(self, word):
        return [_Synset(synset) for synset in SmallWordNet().synsets(word)]


class _Synset(tuple):
    def lemmas(self):
        return [_Lemma(word) for word in self]


class _Lemma(str):
    def name(self):
        return str(self)


class Snowball:
    def __init__(self, language="english"):
        self._stemmer = Stemmer.Stemmer(language)

    def stem(self, word):
        return self._stemmer.stemWord(word)


class NoStemmer:
    def stem(self, word):
        return word


def score(output: str, *references: str | None, **options) -> float:
    scorer = get_scorer("meteor", **options)
    return scorer.segment_scores(scorer.statistics([output], [[r] for r in references]))[0]


def nltk_scores(scorer, hypotheses, references, wordnet, stemmer):
    def tokens(text):
        return scorer._tokenizer.encoder.tokens(text.lower())

    return [
        meteor_score(
            [tokens(text) for text in texts if text is not None],
            tokens(hypothesis),
            wordnet=wordnet,
            stemmer=stemmer,
        )
        for hypothesis, texts in zip(hypotheses, zip(*references, strict=True), strict=True)
    ]
