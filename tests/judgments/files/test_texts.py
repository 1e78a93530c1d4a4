"""Texts of a test set: parallel files and tables."""

import pytest

from judgments.files import texts

from .files import packed, problem_of, upload


def lines_files(**changes):
    files = {
        "source": upload("src.txt", b"eins\nzwei\n"),
        "references": {"ref": upload("ref.txt", b"one\ntwo\n")},
        "outputs": {
            "A": upload("A.txt", b"one a\ntwo a\n"),
            "B": upload("B.txt.gz", packed(b"one b\ntwo b\n")),
        },
        "documents": upload("docs.txt", b"d1\nd1\n"),
    }
    return files | changes


def read(**changes):
    return list(texts.from_lines(**lines_files(**changes)))


def test_line_n_of_every_file_is_segment_n():
    first, second = read()
    assert (second.key, second.document, second.source) == ("2", "d1", "zwei")
    assert second.references == {"ref": "two"}
    assert second.outputs == {"A": "two a", "B": "two b"}
    assert first.key == "1"


def test_documents_and_references_may_be_left_out():
    first, _ = read(references={}, documents=None)
    assert (first.document, first.references) == ("all", {})


@pytest.mark.parametrize(
    ("changes", "file", "row", "reason"),
    [
        (
            {"outputs": {"A": upload("A.txt", b"one\n")}},
            "A.txt",
            2,
            "the file has 1 line, but src.txt has 2",
        ),
        (
            {"references": {"ref": upload("ref.txt", b"one\ntwo\nthree\nfour\n")}},
            "ref.txt",
            3,
            "the file has 4 lines, but src.txt has 2",
        ),
        ({"documents": upload("docs.txt", b"d1\n")}, "docs.txt", 2, "the file has 1 line"),
        ({"source": upload("src.txt", b"\nx\n")}, "src.txt", 1, "the line is empty"),
        ({"source": upload("src.txt", b"x\n \t\n")}, "src.txt", 2, "the line is empty"),
        ({"documents": upload("docs.txt", b"d1\n\n")}, "docs.txt", 2, "the name is empty"),
        ({"documents": upload("docs.txt", b"news\t\nnews\td\n")}, "docs.txt", 1, "name is empty"),
        (
            {"documents": upload("docs.txt", b"ne\x01ws\td1\nnews\td1\n")},
            "docs.txt",
            1,
            "domain: “ne\x01ws” contains a character that cannot be shown",
        ),
        (
            {"documents": upload("docs.txt", b"d1\nd1 \n")},
            "docs.txt",
            2,
            "starts or ends with a space",
        ),
        ({"outputs": {}}, "src.txt", None, "no system output"),
        ({"outputs": {" A": upload("A.txt", b"")}}, "A.txt", None, "starts or ends with a space"),
        (
            {"outputs": {"A": upload("A.txt", b"one\ntw\xf6\n")}},
            "A.txt",
            2,
            "byte 3 of the line (0xf6) is not UTF-8",
        ),
    ],
)
def test_files_that_do_not_fit(changes, file, row, reason):
    problem = problem_of(lambda: read(**changes))
    assert (problem.file, problem.row) == (file, row)
    assert reason in problem.reason


def test_a_blank_line_of_a_system_is_an_empty_output():
    first, second = read(outputs={"A": upload("A.txt", b"one\n\n"), "B": upload("B", b" \t\nb\n")})
    assert first.outputs == {"A": "one", "B": ""}
    assert second.outputs == {"A": "", "B": "b"}


def test_a_blank_line_of_a_reference_means_there_is_none():
    first, second = read(references={"a": upload("a", b"one\n \n"), "b": upload("b", b"\ntwo\n")})
    assert (first.references, second.references) == ({"a": "one"}, {"b": "two"})


def test_documents_with_domains_as_in_mt_metrics_eval():
    first, second = read(documents=upload("docs.txt", b"news\td1\nsocial\td2\n"))
    assert (first.domain, first.document) == ("news", "d1")
    assert (second.domain, second.document) == ("social", "d2")


