import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scorers import get_scorer
from metrics.scorers.alignment import read_links
from tests.shared import read_tsv, shared_data

LINK = st.tuples(st.integers(0, 4), st.integers(0, 4))
LINKS = st.frozensets(LINK, max_size=8)


def line(links, mark="-", base=0) -> str:
    return " ".join(f"{i + base}{mark}{j + base}" for i, j in sorted(links))


def percent(scorer, *streams) -> float:
    return float(scorer.score(scorer.statistics(*streams).sum(axis=0)))


def test_example_of_the_guide():
    output, reference = ["0-0 1-1 2-3 3-3"], [["1-1 2-2 3-3 3p4"]]
    aer = get_scorer("aer")
    stats = aer.statistics(output, reference)
    assert stats.tolist() == [[4, 3, 2, 3]]
    assert aer.score(stats[0]) == pytest.approx(100 * 2 / 7)
    found = dict(aer.details(stats[0]))
    assert found["Precision (%)"] == 75
    assert found["Recall of sure links (%)"] == pytest.approx(200 / 3)
    ae = get_scorer("alignment_error")
    assert percent(ae, ["0-0 1-1 2-3"], [["1-1 2-2 3-3"]]) == pytest.approx(100 / 3)


def test_golden_aer(golden):
    example = golden["aer"]
    reference = f"{line(example['S'])} {line(example['P'], mark='p')}"
    aer = get_scorer("aer", output_base=1)
    found = percent(aer, [line(example["A"])], [[reference]])
    assert found == pytest.approx(100 * example["aer"], abs=1e-4)


def test_alignment_error_of_two_in_twenty():
    """10 and 10 links of which 9 are shared: 10 % (Byrne's lecture on translation systems)."""
    ours = {(i, i) for i in range(10)}
    theirs = {(i, i) for i in range(9)} | {(9, 8)}
    ae = get_scorer("alignment_error", reference_base=0)
    stats = ae.statistics([line(ours)], [[line(theirs)]])
    assert stats.tolist() == [[10, 10, 9]]
    assert ae.score(stats[0]) == 10
    assert dict(ae.details(stats[0]))["Recall (%)"] == 90


@pytest.mark.parametrize("reverse", [False, True])
def test_published_error_rates_of_romanian_and_english(reverse):
    """Published to one digit."""
    folder = "09_alignment_ro-en"
    gold = {r["sent"]: r["links"] for r in read_tsv(shared_data(folder, "gold.roen.tsv"))}
    lines: dict[str, dict[str, str]] = {}
    for row in read_tsv(shared_data(folder, "hypotheses.roen.tsv.gz")):
        lines.setdefault(row["aligner"], {})[row["sent"]] = row["links"]
    checked = 0
    for row in read_tsv(shared_data(folder, "published_aer.tsv")):
        if row["aligner"].endswith(".reverse") != reverse:
            continue
        aer = get_scorer("aer", reverse=reverse)
        outputs = [lines[row["aligner"]][sentence] for sentence in gold]
        stats = aer.statistics(outputs, [list(gold.values())]).sum(axis=0)
        assert aer.score(stats) == pytest.approx(float(row["AER"]), abs=0.1), row["aligner"]
        if row["precision"]:
            precision, recall = (value for _, value in aer.details(stats)[:2])
            assert precision == pytest.approx(float(row["precision"]), abs=0.1)
            assert recall == pytest.approx(float(row["recall"]), abs=0.1)
            # The published number counts a few links of three aligners twice.
            assert int(row["links"]) - 3 <= stats[0] <= int(row["links"])
        checked += 1
    assert checked == (2 if reverse else 11)


@given(a=LINKS, s=LINKS, p=LINKS)
def test_against_the_formula_on_sets(a, s, p):
    p = p | s
    stats = get_scorer("aer").statistics([line(a)], [[f"{line(s, base=1)} {line(p, '?', 1)}"]])
    assert stats.tolist() == [[len(a), len(s), len(a & s), len(a & p)]]
    error = get_scorer("aer").score(stats[0])
    if a or s:
        assert error == pytest.approx(100 * (1 - (len(a & s) + len(a & p)) / (len(a) + len(s))))
    else:
        assert np.isnan(error)


