"""Our reader of WordNet: on a few generated lines, and against NLTK's on the real files."""

import random

import pytest

from metrics.scorers import wordnet
from metrics.scorers.wordnet import WordNet, find_wordnet

from .nltk_wordnet import needs_wordnet, open_with_nltk


def write_database(folder, synsets: dict[str, list[list[str]]], exceptions: dict[str, str]):
    """Write files in WordNet's format; ``synsets``: for each part of speech the words of each
    synset."""
    for part in ("noun", "verb", "adj", "adv"):
        data, offsets = "  1 WordNet 9.9 Copyright nobody.  \n", {}
        for words in synsets.get(part, []):
            listed = " ".join(f"{word} 0" for word in words)
            for word in words:
                offsets.setdefault(word.split("(")[0].lower(), []).append(len(data))
            data += f"{len(data):08} 03 {part[0]} {len(words):02x} {listed} 000 | a gloss | of it\n"
        lines = "  1 WordNet 9.9 Copyright nobody.  \n"
        for lemma in sorted(offsets):
            found = offsets[lemma]
            places = " ".join(f"{offset:08}" for offset in found)
            lines += f"{lemma} {part[0]} {len(found)} 2 @ ~ {len(found)} 0 {places}  \n"
        (folder / f"data.{part}").write_text(data)
        (folder / f"index.{part}").write_text(lines)
        (folder / f"{part}.exc").write_text(exceptions.get(part, ""))
    return WordNet(folder)


@pytest.fixture
def small(tmp_path) -> WordNet:
    synsets = {
        "noun": [["car", "auto", "motor_car"], ["goose"], ["leaf"], ["class"], ["car"]],
        "verb": [["study"], ["go", "move"]],
        "adj": [["galore(ip)"], ["late"]],
    }
    return write_database(tmp_path, synsets, {"noun": "geese goose\n", "verb": "went go\n"})


def words_of(database: WordNet, word: str) -> list[list[str]]:
    return [database.words(synset) for synset in database.synsets(word)]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("car", [["car", "auto"], ["car"]]),
        ("Autos", [["car", "auto"]]),  # capitals, an ending; words of two words are left out
        ("geese", [["goose"]]),
        ("leaves", [["leaf"]]),
        ("classes", [["class"]]),
        ("studies", [["study"]]),
        ("went", [["go", "move"]]),
        ("going", [["go", "move"]]),
        ("later", [["late"]]),
        ("galore", [["galore"]]),
        ("", []),
        ("s", []),
        ("猫", []),
        ("unknown", []),
    ],
)
def test_synsets_by_base_forms(small, word, expected):
    assert words_of(small, word) == expected


def test_the_version_is_read(small):
    assert small.version == "9.9"


def test_the_folder_can_be_named(tmp_path, small, monkeypatch):
    monkeypatch.setenv("MTEVAL_WORDNET", str(tmp_path))
    found = find_wordnet()
    assert found is not None and found.version == "9.9" and find_wordnet() is found
    monkeypatch.setenv("MTEVAL_WORDNET", str(tmp_path / "nowhere"))
    assert find_wordnet() is None


def test_an_incomplete_database_is_named(tmp_path, small):
    (tmp_path / "data.verb").unlink()
    with pytest.raises(ValueError, match=r"cannot be read: .*data\.verb.*MTEVAL_WORDNET"):
        WordNet(tmp_path)


@needs_wordnet
def test_real_synsets_are_nltks(tmp_path_factory):
    ours = WordNet(wordnet.FOLDER)
    theirs = open_with_nltk(tmp_path_factory.mktemp("wordnet"))
    assert ours.version == theirs.get_version()
    lemmas = sorted(ours._index["noun"] | ours._index["verb"] | ours._index["adj"])
    rng = random.Random(1)
    endings = ["", "s", "es", "ed", "ing", "er", "est", "men", "ves", "ies"]
    asked = [rng.choice(lemmas) + rng.choice(endings) for _ in range(500)]
    asked += rng.sample([*ours._exceptions["noun"], *ours._exceptions["verb"]], 300)
    for word in [*asked, "Is", "better", "men", "axes", "left", "saw", "best", "U.S."]:
        found = theirs.synsets(word)
        expected = [
            [lemma.name() for lemma in synset.lemmas() if "_" not in lemma.name()]
            for synset in found
        ]
        assert words_of(ours, word) == expected, word
        assert [offset for _, offset in ours.synsets(word)] == [s.offset() for s in found]
