"""Reports as files: nothing that somebody wrote is markup, a command or a formula."""

import dataclasses
import io
import re
import shutil
import subprocess

import cmarkgfm
import openpyxl
import pypdf
import pytest

from judgments.publishing.report.blocks import (
    CampaignReport,
    Grid,
    Heading,
    Prose,
    ReportPart,
    Statement,
    Terms,
    Verbatim,
    narrowed,
    to_add,
)
from judgments.publishing.report.writers import FORMATS, latex, markdown, pdf
from judgments.publishing.report.writers.cut import MOST_ROWS, in_parts
from judgments.web.tables import Column, Table

HOSTILE = (
    "=HYPERLINK(1)",
    r"\input{/etc/passwd}",
    r"50 % & $x_1^2$ #1 ~ {a} \end{document}",
    "<script>alert(1)</script>",
    "a | b",
    '#import "x" #eval("1")',
    "*bold* _it_ `code` [a](http://x) ![b](c)",
    "-1+1",
    "1. one",
    "@SUM(1)",
    "line\r\n\\\\ two",
    "nul\x00esc\x1b",
)


def table(rows, **fields):
    columns = ("system", Column("score", "Mean <b>", "number"), Column("note", "N&te", "text"))
    return Table("scores-x", "Scores & | <i>", columns, rows, **fields)


def report_of(*blocks, title="Title"):
    return CampaignReport(
        title, "Subtitle", "All judgments count.", (ReportPart("p", "Part", blocks),)
    )


@pytest.fixture
def hostile():
    rows = [(name, 1.25, name) for name in HOSTILE]
    return report_of(
        Prose((Statement(HOSTILE[3]), to_add(HOSTILE[1]))),
        Heading(HOSTILE[2]),
        Terms(tuple((name, Statement(name)) for name in HOSTILE)),
        Verbatim("\n".join(HOSTILE), "en", "ltr"),
        Grid(table(rows), HOSTILE[4]),
        title=HOSTILE[3],
    )


def test_html_escapes_everything_and_runs_nothing(hostile):
    text = FORMATS["html"].write(hostile).decode()
    assert "<script" not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 5
    assert "default-src 'none'" in text
    assert not re.search(r"(src|href)=\"(?!#)", text)  # nothing is fetched
    assert "<mark>[To add: \\input{/etc/passwd}]</mark>" in text


UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*[&%$#_^~]")


def test_latex_has_no_command_of_a_text(hostile):
    text = FORMATS["tex"].write(hostile).decode()
    assert r"\input" not in text
    assert text.count(r"\end{document}") == 1
    assert r"\textbackslash{}input\{/etc/passwd\}" in text
    assert r"\usepackage{booktabs}" in text and r"\toprule" in text and r"\bottomrule" in text
    body = text[text.index(r"\toprule") : text.index(r"\end{tabular}")].splitlines()
    rows = [line for line in body if line.endswith(r"\\")]
    assert len(rows) == len(HOSTILE)  # a row each: a line break of a name is none of the table
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == 2
    assert latex.escaped("a[b]*-1\x00") == "a{[}b{]}{*}-{}1 "


@pytest.mark.parametrize("char", list("\\{}$&#%_^~"))
def test_latex_escapes_each_special_character(char):
    found = latex.escaped(f"a{char}b")
    assert found != f"a{char}b"
    assert not UNESCAPED.search(found.replace("{}", ""))


def test_a_long_table_of_latex_is_in_parts(hostile):
    rows = [(f"system-{n}", n, "word " * 30) for n in range(latex.LONG + 1)]
    report = report_of(Grid(table(rows), "Below.", address="http://x/f/1/"))
    text = FORMATS["tex"].write(report).decode()
    assert text.count(r"\begin{tabular}{lrp{22em}}") == text.count(r"\toprule System") == 2
    assert text.count(r"\caption{") == text.count(r"\label{tab:scores-x}") == 1
    assert text.count(", continued}") == 1
    assert all(f"system-{{}}{n} &" in text for n in range(len(rows)))
    assert text.count("http://x/f/1/") == 1


@pytest.mark.slow
@pytest.mark.parametrize("program", ["lualatex", "pdflatex"])
def test_latex_compiles_and_stays_on_the_paper(hostile, tmp_path, program):
    if not shutil.which(program):
        pytest.skip(f"needs {program} (Debian: texlive-luatex, texlive-latex-extra)")
    rows = [(f"system-{n}", n, "word " * 30) for n in range(latex.LONG + 1)]
    wide = Table("wide", "Wide", tuple(f"a long head {n}" for n in range(30)), [("x",) * 30])
    hashed = Terms(
        (("Hash of everything " * 6, Statement(2 * "4beb0bbd8d07d99f8c4ff6d6095d7ce7")),)
    )
    signed = Table("signed", "Signed", ("metric", "signature"), [("x", "chrF2|nrefs:2|" * 9)])
    more = report_of(hashed, Grid(table(rows), ""), Grid(wide, ""), Grid(signed, ""))
    parts = (*hostile.parts, *more.parts)
    file = tmp_path / "report.tex"
    file.write_bytes(FORMATS["tex"].write(dataclasses.replace(hostile, parts=parts)))
    command = [program, "-interaction=nonstopmode", "-halt-on-error", file.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "in alignment" not in done.stdout  # what TeX says of a table that is too wide
    assert "Overfull" not in done.stdout  # and of a line


def test_markdown_says_what_was_written(hostile):
    text = FORMATS["md"].write(hostile).decode()
    page = cmarkgfm.github_flavored_markdown_to_html(text)
    assert page.count("<tr>") == 1 + len(HOSTILE)
    for forbidden in ("<script", "<em>it", "<code>", "<a ", "<img", "<ol>", "<i>"):
        assert forbidden not in page, forbidden
    for row in re.findall(r"<tr>\n(.*?)</tr>", page, re.DOTALL):
        assert len(re.findall("<t[dh]", row)) == 3
    assert "<td>a | b</td>" in page
    assert markdown.escaped("1. one") == "1\\. one"
    assert markdown.escaped("- a") == "\\- a"


def test_workbook_holds_numbers_and_guards_texts(hostile):
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(hostile)))
    assert book.sheetnames == ["Report", "scores-x"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value]
    assert not [cell for cell in cells if cell.data_type == "f"]
    texts = [cell.value for cell in cells if isinstance(cell.value, str)]
    assert not [text for text in texts if text[0] in "=+-@"]
    assert "'=HYPERLINK(1)" in texts and "'-1+1" in texts
    numbers = [cell.value for cell in cells if isinstance(cell.value, float)]
    assert numbers == [1.25] * len(HOSTILE)


def read(content):
    found = pypdf.PdfReader(io.BytesIO(content))
    return " ".join(" ".join(page.extract_text() for page in found.pages).split())


def test_pdf_opens_and_says_what_was_written(hostile):
    text = read(FORMATS["pdf"].write(hostile))
    for name in (HOSTILE[0], HOSTILE[1], HOSTILE[3], 'import "x" #eval("1")', "50 % & $x_1^2$"):
        assert name in text, name
    assert "1.25" in text


def wide_table(n_columns=24):
    heads = tuple(Column(f"c{n}", f"A rather long head {n}", "text") for n in range(n_columns))
    return Table("wide", "Wide", heads, [[f"cell {n}" for n in range(n_columns)]] * 3)


def test_a_wide_table_stands_in_parts_with_its_first_column(hostile):
    parts = in_parts(Grid(wide_table(), "Below.", address="http://x/f/1/"))
    assert len(parts) > 1
    heads = [[head.key for head in part.table.heads] for part in parts]
    assert all(keys[0] == "c0" for keys in heads)
    assert [key for keys in heads for key in keys[1:]] == [f"c{n}" for n in range(1, 24)]
    assert [part.below for part in parts] == [""] * (len(parts) - 1) + ["Below."]
    whole = Grid(wide_table(3), "Below.")
    assert in_parts(whole) == [whole]
    text = FORMATS["tex"].write(report_of(*parts)).decode()
    assert text.count("http://x/f/1/") == 1


