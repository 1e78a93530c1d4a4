"""Post-edits from files: where they go, what is refused, and HTER over them."""

import pytest
from django.core.management import CommandError, call_command

from judgments.files import ImportProblem
from judgments.files.output_texts import POST_EDITS
from judgments.files.rows import import_rows
from judgments.models import Output, TargetedReference
from judgments.test_sets.post_edits import PostEdits
from metrics.models import MetricScore
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import parse_metric
from tests import factory
from tests.real_data import import_mlqepe_texts
from tests.shared import read_tsv, shared_data

from ..files.files import upload


@pytest.fixture
def test_set(db):
    """Four segments, systems A, B and C."""
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


@pytest.fixture
def lines(test_set):
    def run(content, *, system="System-A", name="Mia", replace=False):
        files = {system: upload("edits.txt", content.encode())}
        rows = POST_EDITS.from_lines(files, 4, name)
        return import_rows(PostEdits, test_set, rows, replace=replace)

    return run


@pytest.fixture
def table(test_set):
    def run(content, *, replace=False):
        source = upload("edits.tsv", content.encode())
        rows = POST_EDITS.from_table(source, "post-edit")
        return import_rows(PostEdits, test_set, rows, replace=replace)

    return run


def stored():
    rows = TargetedReference.objects.values_list(
        "output__system__name", "output__segment__key", "name", "text"
    )
    return set(rows)


def test_lines(lines):
    added = lines("one\n\nthree \n\n")
    assert (added.rows, added.groups) == (2, 1)
    assert stored() == {("System-A", "1", "Mia", "one"), ("System-A", "3", "Mia", "three ")}


def test_table(table):
    table(
        "system\tsegment\ttext\tname\n"
        "System-B\t4\tvier\t\nSystem-B\t4\tVier\tJo\nSystem-A\t1\teins\tJo\n"
    )
    assert stored() == {
        ("System-B", "4", "post-edit", "vier"),
        ("System-B", "4", "Jo", "Vier"),
        ("System-A", "1", "Jo", "eins"),
    }


def test_two_people_edit_one_output(lines, test_set):
    lines("one\n\n\n\n", name="Mia")
    lines("ONE\n\n\n\n", name="Jo")
    assert test_set.targeted_names == ["Jo", "Mia"]


def test_replacing_is_asked_for(lines):
    lines("one\ntwo\n\n\n")
    with pytest.raises(ImportProblem, match="row 2: the output already has a post-edit “Mia”"):
        lines("\nTWO\n\n\n")
    lines("\nTWO\nTHREE\n\n", replace=True)
    assert {text for *_, text in stored()} == {"one", "TWO", "THREE"}


WRONG_LINES = {
    "too few": ("a\nb\n", "the file has 2 lines, but the test set has 4 segments"),
    "too many": ("a\n" * 5, "row 5: the test set has only 4 segments"),
    "nothing": ("\n" * 4, "they contain no post-edits"),
    "empty file": ("", "the file has 0 lines"),
}


@pytest.mark.parametrize(("content", "message"), WRONG_LINES.values(), ids=WRONG_LINES)
def test_wrong_lines(lines, content, message):
    with pytest.raises(ImportProblem, match=message):
        lines(content)
    assert not TargetedReference.objects.exists()


HEADER = "system\tsegment\ttext\n"
WRONG_TABLES = {
    "another system": ("X\t1\ta\n", "row 3, column system: the test set has no system “X”; it has"),
    "another segment": ("System-A\t9\ta\n", "row 3, column segment: there is no segment “9”"),
    "twice": ("System-A\t1\ta\n" * 2, "row 4, column segment: a second “post-edit” of the same"),
    "empty": ("System-A\t1\t \n", "column text: the cell is empty"),
    "no text": ("System-A\t1\n", "the line has 2 cells"),
}


