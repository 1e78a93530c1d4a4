"""Scores from files: what is stored, and what is rejected."""

import zipfile

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from judgments.files import ImportProblem
from judgments.models import Output, System
from metrics.models import MetricScore
from metrics.scores.comparisons import compare_column, compute_comparisons
from metrics.scores.importing import Instructions
from metrics.scores.tables import score_table
from metrics.scores.tasks import are_comparisons_coming

from .score_files import SEGMENTS, stored


class TestScoreFiles:
    def test_segments(self, bring):
        imported = bring({"COMET-22-ref.seg.score": SEGMENTS})
        assert (imported.labels, imported.n_scores) == (["COMET-22 (uploaded)"], 1)
        score = stored()
        assert score.metric == "uploaded" and score.references == ["ref"]
        assert score.options["name"] == "COMET-22" and score.options["higher_is_better"] is True
        assert score.score == 0.5 and score.n_segments == 4
        assert score.segment_scores.tolist() == [0.5, 0.25, 1, 0.25]
        assert score.statistics.tolist() == [[0.5, 1], [0.25, 1], [1, 1], [0.25, 1]]

    def test_the_signature_names_metric_and_file(self, bring):
        bring({"COMET-22-ref.seg.score": SEGMENTS})
        # sha256sum of the same bytes
        assert stored().signature == (
            "COMET-22 (uploaded)|nrefs:1|uploaded:segment|system:mean|better:higher|"
            "sha256:959a4686c10a"
        )

    def test_a_missing_score_is_left_out(self, bring):
        bring({"M-src.seg.score": "System-A 1\nSystem-A None\nSystem-A NaN\nSystem-A 0\n"})
        score = stored()
        assert (score.score, score.n_segments, score.references) == (0.5, 2, [])
        assert np.isnan(score.segment_scores).tolist() == [False, True, True, False]
        assert np.isnan(score.statistics).any(axis=1).tolist() == [False, True, True, False]

    def test_means_of_systems_are_kept_as_given(self, bring):
        imported = bring({"M-ref.seg.score": SEGMENTS, "M-ref.sys.score": "System-A\t0.500001\n"})
        assert imported.labels == ["M (uploaded)"]
        assert stored().score == 0.500001 and stored().statistics_width == 2

    def test_other_scores_of_systems_are_said_to_be_given(self, bring, test_set):
        imported = bring({"M-ref.seg.score": SEGMENTS, "M-ref.sys.score": "System-A\t0.6\n"})
        assert imported.labels == ["M (uploaded, system scores as given)"]
        score = stored()
        assert score.score == 0.6 and score.statistics is None
        assert score.segment_scores.tolist() == [0.5, 0.25, 1, 0.25]
        assert "system:given" in score.signature

    def test_only_systems(self, bring, test_set):
        bring({"M-ref.sys.score": "System-A\t-1e-3\nSystem-C\t2\n"})
        column = score_table(test_set).columns[0]
        assert {s.score for s in column.scores.values()} == {-0.001, 2.0}
        assert not column.has_statistics
        assert all(np.isnan(s.segment_scores).all() for s in column.scores.values())

    def test_documents(self, bring):
        imported = bring({"M-ref.doc.score": "System-A\t1\nSystem-A\t4\n"})
        assert imported.labels == ["M (uploaded, by document)"]
        score = stored()
        assert score.score == 2.5 and np.isnan(score.segment_scores).all()
        # The document's rows add up to its score, and all of them to the mean over documents.
        assert score.statistics.tolist() == [[1, 1], [0, 0], [4, 1], [0, 0]]

    def test_a_document_without_a_score(self, bring):
        bring({"M-ref.doc.score": "System-A\tNone\nSystem-A\t4\n"})
        score = stored()
        assert (score.score, score.n_segments) == (4, 2)
        assert np.isnan(score.statistics[:2]).all() and not np.isnan(score.statistics[2:]).any()

    def test_documents_that_are_means_of_segments_say_nothing_more(self, bring):
        documents = "System-A\t0.375\nSystem-A\t0.625\n"
        imported = bring({"M-ref.seg.score": SEGMENTS, "M-ref.doc.score": documents})
        assert imported.labels == ["M (uploaded)"]

    def test_documents_that_are_not_are_kept_as_given(self, bring):
        documents = "System-A\t0.40\nSystem-A\tNone\n"
        imported = bring({"M-ref.seg.score": SEGMENTS, "M-ref.doc.score": documents})
        assert imported.labels == ["M (uploaded)"]
        assert stored().levels == {
            "file": "M-ref",
            "document": ["0.40", None],
            "segment": "whole",
        }

    def test_systems_that_are_not_the_means_of_documents(self, bring):
        imported = bring(
            {"M-ref.doc.score": "System-A\t1\nSystem-A\t4\n", "M-ref.sys.score": "System-A\t3\n"}
        )
        assert imported.labels == ["M (uploaded, by document, system scores as given)"]
        score = stored()
        assert (score.score, score.statistics) == (3, None)
        assert score.levels["document"] == ["1", "4"] and score.levels["system"] == "3"

    def test_lower_is_better(self, bring, test_set):
        asked = Instructions(higher_is_better=False, exceptions=frozenset({"M"}))
        bring(
            {"TER-ref.sys.score": "System-A 1\nSystem-B 2", "M-all.sys.score": "System-A 1"}, asked
        )
        columns = {c.label: c for c in score_table(test_set).columns}
        ter, other = columns["TER"], columns["M"]
        assert not ter.higher_is_better and other.higher_is_better
        assert ter.is_best(System.objects.get(name="System-A").pk)
        assert other.references == ["ref"]

    def test_an_exception_that_is_no_metric_is_refused(self, bring):
        asked = Instructions(higher_is_better=False, exceptions=frozenset({"M", "COMET22"}))
        with pytest.raises(ImportProblem, match="“COMET22”, an exception, is no metric here"):
            bring({"M-ref.sys.score": "System-A 1", "COMET-22-ref.sys.score": "System-A 1"}, asked)
        assert not MetricScore.objects.exists()

    def test_differences_are_tested_afterwards(self, bring, test_set):
        bring({"M-ref.seg.score": SEGMENTS})
        assert are_comparisons_coming(test_set.pk, "segment")

    def test_texts_that_change_make_it_stale(self, bring, test_set):
        bring({"M-ref.seg.score": SEGMENTS, "Q-src.sys.score": "System-A 1\n"})
        assert score_table(test_set).n_stale == 0
        Output.objects.filter(system__name="System-B").update(text="other")
        assert score_table(test_set).n_stale == 0
        Output.objects.filter(system__name="System-A").update(text="other")
        assert score_table(test_set).n_stale == 2

    def test_unknown_systems_are_left_out_when_asked(self, bring):
        asked = Instructions(higher_is_better=True, skip_unknown=True)
        imported = bring({"M-ref.sys.score": "System-A 1\nrefB 2\n"}, asked)
        assert (imported.skipped, imported.n_scores) == (["refB"], 1)

    def test_replacing(self, bring):
        bring({"M-ref.seg.score": SEGMENTS, "M-src.sys.score": "System-A 7"})
        with pytest.raises(ImportProblem, match=r"there are already scores of “M”"):
            bring({"M-ref.sys.score": "System-A 3"})
        assert stored(references=["ref"]).score == 0.5
        bring({"M-ref.sys.score": "System-A 3"}, Instructions(True, replace=True))
        assert stored(references=["ref"]).score == 3
        assert stored(references=[]).score == 7  # read no reference: another metric

    def test_names_can_be_given(self, bring):
        bring({"x.seg.score": SEGMENTS}, Instructions(True, name="BLEURT-20", references=("ref",)))
        assert stored().options["name"] == "BLEURT-20"


