"""Every worked example yields the digits of its publication, or has an erratum."""

import re
from itertools import pairwise

import numpy as np
import pytest
from django.http import QueryDict

from judgments.web import guide
from metrics.lessons.examples import EXAMPLES, by_topic
from metrics.lessons.examples.alignment import link_table
from metrics.lessons.examples.base import Printed, ResultRow, agrees, as_printed, more_digits
from metrics.lessons.examples.clipping import compute_clipped
from metrics.lessons.examples.comparison import compare
from metrics.lessons.examples.edits import cheapest_path, distances
from metrics.lessons.examples.errata import errata, erratum_of, sources
from metrics.lessons.examples.forms import ExampleForm
from metrics.scorers import SCORERS, get_scorer
from tests.errata_examples import document
from tests.metrics.lessons.baselines.toy_bitext import LECTURE_PAIRS, LECTURE_TABLE

CASES = [(example, case) for example in EXAMPLES.values() for case in example.cases]
NAMES = [f"{example.slug}/{case.slug}" for example, case in CASES]
every_case = pytest.mark.parametrize(("example", "case"), CASES, ids=NAMES)
OURS = "Made up here"
# Other than the five documents.
OTHER_SOURCES = {OURS, "Agreement of WMT16 (Bojar et al. 2016)"}
OTHER_SOURCES |= {"The error rate of Och and Ney (2003), links made up here"}
FRACTION = re.compile(r"\\frac\{([^{}]+)\}\{([^{}]+)\}")
NUMBERS = {"Heidelberg": "000", "Article": "001", "Forsbom": "002", "Koehn": "003", "Byrne": "004"}


def result_of(example, case, **changed):
    query = QueryDict(mutable=True)
    query.update(changed)
    form = ExampleForm(example, case, query)
    assert form.is_valid(), form.errors
    return example.compute(form.cleaned_data)


@every_case
def test_printed_digits_are_the_same_or_have_an_erratum(example, case):
    assert set(case.values) == {field.name for field in example.fields}
    result = result_of(example, case)
    values = {row.key: row.value for row in result.rows}
    assert len(values) == len(result.rows), "a key stands twice"
    assert case.printed.keys() <= values.keys()
    for key, printed in case.printed.items():
        same = agrees(values[key], printed)
        assert same != bool(printed.erratum), (key, printed, values[key])


@every_case
def test_errata_are_those_of_the_document(example, case):
    assert case.source in sources() | OTHER_SOURCES
    named = {each.erratum for each in case.printed.values() if each.erratum} | set(case.errata)
    for beginning in named:
        assert case.source in (erratum_of(beginning).source, OURS)
    shown = compare(case, result_of(example, case))
    assert {each.stated for each in shown.errata} == {erratum_of(each).stated for each in named}
    for row in shown.rows:
        assert (row.verdict == "erratum") == bool(row.note)


def test_every_erratum_is_shown_by_an_example():
    shown = set()
    for example, case in CASES:
        shown |= set(compare(case, result_of(example, case)).errata)
    assert shown == set(errata())


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (case.source, printed.text)
        for _, case in CASES
        for key, printed in case.printed.items()
        # A matrix is compared cell by cell in `test_errata_of_lectures`, wins in the test below.
        if case.source in sources()
        and key != "matrix"
        and "k" not in printed.text
        and printed.text != "–"
    ],
)
def test_what_is_printed_stands_in_the_document(source, printed):
    """No printed digit was made up."""
    (number,) = {n for name, n in NUMBERS.items() if name in source}
    text = FRACTION.sub(r"\1/\2", document(number)).replace("\\%", "%")
    text = text.replace("-", "−").replace(" ", "")
    words = printed.replace(" ", "")
    # One count is written as a word.
    assert words in text or (words == "10" and "ten4−grams" in text)


def test_the_wins_needed_stand_in_the_document():
    text = FRACTION.sub(r"\1/\2", document("003")).replace("\\ge", "≥")
    text = text.replace("$", "").replace(" ", "")
    for key, printed in EXAMPLES["wins-needed"].cases[0].printed.items():
        if printed.text != "–":
            (row,) = re.findall(rf"^{key.partition('-')[0]}\t.*k.*$", text, re.M)
            for words in printed.text.replace(" ", "").split(","):
                assert words in row, (key, row)


