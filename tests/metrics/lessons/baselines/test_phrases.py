"""The oracles: all spans tried one by one, the formulas with dictionaries, the table of the
lecture, and the example of Koehn, Och and Marcu (2003)."""

import gzip
from collections import Counter, defaultdict
from fractions import Fraction
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.lessons.baselines.moses import escaped, moses_lines, read_moses, unescaped, write_moses
from metrics.lessons.baselines.phrases import extract, phrase_table

from .toy_bitext import LECTURE_PAIRS, LECTURE_TABLE, LINKS, SOURCES, TARGETS

WORDS = st.lists(st.sampled_from("abc"), max_size=6)


@st.composite
def segments(draw):
    """Draw two sides and links between them."""
    source, target = draw(WORDS), draw(WORDS)
    every = [(i, j) for i in range(len(source)) for j in range(len(target))]
    links = draw(st.lists(st.sampled_from(every), unique=True, max_size=8)) if every else []
    return source, target, tuple(sorted(links))


def consistent(source, target, links, max_length):
    """Return the pairs by Koehn et al. (2003), section 3.1, span by span."""
    n, m = len(source), len(target)
    return [
        (s, s_end, t, t_end)
        for s in range(n)
        for s_end in range(s + 1, min(n, s + max_length) + 1)
        for t in range(m)
        for t_end in range(t + 1, min(m, t + max_length) + 1)
        if any(s <= i < s_end and t <= j < t_end for i, j in links)
        and all((s <= i < s_end) == (t <= j < t_end) for i, j in links)
    ]


@given(segments(), st.integers(1, 7))
@settings(max_examples=300, deadline=None)
def test_phrase_pairs_are_those_of_all_spans(segment, max_length):
    assert extract(*segment, max_length) == consistent(*segment, max_length)


def word_translations(bitext):
    """Return w(f | e) and w(e | f) as {(f, e): w}, with None for NULL."""
    counts = Counter()
    for source, target, links in bitext:
        counts.update((source[i], target[j]) for i, j in links)
        counts.update((f, None) for i, f in enumerate(source) if i not in {i for i, _ in links})
        counts.update((None, e) for j, e in enumerate(target) if j not in {j for _, j in links})
    of_f, of_e = Counter(), Counter()
    for (f, e), n in counts.items():
        of_f[f] += n
        of_e[e] += n
    return (
        {(f, e): Fraction(n, of_e[e]) for (f, e), n in counts.items()},
        {(f, e): Fraction(n, of_f[f]) for (f, e), n in counts.items()},
    )


def lexical_weights(f, e, links, f_given_e, e_given_f):
    """Return the weights by Koehn et al. (2003), equation 5, in both directions."""

    def mean(values):
        return sum(values) / len(values)

    of_f, of_e = defaultdict(list), defaultdict(list)
    for i, j in links:
        of_f[i].append(f_given_e[f[i], e[j]])
        of_e[j].append(e_given_f[f[i], e[j]])
    return (
        prod(mean(of_f[i]) if i in of_f else f_given_e[f[i], None] for i in range(len(f))),
        prod(mean(of_e[j]) if j in of_e else e_given_f[None, e[j]] for j in range(len(e))),
    )