class TestTables:
    def test_long(self, bring):
        rows = ["system\tsegment\tscore\tmetric\treferences"]
        rows += ["System-A\t3\t1.5\tM\tref", "System-B\t1\t\tM\tref", "System-B\t4\t2\tM\tref"]
        bring({"scores.tsv": "\n".join(rows)})
        found = {s.system.name: s for s in MetricScore.objects.select_related("system")}
        assert found["System-A"].segment_scores[2] == 1.5
        assert found["System-B"].score == 2 and found["System-B"].n_segments == 1

    def test_wide(self, bring):
        table = "system\tsegment\tA\tB\nSystem-A\t1\t1\t-2\nSystem-A\t2\t3\tNone\n"
        imported = bring({"s.tsv": table}, Instructions(True, references=()))
        assert imported.labels == ["A (uploaded)", "B (uploaded)"]
        assert sorted(MetricScore.objects.values_list("score", flat=True)) == [-2, 2]

    def test_wide_of_systems(self, bring):
        table = "system\treferences\tA\tB\nSystem-A\tsrc\t1\t2\nSystem-B\tsrc\t3\t4\n"
        assert bring({"s.tsv": table}).n_scores == 4

    def test_documents_and_json(self, bring):
        lines = (
            '{"system": "System-A", "document": "doc1", "score": 4}\n'
            '{"system": "System-A", "document": "doc0", "score": null}\n'
        )
        bring({"s.jsonl": lines}, Instructions(True, name="M", references=("ref",)))
        assert stored().score == 4 and stored().options["level"] == "document"

    def test_a_wide_column_without_any_score_is_no_score(self, bring):
        table = "system\tsegment\tA\nSystem-A\t1\t1\nSystem-B\t1\t\n"
        assert bring({"s.tsv": table}, Instructions(True, references=())).n_scores == 1


