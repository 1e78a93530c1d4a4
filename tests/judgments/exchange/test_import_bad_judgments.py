"""Bad files of judgments: each is refused with file, row, column and reason, and adds nothing."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from judgments.exchange.judgments.importer import import_judgments
from judgments.files import ImportProblem
from judgments.models import (
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Output,
    Preference,
    Rating,
    Task,
)
from tests import factory

from ..files.files import packed, upload

pytestmark = pytest.mark.django_db

RATINGS = "annotator\tsegment\tsystem\tdimension\tvalue"
RANKINGS = "ranking\tannotator\tsegment\tsystem\trank"
PREFERENCES = "annotator\tsegment\tsystem_a\tsystem_b\tpreference"
GOOD = "a\t1\tSystem-A\tadequacy\t4"
WRITTEN = (get_user_model(), Membership, Task, Item, ItemOutput, Judgment, Rating, Preference)


@pytest.fixture
def test_set():
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


def make_campaign(test_set, preset="adequacy-fluency", **fields):
    return factory.make_campaign(test_set, preset=preset, owner=test_set.owner, **fields)


def refused(campaign, content, name="r.tsv") -> ImportProblem:
    """The problem of a file, once it is clear that it left nothing behind."""
    if not isinstance(content, bytes):
        content = "".join(row + "\n" for row in content).encode()
    before = [model.objects.count() for model in WRITTEN]
    with pytest.raises(ImportProblem) as caught:
        import_judgments(campaign, upload(name, content))
    assert [model.objects.count() for model in WRITTEN] == before
    assert caught.value.file == name
    return caught.value


@pytest.mark.parametrize(
    ("row", "column", "reason"),
    [
        ("a\t9\tSystem-A\tadequacy\t4", "segment", "“9” is not a segment of the test set"),
        ("a\t\tSystem-A\tadequacy\t4", "segment", "the cell is empty"),
        ("a\t1\tSystem-X\tadequacy\t4", "system", "Its systems: “System-A, System-B, System-C”"),
        ("a\t1\tSystem-B\tbeauty\t4", "dimension", "not asked in this campaign; adequacy, fluency"),
        ("a\t1\tSystem-B\tadequacy\t6", "value", "6 is not on the scale from 1 to 5"),
        ("a\t1\tSystem-B\tadequacy\t0", "value", "0 is not on the scale from 1 to 5"),
        ("a\t1\tSystem-B\tadequacy\t2.5", "value", "in steps of 1"),
        ("a\t1\tSystem-B\tadequacy\tNaN", "value", "“NaN” is not a number"),
        ("a\t1\tSystem-B\tadequacy\tinf", "value", "“inf” is not a number"),
        ("a\t1\tSystem-B\tadequacy\tgood", "value", "“good” is not a number"),
        ("a\t1\tSystem-B\tadequacy\t", "value", "the cell is empty"),
        ("a\t1\tSystem-B\tadequacy\t4,5", "value", "“4,5” is not a number"),
        ("\t1\tSystem-B\tadequacy\t4", "annotator", "the cell is empty"),
        (" a\t1\tSystem-B\tadequacy\t4", "annotator", "starts or ends with a space"),
        ("x" * 151 + "\t1\tSystem-B\tadequacy\t4", "annotator", "longer than 150"),
        (
            "owner\t1\tSystem-B\tadequacy\t4",
            "annotator",
            "is this campaign's owner, not an annotator",
        ),
        (
            GOOD,
            "system",
            "duplicate: “a” has already judged this in this item, which starts in row",
        ),
        ("a\t1\tSystem-B\tadequacy", "", "the line has 4 cells, but the header has 5"),
        ("", "", "the line is empty"),
    ],
)
def test_a_row_that_does_not_fit(test_set, row, column, reason):
    problem = refused(make_campaign(test_set), [RATINGS, GOOD, row, "a\t2\tSystem-A\tadequacy\t4"])
    assert (problem.row, problem.column) == (3, column)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("columns", "cells", "column", "reason"),
    [
        (
            "kind",
            "odd",
            "kind",
            "“odd” is not a kind of item. The kinds are regular, repeat, reference, degraded",
        ),
        ("copied", "maybe", "copied", "“maybe” should be yes, no or empty"),
        ("item", "x" * 201, "item", "longer than 200"),
        ("started", "yesterday", "started", "is not a time such as 2026-03-01T14:05:00Z"),
        ("started", "0001-01-01T00:00:00+23:59", "started", "is before 1900"),
        ("started", "1711317347000", "started", "is not a time"),
        ("started", "2026-02-30T10:00:00Z", "started", "is not a time"),
        ("submitted", "2026-01-02T25:00:00Z", "submitted", "is not a time"),
        ("submitted", "2999-01-01T00:00:00Z", "submitted", "is in the future"),
        (
            "started\tsubmitted",
            "2026-01-02T10:00:01Z\t2026-01-02T10:00:00Z",
            "submitted",
            "before it was started",
        ),
        ("seconds", "-1", "seconds", "-1 seconds is not a time for a judgment"),
        ("seconds", "nan", "seconds", "is not a number"),
        ("seconds", "700000", "seconds", "is not a time for a judgment"),
        ("odd", "0.5", "odd", "not known here. The known columns are annotator, segment, system"),
    ],
)
def test_an_optional_column_that_does_not_fit(test_set, columns, cells, column, reason):
    rows = [f"{RATINGS}\t{columns}", f"{GOOD}\t{cells}"]
    problem = refused(make_campaign(test_set), rows)
    assert (problem.row, problem.column) == (1 if column == "odd" else 2, column)
    assert reason in problem.reason


def test_rows_of_one_item_agree(test_set):
    campaign = make_campaign(test_set)
    header = RATINGS + "\titem\tkind\tseconds"
    first = "a\t1\tSystem-A\tadequacy\t4\ti1\tregular\t5"
    for second, column in (
        ("a\t2\tSystem-B\tadequacy\t4\ti1\tregular\t5", "segment"),
        ("a\t1\tSystem-A\tfluency\t4\ti1\trepeat\t5", "kind"),
        ("a\t1\tSystem-B\tadequacy\t4\ti1\tregular\t6", "seconds"),
    ):
        problem = refused(campaign, [header, first, second])
        assert (problem.row, problem.column) == (3, column)
        assert "row 2" in problem.reason


@pytest.mark.parametrize(
    ("rows", "row", "column", "reason"),
    [
        (["r\ta\t1\tSystem-A\t1"], 2, "", "shows 1 output; in this campaign one shows 2 to 5"),
        (["r\ta\t1\tSystem-A\t6"], 2, "rank", "6 is not on the scale from 1 to 5"),
        (["r\ta\t1\tSystem-A\t0"], 2, "rank", "0 is not on the scale"),
        (["r\ta\t1\tSystem-A\t-1"], 2, "rank", "-1 is not on the scale"),
        (["\ta\t1\tSystem-A\t1"], 2, "ranking", "the cell is empty"),
        (["r\ta\t1\tSystem-A\t1", "r\ta\t1\tSystem-A\t1"], 3, "system", "duplicate"),
        (["r\ta\t1\tSystem-A\t1", "r\tb\t1\tSystem-B\t1"], 3, "annotator", "row 2 has the same"),
        (["r\ta\t1\tSystem-A\t1", "r\ta\t2\tSystem-B\t1"], 3, "segment", "row 2 has the same"),
    ],
)
def test_rankings_that_do_not_fit(test_set, rows, row, column, reason):
    problem = refused(make_campaign(test_set, "relative-ranking"), [RANKINGS, *rows])
    assert (problem.row, problem.column) == (row, column)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("rows", "row", "column", "reason"),
    [
        (["a\t1\tSystem-A\tSystem-B\t2"], 2, "preference", "should be 1 (a is better)"),
        (["a\t1\tSystem-A\tSystem-B\tA"], 2, "preference", "should be 1 (a is better)"),
        (["a\t1\tSystem-A\tSystem-A\t1"], 2, "system_b", "not compared with itself"),
        (["a\t1\tSystem-A\tSystem-X\t1"], 2, "system_b", "is not a system"),
        (["a\t1\tSystem-A\tSystem-B\t1"] * 2, 3, "", "duplicate"),
        (["a\t1\tSystem-A\tSystem-B\t1", "a\t1\tSystem-B\tSystem-A\t0"], 3, "", "duplicate"),
    ],
)
def test_preferences_that_do_not_fit(test_set, rows, row, column, reason):
    problem = refused(make_campaign(test_set, "pairwise"), [PREFERENCES, *rows])
    assert (problem.row, problem.column) == (row, column)
    assert reason in problem.reason


@pytest.mark.parametrize(
    ("row", "reason"),
    [("1\t3", "slightly better"), ("-1\tx", "slightly better"), ("0\t1", "equal translations")],
)
def test_strengths_that_do_not_fit(test_set, row, reason):
    rows = [f"{PREFERENCES}\tstrength", f"a\t1\tSystem-A\tSystem-B\t{row}"]
    problem = refused(make_campaign(test_set, "pairwise"), rows)
    assert (problem.column, problem.row) == ("strength", 2)
    assert reason in problem.reason


def test_an_item_of_preferences_holds_one(test_set):
    rows = ["a\t1\tSystem-A\tSystem-B\t1\ti", "a\t1\tSystem-A\tSystem-C\t1\ti"]
    problem = refused(make_campaign(test_set, "pairwise"), [PREFERENCES + "\titem", *rows])
    assert (problem.row, "duplicate" in problem.reason) == (3, True)


def test_more_outputs_than_a_screen_holds(test_set):
    campaign = make_campaign(test_set, options={"outputs_per_item": 2})
    rows = [f"a\t1\tSystem-{s}\tadequacy\t4" for s in "ABC"]
    problem = refused(campaign, [RATINGS, *rows])
    assert (problem.row, problem.column) == (2, "")
    assert "shows 3 outputs; in this campaign one shows 1 to 2" in problem.reason


def test_a_system_without_output_for_the_segment(test_set):
    Output.objects.filter(segment__key="1", system__name="System-B").delete()
    problem = refused(make_campaign(test_set), [RATINGS, "a\t1\tSystem-B\tadequacy\t4"])
    assert (problem.row, problem.column) == (2, "system")
    assert "has no output for this segment" in problem.reason


@pytest.mark.parametrize(
    ("name", "content", "row", "column", "reason"),
    [
        ("r.tsv", b"", None, "", "the file is empty"),
        ("r.tsv", RATINGS.encode() + b"\n", None, "", "a header but no rows"),
        ("r.tsv", f"{GOOD}\n{GOOD}\n".encode(), 1, "annotator", "this column is missing"),
        ("r.tsv", b"annotator\tsegment\n1\t2\n", 1, "system", "this column is missing"),
        ("r.tsv", f"{RATINGS}\n{GOOD}\n".encode() + b"\xe4", 3, "", "0xe4) is not UTF-8"),
        ("r.tsv", f"{RATINGS}\n{GOOD}\n".encode("utf-32"), 1, "", "a NUL character"),
        ("r.tsv.gz", f"{RATINGS}\n{GOOD}\n".encode(), None, "", "not a whole gzip file"),
        ("r.tsv", packed(f"{RATINGS}\n{GOOD}\n".encode()), 1, "", "is not UTF-8"),
        ("r.xlsx", b"PK", None, "", "the name should end in .tsv"),
        ("r.jsonl", b"[]\n", 1, "", "not a JSON object"),
        ("r.jsonl", b'{"annotator": "a"}\n', 1, "segment", "this column is missing"),
        (
            "r.jsonl",
            b'{"annotator":"a","segment":1,"system":"System-A","dimension":"adequacy","value":NaN}',
            1,
            "",
            "NaN is not a JSON value",
        ),
        (
            "r.jsonl",
            b'{"annotator":"a","segment":1,"system":"System-A","dimension":"adequacy","value":null}',
            1,
            "value",
            "the cell is empty",
        ),
    ],
)
def test_files_that_cannot_be_read(test_set, name, content, row, column, reason):
    problem = refused(make_campaign(test_set), content, name)
    assert (problem.row, problem.column) == (row, column)
    assert reason in problem.reason


def test_the_same_file_twice_is_not_doubled(test_set):
    campaign, other = make_campaign(test_set), make_campaign(test_set, name="Other")
    rows = [RATINGS, "b\t1\tSystem-A\tadequacy\t4", "a\t1\tSystem-A\tadequacy\t4"]
    content = "".join(row + "\n" for row in rows).encode()
    import_judgments(campaign, upload("r.tsv", content))
    problem = refused(campaign, content)
    assert (problem.row, problem.column) == (2, "")
    assert "already in the campaign: was the file imported before?" in problem.reason
    # One known judgment is enough, wherever it stands, and another campaign is another matter.
    mixed = [RATINGS, "b\t2\tSystem-A\tadequacy\t4", "a\t1\tSystem-A\tadequacy\t4"]
    assert refused(campaign, mixed).row == 3
    import_judgments(other, upload("r.tsv", content))


def test_more_rows_than_the_site_takes(test_set, settings):
    settings.MAX_IMPORT_ROWS = 2
    rows = [RATINGS, *(f"a\t{i}\tSystem-A\tadequacy\t4" for i in (1, 2, 3))]
    problem = refused(make_campaign(test_set), rows)
    assert (problem.row, "more than 2 rows" in problem.reason) == (4, True)


@pytest.mark.django_db(transaction=True)
def test_the_same_file_from_two_sides_at_once_is_not_doubled(test_set):
    campaign = make_campaign(test_set)
    rows = "".join(f"a{i}\t1\tSystem-A\tadequacy\t4\n" for i in range(300))
    content = f"{RATINGS}\n{rows}".encode()
    together = Barrier(2, timeout=10)

    def import_it(_) -> str:
        try:
            together.wait()
            import_judgments(campaign, upload("r.tsv", content))
        except ImportProblem as problem:
            return problem.reason
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(2) as pool:
        first, second = sorted(pool.map(import_it, range(2)))
    assert (first, "already in the campaign" in second) == ("", True)
    assert Judgment.objects.count() == 300