@given(a=LINKS, b=LINKS)
def test_the_errors_are_equal_where_all_links_are_sure(a, b):
    streams = [line(a)], [[line(b, base=1)]]
    errors = [percent(get_scorer(slug), *streams) for slug in ("aer", "alignment_error")]
    np.testing.assert_allclose(errors[0], errors[1])


@given(a=LINKS, refs=st.lists(st.tuples(LINKS, LINKS), min_size=2, max_size=3))
def test_several_references(a, refs):
    streams = [[f"{line(s, base=1)} {line(p, 'p', 1)}"] for s, p in refs]
    sure = frozenset.intersection(*(s for s, _ in refs))
    possible = frozenset.union(*(s | p for s, p in refs))
    aer = get_scorer("aer")
    expected = [[len(a), len(sure), len(a & sure), len(a & possible)]]
    assert aer.statistics([line(a)], streams).tolist() == expected
    # A missing reference says nothing about any link.
    assert aer.statistics([line(a)], [[None], *streams]).tolist() == expected
    ae = get_scorer("alignment_error")
    alone = [percent(ae, [line(a)], [stream]) for stream in streams]
    # Two empty sets are equal, though the error is undefined.
    assert np.nan_to_num(percent(ae, [line(a)], streams)) == min(np.nan_to_num(alone))


def test_links_to_no_word_are_left_out():
    assert read_links("0-0 -1-2 2--1 1p1", 0) == ({(0, 0)}, {(0, 0), (1, 1)})
    assert read_links("0-1 1-0 -1-1 1-1 2?2", 1) == ({(0, 0)}, {(0, 0), (1, 1)})


def test_a_link_counts_once_and_sure_if_it_is_anywhere():
    assert read_links("1p1 1-1 1-1 1?1", 1) == ({(0, 0)}, {(0, 0)})


def test_options():
    ae = get_scorer("alignment_error", possible=False, output_base=1, reverse=True)
    assert ae.statistics(["2-1"], [["1-2 3p3"]]).tolist() == [[1, 1, 1]]
    assert "base:1/1|reverse:yes|possible:no" in ae.signature(1)
    with pytest.raises(ValueError, match="output_base must be 0 or 1"):
        get_scorer("aer", output_base=2)


@pytest.mark.parametrize("token", ["1", "1-", "a-b", "1-2-3", "1.5-2", "-2-1", "1:2", "١-٢", "😀"])
def test_what_is_no_link_is_named_with_its_segment(token):
    for slug in ("aer", "alignment_error"):
        with pytest.raises(ValueError, match=f"Output, segment 2: '{token}' is not a link"):
            get_scorer(slug).statistics(["0-0", f"0-0 {token}"], [["1-1", "1-1"]])
        with pytest.raises(ValueError, match=f"Reference, segment 1: '{token}' is not a link"):
            get_scorer(slug).statistics(["0-0"], [[token]])


def test_outputs_hold_no_possible_links_and_a_long_line_is_no_trouble():
    with pytest.raises(ValueError, match="Output, segment 1: an output holds links such as 1-2"):
        get_scorer("aer").statistics(["0p0"], [["1-1"]])
    diagonal = {(i, i) for i in range(10_000)}
    assert percent(get_scorer("aer"), [line(diagonal)], [[line(diagonal, base=1)]]) == 0
    with pytest.raises(ValueError, match="'99999999999999999999999999999999999999"):
        get_scorer("aer").statistics(["9" * 10_000], [["1-1"]])


def test_empty_lines():
    aer = get_scorer("aer")
    stats = aer.statistics(["", "0-0", "", ""], [["1-1", "", "", "1p1"]])
    assert stats.tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    scores = aer.segment_scores(stats)
    assert scores[:2].tolist() == [100, 100] and np.isnan(scores[2:]).all()