@every_case
def test_names_and_links(example, case):
    assert {f"guide/{slug}.html" for slug in example.guides} <= dict(guide.titles()).keys()
    assert example.guides
    assert set(example.metrics) <= set(SCORERS)
    for first, second in pairwise(sorted(each.slug for each in example.cases)):
        assert first != second
    assert re.fullmatch(r"[a-z0-9-]+", case.slug) and re.fullmatch(r"[a-z0-9-]+", example.slug)


def test_the_page_lists_them_all():
    assert sum(map(len, by_topic().values())) == len(EXAMPLES) >= 20


def test_changed_values_get_no_verdict():
    example = EXAMPLES["kappa"]
    case = example.case("adequacy")
    shown = compare(case, result_of(example, case, observed="0.5"), changed=True)
    (row,) = shown.rows
    assert (row.printed, row.here, row.verdict) == (".226", "0.37500", "")
    assert shown.errata, "what the document states stays stated"


def test_extra_figures_stand_only_where_they_are_printed():
    example = EXAMPLES["bleu"]
    with_it, without = (
        {row.what for row in compare(case, result_of(example, case)).rows}
        for case in (example.case("airport-b"), example.case("chairman"))
    )
    assert with_it - without == {"BLEU with min(1, c/r) as penalty", "c/r, at most 1"}


@pytest.mark.parametrize(
    ("value", "like", "expected"),
    [
        (0.225, ".226", ".225"),
        (0.5179, "52%", "52%"),
        (-1.0, "−1", "−1"),
        (float("nan"), "0.1", "undefined"),
        (float("-inf"), "0.1", "−∞"),
        ("3/6", "52%", "3/6"),
    ],
)
def test_figures_in_the_digits_of_a_publication(value, like, expected):
    assert as_printed(value, like) == expected


def test_two_digits_more_than_printed_and_small_figures_in_sight():
    assert more_digits(0.323456789, "0.32") == "0.3235"
    assert more_digits(0.323456789, "0.3235") == "0.323457"
    assert more_digits(0.0000976, "") == "0.0000976"
    assert more_digits(0.0, "") == "0.0000"
    assert not agrees(0.5115, Printed("52%")) and agrees(0.0, Printed("undefined/0", "0"))


# Additions of examples to scorers


def test_the_path_costs_what_the_matrix_says():
    rng = np.random.default_rng(7)
    for _ in range(50):
        ours, theirs = (rng.choice(list("abc"), size=rng.integers(0, 7)).tolist() for _ in range(2))
        matrix = distances(ours, theirs)
        path = cheapest_path(matrix, ours, theirs)
        kinds = list(path.values())
        assert len(kinds) - kinds.count("match") - 1 == matrix[-1, -1]
        moves = kinds.count("match") + kinds.count("substitution")
        assert moves + kinds.count("deletion") == len(ours)
        assert moves + kinds.count("insertion") == len(theirs)


def test_the_table_of_counts_sums_to_the_matches():
    rng = np.random.default_rng(8)
    for _ in range(30):
        texts = [" ".join(rng.choice(list("abc"), size=rng.integers(1, 9))) for _ in range(3)]
        for order in "1234":
            values = {"output": texts[0], "references": texts[1:], "capitals": "count"}
            result = compute_clipped(values | {"tokenize": "none", "order": order})
            counted = sum(int(cells[-1].text) for _, cells in result.tables[0].rows)
            rows: dict[str, ResultRow] = {row.key: row for row in result.rows}
            assert str(counted) == rows[f"matches{order}"].value


def test_the_links_of_meteor_are_those_it_counts():
    rng = np.random.default_rng(9)
    for _ in range(50):
        ours, theirs = (
            " ".join(rng.choice(["walk", "walks", "walked", "a", "b"], size=rng.integers(1, 8)))
            for _ in range(2)
        )
        scorer = get_scorer("meteor", tokenize="none", synonyms="none")
        counts = scorer.statistics([ours], [[theirs]])[0]
        links = scorer.links(ours, theirs)
        stages = [stage for _, _, stage in links]
        assert [stages.count(name) for name in ("exact", "stem")] == counts[2:4].tolist()
        following = {(place + 1, other + 1) for place, other, _ in links}
        starts = [link for link in links if link[:2] not in following]
        assert len(starts) == counts[5]
        for place, other, stage in links:
            assert (ours.split()[place] == theirs.split()[other]) == (stage == "exact")


