"""Our own long tables as TSV, workbook and Parquet: out and in, and what they refuse."""

import shutil
import zipfile
from datetime import UTC, datetime

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import (
    Exclusion,
    JudgedScreen,
    JudgmentsPart,
    MarkedSpan,
    Problems,
    Release,
    Remark,
    TextsPart,
)
from judgments.exchange.releases.tables.long_formats import LongTsv, ParquetTables, XlsxWorkbook
from judgments.files import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, opened
from tests.releases import facts

FORMATS = [LongTsv(), XlsxWorkbook(), ParquetTables()]
# No surrogates and no NUL, which the database cannot hold; else whatever there is.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARACTERS, max_size=30) | st.sampled_from(
    ["=1+1", "'=1", "_x0001_", "\x01\r\n\t", "  ", '"', "_x000D_x", "１", "-3", "+x", "\ufffe"]
)
# As the database has them: printable, without spaces around.
PRINTABLE = CHARACTERS.filter(lambda character: character.isprintable() and character != " ")
NAMES = st.text(PRINTABLE, min_size=1, max_size=8) | st.sampled_from(
    ["=cmd|x", "@a", "007", "1e5", "'-", "true"]
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
MOMENTS = st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2026, 1, 1)).map(
    lambda moment: moment.replace(tzinfo=UTC)
)


def one_line(text):
    return text.translate(str.maketrans("\t\r\n", "   "))


@st.composite
def releases(draw, texts=TEXTS):
    systems = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    keys = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    segments = [
        SegmentTexts(
            "f",
            row,
            key,
            draw(NAMES),
            draw(texts),
            draw(st.dictionaries(NAMES, texts, max_size=2)),
            {system: draw(texts) for system in systems if draw(st.booleans())},
            draw(NAMES),
            draw(st.sampled_from(["", "de"])),
        )
        for row, key in enumerate(keys, 1)
    ]
    parts = [TextsPart("1", draw(NAMES), "de", "en", lambda: segments, draw(st.booleans()))]
    if draw(st.booleans()):
        parts.append(TextsPart("2", draw(NAMES), "cs", "uk", lambda: segments))
    judged = []
    for _ in range(draw(st.integers(0, 2))):
        screens = draw(st.lists(judged_screens(keys, systems), max_size=3))
        judged.append(
            JudgmentsPart(
                draw(NAMES),
                draw(st.sampled_from([part.key for part in parts])),
                "custom-rating",
                lambda screens=screens: screens,
                {"dimensions": [{"slug": "x", "low": None}]},
                exclusions=[Exclusion(draw(NAMES), draw(NAMES))],
            )
        )
    return Release(parts, judged)


@st.composite
def judged_screens(draw, keys, systems):
    shown = draw(st.permutations(systems))
    spans = st.builds(
        MarkedSpan,
        st.sampled_from(systems),
        st.sampled_from(["source", "target", "missing"]),
        st.integers(0, 9),
        st.integers(10, 99),
        NAMES,
        NAMES,
    )
    preferences = [(shown[0], shown[-1], 1, draw(st.sampled_from([None, 1, 2])))]
    return JudgedScreen(
        "f",
        1,
        draw(NAMES),
        draw(st.sampled_from(keys)),
        shown,
        draw(NAMES),
        draw(st.sampled_from(["regular", "repeat", "control"])),
        draw(st.sampled_from(["", "fluency"])),
        [(system, "x", draw(NUMBERS)) for system in shown if draw(st.booleans())],
        frozenset(shown[1:]) if draw(st.booleans()) else frozenset(),
        preferences if len(shown) > 1 and draw(st.booleans()) else [],
        draw(st.none() | st.lists(spans, max_size=2)),
        draw(MOMENTS),
        draw(MOMENTS),
        draw(st.none() | st.integers(0, 10**6)),
    )


def around(form, release, folder):
    """The release, written and read again."""
    target = Folder(folder / form.slug)
    shutil.rmtree(target.place, ignore_errors=True)
    form.write(release, target)
    with opened([target.place]) as files:
        problems = Problems()
        assert {each.slug for each, _ in registry.recognize(files)[0]} == {form.slug}
        found = registry.read(files, {}, problems)
        said = facts(found), [part.exclusions for part in found.judgments]
        assert not problems, problems.first
    return said


def expected(release):
    return facts(release), [part.exclusions for part in release.judgments]


@pytest.mark.proof
@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=20)
@given(release=releases())
@pytest.mark.parametrize("form", FORMATS[1:], ids=lambda form: form.slug)
def test_out_and_in(tmp_path, form, release):
    assert around(form, release, tmp_path) == expected(release)


@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=20)
@given(release=releases(TEXTS.map(one_line)))
def test_out_and_in_as_tsv(tmp_path, release):
    """A line break within a text becomes a space; everything else comes back."""
    assert around(LongTsv(), release, tmp_path) == expected(release)


def small():
    segments = [SegmentTexts("f", 1, "s1", "d", "Quelle", {"ref": "=source"}, {"A": "=1+1"})]
    screen = JudgedScreen("f", 1, "Mia", "s1", ["A"], "i", ratings=[("A", "da", 55.5)])
    return Release(
        [TextsPart("1", "t", "de", "en", lambda: segments)],
        [JudgmentsPart("c", "1", "direct-assessment", lambda: [screen])],
    )


def test_nothing_is_a_formula(tmp_path):
    LongTsv().write(small(), Folder(tmp_path))
    assert "\t'=1+1\n" in (tmp_path / "outputs.tsv").read_text()
    XlsxWorkbook().write(small(), Folder(tmp_path))
    with zipfile.ZipFile(tmp_path / "campaign.xlsx") as book:
        sheets = [book.read(name).decode() for name in book.namelist() if "sheets/" in name]
    assert any("<t>'=1+1</t>" in sheet for sheet in sheets)
    assert not any("<f>" in sheet for sheet in sheets)


