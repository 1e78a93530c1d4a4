"""Altered outputs of a test set: where phrases come from, and what checks say."""

import numpy as np
import pytest

from judgments.models import Alteration, Output, Reference
from judgments.plans.controls.damage import altered_outputs, loud_text
from tests import factory

pytestmark = pytest.mark.django_db

PLANTED = [Alteration.WMT16, Alteration.APPRAISE]


@pytest.fixture
def campaign():
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=12, n_systems=3, n_documents=4)
    return factory.make_campaign(test_set, owner=owner)


def outputs_of(campaign):
    return list(Output.objects.filter(system__test_set=campaign.test_set).order_by("pk"))


@pytest.mark.parametrize("with_references", [True, False])
@pytest.mark.parametrize("rule", [*PLANTED, Alteration.CROWD_ALONE, Alteration.SILENT])
def test_texts_are_taken_from_another_document(campaign, rule, with_references):
    if not with_references:
        Reference.objects.all().delete()
    outputs = outputs_of(campaign)
    found = altered_outputs(
        campaign, [(output.pk, rule) for output in outputs], np.random.default_rng(2)
    )
    assert [row.output_id for row in found] == [output.pk for output in outputs]
    for row, output in zip(found, outputs, strict=True):
        assert row.pk is None and row.text != output.text and row.rule == rule
        row.save()
        row.refresh_from_db()
        if rule == Alteration.CROWD_ALONE:
            assert row.donor is None and row.start == row.end
            continue
        assert row.donor.document_id != output.segment.document_id
        if rule == Alteration.SILENT:
            assert row.start is None
            assert row.text == Output.objects.get(segment=row.donor, system=output.system).text
        else:
            texts = row.donor.references if with_references else row.donor.outputs
            phrase = row.text[row.start : row.end]
            assert any(phrase in text for text in texts.values_list("text", flat=True))


def test_the_same_seed_gives_the_same_texts(campaign):
    wanted = [(output.pk, Alteration.WMT16) for output in outputs_of(campaign)]
    first, second, other = (
        [row.text for row in altered_outputs(campaign, wanted, np.random.default_rng(seed))]
        for seed in (1, 1, 2)
    )
    assert first == second != other


def test_what_cannot_be_altered_is_none(campaign):
    output = outputs_of(campaign)[0]
    output.text = " "
    output.save()
    rng = np.random.default_rng(1)
    made_otherwise = (Alteration.IMPORTED, Alteration.BESIDE)
    rules = [rule for rule in Alteration.values if rule not in made_otherwise]
    wanted = [(output.pk, rule) for rule in rules]
    assert altered_outputs(campaign, wanted, rng) == [None] * len(wanted)
    # With one document there is no other to take from; deleting needs none.
    owner = factory.make_user("other")
    single = factory.make_campaign(factory.make_test_set(owner, n_documents=1), owner=owner)
    output = outputs_of(single)[0]
    found = altered_outputs(single, [(output.pk, rule) for rule in rules], rng)
    assert [row and row.rule for row in found] == [None, None, "crowd-alone", "loud", None]


def test_a_silent_check_is_of_like_length(campaign):
    outputs = outputs_of(campaign)
    found = altered_outputs(
        campaign, [(output.pk, Alteration.SILENT) for output in outputs], np.random.default_rng(3)
    )
    for row, output in zip(found, outputs, strict=True):
        assert abs(len(row.text.split()) - len(output.text.split())) <= 1


LANGUAGES = ["de", "de-AT", "cs", "ar", "zh", "zh-Hans", "zh-CN", "fr", "pt-BR"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_loud_check_speaks_the_target_language(language):
    assert loud_text(language) != loud_text("en")


@pytest.mark.parametrize("language", ["en", "en-GB", "sv", "zh-Hant", "zh-TW", "xx"])
def test_a_loud_check_in_a_language_the_site_does_not_speak(language):
    assert loud_text(language).startswith("This text checks whether you are reading")
