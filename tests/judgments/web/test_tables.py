"""How numbers stand on pages."""

import math
import re

import numpy as np
import pytest

from judgments.templatetags.mteval import table_rows
from judgments.web.sections import table_objects
from judgments.web.tables import Column, Table, cell, decimals, figure, in_a_sentence, interval


@pytest.mark.parametrize(
    ("number", "places", "text"),
    [
        (0.4712, 3, ".471"),
        (-0.0528, 3, "−.053"),
        (1.0, 3, "1.000"),
        (0.9996, 3, "1.000"),
        (-0.0001, 3, ".000"),
        (0.0, 2, ".00"),
        (12.345, 1, "12.3"),
        (12345.6, 0, "12,346"),
        (0.4, 0, "0"),
        (math.nan, 3, "–"),
    ],
)
def test_figure(number, places, text):
    assert figure(number, places) == text


@pytest.mark.parametrize(
    ("values", "places"),
    [([0.4, -0.98], 3), ([0.4, 1.2], 2), ([73.5, 8], 1), ([12345.0], 0), ([None, math.nan], 3)],
)
def test_a_column_has_three_significant_digits(values, places):
    assert decimals(values) == places


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "number", "–"),
        (math.nan, "number", "–"),
        (12345, "count", "12,345"),
        (-3, "count", "−3"),
        (0.0004, "p", "< .001"),
        (0.0396, "p", ".040"),
        ("<b>", "text", "<b>"),
        (np.float64(0.25), "number", ".250"),
    ],
)
def test_cell(value, kind, text):
    assert cell(value, kind) == text


def test_interval():
    assert interval(0.4412, 0.4987, 2) == "[.44, .50]"
    assert interval(math.nan, math.nan) == ""


def test_the_values_settle_the_kinds_of_columns():
    rows = [("a", 1, 0.5, None), ("b", 2, 1.5, None)]
    table = Table("t", "T", ("name", "n", "mean", "nothing", Column("p", "p", "p")), rows)
    rows[:] = [(*row, 0.0001) for row in rows]
    assert [c.kind for c in table.heads] == ["text", "count", "number", "text", "p"]
    assert [c.heading for c in table.heads] == ["Name", "N", "Mean", "Nothing", "p"]
    shown = [[text for _, text in row] for row in table.display()]
    assert shown == [["a", "1", ".50", "–", "< .001"], ["b", "2", "1.50", "–", "< .001"]]


def test_rows_of_a_page_are_escaped():
    table = Table("t", "T", ("who", Column("n", kind="count")), [("<b>'A'</b> & co", 1200)])
    assert table_rows(table) == (
        '<tr><th scope="row">&lt;b&gt;&#x27;A&#x27;&lt;/b&gt; &amp; co</th>'
        '<td class="num" data-value="1200">1,200</td></tr>'
    )
    assert table_rows(Table("t", "T", ("who",), [])) == ""


@pytest.mark.parametrize(
    "name, text",
    [
        ("Adequacy", "adequacy"),
        ("MQM score", "MQM score"),
        ("Words kept (%)", "words kept (%)"),
        ("Score of the Marked errors", "score of the marked errors"),
    ],
)
def test_names_in_a_sentence(name, text):
    assert in_a_sentence(name) == text


class CountedRows(list):
    """Rows that know how often all of them were gone through."""

    times = 0

    def __iter__(self):
        self.times += 1
        return super().__iter__()


def test_the_rows_are_not_gone_through_again_for_every_row():
    """Objects of a table take time in proportion to its rows: the heads are found once."""
    for n in (10, 1000):
        rows = CountedRows((f"name {i}", i, i / 2) for i in range(n))
        table = Table("t", "T", ("name", "n", "half"), rows)
        objects = table_objects(table)
        assert objects[-1] == {"name": f"name {n - 1}", "n": n - 1, "half": (n - 1) / 2}
        assert rows.times == len(table.columns) + 1  # once a column for its kind, once to read
        assert [table.keys for _ in range(5)] and rows.times == len(table.columns) + 1


def test_cells_say_what_they_are_sorted_by():
    """With nine digits, and nothing where nothing is known; the page shows three and a dash."""
    values = [0.123456789, -1.5, float("nan"), None, math.inf, -math.inf, np.float64(0.1)]
    rows = table_rows(Table("t", "T", ("who", "mean"), [("a", value) for value in values]))
    said = [re.search(r'data-value="([^"]*)"', row) for row in rows.splitlines()]
    assert [match and match[1] for match in said] == [
        *("0.123456789", "-1.5", None, None, "Infinity", "-Infinity", "0.1"),
    ]
