"""Against a search word by word; and by hand."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.concordance import (
    BEYOND,
    ENTANGLED,
    UNLINKED,
    LinkedSides,
    find_phrase,
    in_lower_case,
)
from metrics.lessons.baselines.consistency import find_terms, side_figures, term_figures

FOLDS = in_lower_case, in_lower_case
WORDS = st.lists(st.sampled_from(["a", "A", "b", "c"]), max_size=5)


@st.composite
def linked(draw):
    """Draw sources, two sides, their links."""
    sources = draw(st.lists(WORDS, min_size=1, max_size=4))
    sides = [[draw(WORDS) for _ in sources] for _ in range(2)]
    links = []
    for side in sides:
        links.append([])
        for source, target in zip(sources, side, strict=True):
            every = [(i, j) for i in range(len(source)) for j in range(len(target))]
            some = st.lists(st.sampled_from(every), unique=True, max_size=6) if every else None
            links[-1].append(tuple(sorted(draw(some))) if every else ())
    return sources, sides, links


def shortest(links, start, end):
    """Return the span of the links of positions from start to end; None without any, False if
    others share it."""
    over = [j for i, j in links if start <= i < end]
    if not over:
        return None
    low, high = min(over), max(over) + 1
    return all(start <= i < end for i, j in links if low <= j < high) and (low, high)


def turned(links):
    return [tuple(sorted((j, i) for i, j in found)) for found in links]


def found_by_hand(sources, sides, links, phrase, *, in_target):
    """Return (side, segment) → the translation in lower case, None, or False, for each
    occurrence."""
    found = []
    for side, (targets, side_links) in enumerate(zip(sides, links, strict=True)):
        here, over, turn = (
            (targets, sources, turned(side_links)) if in_target else (sources, targets, side_links)
        )
        for segment, words in enumerate(here):
            for start in range(len(words) - len(phrase) + 1):
                if [w.lower() for w in words[start : start + len(phrase)]] == phrase:
                    span = shortest(turn[segment], start, start + len(phrase))
                    if span:
                        span = tuple(w.lower() for w in over[segment][slice(*span)])
                    found.append((side, segment, span))
    return found


@given(linked(), st.lists(st.sampled_from("abc"), min_size=1, max_size=3), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_phrase_is_found_as_by_hand(texts, phrase, in_target):
    found = find_phrase(LinkedSides.of(*texts), phrase, FOLDS, in_target=in_target)
    expected = found_by_hand(*texts, phrase, in_target=in_target)
    of_phrases = {
        tuple(in_lower_case(words)): places_with(found, found.numbers == number)
        for number, words in enumerate(found.renderings)
    }
    assert of_phrases == {
        words: [(side, segment) for side, segment, span in expected if span == words]
        for words in {span for *_, span in expected if span}
    }
    for known, state in ((UNLINKED, None), (ENTANGLED, False)):
        assert places_with(found, found.states == known) == [
            (side, segment) for side, segment, span in expected if span is state
        ]
    counts = Counter(side for side, *_ in expected)
    assert Counter(found.sides.tolist()) == counts
    n = [sum(map(len, of_phrases.values())), len(found.renderings)]
    assert [found.counts().sum(), len(found.counts())] == n


def places_with(found, rows):
    """Return (side, segment) of some occurrences."""
    return list(zip(found.sides[rows].tolist(), found.segments[rows].tolist(), strict=True))


CARS = ["The electric car is here", "An Electric car was sold", "The car park", "no electric car"]
SIDE_A = ["Das Elektroauto ist hier", "Ein Elektroauto wurde verkauft", "Der Parkplatz", ""]
SIDE_B = ["Das E-Auto ist hier", "Ein elektrisches Auto wurde verkauft", "Der Parkplatz", "Kein"]
LINKS_A = [
    ((0, 0), (1, 1), (2, 1), (3, 2), (4, 3)),
    ((0, 0), (1, 1), (2, 1), (3, 2), (4, 3)),
    ((0, 0), (1, 1), (2, 1)),
    (),
]
LINKS_B = [LINKS_A[0], ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4)), LINKS_A[2], ((0, 0),)]


def cars():
    def cut(texts):
        return [text.split() for text in texts]

    return LinkedSides.of(cut(CARS), [cut(SIDE_A), cut(SIDE_B)], [LINKS_A, LINKS_B])


def test_a_term_by_hand():
    found = find_phrase(cars(), ["electric", "car"], FOLDS)
    assert [" ".join(words) for words in found.renderings] == [
        "Elektroauto",
        "E-Auto",
        "elektrisches Auto",
    ]
    assert found.counts().tolist() == [[2, 0], [0, 1], [0, 1]]
    assert places_with(found, found.numbers == 2) == [(1, 1)]
    assert found.counts(UNLINKED).tolist() == [1, 1]
    assert found.counts(ENTANGLED).tolist() == [0, 0]
    assert find_phrase(cars(), ["electric"], FOLDS).counts(ENTANGLED).tolist() == [2, 1]
    back = find_phrase(cars(), ["parkplatz"], FOLDS, in_target=True)
    assert back.renderings == [("car", "park")]
    assert places_with(back, back.numbers == 0) == [(0, 2), (1, 2)]
    span = back.opposite_starts[0], back.opposite_lengths[0]
    assert cars().source.phrase(*span) == ("car", "park")
    assert find_phrase(cars(), ["train"], FOLDS).renderings == []
    assert find_phrase(cars(), [], FOLDS).counts().tolist() == []


def test_a_translation_is_shown_as_it_is_written_most_often():
    texts = LinkedSides.of([["a"]] * 4, [[["Der"], ["der"], ["der"], ["Die"]]], [[((0, 0),)] * 4])
    found = find_phrase(texts, ["A"], FOLDS)
    assert (found.renderings, found.numbers.tolist()) == ([("der",), ("Die",)], [0, 0, 0, 1])


def test_what_was_cut_off_is_told_from_what_has_no_link():
    long = ["w"] * 200 + ["end"]
    texts = LinkedSides.of([["end"], long], [[["Ende"], ["x"]]], [[(), ((0, 0),)]])
    found = find_phrase(texts, ["end"], FOLDS)
    assert found.states.tolist() == [UNLINKED, BEYOND]
    swapped = LinkedSides.of([["Ende"], ["x"]], [[["end"], long]], [[(), ((0, 0),)]])
    assert find_phrase(swapped, ["end"], FOLDS, in_target=True).states.tolist() == [
        UNLINKED,
        BEYOND,
    ]


def test_terms_are_repeated_and_not_within_one_longer():
    texts = cars()
    places = find_terms(texts.source, [0] * 4)
    terms = {
        " ".join(texts.source.phrase(start, length)).lower()
        for _, start, length in zip(*(column.tolist() for column in places), strict=True)
    }
    # “electric” never occurs without “car”; “car” does.
    assert terms == {"electric car", "car", "the"}


def test_figures_by_hand():
    figures = term_figures(cars(), [0] * 4, in_lower_case)
    terms = [
        " ".join(cars().source.phrase(start, length)).lower()
        for start, length in zip(figures.starts.tolist(), figures.lengths.tolist(), strict=True)
    ]
    row = terms.index("electric car")
    assert (figures.n_places[row], figures.n_segments[row]) == (3, 3)
    assert figures.translated[row].tolist() == [2, 2]
    assert figures.ways[row].tolist() == [1, 2]
    # 1² and (1/2)² + (1/2)².
    assert figures.index[row].tolist() == [1.0, 0.5]
    assert cars().target.phrase(figures.top_starts[row, 0], figures.top_lengths[row, 0]) == (
        "Elektroauto",
    )
    # “the” twice by both; “car” of “car park” is entangled, the others are in “Elektroauto”.
    a, b = side_figures(figures)
    assert (a.n_terms, a.always_alike, b.always_alike) == (2, 1, 0)
    assert (a.mean_ways, b.mean_ways) == (1.5, 2.0)
    assert (a.mean_index, b.mean_index) == (0.75, 0.5)
    assert figures.shared.tolist()[0][1] == 4
    assert figures.alike.tolist()[0][1] == 2


@given(linked())
@settings(max_examples=100, deadline=None)
def test_figures_are_those_of_the_search(texts):
    """Every single term, looked up, yields the figures of the table."""
    linked_texts = LinkedSides.of(*texts)
    figures = term_figures(linked_texts, [0] * len(texts[0]), in_lower_case)
    for row, (start, length) in enumerate(
        zip(figures.starts.tolist(), figures.lengths.tolist(), strict=True)
    ):
        found = find_phrase(linked_texts, linked_texts.source.phrase(start, length), FOLDS)
        for side in range(2):
            counts = [count for count in found.counts()[:, side].tolist() if count]
            n = sum(counts)
            assert figures.translated[row, side] == n
            assert figures.ways[row, side] == len(counts)
            assert figures.top[row, side] == max(counts, default=0)
            if n >= 2:
                assert abs(figures.index[row, side] - sum((c / n) ** 2 for c in counts)) < 1e-12
        assert figures.n_places[row] == (found.sides == 0).sum()


def test_words_of_all_documents_are_no_terms():
    sources = [["the", f"word{i // 2}", "the", "pilot"][: 4 if i < 6 else 3] for i in range(40)]
    sides = [[list(words) for words in sources]]
    links = [[tuple((i, i) for i in range(len(words))) for words in sources]]
    texts = LinkedSides.of(sources, sides, links)
    figures = term_figures(texts, [i // 2 for i in range(40)], in_lower_case)
    terms = {
        " ".join(texts.source.phrase(start, length))
        for start, length in zip(figures.starts.tolist(), figures.lengths.tolist(), strict=True)
    }
    assert "pilot" in terms and "word3" in terms and "the" not in terms