@given(st.lists(segments(), max_size=5), st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_the_table_is_that_of_dictionaries(bitext, max_length):
    f_given_e, e_given_f = word_translations(bitext)
    counts, weights = Counter(), defaultdict(list)
    for source, target, links in bitext:
        for s, s_end, t, t_end in consistent(source, target, links, max_length):
            pair = tuple(source[s:s_end]), tuple(target[t:t_end])
            inside = tuple((i - s, j - t) for i, j in links if s <= i < s_end)
            counts[pair] += 1
            weights[pair].append((lexical_weights(*pair, inside, f_given_e, e_given_f), inside))
    table = phrase_table(*([row[i] for row in bitext] for i in range(3)), max_length)
    assert {(entry.source, entry.target): entry.joint_count for entry in table} == counts
    assert len(table) == len(counts)
    for entry in table:
        pair = entry.source, entry.target
        of_f = sum(n for (f, _), n in counts.items() if f == entry.source)
        of_e = sum(n for (_, e), n in counts.items() if e == entry.target)
        assert (entry.target_count, entry.source_count) == (of_e, of_f)
        assert entry.inverse == pytest.approx(counts[pair] / of_e)
        assert entry.direct == pytest.approx(counts[pair] / of_f)
        seen = weights[pair]
        assert entry.inverse_lexical == pytest.approx(float(max(w[0] for w, _ in seen)))
        assert entry.direct_lexical == pytest.approx(float(max(w[1] for w, _ in seen)))
        highest = max(w[0] * w[1] for w, _ in seen)
        assert entry.alignment == next(a for w, a in seen if w[0] * w[1] == highest)


def lecture_table():
    return phrase_table(SOURCES, TARGETS, LINKS)


def test_the_table_of_the_lecture_comes_out_of_its_alignment():
    table = lecture_table()
    assert {(" ".join(e.source), " ".join(e.target)) for e in table} == LECTURE_PAIRS
    assert len(table) == len(LECTURE_PAIRS) == 14


def test_both_sides_can_be_looked_up():
    table = lecture_table()
    for source, targets in LECTURE_TABLE.items():
        assert {" ".join(e.target) for e in table.translations(source.split())} == targets
    back = {" ".join(entry.source) for entry in table.translations_back(["qui", "est", "le"])}
    assert back == {"that is the", "it is", "it is the"}
    assert table.translations(["that"]) == table.translations(["unmet"]) == []
    assert table.translations_back(["voila", "le"]) == table.translations([]) == []


def test_the_most_frequent_translation_comes_first():
    table = phrase_table([["a"]] * 3, [["x"], ["y"], ["y"]], [((0, 0),)] * 3)
    entries = table.translations(["a"])
    assert [(e.target, e.joint_count, e.source_count, e.target_count) for e in entries] == [
        (("y",), 2, 3, 2),
        (("x",), 1, 3, 1),
    ]
    assert entries[0].direct == pytest.approx(2 / 3)
    assert entries[0].inverse == 1


def test_lexical_weight_of_the_published_example():
    """Koehn et al. (2003), figure 4: f1–e1, f2–e2, f2–e3, f3–NULL, so that p_w(f|e, a) is
    w(f1|e1) × ½ (w(f2|e2) + w(f2|e3)) × w(f3|NULL). The second segment makes w other than 1:
    w(f1|e1) = ½, w(f2|e2) = 1, w(f2|e3) = ½, and of two words linked to NULL, f3 is one."""
    table = phrase_table(
        [["f1", "f2", "f3"], ["f4", "f5", "f6"]],
        [["e1", "e2", "e3"], ["e1", "e3"]],
        [((0, 0), (1, 1), (1, 2)), ((0, 0), (1, 1))],
    )
    [entry] = table.translations(["f1", "f2", "f3"])
    assert entry.target == ("e1", "e2", "e3")
    assert entry.inverse_lexical == pytest.approx(1 / 2 * (1 + 1 / 2) / 2 * 1 / 2)
    # The other way: w(e1|f1) = 1, w(e2|f2) = w(e3|f2) = ½.
    assert entry.direct_lexical == pytest.approx(1 / 4)


def test_the_text_form_of_moses(tmp_path):
    table = phrase_table([["a", "|"], ["a"]], [["x", "&"], ["y"]], [((0, 0), (1, 1)), ((0, 0),)])
    assert list(moses_lines(table)) == [
        "&#124; ||| &amp; ||| 1 1 1 1 ||| 0-0 ||| 1 1 1",
        "a &#124; ||| x &amp; ||| 1 1 1 0.5 ||| 0-0 1-1 ||| 1 1 1",
        "a ||| x ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1",
        "a ||| y ||| 1 1 0.5 0.5 ||| 0-0 ||| 1 2 1",
    ]
    write_moses(table, tmp_path / "table.txt.gz")
    assert list(read_moses(tmp_path / "table.txt.gz")) == list(table)
    (tmp_path / "table.txt").write_bytes(gzip.decompress((tmp_path / "table.txt.gz").read_bytes()))
    assert list(read_moses(tmp_path / "table.txt")) == list(table)


@given(st.lists(segments(), max_size=4))
@settings(max_examples=50, deadline=None)
def test_a_table_is_read_as_it_was_written(bitext):
    table = phrase_table(*([row[i] for row in bitext] for i in range(3)))
    again = read_moses(moses_lines(table))
    assert [entry[:2] + entry[6:] for entry in again] == [entry[:2] + entry[6:] for entry in table]
    assert again.scores == pytest.approx(table.scores, rel=1e-6)
    assert [e.target for e in again.translations("a")] == [
        e.target for e in table.translations("a")
    ]


@given(st.text())
def test_escapes_go_back(word):
    assert unescaped(escaped(word)) == word
    assert not set(escaped(word)) & set("|<>[]'\"")


@pytest.mark.parametrize(
    "line",
    ["a ||| b", "a ||| b ||| 1 1 1 ||| 0-0 ||| 1 1 1", "a ||| b ||| 1 1 1 1 ||| 0 ||| 1 1 1"],
)
def test_a_line_that_is_no_entry_is_named(line):
    good = "a ||| b ||| 1 1 1 1 ||| 0-0 ||| 1 1 1"
    with pytest.raises(ValueError, match="line 2 is not"):
        read_moses([good, line])


def test_links_to_no_word_are_refused():
    with pytest.raises(ValueError, match=r"segment 1 has a link \(0, 1\)"):
        phrase_table([["a"], ["b"]], [["x"], ["y"]], [((0, 0),), ((0, 1),)])
    with pytest.raises(ValueError, match="each segment has one of each"):
        phrase_table([["a"]], [], [])
    with pytest.raises(ValueError, match="at least one word"):
        extract(["a"], ["x"], [(0, 0)], 0)