def read(path):
    with opened([path]) as files:
        problems = Problems()
        release = registry.read(files, {}, problems)
        found = facts(release)
    return found, problems


def test_rows_in_another_order_are_named(tmp_path):
    release = small()
    segments = list(release.texts[0].segments())
    screens = [
        JudgedScreen("f", row, "Mia", "s1", ["A"], str(row), ratings=[("A", "da", 5.0)])
        for row in (1, 2)
    ]
    release.judgments = [JudgmentsPart("c", "1", "direct-assessment", lambda: screens)]
    LongTsv().write(release, Folder(tmp_path / "t"))
    path = tmp_path / "t" / "observations.tsv"
    header, one, two = path.read_text().splitlines()
    path.write_text("\n".join([header, two, one]))
    _, problems = read(tmp_path / "t")
    assert [(p.file, p.row, p.column) for p in problems.first] == [
        ("t/observations.tsv", None, "judgment")
    ]
    assert "from row 3 on" in problems.first[0].reason
    assert segments[0].outputs == {"A": "=1+1"}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.slug)
def test_comments_come_back(tmp_path, form):
    release = small()
    (screen,) = release.judgments[0].screens()
    screen.remarks = [Remark("=odd", "A", "target", 0, 3), Remark("The whole screen.")]
    form.write(release, Folder(tmp_path / "t"))
    with opened([tmp_path / "t"]) as files:
        problems = Problems()
        (found,) = registry.read(files, {}, problems).judgments[0].screens()
    assert found.remarks == screen.remarks and not problems


def three_judgments(folder):
    """Write tables of three judgments of one rating each; return the path of `judgments`."""
    release = small()
    screens = [
        JudgedScreen("f", row, "Mia", "s1", ["A"], str(row), ratings=[("A", "da", float(row))])
        for row in (1, 2, 3)
    ]
    release.judgments = [JudgmentsPart("c", "1", "direct-assessment", lambda: screens)]
    LongTsv().write(release, Folder(folder / "t"))
    return folder / "t" / "judgments.tsv"


def test_a_missing_judgment_takes_only_its_own_rows_along(tmp_path):
    path = three_judgments(tmp_path)
    header, one, _, three = path.read_text().splitlines()
    path.write_text("\n".join([header, one, three]))
    with opened([tmp_path / "t"]) as files:
        problems = Problems()
        (part,) = registry.read(files, {}, problems).judgments
        found = [screen.ratings[0][2] for screen in part.screens()]
    assert found == [1.0, 3.0]
    (problem,) = problems.first
    assert (problem.file, problem.row) == ("t/observations.tsv", 3)


def test_tables_may_be_sorted_otherwise(tmp_path):
    """By annotator, for example: numbers need not rise, and a judgment may have no rows."""
    path = three_judgments(tmp_path)
    header, one, two, three = path.read_text().splitlines()
    path.write_text("\n".join([header, one, three, two]))
    path = tmp_path / "t" / "observations.tsv"
    path.write_text("\n".join(path.read_text().splitlines()[:3]))
    with opened([tmp_path / "t"]) as files:
        problems = Problems()
        (part,) = registry.read(files, {}, problems).judgments
        found = [[value for _, _, value in screen.ratings] for screen in part.screens()]
    assert found == [[1.0], [], [2.0]] and not problems


def test_sheets_with_other_columns_are_read_or_named(tmp_path):
    XlsxWorkbook().write(small(), Folder(tmp_path))
    path = tmp_path / "campaign.xlsx"
    book = openpyxl.load_workbook(path)
    sheet = book["observations"]
    sheet.insert_cols(1)
    sheet["A1"], sheet["A2"] = "comment", "checked"
    book.create_sheet("Notes").append(["what", "who"])
    book.save(path)
    with opened([path]) as files:
        release = registry.read(files, {}, Problems())
        (screen,) = release.judgments[0].screens()
    assert screen.ratings == [("A", "da", 55.5)]
    assert sorted(release.notes) == [
        "1 column is not used from campaign.xlsx, sheet observations: comment.",
        "campaign.xlsx, sheet Notes was left out: it is none of our tables.",
    ]
    sheet = book["observations"]
    sheet.delete_cols(next(cell.column for cell in sheet[1] if cell.value == "value"))
    book.save(path)
    with pytest.raises(ImportProblem, match="column value: this column is missing"):
        read(path)


def test_bad_cells_are_named(tmp_path):
    LongTsv().write(small(), Folder(tmp_path / "t"))
    path = tmp_path / "t" / "observations.tsv"
    path.write_text(path.read_text().replace("55.5", "much"))
    _, problems = read(tmp_path / "t")
    assert [(p.file, p.row, p.column) for p in problems.first] == [
        ("t/observations.tsv", 2, "value")
    ]
    path.write_text(path.read_text().replace("\tmuch\t", "\t5\t").replace("\tA\t", "\tB\t"))
    _, problems = read(tmp_path / "t")
    assert [(p.file, p.row, p.column) for p in problems.first] == [
        ("t/judgments.tsv", 2, "outputs")
    ]


@pytest.mark.parametrize("form", FORMATS[1:], ids=lambda form: form.slug)
def test_torn_files(tmp_path, form):
    form.write(small(), Folder(tmp_path / "t"))
    for path in (tmp_path / "t").iterdir():
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ImportProblem):
        read(tmp_path / "t")
