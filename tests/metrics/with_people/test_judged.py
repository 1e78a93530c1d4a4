"""Metrics against people who judged whole documents: a metric scores the same documents."""

import io

import numpy as np
import pytest
import sacrebleu

from judgments.results.selection.selection import Selection
from metrics.scores.importing import Instructions, import_scores
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people.judged_segments import judged_in
from metrics.with_people.references import choice_section
from metrics.with_people.references.findings import ReferencePage, ReferencesAsked
from metrics.with_people.references.texts import ReferenceTexts
from tests import factory
from tests.metrics.with_people.studies import place_of, study_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Two documents of two segments, three systems, one rating of each document and system."""
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(factory.make_user("owner"), n_systems=3)
    campaign = factory.make_campaign(
        test_set,
        preset="document-assessment",
        annotators=[annotator],
        options={"unit": "whole document"},
    )
    task = factory.make_task(campaign, annotator)
    for item in task.items.all():
        if item.segment.position % 2 == 0:
            n = item.segment.position
            factory.judge(item, {"da": [50.0 + n, 20.0 - n, 80.0]})
    jobs.work_on(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]).pk)
    return campaign


def bleu(campaign, system, places):
    segments = list(campaign.test_set.segments.order_by("position"))
    chosen = [segments[place] for place in places]
    outputs = [segment.outputs.get(system=system).text for segment in chosen]
    references = [segment.references.get(name="ref").text for segment in chosen]
    return sacrebleu.BLEU().corpus_score(outputs, [references]).score


def test_a_document_is_scored_as_a_corpus_of_its_segments(campaign):
    found = study_of(campaign)
    systems = {system.pk: system for system in campaign.test_set.systems.all()}
    expected = [
        [bleu(campaign, systems[pk], places) for places in ([0, 1], [2, 3])]
        for pk in found.system_ids.tolist()
    ]
    np.testing.assert_allclose(found.segments[0], expected, atol=1e-9)
    assert found.human.shape == (3, 2)


def test_judged_segments_are_those_of_the_documents(campaign):
    judged = study_of(campaign, over="judged").metric_systems[0]
    whole = study_of(campaign).metric_systems[0]
    np.testing.assert_allclose(judged, whole, atol=1e-9)  # both documents were judged


def test_scores_uploaded_by_document_are_compared_with_judged_documents(campaign):
    rows = "".join(
        f"System-{name}\t{score}\n" for name in "ABC" for score in (ord(name) / 100, "None")
    )
    file = io.BytesIO(rows.replace("A\tNone", "A\t0.25").encode())
    file.name = "M-ref.doc.score"
    import_scores(campaign.test_set, [file], Instructions(higher_is_better=True))
    for over in ("all", "judged"):
        found = study_of(campaign, over=over)
        place = place_of(found, "uploaded")
        np.testing.assert_allclose(
            found.segments[place], [[0.65, 0.25], [0.66, np.nan], [0.67, np.nan]]
        )
        np.testing.assert_allclose(found.metric_systems[place], [0.45, 0.66, 0.67])


def test_a_campaign_of_segments_has_no_documents(campaign):
    campaign.options = {"unit": "segment"}  # the preset says "whole document"
    segments = campaign.test_set.segments.order_by("position")
    judged = judged_in(campaign, [segments[2].pk, segments[0].pk])
    assert judged.documents is None and judged.all_places.tolist() == [2, 0]


def test_scores_of_documents_stand_beside_documents_and_no_segments(campaign):
    """Each is stored with the first of its segments, which nobody scored."""
    asked = ReferencesAsked("bleu", None, "13a", Selection.of(campaign))
    page = ReferencePage(ReferenceTexts(campaign.test_set), asked)
    people = page.people_by_level
    # System-A, -B and -C on the documents that begin with segments 0 and 2.
    assert people["document"].tolist() == [[50, 52], [20, 18], [80, 80]]
    assert people["segment"].shape == (3, 4) and np.isnan(people["segment"]).all()
    assert people["system"][:, 0].tolist() == [51, 19, 80]
    assert page.people is None, "no score of a segment either"
    assert "whole documents" in " ".join(choice_section.notes(page))
