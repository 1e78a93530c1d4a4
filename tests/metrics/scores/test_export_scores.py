"""Scores from files are exported unchanged."""

import io
import math
import zipfile

import pytest

from metrics.models import MetricScore
from metrics.scores import exports
from metrics.scores.importing import Instructions, import_scores
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests.real_data import import_wmt23_texts
from tests.shared import read_tsv, shared_data

from .score_files import SEGMENTS


def archived(test_set) -> dict[str, str]:
    packed = zipfile.ZipFile(io.BytesIO(exports.archive(test_set)))
    return {name.split("/")[-1]: packed.read(name).decode() for name in packed.namelist()}


class TestExport:
    def test_what_comes_in_goes_out(self, bring, test_set):
        files = {
            "COMET-22-ref.seg.score": SEGMENTS,
            "COMET-22-ref.sys.score": "System-A\t0.70\n",
            "Q-src.doc.score": "System-B\t1e-07\nSystem-B\tNone\n",
            "Q-src.sys.score": "System-B\t1e-07\n",
        }
        bring(files)
        out = archived(test_set)
        index = out.pop("signatures.tsv")
        assert out == files
        assert "COMET-22-ref\tCOMET-22\tref\thigher" in index

    def test_scores_of_our_own(self, test_set):
        metrics = [MetricChoice("chrf", {"word_order": 2}), MetricChoice("bleu", {"max_order": 2})]
        jobs.work_on(jobs.create_job(test_set, metrics, ["ref"]).pk)
        out = archived(test_set)
        assert "chrF2++-ref.seg.score" in out and "BLEU_max_order_2-ref.doc.score" in out
        lines = out["chrF2++-ref.sys.score"].splitlines()
        first = MetricScore.objects.get(metric="chrf", system__name="System-A")
        assert lines[0] == f"System-A\t{first.score!r}"
        column = score_table(test_set, statistics=True).columns[0]
        stats = MetricScore.objects.get(metric="bleu", system__name="System-B").statistics
        expected = MetricChoice("bleu", {"max_order": 2}).scorer().score(stats[2:].sum(axis=0))
        assert column.metric == "bleu"
        assert (
            out["BLEU_max_order_2-ref.doc.score"].splitlines()[3]
            == f"System-B\t{float(expected)!r}"
        )

    def test_metrics_of_one_name_are_told_apart(self, bring, test_set):
        bring({"BLEU-ref.sys.score": "System-A\t1.0\n"})
        jobs.work_on(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]).pk)
        out = archived(test_set)
        assert out["BLEU_2-ref.sys.score"] == "System-A\t1.0\n"
        assert len(out["BLEU-ref.sys.score"].splitlines()) == 3

    def test_names_that_files_cannot_have(self, test_set, tmp_path):
        path = tmp_path / "s.tsv"
        path.write_text("system\t../a b\nSystem-A\t1\n")
        import_scores(test_set, [path], Instructions(True, references=()))
        assert "a_b-src.sys.score" in archived(test_set)


@pytest.mark.proof
def test_all_metrics_of_wmt23(db, tmp_path):
    """The 45 metrics of the shared task on metrics at WMT23 (en-de), for systems and, for 13 of
    them, for segments: the published files are exported again, byte by byte."""
    folder = "03_mqm_esa_wmt23_en-de"
    system_rows = read_tsv(shared_data(folder, "metric_systems.en-de.tsv"))
    segment_rows = read_tsv(shared_data(folder, "metric_segments.en-de.tsv.gz"))
    test_set = import_wmt23_texts(tmp_path / "texts")
    known = set(test_set.systems.values_list("name", flat=True))
    uses = {row["metric"]: row["uses"] for row in system_rows}
    published: dict[str, dict[str, list[str]]] = {}
    for level, rows in (("sys", system_rows), ("seg", segment_rows)):
        for row in rows:
            name = f"{row['metric']}-{uses[row['metric']]}.{level}.score"
            scores = published.setdefault(name, {}).setdefault(row["system"], [])
            scores.append(repr(float(row["score"])))
    for name, systems in published.items():
        lines = [f"{s}\t{score}\n" for s in sorted(systems) for score in systems[s]]
        (tmp_path / name).write_text("".join(lines))
    files = [tmp_path / name for name in sorted(published)]
    imported = import_scores(test_set, files, Instructions(True, skip_unknown=True))
    assert len(imported.labels) == len(uses) == 45
    assert set(imported.skipped) == {s for row in published.values() for s in row} - known
    stored_scores = {
        (score.options["name"], score.system.name): score.score
        for score in MetricScore.objects.select_related("system").filter(test_set=test_set)
    }
    assert stored_scores == {
        (row["metric"], row["system"]): float(row["score"])
        for row in system_rows
        if row["system"] in known
    }
    out = archived(test_set)
    for name, systems in published.items():
        kept = {system: scores for system, scores in systems.items() if system in known}
        expected = [f"{s}\t{score}" for s in sorted(kept) for score in kept[s]]
        assert out[name].splitlines() == expected, name
    assert not any(math.isnan(score) for score in stored_scores.values())
