"""TSV, JSON lines and the checks of their columns. Oracles: Python's csv and json modules."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.files import csv_files, jsonl
from judgments.files.table import Columns, Row, problem_with_name, read_table
from tests.written_files import write_jsonl, write_tsv

from .files import packed, problem_of, upload

cells = st.text(st.characters(exclude_characters="\n\r\t\0", exclude_categories=["Cs"]))
COLUMNS = Columns(required=("a", "b"), optional=("c",), prefixes=("x:",))


@given(st.lists(st.tuples(cells, cells), min_size=1))
def test_tsv_reads_what_csv_without_quoting_writes(rows):
    out = io.StringIO()
    writer = csv.writer(
        out, delimiter="\t", quoting=csv.QUOTE_NONE, quotechar=None, lineterminator="\n"
    )
    writer.writerows([("a", "b"), *rows])
    found = list(csv_files.read(upload("t.tsv", out.getvalue().encode())))
    assert [tuple(row.values()) for _, row in found] == rows
    assert [number for number, _ in found] == list(range(2, len(rows) + 2))


storable = st.text(st.characters(exclude_characters="\0"))


@given(st.lists(st.dictionaries(storable, storable)))
def test_jsonl_reads_what_json_writes(records):
    content = "".join(json.dumps(record) + "\n" for record in records).encode()
    texts = [text for record in records for pair in record.items() for text in pair]
    if any("\ud800" <= ch <= "\udfff" for text in texts for ch in text):
        assert "surrogate" in problem_of(jsonl.read, upload("t.jsonl", content)).reason
    elif records:
        assert [row for _, row in jsonl.read(upload("t.jsonl", content))] == records


@pytest.mark.parametrize(("module", "write"), [(csv_files, write_tsv), (jsonl, write_jsonl)])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_what_is_written_can_be_read(tmp_path, module, write, suffix):
    path = tmp_path / f"t{module.SUFFIXES[0]}{suffix}"
    write(path, ["a", "b"], [["ü “1”", 2.5], ["'", "it\u2028is"]])
    assert [row for _, row in module.read(path)] == [
        {"a": "ü “1”", "b": "2.5"},
        {"a": "'", "b": "it\u2028is"},
    ]


def test_numbers_of_json_are_written_as_in_a_tsv():
    line = b'{"a": 5, "b": 4.5, "c": null, "x:y": "5"}\n'
    assert list(jsonl.read(upload("t.jsonl", line))) == [
        (1, {"a": "5", "b": "4.5", "c": "", "x:y": "5"})
    ]


@pytest.mark.parametrize(
    ("content", "row", "column", "reason"),
    [
        (b"", None, "", "the file is empty"),
        (b"a\t\nx\ty\n", 1, "", "column 2 has no name"),
        (b"a\tb\ta\n", 1, "a", "two columns have this name"),
        (b"a\tb\n1\t2\n1\n", 3, "", "the line has 1 cell, but the header has 2"),
        (b"a\tb\n1\t2\t3\n", 2, "", "the line has 3 cells, but the header has 2"),
        (b"a\tb\n1\t2\n\n", 3, "", "the line is empty"),
    ],
)
def test_malformed_tsv(content, row, column, reason):
    problem = problem_of(csv_files.read, upload("t.tsv", content))
    assert (problem.row, problem.column) == (row, column)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ('{"a": 1', "", "not a JSON object"),
        ("[1, 2]", "", "not a JSON object in { }"),
        ("", "", "not a JSON object"),
        ('{"a": 1, "a": 2}', "", "the key “a” occurs twice"),
        ('{"a": NaN}', "", "NaN is not a JSON value"),
        ('{"a": -Infinity}', "", "-Infinity is not a JSON value"),
        ('{"a": true}', "a", "should be a string or a number"),
        ('{"a": {"b": 1}}', "a", "should be a string or a number"),
        ('{"a": ["b"]}', "a", "should be a string or a number"),
        ('{"a": "\\u0000"}', "a", "NUL"),
        ('{"a": "\\ud800"}', "a", "surrogate"),
        ('{"\\ud800": 1}', "", "half of a surrogate pair"),
        ('{"\\u0000": 1}', "", "NUL"),
        ('{"\\ud800": 1, "\\ud800": 2}', "", "the key “?” occurs twice"),
        ('{"a": ' + "9" * 5000 + "}", "", "not a JSON object"),
        ("[" * 100_000, "", "not a JSON object"),
    ],
)
def test_malformed_json(line, column, reason):
    problem = problem_of(jsonl.read, upload("t.jsonl", b'{"a": "fine"}\n' + line.encode() + b"\n"))
    assert (problem.row, problem.column) == (2, column)
    assert reason in problem.reason.encode().decode()


@pytest.mark.parametrize(
    ("name", "content", "row", "column", "reason"),
    [
        ("t.txt", b"a,b\n1,2\n", None, "", "should end in .tsv, .tsv.gz, .csv, .csv.gz, .jsonl,"),
        ("t.tsv", b"a\tb\n", None, "", "a header but no rows"),
        ("t.jsonl", b"", None, "", "the file is empty"),
        ("t.tsv", b"a\tc\n1\t2\n", 1, "b", "this column is missing. The columns are a, b"),
        ("t.tsv", b"1\t2\n1\t3\n", 1, "a", "this column is missing"),
        (
            "t.tsv",
            b"a\tb\td\n1\t2\t3\n",
            1,
            "d",
            "not known here. The known columns are a, b, c, x:NAME",
        ),
        ("t.tsv", b"a\tb\tx:\n1\t2\t3\n", 1, "x:", "not known here"),
        ("t.jsonl", b'{"a":1,"b":2}\n{"a":1}\n', 2, "b", "this column is missing"),
        ("t.jsonl", b'{"a":1,"b":2,"B":3}\n', 1, "B", "not known here"),
    ],
)
def test_columns_are_checked(name, content, row, column, reason):
    problem = problem_of(read_table, upload(name, content), COLUMNS)
    assert (problem.row, problem.column) == (row, column)
    assert reason in problem.reason


def test_a_table_may_be_packed():
    rows = list(read_table(upload("t.tsv.gz", packed(b"a\tb\tx:y\n1\t2\t3\n")), COLUMNS))
    assert [row.cells for row in rows] == [{"a": "1", "b": "2", "x:y": "3"}]


@pytest.mark.parametrize("cell", ["5", "-5", "+5.25", "5.", ".5", "1e2", "0"])
def test_numbers(cell):
    assert Row("t.tsv", 2, {"a": cell}).decimal("a") == float(cell)


@pytest.mark.parametrize(
    "cell",
    ["nan", "NaN", "inf", "-Infinity", "1_000", " 5", "5 ", "٥", "five", "1e999", "0x5", "5,5"],
)
def test_what_is_no_number_is_refused_even_where_python_would_read_it(cell):
    problem = problem_of(lambda: [Row("t.tsv", 7, {"a": cell}).decimal("a")])
    assert str(problem).startswith("t.tsv, row 7, column a: “")
    assert problem.reason.endswith("is not a number.")


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a\nb", "a\x1bb", "x" * 11])
def test_unfit_names(name):
    assert problem_with_name(name, 10)


@pytest.mark.parametrize("name", ["a", "Ann B.", "评审 1", "ًعلي", "x" * 10])
def test_fit_names(name):
    assert problem_with_name(name, 10) == ""


def test_a_message_names_file_row_column_and_reason():
    problem = Row("t.tsv", 1234, {}).problem("value", "it is wrong.")
    assert str(problem) == "t.tsv, row 1,234, column value: it is wrong."
