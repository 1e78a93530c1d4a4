"""Appraise's export: the field's own files, with the figures that were published of them."""

import csv
import gzip
from collections import Counter, defaultdict

import pytest

from judgments.exchange.releases import from_database, registry, writing
from judgments.exchange.releases.appraise import Appraise, pairs_in
from judgments.exchange.releases.records import Problems
from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, opened
from judgments.models import Rating, TestSet
from judgments.test_sets.corpus import import_test_set
from tests import factory
from tests.shared import shared_data

EXPORT = "240315rc5{}.scores.csv.gz"
TIDY = "03_mqm_esa_wmt23_en-de"


def table(*path):
    csv.field_size_limit(10**9)
    with gzip.open(shared_data(*path), "rt", newline="", encoding="utf-8") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def released(*paths):
    with opened(paths) as files:
        problems = Problems()
        release = registry.read(files, {}, problems)
        assert not problems.n, problems.first
        return release


def exported(protocol, *others):
    folder = ("10_as_released", "appraise")
    return [
        shared_data(*folder, EXPORT.format(protocol)),
        *(shared_data(*folder, o) for o in others),
    ]


@pytest.fixture
def lines_of():
    """{document: lines that were judged} of the study, which its authors' batches say."""
    found = defaultdict(set)
    for row in table(TIDY, "appraise.en-de.tsv.gz"):
        if row["protocol"] == "ESA-1" and row["line"]:
            found[row["document_id"].split("#")[0]].add(int(row["line"]))
    return {document: sorted(lines) for document, lines in found.items()}


def tidy_rows(protocol):
    return {
        (row["login"], row["system"], int(row["item_id"])): row
        for row in table(TIDY, "appraise.en-de.tsv.gz")
        if row["protocol"] == protocol and row["type"] != "TUTORIAL"
    }


@pytest.mark.parametrize("protocol", ["ESA", "MQM"])
def test_segments_are_found_by_document_and_order(protocol, lines_of):
    """Every row's line, as the study's own batches have it."""
    (part,) = released(*exported(protocol)).judgments
    rows = tidy_rows(f"{protocol}-1")
    kinds = Counter()
    for screen in part.screens():
        login, item, _document = screen.item.split(" ")
        row = rows[login, screen.outputs[0], int(item)]
        kinds[row["type"], screen.kind] += 1
        if row["line"]:
            name, place = screen.segment.rsplit(":", 1)
            assert lines_of[name][int(place) - 1] == int(row["line"])
    n = sum(kinds.values())
    assert n == len(rows)
    assert set(kinds) == {
        ("TGT", "regular"), ("BAD", "degraded"), ("TGT-DUP", "repeat"), ("BAD-DUP", "degraded"),
    }  # fmt: skip
    assert kinds["TGT", "regular"] == 2_691


def written(release, test_set=None, owner="organizer"):
    problems = Problems()
    found = writing.write(release, factory.make_user(owner), problems, test_set=test_set)
    assert not problems.n, problems.first
    return found


def published(protocol):
    """{(system, line): score} of the study."""
    return {
        (row["system"], int(row["line"])): float(row["score"])
        for row in table(TIDY, "published_esa_segments.en-de.tsv.gz")
        if row["protocol"] == protocol
    }


def scores_of(campaign, dimension, line_of):
    """{(system, line): score} of what was judged undamaged and for the first time."""
    rows = Rating.objects.filter(
        judgment__campaign=campaign, dimension=dimension, judgment__item__kind="regular"
    ).values_list("output__system__name", "output__segment__key", "value")
    found = {(system, line_of(key)): value for system, key, value in rows}
    assert len(found) == rows.count()
    return found


@pytest.fixture
def wmt23(db):
    """The texts of the study; keys are lines, from 1."""
    outputs = defaultdict(dict)
    for row in table(TIDY, "outputs.en-de.tsv.gz"):
        outputs[int(row["line"])][row["system"]] = row["text"]
    found = TestSet(
        name="wmt23", source_language="en", target_language="de", owner=factory.make_user("owner")
    )
    return import_test_set(
        found,
        (
            SegmentTexts(
                "", n + 1, str(n + 1), row["doc_id"], row["source"], {}, outputs[n], row["domain"]
            )
            for n, row in enumerate(table(TIDY, "segments.en-de.tsv.gz"))
        ),
    )


@pytest.mark.proof
@pytest.mark.django_db
@pytest.mark.parametrize(("protocol", "dimension"), [("ESA", "esa"), ("MQM", "mqm")])
def test_the_published_scores_without_texts(protocol, dimension, lines_of):
    """All 2,691 scores of segments, to the last digit."""
    ((campaign, counts),) = written(released(*exported(protocol))).campaigns
    assert not campaign.test_set.has_texts
    assert counts.judgments == {"ESA": 3_102, "MQM": 3_102}[protocol]

    def line_of(key):
        document, place = key.rsplit(":", 1)
        return lines_of[document][int(place) - 1]

    assert scores_of(campaign, dimension, line_of) == published(f"{protocol}-1")


@pytest.mark.proof
@pytest.mark.django_db
def test_the_published_scores_with_texts(wmt23, lines_of, tmp_path):
    """With a list of what was judged, the segments are those of the test set."""
    listed = tmp_path / "judged.tsv"
    pairs = [f"{d}\t{line + 1}\n" for d, lines in lines_of.items() for line in lines]
    listed.write_text("".join(["document\tsegment\n", *pairs]), "utf-8")
    found = written(released(*exported("ESA"), listed), wmt23)
    ((campaign, _),) = found.campaigns
    assert campaign.test_set == wmt23
    assert scores_of(campaign, "esa", lambda key: int(key) - 1) == published("ESA-1")
    (note,) = found.remarks
    assert "11 marked errors of damaged translations" in note
    assert "row 2,851, characters 252 to 288" in note
    # Out of the database and in again, with the same test set.
    outgoing = from_database.release_of([campaign])
    Appraise().write(outgoing, Folder(tmp_path / "out"))
    ((again, _),) = written(released(tmp_path / "out"), wmt23, "another").campaigns
    assert judged_in(again) == judged_in(campaign)
    assert scores_of(again, "esa", lambda key: int(key) - 1) == published("ESA-1")


def judged_in(campaign):
    """Everything that was judged, however stored."""
    rows = from_database.judgments_part(campaign).screens()
    return Counter(
        (
            s.annotator, s.segment, tuple(s.outputs), s.kind, tuple(s.ratings),
            tuple(sorted(s.spans)), s.started, s.submitted,
        )
        for s in rows
    )  # fmt: skip


@pytest.mark.django_db
def test_documents_that_were_judged_in_part(wmt23):
    with pytest.raises(
        ImportProblem, match=r"17 documents.*ATLeagle\.110351251845843008.*which were"
    ):
        written(released(*exported("ESA")), wmt23)


@pytest.mark.parametrize("content", ["login,name\na,b\n", "\nlogin,AnnotatorID\na,b\n"])
def test_a_table_of_people_without_its_columns_is_refused_with_its_place(tmp_path, content):
    path = tmp_path / "people.csv"
    path.write_text(content)
    with opened([path]) as (file,), pytest.raises(ImportProblem) as caught:
        list(pairs_in(file, "login", "annotatorid"))
    problem = caught.value
    said = problem.file, problem.row, problem.reason
    assert said == ("people.csv", 1, "the header has no columns login, annotatorid.")
    path.write_text("AnnotatorID,login\nb,a\n")
    with opened([path]) as (file,):
        assert list(pairs_in(file, "login", "annotatorid")) == [["a", "b"]]
