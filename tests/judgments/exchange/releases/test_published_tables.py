"""Tables of published figures, documents next to texts, and empty outputs."""

import io

import openpyxl
import pytest

from judgments.exchange.releases import registry
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.records import Problems
from judgments.files import ImportProblem
from judgments.files.uploads import opened
from judgments.models import Document
from tests.releases import owner
from tests.shared import shared_data

from .table_files import read


def figures(folder, **files):
    release, _, _, problems = read(folder, **files)
    return [(row.figure, row.of, row.text, row.file) for row in release.published], problems


def test_means_between_blanks_and_tabs(tmp_path):
    """The header has blanks, its rows a tab and a blank."""
    table = "system mqm_avg_score seg_id\nA\t-5.000000 1\nB-2\t-0.000000 2\n"
    found, _ = figures(tmp_path, **{"newstest.avg_seg_scores.tsv": table})
    assert found == [
        ("segment mean", "A in 1", "-5.000000", "newstest.avg_seg_scores.tsv"),
        ("segment mean", "B-2 in 2", "-0.000000", "newstest.avg_seg_scores.tsv"),
    ]


def test_a_row_that_does_not_fit_is_said(tmp_path):
    table = "system mqm_avg_score seg_id\nA -5 1\nB -5 2\nC -5 3\nD -5 4\nE -5\n"
    release, *_ = read(tmp_path, **{"avg_seg_scores.tsv": table})
    assert len(release.published) == 4
    (note,) = release.notes
    assert note.startswith("1 row of avg_seg_scores.tsv left out, such as this one: ")
    assert "row 6" in note


def test_ranks_of_metrics(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "en-cs"
    book.active.append([None, "AutoRank", "CometKiwi", "type"])
    book.active.append(["Big-MT (v2)", 1.25, 0.7, "open"])
    stream = io.BytesIO()
    book.save(stream)
    found, problems = figures(tmp_path, **{"AutoRank.xlsx": stream.getvalue()})
    assert found == [
        ("AutoRank", "Big-MT", "1.25", "AutoRank.xlsx, sheet en-cs"),
        ("CometKiwi", "Big-MT", "0.7", "AutoRank.xlsx, sheet en-cs"),
    ]
    assert problems.unused() == ["1 column is not used from AutoRank.xlsx, sheet en-cs: type."]


CLUSTERS = (
    "newstest2015.online-B.0.en-fi.txt 1.069 (1.0, 1.0)\n"
    "++++++++++\n"
    "newstest2015.CMU.4075.en-fi.txt -0.342 (2.0, 3.0)\n"
)


def test_clusters(tmp_path):
    found, _ = figures(tmp_path, **{"eng-fin.txt": CLUSTERS})
    assert [row[:3] for row in found] == [
        ("score from rankings", "online-B", "1.069"),
        ("range of ranks, start", "online-B", "1.0"),
        ("range of ranks, end", "online-B", "1.0"),
        ("cluster of ranks", "online-B", "1"),
        ("score from rankings", "CMU", "-0.342"),
        ("range of ranks, start", "CMU", "2.0"),
        ("range of ranks, end", "CMU", "3.0"),
        ("cluster of ranks", "CMU", "2"),
    ]
    with pytest.raises(ImportProblem, match="row 8: the line should be a system"):
        read(tmp_path, **{"eng-fin.txt": CLUSTERS * 2 + "\n" + "x (y)\n"})


def test_a_cell_that_is_no_number_is_named(tmp_path):
    content = "SYSTEM\tAVG_RAW\tAVG_Z\nA\t70,5\t0.1\nB\t60.5\t\n"
    content = content.lower()
    release = read(tmp_path, **{"published_means.tsv": content})[0]
    assert sorted((row.figure, row.of, row.text) for row in release.published) == [
        ("system mean", "b", "60.5"),
        ("system mean z", "a", "0.1"),
    ]
    (note,) = release.notes
    assert note.startswith("1 cell of ") and note.endswith(
        "column avg_raw, left out: not a number."
    )


@pytest.mark.proof
def test_clusters_as_released():
    with opened([shared_data("13_first_lines", "wmt15.results.eng-fin.txt")]) as files:
        found = registry.read(files, {}, Problems()).published
    assert len({row.of for row in found}) == 10
    assert [row.text for row in found if row.figure == "cluster of ranks"][-1] == "8"


def findings_of(folder, **files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return import_release([folder], owner(), keep=True)


def test_figures_alone_are_told_what_they_lack(db, tmp_path):
    findings = findings_of(tmp_path, **{"eng-fin.txt": CLUSTERS})
    (problem,) = findings.problems.first
    assert "8 figures that somebody published: also upload the judgments" in str(problem)
    (tmp_path / "eng-fin.txt").unlink()
    findings = findings_of(tmp_path, **{"m.jsonl": '{"domain": "news", "docid": "d1"}\n'})
    assert findings.unanswered == ["column:domain", "column:docid"]
    reason = "it only names documents: upload it with the texts, in a folder metadata."
    assert findings.notes == [f"{tmp_path.name}/m.jsonl was left out: {reason}"]


FOLDER = {
    "t/sources/cs-uk.txt": "Jedna.\nDvě.\n",
    "t/system-outputs/cs-uk/A.txt": "Odna.\n\n",
    "t/system-outputs/cs-uk/B.txt": "\n\n",
    "t/metadata/cs-uk.jsonl": '{"domain": "news", "docid": "d1"}\n'
    '{"domain": "speech", "docid": "d2"}\n',
}


def test_documents_of_wmt24_and_empty_outputs(db, tmp_path):
    findings = findings_of(tmp_path, **FOLDER)
    assert not findings.problems
    (test_set,) = findings.written.test_sets.values()
    documents = Document.objects.filter(test_set=test_set).order_by("pk")
    assert list(documents.values_list("name", "domain")) == [("d1", "news"), ("d2", "speech")]
    assert findings.found[0].sentence.endswith("cs-uk. Empty outputs: 2 of B, 1 of A")
    more = FOLDER["t/metadata/cs-uk.jsonl"] * 2
    findings = findings_of(tmp_path, **FOLDER | {"t/metadata/cs-uk.jsonl": more})
    assert "there are 2 more lines than segments" in str(findings.problems.first[0])