def sizes_of(content):
    """The sizes of all letters of a PDF, in points, and the last line of each page."""
    sizes, ends = set(), []
    for page in pypdf.PdfReader(io.BytesIO(content)).pages:
        lines: list[str] = []

        def see(text, user, matrix, font, size, lines=lines):
            if text.strip():
                sizes.add(round(abs(size * matrix[3] * user[3]), 1))
                lines.append(text.strip())

        page.extract_text(visitor_text=see)
        ends.append(lines)
    return sizes, ends


def test_no_letters_of_a_pdf_are_too_small_and_no_heading_stands_alone(hostile):
    rows = [(f"s{n}", float(n), "") for n in range(MOST_ROWS)]
    blocks = []
    for n in range(9):
        blocks += [Heading(f"Heading {n}"), Prose((Statement("word " * 90 * n),))]
        blocks += [Grid(table(rows[: 7 * n + 1]), "below"), Grid(wide_table(), "below")]
    content = FORMATS["pdf"].write(report_of(*blocks))
    sizes, pages = sizes_of(content)
    assert min(sizes) >= 8
    assert len(pages) > 5
    for lines in pages:
        *_, last = (line for line in lines if not re.fullmatch(r"\d+ / \d+", line))
        assert not last.startswith("Heading"), last
        assert last not in ("Wide", "Scores & | <i>"), last


def test_a_pdf_is_tagged_and_poppler_has_no_complaint(hostile, tmp_path):
    file = tmp_path / "report.pdf"
    file.write_bytes(FORMATS["pdf"].write(hostile))
    root = pypdf.PdfReader(file).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    if not shutil.which("pdfinfo"):
        pytest.skip("needs pdfinfo (Debian: poppler-utils)")
    for command in (["pdfinfo"], ["pdftotext", "-layout"]):
        done = subprocess.run(
            [*command, file.name], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), command
    printed = subprocess.run(["pdfinfo", file.name], cwd=tmp_path, capture_output=True, text=True)
    assert re.search(r"Tagged: +yes", printed.stdout)


def test_pdf_names_the_characters_that_no_font_has():
    """A private character: no font of any machine has it."""
    private = "\U0010fffd"
    text = read(FORMATS["pdf"].write(report_of(Prose((Statement(f"a{private}b"),)))))
    assert "U+10FFFD" in text
    assert "No font of this machine has 1 characters" in text


def test_pdf_sets_right_to_left():
    """Hebrew, which the fonts of the program have: the letters come in the order of reading."""
    blocks = [Verbatim("שלום עולם", "he", "rtl"), Verbatim("مرحبا", "ar", "rtl")]
    text = read(FORMATS["pdf"].write(report_of(*blocks, Verbatim("x", "?", "ltr"))))
    assert "No font" not in text
    assert set("שלוםע") <= set(text)


def test_missing_characters_are_read_from_the_message():
    message = (
        'error: the text `"\\u{1b}"` could not be displayed\nthe text `"日"` could not be displayed'
    )
    assert pdf.missing_in(message) == {"\x1b", "日"}


def test_long_tables_are_cut_for_readers_and_whole_in_workbooks():
    rows = [(f"s{n}", float(n), "") for n in range(MOST_ROWS + 5)]
    report = report_of(Grid(table(rows), "below"))
    text = FORMATS["md"].write(report).decode()
    assert f"| s{MOST_ROWS - 1} |" in text and f"| s{MOST_ROWS} |" not in text
    assert "5 more rows" in text
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(report)))
    assert book["scores-x"].max_row >= 1 + MOST_ROWS + 5


def test_columns_are_left_out_but_the_first():
    report = report_of(Grid(table([("a", 1.0, "x")]), ""))
    (grid,) = narrowed(report, ["system", "score"]).grids
    assert grid.table.keys == ["system", "note"]
    assert grid.table.rows == [("a", "x")]


def test_sheets_of_one_slug_have_names_of_their_own():
    long = "a-very-long-slug-of-a-table-that-goes-on"
    grids = [Grid(Table(long, "T", ("a",), [(1,)]), "") for _ in range(3)]
    book = openpyxl.load_workbook(io.BytesIO(FORMATS["xlsx"].write(report_of(*grids))))
    assert len({name.lower() for name in book.sheetnames}) == 4
    assert all(len(name) <= 31 for name in book.sheetnames)
