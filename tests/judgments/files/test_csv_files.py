"""CSV as spreadsheets and old programs save it. Oracles: Python's csv module and codecs."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.files import csv_files, output_texts, texts
from judgments.files.lines import read_lines
from judgments.files.table import Columns, read_table
from tests.judgments.exchange.releases.test_hostile_files import mutated

from .files import packed, problem_of, upload

ROWS = [
    {"source": 'Er sagte: "Ja; nein".', "system:A": "He said,\nyes"},
    {"source": "schön", "system:A": ""},
]
cells = st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]))


def saved(delimiter: str, codec: str, end: str = "\r\n") -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, ["source", "system:A"], delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(ROWS)
    return out.getvalue().encode(codec)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", saved(",", "utf-8")),
        ("t.csv", saved(";", "utf-8-sig")),  # “CSV UTF-8” of a German Excel
        ("t.csv", saved("\t", "utf-16")),
        ("t.csv.gz", packed(saved(";", "utf-16"))),
        ("t.csv", b"sep=;\r\n" + saved(";", "utf-8")),
        ("t.csv", saved(";", "utf-8") + b";\r\n;\r\n"),
    ],
)
def test_a_table_reads_alike_however_a_spreadsheet_saved_it(name, content):
    columns = Columns(("source",), prefixes=("system:",))
    rows = list(read_table(upload(name, content), columns))
    assert [row.cells for row in rows] == ROWS
    first = 2 if content.startswith(b"sep=") else 1
    assert [row.number for row in rows] == [first + 2, first + 3]  # where each ends


@given(st.lists(st.tuples(cells, cells), min_size=1), st.sampled_from(",;\t"))
def test_what_csv_writes_is_read(rows, delimiter):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("a", "b"), *rows])
    found = list(csv_files.read(upload("t.csv", out.getvalue().encode())))
    assert [tuple(row.values()) for _, row in found] == [row for row in rows if any(row)]


def test_lines_of_an_old_mac_and_of_unicode_text():
    words = ["eins", "", "zwölf", "ʻokina 𝄞"]
    for codec, end in (("utf-8", "\r"), ("utf-16", "\r"), ("utf-16", "\r\n"), ("utf-16", "\n")):
        content = "".join(word + end for word in words).encode(codec)
        assert list(read_lines(upload("a.txt", content))) == list(enumerate(words, 1))
    big = b"\xfe\xff" + "ü\n".encode("utf-16-be")
    assert list(read_lines(upload("a.txt", big))) == [(1, "ü")]
    open_file = upload("a.txt", b"x\ry\r")
    list(read_lines(open_file))
    assert not open_file.closed


@pytest.mark.parametrize(
    ("content", "row", "reason"),
    [
        ("a;b\nschön;x\n".encode("cp1252"), 2, "would say “schön;x” here. Save the file as UTF-8"),
        (
            "a;b\nx;y\n".encode("utf-16")[:-1],
            None,
            "begins as UTF-16 but does not continue as such",
        ),
        ("a\nb\n".encode("utf-16-le"), 1, "NUL"),
        (b'a,b\n"x,y\n', 2, "a quotation mark that opens is not closed"),
        (b'a,b\n"x"y,z\n', 2, "a cell continues after its closing quotation mark"),
        (b'a,b\n"x,' + b"\n" * 2_000 + b'",y\n', 2, "a quotation mark that opens is not closed"),
        (b"a,b\n1;2\n", 2, "the line has 1 cell, but the header has 2"),
        (b"", None, "the file is empty"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_row(content, row, reason):
    problem = problem_of(csv_files.read, upload("t.csv", content))
    assert (problem.file, problem.row) == ("t.csv", row)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("m.tmx", b'<?xml version="1.0"?>\n<tmx version="1.4">', "XML, such as TMX or XLIFF,"),
        ("m.tmx", "\n<tmx>".encode("utf-16"), "XML, such as TMX or XLIFF,"),
        ("m.docx", b"PK\x03\x04\x14\x00", "a document, a workbook or an archive"),
    ],
)
def test_what_is_no_plain_text_is_at_fault_itself(name, content, words):
    """As a source of three lines it would have the fault of every other file."""
    lines = upload("A.txt", b"1\n2\n")
    expected = f"{name}: this is {words}, not plain text. Use the page Import."
    rows = texts.from_lines(upload(name, content), {}, {"A": lines})
    assert str(problem_of(lambda: rows)) == expected
    edits = output_texts.POST_EDITS.from_lines({"A": upload(name, content)}, 2)
    assert str(problem_of(lambda: edits)) == expected


def test_a_folder_is_no_file(tmp_path):
    problem = problem_of(read_lines, tmp_path)
    assert str(problem) == f"{tmp_path.name}: this is a folder. Name a file in it."


@given(
    st.integers(0, 2**32), st.sampled_from([(";", "utf-8-sig"), ("\t", "utf-16"), (",", "cp1252")])
)
def test_damaged_tables_are_read_or_refused(seed, how):
    try:
        for row in read_table(upload("t.csv", mutated(saved(*how), seed)), Columns(("source",))):
            assert "\0" not in "".join(row.cells.values())
    except csv_files.ImportProblem as problem:
        assert problem.file == "t.csv"
