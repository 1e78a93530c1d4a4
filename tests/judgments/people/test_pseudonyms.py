from judgments.people import pseudonyms


def test_the_words():
    for words in (pseudonyms.ADJECTIVES, pseudonyms.NOUNS):
        assert len(words) >= 100 and len(set(words)) == len(words)
        assert all(word.isascii() and word.islower() for word in words)
    # With an adjective before them, or after a noun, these would be no compliment.
    assert not set(pseudonyms.ADJECTIVES) & {"fair", "golden", "hot", "wet", "young", "willing"}
    assert "welcome" not in pseudonyms.ADJECTIVES  # the first page greets: “Welcome, …”
    assert not set(pseudonyms.NOUNS) & {"ass", "cock", "dog", "pig", "pansy", "swallow", "tit"}


def test_names_are_free_however_many_are_taken(monkeypatch):
    monkeypatch.setattr(pseudonyms, "ADJECTIVES", ("calm",))
    monkeypatch.setattr(pseudonyms, "NOUNS", ("otter",))
    taken = set()
    for _ in range(3):
        taken.add(pseudonyms.free(taken))
    assert taken == {"calm otter", "calm otter 2", "calm otter 3"}
    assert pseudonyms.is_made("calm otter") and not pseudonyms.is_made("calm  otter")
