from metrics.scorers.wordings import Wording, longest_shared, repeated_runs, repeated_sources


def test_equal_sources_with_different_references():
    sources = ["Guten  Tag", "Nein", "Guten Tag", "Guten Tag", "Nein", ""]
    references = ["Good day", "No", "Hello", "Good day", "No", "x"]
    texts = ((0, "Good day"), (2, "Hello"))
    assert repeated_sources(sources, references) == [Wording("Guten Tag", True, texts, 0)]


def test_a_missing_reference_is_no_wording():
    assert repeated_sources(["a", "a"], ["b", None]) == []


def test_runs_that_sources_share():
    sources = [
        "open the valve of the pump now",
        "then open the valve of the pump",
        "then open the valve of the pump",  # an equal source is not a shared run
    ]
    references = ["a b c d", "x b c y", "x b c y"]
    found = repeated_runs(sources, references)
    # The first run of five words in both; the one after it overlaps.
    assert [(each.source, each.texts, each.shared) for each in found] == [
        ("open the valve of the", ((0, "a b c d"), (1, "x b c y")), 2),
        ("open the valve of the", ((0, "a b c d"), (2, "x b c y")), 2),
    ]
    assert repeated_runs(sources, references, most=1) == found[:1]


def test_longest_shared():
    assert longest_shared(["a", "b", "c", "d"], ["x", "b", "c", "d", "a"]) == 3
    assert longest_shared([], ["a"]) == 0 and longest_shared(["a"], ["b"]) == 0
