import pytest

from metrics.scorers.substitution_types import ARTICLES, PREPOSITIONS, TYPES, SubstitutionTypes
from metrics.scorers.substitutions import SubstitutionPair
from metrics.scorers.wordnet import find_wordnet

from .nltk_wordnet import needs_wordnet


@pytest.mark.parametrize(
    ("language", "output", "reference", "kind"),
    [
        ("en", "the", "A", "article"),
        ("en", "in", "on", "preposition"),
        ("en", "walked", "walks", "inflection"),  # Porter2: both walk
        ("en", "clip", "hose clamp", "several words"),
        ("en", "clip", "clamp", "other"),
        ("de", "den", "der", "article"),
        ("de", "beim", "am", "preposition"),
        ("de", "Hauses", "Haus", "inflection"),
        ("sv", "cylindern", "cylinder", "inflection"),
        ("sv", "en", "den", "article"),
        ("zh", "猫", "狗", "other"),
    ],
)
def test_kinds(language, output, reference, kind):
    assert SubstitutionTypes(language).kind(output, reference) == kind


@needs_wordnet
def test_synonyms_share_a_synset():
    kinds = SubstitutionTypes("en", find_wordnet())
    assert kinds.kind("car", "automobile") == "synonym" and kinds.unknown == ()
    assert kinds.kind("car", "boat") == "other"
    # WordNet is English: the same letters have another meaning elsewhere.
    assert SubstitutionTypes("de", find_wordnet()).kind("car", "automobile") == "other"


def test_what_cannot_be_told_is_said():
    assert SubstitutionTypes("zh").unknown == ("article", "preposition", "inflection", "synonym")
    assert SubstitutionTypes("en").unknown == ("synonym",)


def test_pairs_are_counted_by_kind_in_their_order():
    pairs = [
        SubstitutionPair("in", "on", 5, (0,)),
        SubstitutionPair("at", "by", 2, (1,)),
        SubstitutionPair("cat", "dog", 1, (2,)),
    ]
    found = SubstitutionTypes("en").sort(pairs)
    assert list(found) == list(TYPES)
    assert found["preposition"].count == 7 and found["preposition"].pairs == pairs[:2]
    assert found["other"].count == 1 and found["article"].pairs == []


def test_lists_are_in_small_letters():
    for lists in (ARTICLES, PREPOSITIONS):
        for language, words in lists.items():
            assert words == words.lower(), language