def test_documents_of_one_name_in_two_domains_are_two():
    lines = texts.DocumentLines()
    found = [lines.read("f", 1, line) for line in ("news\t1", "social\t1", "news\t1", "social\t1")]
    social = ("social", "social/1")
    assert found == [("news", "1"), social, ("news", "1"), social]


def test_files_that_belong_together_share_the_limit(settings):
    settings.MAX_UPLOAD_BYTES = 50  # source 10, reference 8, outputs 12 each, documents 6
    assert len(read()) == 2
    problem = problem_of(lambda: read(documents=upload("docs.txt", b"dd11\ndd11\n")))
    assert (problem.file, problem.row) == ("docs.txt", 2)
    assert "the files are larger than" in problem.reason


def test_empty_files_are_refused():
    nothing = {"references": {}, "outputs": {"A": upload("A.txt", b"")}, "documents": None}
    problem = problem_of(lambda: read(source=upload("src.txt", b""), **nothing))
    assert str(problem) == "src.txt: the file is empty."


def table(*rows: str, name: str = "t.tsv"):
    return upload(name, "".join(row + "\n" for row in rows).encode())


def test_a_table_names_its_texts_in_the_header():
    (found,) = texts.from_table(
        table(
            "segment\tdocument\tdomain\tsource\treference\treference:B\tsystem:x",
            "s1\td1\tnews\teins\tone\t1\tuno",
        )
    )
    assert (found.key, found.document, found.domain, found.source) == ("s1", "d1", "news", "eins")
    assert found.references == {"ref": "one", "B": "1"}
    assert found.outputs == {"x": "uno"}


def test_empty_cells_of_a_table():
    (found,) = texts.from_table(table("source\treference:a\tsystem:x\tsystem:y", "eins\t \t\tuno"))
    assert (found.references, found.outputs) == ({}, {"x": "", "y": "uno"})


def test_a_table_as_json_lines_without_keys():
    line = '{"source": "a", "system:x": "b\\nc"}'
    first, second = texts.from_table(table(line, line, name="t.jsonl"))
    assert (first.key, second.key, second.document) == ("1", "2", "all")
    assert second.outputs == {"x": "b\nc"}


@pytest.mark.parametrize(
    ("rows", "row", "column", "reason"),
    [
        (["source\tsystem:x", "\tb"], 2, "source", "the cell is empty"),
        (["source\tsystem:x", "a\tb", " \tb"], 3, "source", "the cell is empty"),
        (["source\treference", "a\tb"], 2, "", "no column contains system outputs"),
        (["system:x", "a"], 1, "source", "this column is missing"),
        (["source\tsystm:x", "a\tb"], 1, "systm:x", "not known here"),
        (["source\tsystem: x", "a\tb"], 2, "system: x", "starts or ends with a space"),
        (
            ["source\treference\treference:ref\tsystem:x", "a\tb\tc\td"],
            2,
            "reference",
            "two columns",
        ),
        (
            ["segment\tsource\tsystem:x", "1\ta\tb", "2\ta\tb", "1\ta\tb"],
            4,
            "segment",
            "“1” is already the name of row 2",
        ),
        (["document\tsource\tsystem:x", "\ta\tb"], 2, "document", "the cell is empty"),
    ],
)
def test_tables_that_do_not_fit(rows, row, column, reason):
    problem = problem_of(texts.from_table, table(*rows))
    assert (problem.row, problem.column) == (row, column)
    assert reason in problem.reason


def test_every_line_of_json_has_the_same_texts():
    rows = ['{"source": "a", "system:x": "b"}', '{"source": "a", "system:x": "b", "system:y": "c"}']
    problem = problem_of(texts.from_table, table(*rows, name="t.jsonl"))
    assert (problem.row, problem.column) == (2, "system:y")