@pytest.mark.parametrize("order", "12345")
@pytest.mark.parametrize("context", ["", "the", "the cat", "nobody knows", "cat sleeps"])
def test_kneser_ney_sums_to_one_and_stupid_backoff_does_not(order, context):
    example = EXAMPLES["back-off"]
    case = example.case("cats-and-dogs")
    rows = {
        row.key: row.value for row in result_of(example, case, order=order, context=context).rows
    }
    assert rows["kneser-ney-sum"] == pytest.approx(1)
    if order != "1" or context:
        assert abs(rows["stupid-backoff-sum"] - 1) > 0.01


def test_stupid_backoff_by_hand():
    """After “the”, which occurs three times, “cat” twice; “eats” never follows “dog”."""
    example = EXAMPLES["back-off"]
    (table,) = result_of(example, example.case("cats-and-dogs")).tables
    found = {word: float(cells[1].text) for word, cells in table.rows}
    # <s> the: 3/3; the dog: 1/3; dog eats: 0.4 · 1/12 (nine words and three ends); eats </s>: 1/1.
    assert found == {"the": 1, "dog": 0.3333, "eats": pytest.approx(0.0333), "</s>": 1}


def test_the_phrase_table_is_the_one_of_the_lecture():
    example = EXAMPLES["phrase-table"]
    (table,) = result_of(example, example.cases[0]).tables
    assert {(source, cells[0].text) for source, cells in table.rows} == LECTURE_PAIRS


def test_the_composition_of_the_lecture():
    """One segmentation; three translations of the one phrase times three of the other."""
    example = EXAMPLES["phrase-translation"]
    result = result_of(example, example.cases[0])
    assert [row.value for row in result.rows] == ["1", "9"]
    cut, made = ([cells[0].text for _, cells in table.rows] for table in result.tables)
    assert cut == ["that_is_the fundamental_problem"]
    firsts, seconds = (LECTURE_TABLE[each] for each in ("that is the", "fundamental problem"))
    joined = {f"{a} {b}" for a in firsts for b in seconds}
    # Two of the nine have the same words: le ends the one phrase, or begins the other.
    assert {each.replace("_", " ") for each in made} == joined and len(joined) == 8
    # The table of this example is the one extracted by the other example.
    rows = {tuple(row.split(" | ")) for row in example.cases[0].values["rows"].splitlines()}
    assert rows == LECTURE_PAIRS


def test_the_network_of_the_lecture():
    example = EXAMPLES["hierarchical-rules"]
    (table,) = result_of(example, example.case("network")).tables
    said = {name: set(cells[1].text.split(" / ")) for name, cells in table.rows}
    assert said["T[1,8]"] == {"F1 T[5,6] F2", "F2 T[5,6] F1", "T[7,8] T[5,6] F2"}
    assert said["T[1,4]"] == {"F3", "F5"}


def test_a_seed_gives_its_draws():
    example = EXAMPLES["bootstrap"]
    case = example.cases[0]
    first, again, other = (
        [row.value for row in result_of(example, case, seed=seed).rows] for seed in ("1", "1", "2")
    )
    assert first == again != other


def test_an_output_without_tokens_has_bleu_0():
    example = EXAMPLES["bleu"]
    found = result_of(example, example.cases[0], output="<skipped>", tokenize="13a")
    rows = {row.key: row.value for row in found.rows}
    assert rows["bleu"] == rows["with-ratio"] == 0


def test_the_links_of_an_alignment_are_those_that_are_counted():
    """A link that is sure and possible is sure; one to no word is left out."""
    table = link_table("1-1 0-2 2-3", "1-1 1p1 2?2", base=1)
    rows = {link: [cell.text for cell in cells] for link, cells in table.rows}
    assert rows == {"1-1": ["yes", "sure"], "2-2": ["–", "possible"], "2-3": ["yes", "–"]}