@pytest.mark.parametrize(("rows", "message"), WRONG_TABLES.values(), ids=WRONG_TABLES)
def test_wrong_tables(table, rows, message):
    with pytest.raises(ImportProblem, match=message):
        table(HEADER + "System-B\t1\tgood\n" + rows)
    assert not TargetedReference.objects.exists()


def test_an_output_that_is_not_there(table):
    Output.objects.filter(system__name="System-A", segment__key="2").delete()
    with pytest.raises(ImportProblem, match="“System-A” has no output for this segment"):
        table(HEADER + "System-A\t2\tzwei\n")


def test_a_name_that_is_too_long(lines):
    with pytest.raises(ImportProblem, match="longer than 100"):
        lines("a\n\n\n\n", name="x" * 101)


def test_as_many_as_the_site_takes(lines, settings):
    settings.MAX_IMPORT_ROWS = 3
    with pytest.raises(ImportProblem, match="more than 3 post-edits"):
        lines("a\nb\nc\nd\n")
    assert not TargetedReference.objects.exists()


def test_hter_reads_them_and_sees_changes(lines, test_set):
    output = Output.objects.get(system__name="System-A", segment__key="1").text
    assert output == "Source text number 1 here"
    lines("Source text number 2 stays here\n\n\n\n")
    jobs.work_on(jobs.create_job(test_set, [parse_metric("hter")], []).pk)
    score = MetricScore.objects.get(system__name="System-A")
    # Two edits (1 → 2, + stays) in six words.
    assert score.score == pytest.approx(100 * 2 / 6)
    assert score.references == ["Mia"] and score.n_segments == 1
    assert score_table(test_set).n_stale == 0
    lines("Source text number 1 stays here\n\n\n\n", replace=True)
    assert score_table(test_set).n_stale == 1


class TestCommand:
    def test_lines_and_table(self, test_set, tmp_path, capsys):
        (tmp_path / "a.txt").write_text("one\n\n\n\n")
        (tmp_path / "t.tsv").write_text(HEADER + "System-B\t2\ttwo\n")
        call_command("import_postedits", test_set.pk, "--system", f"System-A={tmp_path / 'a.txt'}")
        assert "1 post-edits of 1 system(s)" in capsys.readouterr().out
        call_command("import_postedits", test_set.pk, table=tmp_path / "t.tsv", name="Jo")
        assert {(system, name) for system, _, name, _ in stored()} == {
            ("System-A", "post-edit"),
            ("System-B", "Jo"),
        }

    def test_what_is_wrong(self, test_set, tmp_path):
        file = tmp_path / "System-A.txt"
        file.write_text("one\n")
        for options, message in (
            ({}, "either --table or --system"),
            ({"table": file, "system": [str(file)]}, "either --table or --system"),
            ({"table": file}, "Nothing was imported. System-A.txt: the name should end in"),
            ({"system": [str(file)]}, "Nothing was imported. System-A.txt: the file has 1 line,"),
            ({"system": [str(file)] * 2}, "Two systems are named"),
        ):
            with pytest.raises(CommandError, match=message):
                call_command("import_postedits", test_set.pk, **options)
        with pytest.raises(CommandError, match="There is no test set 0"):
            call_command("import_postedits", 0)


@pytest.mark.slow
def test_published_hter_of_mlqe_pe(db, tmp_path):
    """Fomicheva et al. (2022), Romanian–English: from files to the published HTER of 1,000
    segments, which are capped and rounded to six digits."""
    test_set = import_mlqepe_texts(tmp_path)
    jobs.work_on(jobs.create_job(test_set, [parse_metric("hter:capped=yes")], []).pk)
    rows = read_tsv(shared_data("07_postedit_mlqepe_ro-en", "segments.ro-en.tsv.gz"))
    published = [float(row["hter_published"]) for row in rows]
    found = MetricScore.objects.get(test_set=test_set).segment_scores / 100
    assert found.tolist() == pytest.approx(published, abs=1e-6)