WRONG = {
    "an infinite score": ("M-ref.sys.score", "System-A inf\n", "row 1: “inf” is not a finite"),
    "a huge score": ("M-ref.sys.score", "System-A 1e999\n", "“1e999” is not a finite number"),
    "text": ("M-ref.sys.score", "System-A good\n", "row 1: “good” is not a finite number"),
    "no score": ("M-ref.sys.score", "System-A\n", "row 1: “System-A” is not a system and a score"),
    "too many cells": ("M-ref.sys.score", "System-A\t1\t2\n", "is not a system and a score"),
    "an empty line": ("M-ref.sys.score", "\n", "row 1: the line is empty"),
    "an empty file": ("M-ref.sys.score", "", "the file is empty"),
    "another system": ("M-ref.sys.score", "X 1\n", "no system “X”; it has System-A, System-B"),
    "a second score": ("M-ref.sys.score", "System-A 1\nSystem-A 1\n", "row 2: .* second score"),
    "too few": ("M-ref.seg.score", "System-A 1\n", "“System-A” has 1 score, but .* 4 segments"),
    "too many": ("M-ref.seg.score", SEGMENTS + "System-A 1\n", "row 5: .* more scores than"),
    "too many documents": ("M-ref.doc.score", "System-A 1\n" * 3, "row 3: .* documents: 2"),
    "only missing": ("M-ref.sys.score", "System-A None\n", "no score of “M”; all are missing"),
    "no level": ("M-ref.score", "System-A 1\n", "the name should be METRIC-REF.seg.score"),
    "no reference": ("M.sys.score", "System-A 1\n", "does not say which reference .* has ref;"),
    "another reference": ("M-refB.sys.score", "System-A 1\n", "does not say which reference"),
    "a bar": ("a|b-ref.sys.score", "System-A 1\n", "holds “|”"),
    "a long name": ("x" * 101 + "-ref.sys.score", "System-A 1\n", "longer than 100"),
    "another file": ("scores.ods", "system,score\n", "the name should end in .tsv"),
    "no system": ("s.tsv", "segment\tA\n1\t2\n", "column system: this column is missing"),
    "no scores": ("s.tsv", "system\tsegment\nSystem-A\t1\n", "no column holds scores"),
    "both levels": ("s.tsv", "system\tsegment\tdocument\tA\nS\t1\t2\t3\n", "not to both"),
    "long and wide": ("s.tsv", "system\tscore\tBLEU\nSystem-A\t1\t2\n", "BLEU: this column is not"),
    "no metric": ("s.tsv", "system\tscore\nSystem-A\t1\n", "does not name the metric"),
    "another segment": (
        "s.tsv",
        "system\tsegment\treferences\tA\nSystem-A\t9\tref\t1\n",
        "row 2, column A: the test set has no segment “9”",
    ),
    "a segment twice": (
        "s.tsv",
        "system\tsegment\treferences\tA\n" + "System-A\t1\tref\t1\n" * 2,
        "row 3, column A: “System-A” has a second score of segment “1”",
    ),
    "a reference that is not there": (
        "s.tsv",
        "system\treferences\tA\nSystem-A\tref+refB\t1\n",
        "there is no reference “refB”",
    ),
}


