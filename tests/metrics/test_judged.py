"""Metrics against people who judged whole documents: a metric scores the same documents."""

import numpy as np
import pytest
import sacrebleu

from metrics import evaluation, jobs
from metrics.choices import MetricChoice
from metrics.judged import judged_in
from metrics.meta_evaluation import study
from metrics.meta_evaluation.board import board_of
from tests import factory

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
    found = evaluation.segment_level(campaign)
    (row,) = found.rows
    systems = {system.pk: system for system in campaign.test_set.systems.all()}
    expected = [
        [bleu(campaign, systems[pk], places) for places in ([0, 1], [2, 3])]
        for pk in found.system_ids
    ]
    np.testing.assert_allclose(row.metric, expected, atol=1e-9)
    assert row.human.shape == (3, 2)


def test_judged_segments_are_those_of_the_documents(campaign):
    (row,) = evaluation.system_level(campaign, over="judged").rows
    (whole,) = evaluation.system_level(campaign).rows
    np.testing.assert_allclose(row.metric, whole.metric, atol=1e-9)  # both documents were judged


def test_meta_evaluation_reads_documents_too(campaign):
    board = board_of(campaign.test_set, statistics=True)
    found = study.study_of(campaign, study.Choice(), board)
    (row,) = evaluation.segment_level(campaign).rows
    np.testing.assert_allclose(found.segments[0], row.metric)


def test_a_campaign_of_segments_has_no_documents(campaign):
    campaign.options = {}
    segments = campaign.test_set.segments.order_by("position")
    judged = judged_in(campaign, [segments[2].pk, segments[0].pk])
    assert judged.documents is None and judged.all_places.tolist() == [2, 0]
