"""The form that requests scores."""

import pytest

from judgments.models import Reference
from metrics.scorers import SCORERS
from metrics.scores.forms import ScoringForm
from metrics.scoring import languages
from tests import factory


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner"))


def offers(form):
    return {offer.slug: offer for _, group in form.families() for offer in group}


def test_metrics_stand_under_their_families(test_set):
    families = dict(ScoringForm(test_set).families())
    assert {"BLEU", "chrF", "TER"} <= {o.name for group in families.values() for o in group}
    for family, group in families.items():
        assert {SCORERS[offer.slug].family for offer in group} == {family}


def test_a_metric_that_cannot_run_is_listed_with_the_reason(test_set, monkeypatch):
    why = "Its environment is absent; ./run extra adds it."
    monkeypatch.setattr(SCORERS["ter"], "unavailable", classmethod(lambda cls: why))
    form = ScoringForm(test_set, {"metrics": ["ter"], "references": ["ref"]})
    offer = offers(form)["ter"]
    assert offer.reason == why and not offer.fields
    assert not form.is_valid()
    assert "ter is not one of the metrics" in str(form.errors)


@pytest.mark.parametrize(
    ("needs", "words"),
    [
        ({"needs_references": True}, "no reference translations"),
        ({"needs_references": True, "targeted": True}, "no post-edits"),
        ({"needs_sources": True, "needs_references": False}, "no source texts"),
        ({"needs_corpus": True, "needs_references": False}, "upload a corpus first"),
    ],
)
def test_what_a_test_set_lacks_is_said(test_set, monkeypatch, needs, words):
    Reference.objects.all().delete()
    test_set.segments.update(source="")
    for name, value in needs.items():
        monkeypatch.setattr(SCORERS["ter"], name, value, raising=False)
    assert words in offers(ScoringForm(test_set))["ter"].reason


def test_without_references_a_metric_that_needs_none_can_be_asked_for(test_set, monkeypatch):
    Reference.objects.all().delete()
    monkeypatch.setattr(SCORERS["ter"], "needs_references", False)
    form = ScoringForm(test_set, {"metrics": ["ter"]})
    assert form.is_valid(), form.errors
    assert form.cleaned_data["references"] == []


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", "13a"),
        ("zh", "zh"),
        ("zh-Hant-TW", "zh"),
        ("ja", "ja-mecab"),
        ("ko", "ko-mecab"),
        ("th", "char"),
        ("ZH", "zh"),
    ],
)
def test_the_tokenizer_follows_the_target_language(test_set, language, expected):
    test_set.target_language = language
    assert ScoringForm(test_set)["bleu-tokenize"].value() == expected


def test_single_characters_where_the_tokenizer_is_not_installed(test_set, monkeypatch):
    monkeypatch.setattr(languages, "unusable", lambda name: name == "ja-mecab")
    test_set.target_language = "ja"
    assert ScoringForm(test_set)["bleu-tokenize"].value() == "char"


@pytest.mark.parametrize(
    ("language", "meteor", "bertscore"),
    [("de", "de", "de"), ("pt-BR", "pt", "pt"), ("zh-Hant-TW", "", "zh"), ("EN", "en", "en")],
)
def test_the_language_follows_the_target_language(test_set, language, meteor, bertscore):
    """A language without a stemmer gets none, and not that of English."""
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patch:
        patch.setattr(SCORERS["bertscore"], "unavailable", classmethod(lambda cls: ""))
        test_set.target_language = language
        form = ScoringForm(test_set)
    assert form["meteor-language"].value() == meteor
    assert form["bertscore-language"].value() == bertscore


def test_a_metric_of_post_edits_says_where_they_are_added(test_set):
    offer = offers(ScoringForm(test_set))["hter"]
    assert offer.needs_post_edits and offer.reason
    assert not offers(ScoringForm(test_set))["ter"].needs_post_edits
