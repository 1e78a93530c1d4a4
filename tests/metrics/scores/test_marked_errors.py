"""Tables of errors marked by metrics: imported with their scores, and exported again."""

import csv
import io
import zipfile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judgments.files import ImportProblem
from metrics.models import MetricScore, MetricSpans
from metrics.scores import exports
from metrics.scores.importing import Instructions, import_scores, marks
from tests import factory

SCORES = "system\tsegment\tscore\nSystem-A\t1\t0.5\nSystem-A\t3\t0.25\nSystem-B\t1\t1\n"
HEAD = "metric\tsystem\tsegment\tstart\tend\tseverity\tcategory\tconfidence\n"
GOOD = "M\tSystem-A\t1\t0\t6\tMajor\tAccuracy/Addition\t0.75\nM\tSystem-A\t1\t2\t3\tminor\t\t\n"
INSTRUCTIONS = Instructions(higher_is_better=True, name="M", references=())


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


@pytest.fixture
def import_all(test_set, tmp_path):
    def import_all(errors, scores=SCORES, instructions=INSTRUCTIONS, name="errors.tsv"):
        files = []
        for file, text in (("scores.tsv", scores), (name, errors)):
            if text:
                (tmp_path / file).write_text(text)
                files.append(tmp_path / file)
        return import_scores(test_set, files, instructions)

    return import_all


def test_errors_come_with_scores_and_stay_with_them(import_all):
    imported = import_all(HEAD + GOOD)
    assert (imported.n_scores, imported.n_spans) == (2, 2)
    kept = MetricSpans.objects.get()  # the table has nothing for System-B
    assert kept.score.system.name == "System-A"
    # Segments without a score were not checked; in segment 3 nothing is marked.
    errors = [[0, 6, "major", "accuracy/addition", 0.75], [2, 3, "minor", "", None]]
    assert kept.data == [errors, None, [], None]
    MetricScore.objects.all().delete()
    assert not MetricSpans.objects.exists()


def test_errors_after_scores_and_again(import_all):
    import_all("")
    assert import_all(HEAD + GOOD, "").n_spans == 2
    with pytest.raises(ImportProblem, match="there are already errors of “M”"):
        import_all(HEAD + GOOD, "")
    again = Instructions(higher_is_better=True, name="M", references=(), replace=True)
    assert import_all(HEAD + "M\tSystem-A\t1\t\t\t\t\t\n", "", again).n_spans == 0
    assert MetricSpans.objects.get().data == [[], None, [], None]
    assert MetricScore.objects.count() == 2


def test_lines_of_json(import_all):
    line = '{"metric": "M", "system": "System-B", "segment": "1", "start": 0, "end": 2, '
    assert import_all(line + '"severity": "minor"}\n', name="errors.jsonl").n_spans == 1


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("M\tSystem-X\t1\t0\t1\tminor\t\t", "row 2, column system"),
        ("M\tSystem-A\t9\t0\t1\tminor\t\t", "row 2, column segment"),
        ("M\tSystem-A\t1\tx\t1\tminor\t\t", "column start: “x” is not a place"),
        ("M\tSystem-A\t1\t-1\t1\tminor\t\t", "column start"),
        ("M\tSystem-A\t1\t0\t999999999999\tminor\t\t", "column end"),
        ("M\tSystem-A\t1\t4\t4\tminor\t\t", "column end: it goes from 4 to 4"),
        ("M\tSystem-A\t1\t0\t99999\tminor\t\t", "column end: an error ends at 99999"),
        ("M\tSystem-A\t1\t0\t1\t\t\t", "column severity"),
        ("M\tSystem-A\t1\t0\t1\tminor\t" + "x" * 121 + "\t", "column category"),
        ("M\tSystem-A\t1\t0\t1\tminor\t\t1.5", "column confidence"),
        ("M\tSystem-C\t1\t0\t1\tminor\t\t", "row 2, column system: “M” has no scores of “System-"),
        ("\n".join(["M\tSystem-A\t1\t0\t1\tminor\t\t"] * 1001), "more than 1,000 errors"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_comes_in(import_all, row, words):
    with pytest.raises(ImportProblem) as problem:
        import_all(HEAD + row + "\n")
    assert words in str(problem.value)
    assert not MetricScore.objects.exists() and not MetricSpans.objects.exists()


@pytest.mark.parametrize(
    ("name", "most", "words"),
    [
        ("MOST_METRICS", 2, "row 4, column metric: there are more than 2 metrics at once"),
        ("MOST_NUMBERS", 7, "row 3: there are errors in more than 7 outputs at once"),
        ("MOST_SEVERITIES", 1, "column severity: the errors of “M” have more than 1 severities"),
    ],
)
def test_a_table_takes_no_more_than_fits(import_all, monkeypatch, name, most, words):
    monkeypatch.setattr(marks, name, most)
    rows = (
        "M\tSystem-A\t1\t0\t1\tminor\t\t\n"
        "N\tSystem-B\t1\t0\t1\tmajor\t\t\nO\tSystem-A\t1\t0\t1\tminor\t\t\n"
    )
    with pytest.raises(ImportProblem) as problem:
        import_all(HEAD + rows)
    assert words in str(problem.value)


def test_the_rows_of_all_tables_are_counted(import_all, settings):
    settings.MAX_IMPORT_ROWS = 1
    with pytest.raises(ImportProblem, match="row 3: there are more than 1 rows of errors"):
        import_all(HEAD + GOOD)


def test_scores_are_looked_up_once_a_metric(import_all):
    def statements(systems):
        again = Instructions(higher_is_better=True, name="M", references=(), replace=True)
        rows = "".join(f"M\t{system}\t1\t\t\t\t\t\n" for system in systems)
        with CaptureQueriesContext(connection) as captured:
            import_all(HEAD + rows, "", again)
        return len(captured)

    import_all("")
    assert statements(["System-A", "System-B"]) == statements(["System-A"])


def test_a_metric_without_name_is_refused(import_all):
    import_all("")
    nameless = Instructions(higher_is_better=True)
    with pytest.raises(ImportProblem, match="does not name the metric"):
        import_all(
            "system\tsegment\tstart\tend\tseverity\nSystem-A\t1\t0\t1\tminor\n", "", nameless
        )


def test_they_go_out_as_they_come_in(import_all, test_set, tmp_path):
    import_all(HEAD + GOOD)
    with zipfile.ZipFile(io.BytesIO(exports.archive(test_set))) as packed:
        text = packed.read("marked-errors.tsv").decode()
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
    assert [row["segment"] for row in rows] == ["1", "1", "3"]
    before = MetricSpans.objects.get().data
    MetricSpans.objects.all().delete()
    (tmp_path / "marked-errors.tsv").write_text(text)
    import_scores(test_set, [tmp_path / "marked-errors.tsv"], Instructions(higher_is_better=True))
    assert MetricSpans.objects.get().data == before
