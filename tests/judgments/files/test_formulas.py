"""No text becomes a formula in a spreadsheet, every text comes back, and numbers stay numbers."""

import csv
import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.files.csv_files import csv_cell
from judgments.files.formulas import guarded, tsv_line, unguarded
from judgments.results.exports import csv_of
from judgments.web.tables import Column, Table

# The characters that OWASP lists under "CSV Injection".
STARTS = "=+-@\t\r\n＝＋－＠"
texts = st.one_of(
    st.text(alphabet=STARTS + "'a1.e ", max_size=8),
    st.text(max_size=20),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)


@given(texts)
def test_no_text_is_a_formula_and_every_text_comes_back(text):
    cell = guarded(text)
    assert not cell.startswith(tuple(STARTS))
    assert unguarded(cell) == text


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_stay_as_they_are(number):
    assert csv_cell(number) is number
    assert tsv_line([number]) == f"{number!r}\n"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("-0.5", "'-0.5"),  # a name; no column of numbers holds texts
        ("-1+1", "'-1+1"),
        ("- Hello", "'- Hello"),
        ("'=1", "''=1"),
        ("'tis", "'tis"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("－1", "'－1"),
        ("", ""),
        ("a=1", "a=1"),
    ],
)
def test_examples(text, cell):
    assert guarded(text) == cell


def test_a_line_of_tsv():
    row = ("=x", -1, -0.5, "a\tb\nc\rd", "\t=x", "'", "-1", "")
    assert tsv_line(row) == "'=x\t-1\t-0.5\ta b c d\t =x\t'\t'-1\t\n"
    assert tsv_line(iter(("a", "@b"))) == "a\t'@b\n"


@given(st.lists(st.one_of(texts, st.integers(), st.floats(allow_nan=False)), min_size=1))
def test_every_cell_of_a_line_is_guarded(row):
    cells = tsv_line(row)[:-1].split("\t")
    assert len(cells) == len(row)
    for cell, value in zip(cells, row, strict=True):
        if isinstance(value, str):
            assert not cell.startswith(tuple(STARTS))
            assert unguarded(cell) == value.translate(str.maketrans("\t\n\r", "   "))
        else:
            assert cell == repr(value)


def test_a_table_of_csv():
    table = Table(
        "t", "T", (Column("=name"), Column("value")), [("+x", -1.5), ("-2", -2), (None, "@")]
    )
    rows = list(csv.reader(io.StringIO(csv_of(table))))
    assert rows == [["'=name", "value"], ["'+x", "-1.5"], ["'-2", "-2"], ["", "'@"]]


def test_a_million_rows_are_no_slower_than_their_regular_expression():
    """A row of a hundred thousand takes some microseconds; 100 is what a busy machine may need."""
    row = ("annotator", "12", "system", "adequacy", 4.0, 17, "regular", "", "", "", "", "12.5")
    before = time.process_time()
    for _ in range(20_000):
        tsv_line(row)
    assert (time.process_time() - before) / 20_000 < 100e-6
