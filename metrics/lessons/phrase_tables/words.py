"""How texts are cut into words here, and which forms of a word count as one."""

from collections.abc import Sequence
from itertools import pairwise

import Stemmer

from metrics.lessons.baselines.concordance import Fold, in_lower_case
from metrics.scorers.meteor_words import STEMMERS
from metrics.scorers.tokenizers import get_tokenizer
from metrics.scoring.languages import main_language, suggested_tokenizer


def words_of(texts: Sequence[str], language: str) -> list[list[str]]:
    """Return the words of each text, by the tokenizer that metrics take for the language."""
    encoder = get_tokenizer(suggested_tokenizer(language)).encoder
    encoder.forget()
    encoded = encoder.encode(texts)
    vocabulary = encoder.vocabulary()
    words = [vocabulary[i] for i in encoded.ids.tolist()]
    return [words[start : end - 1] for start, end in pairwise(encoded.edges.tolist())]


def fold_of(language: str) -> Fold:
    """Return stems where Snowball has the language, for “Hauses” is no other translation than
    “Haus”; else small letters."""
    name = STEMMERS.get(main_language(language))
    if name is None:
        return in_lower_case
    stemmer = Stemmer.Stemmer(name)
    return lambda words: stemmer.stemWords(in_lower_case(words))
