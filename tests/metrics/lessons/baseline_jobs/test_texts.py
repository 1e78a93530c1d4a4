"""A baseline system is never trained on what it translates."""

import pytest

from judgments.models import Reference, RegisteredPlan, Segment
from metrics.lessons.baseline_jobs.fold_texts import fold
from metrics.lessons.baseline_jobs.texts import folds_by_document, why_not, why_not_by_documents
from tests import factory


@pytest.fixture
def test_set(db):
    """Four segments in two documents."""
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


def test_each_document_is_translated_from_the_others(test_set):
    folds = folds_by_document(test_set)
    assert len(folds) == 2
    documents = dict(test_set.segments.values_list("pk", "document"))
    texts = dict(test_set.segments.values_list("source", "document"))
    assert sorted(pk for each in folds for pk, _ in each.segments) == sorted(documents)
    for each in folds:
        own = {documents[pk] for pk, _ in each.segments}
        assert len(own) == 1
        assert each.pairs
        assert not own & {texts[source] for source, _ in each.pairs}


def test_a_source_that_is_translated_is_not_learned_from(test_set):
    first, *_, last = test_set.segments.order_by("position")
    Segment.objects.filter(pk=last.pk).update(source=f"  {first.source} ")
    folds = folds_by_document(test_set)
    assert [each.n_left_out for each in folds] == [1, 1]
    assert all(first.source not in source for each in folds for source, _ in each.pairs)


def test_all_references_are_learned_from(test_set):
    segment = test_set.segments.order_by("position").first()
    Reference.objects.create(segment=segment, name="second", text="Another one.")
    pairs = [pair for each in folds_by_document(test_set) for pair in each.pairs]
    assert (segment.source, "Another one.") in pairs
    assert len([pair for pair in pairs if pair[0] == segment.source]) == 2


def test_pairs_are_left_out_whatever_their_white_space():
    found = fold([("a  b", "x"), ("c", "y")], [(1, "a b ")])
    assert found.pairs == [("c", "y")]
    assert found.n_left_out == 1


def test_what_there_is_nothing_to_learn_from(test_set):
    assert why_not(test_set) == why_not_by_documents(test_set) == ""
    Reference.objects.all().delete()
    assert "no references" in why_not_by_documents(test_set)
    test_set.has_texts = False
    assert "keys but no texts" in why_not(test_set)


def test_one_document_has_no_others(test_set):
    document = test_set.documents.first()
    test_set.segments.update(document=document)
    test_set.documents.exclude(pk=document.pk).delete()
    assert "one document" in why_not_by_documents(test_set)


def test_one_document_with_references_has_no_others(test_set):
    document = test_set.documents.first()
    Reference.objects.exclude(segment__document=document).delete()
    assert test_set.documents.count() > 1
    assert "one document" in why_not_by_documents(test_set)


def test_a_stopping_plan_counts_the_systems(test_set):
    campaign = factory.make_campaign(test_set, owner=test_set.owner)
    RegisteredPlan.objects.create(
        campaign=campaign,
        aim="all",
        dimension="adequacy",
        unit="segments",
        looks=[2, 4],
        most=4,
        n_systems=3,
        registered_by=test_set.owner,
    )
    assert campaign.name in why_not(test_set)
    campaign.status = "closed"
    campaign.save()
    assert why_not(test_set) == ""