@pytest.mark.parametrize(("name", "content", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_and_nothing_stored(bring, name, content, message):
    with pytest.raises(ImportProblem, match=message):
        bring({"Good-ref.seg.score": SEGMENTS, name: content})
    assert not MetricScore.objects.exists()


def test_systems_of_one_file_lack_in_the_other(bring):
    with pytest.raises(ImportProblem, match="“M” has no score of “System-B” for segments"):
        bring({"M-ref.seg.score": SEGMENTS, "M-ref.sys.score": "System-A 1\nSystem-B 1\n"})
    assert not MetricScore.objects.exists()


def test_one_name_for_several_metrics(bring):
    with pytest.raises(ImportProblem, match="contain several metrics"):
        bring(
            {"s.tsv": "system\tA\tB\nSystem-A\t1\t2\n"}, Instructions(True, name="M", references=())
        )


def test_no_system_of_the_test_set(bring):
    with pytest.raises(ImportProblem, match="no score of a system of this test set"):
        bring({"M-ref.sys.score": "X 1\n"}, Instructions(True, skip_unknown=True))


class TestCommand:
    def test_it_imports_and_exports(self, test_set, tmp_path, capsys):
        path = tmp_path / "M-ref.sys.score"
        path.write_text("System-A 1\nX 2\n")
        call_command("import_scores", test_set.pk, path, "--lower-is-better", "--skip-unknown")
        assert "Left out: X." in capsys.readouterr().out
        assert stored().options["higher_is_better"] is False
        call_command("export_scores", test_set.pk, tmp_path / "out.zip")
        names = zipfile.ZipFile(tmp_path / "out.zip").namelist()
        assert names == ["metric-scores/de-en/M-ref.sys.score", "signatures.tsv"]

    def test_src_is_no_reference(self, test_set, tmp_path):
        path = tmp_path / "M.sys.score"
        path.write_text("System-A 1\n")
        call_command("import_scores", test_set.pk, path, "--higher-is-better", "--reference=src")
        assert stored().references == []

    def test_what_is_wrong(self, test_set, tmp_path):
        path = tmp_path / "none.sys.score"
        for arguments, message in (
            ((0, path), "There is no test set 0"),
            ((test_set.pk, path), "Nothing was imported. none.sys.score: cannot be opened"),
        ):
            with pytest.raises(CommandError, match=message):
                call_command("import_scores", *arguments, "--higher-is-better")
        with pytest.raises(CommandError, match="no metric scores"):
            call_command("export_scores", test_set.pk, path)


def test_uploaded_scores_are_compared(bring, test_set):
    systems = "".join(f"System-{s}\t{v}\n" for s, v in zip("ABC", (0.9, 0.5, 0.7), strict=True))
    segments = SEGMENTS + SEGMENTS.replace("-A", "-B")
    documents = "System-A\t1\nSystem-A\t2\nSystem-B\t2\nSystem-B\tNone\n"
    bring({"M-ref.seg.score": segments, "D-ref.doc.score": documents, "S-ref.sys.score": systems})
    assert compute_comparisons(test_set) == 3
    table = score_table(test_set)
    tested = {c.label: compare_column(c, table) for c in table.columns}
    (same,) = tested["M"].pairs
    assert same.difference == 0 and same.randomization.raw == 1
    (pair,) = tested["D"].pairs
    assert abs(pair.difference) == 1 and pair.n == 1  # the one document that both have
    assert not tested["S"].pairs
    assert "they have no scores of segments" in tested["S"].notes[0]
