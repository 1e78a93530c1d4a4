"""Bilingual documents of Word, made with python-docx."""

import io
import zipfile

import pytest

from judgments.files.problem import ImportProblem

from .table_files import as_document, as_workbook, read

TWO = "Deutsch\tEnglish\nein Haus\ta house\nzwei\ttwo"
ANSWERS = {"column:Deutsch": "source", "column:English": "text", "system": "DeepL"}


def altered(document: bytes, old: str, new: str) -> bytes:
    """A document whose text in XML is changed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as given, zipfile.ZipFile(stream, "w") as written:
        for part in given.infolist():
            content = given.read(part)
            if part.filename == "word/document.xml":
                content = content.replace(old.encode(), new.encode())
            written.writestr(part.filename, content)
    return stream.getvalue()


def rows(texts):
    [segments] = texts.values()
    return [(row.source, dict(row.outputs)) for row in segments]


@pytest.mark.parametrize(
    ("name", "content"), [("t.docx", as_document(TWO)), ("t.xlsx", as_workbook(TWO))]
)
def test_two_columns_are_source_and_output(tmp_path, name, content):
    release, *_ = read(tmp_path, **{name: content})
    asked = {each.name: each for each in release.questions if each.name.startswith("column:")}
    assert list(asked) == ["column:Deutsch", "column:English"]
    assert {"source", "text", "unused"} <= {value for value, _ in asked["column:Deutsch"].choices}
    _, _, texts, problems = read(tmp_path, ANSWERS, **{name: content})
    assert not problems
    assert rows(texts) == [("ein Haus", {"DeepL": "a house"}), ("zwei", {"DeepL": "two"})]


def test_tracked_changes_are_accepted_and_paragraphs_are_lines(tmp_path):
    run = "<w:r><w:t>a house</w:t></w:r>"
    new = (
        '<w:ins w:id="1" w:author="x"><w:r><w:t>a</w:t></w:r></w:ins><w:del w:id="2" w:author="x">'
        "<w:r><w:delText>the</w:delText></w:r></w:del><w:r><w:tab/><w:t>house</w:t></w:r></w:p><w:p>"
        "<w:r><w:t>here</w:t></w:r>"
    )
    content = altered(as_document(TWO), run, new)
    _, _, texts, _ = read(tmp_path, ANSWERS, **{"t.docx": content})
    assert rows(texts)[0] == ("ein Haus", {"DeepL": "a\thouse\nhere"})


def test_what_is_no_table_is_said(tmp_path):
    with pytest.raises(ImportProblem, match="there is no table in it"):
        read(tmp_path, **{"t.docx": as_document("one row")})
    with pytest.raises(ImportProblem, match="not a readable document"):
        read(tmp_path, **{"t.docx": altered(as_document(TWO), "</w:tbl>", "<w:tbl>")})
    merged = altered(
        as_document(TWO),
        "<w:t>two</w:t></w:r></w:p></w:tc>",
        "</w:r></w:p></w:tc><w:tc><w:p/></w:tc>",
    )
    *_, problems = read(tmp_path, ANSWERS, **{"t.docx": merged})
    assert str(problems.first[0]) == (
        "t.docx, table 1, row 3: the row has 3 cells, but the first one has 2."
    )
