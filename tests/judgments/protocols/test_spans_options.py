"""Trees of categories and weights as managers write them."""

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from judgments.models import Campaign
from judgments.protocols import PRESETS
from judgments.protocols.spans import Spans
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.options import (
    parse_categories,
    parse_weights,
    problems,
    written_weights,
)
from tests import factory

SPANS = [preset for preset in PRESETS.values() if preset.protocol == "spans"]


def test_a_tree_is_lines_with_slashes():
    text = "Accuracy / Omission\n\n  Style\nLocale/Date  format/Short\n"
    assert parse_categories(text) == ["Accuracy/Omission", "Style", "Locale/Date format/Short"]
    assert parse_categories(" \n") == []


@pytest.mark.parametrize(
    "text",
    [
        "a/",
        "/a",
        "a//b",
        "a/b/c/d",
        "A\na",
        "a\x07",
        "x" * 121,
        "İ" * 61,
        "Non-translation",
        "a\n" * 2,
    ],
)
def test_bad_trees_name_the_line(text):
    with pytest.raises(ValueError, match=r"^Line [12]: "):
        parse_categories(text)


def test_too_many_categories():
    with pytest.raises(ValueError, match="200"):
        parse_categories("\n".join(f"c{i}" for i in range(201)))


def test_weights_are_lines_with_an_equals_sign():
    found = parse_weights("Minor = 1\nmajor=5\n\nminor / Fluency/punctuation = .1\n*/style=0")
    assert found == {"minor": 1, "major": 5, "minor/fluency/punctuation": 0.1, "*/style": 0}
    marking = Marking.read({"weights": found, "categories": ["Fluency/Punctuation", "Style"]})
    assert marking.severities == ("minor", "major")
    errors = [("minor", "fluency/punctuation"), ("major", "style"), ("major", "")]
    assert marking.score_of(errors) == -5.1


@pytest.mark.parametrize(
    "text",
    [
        "minor",
        "minor = x",
        "minor = nan",
        "minor = inf",
        "minor = -1",
        "minor = 1e9",
        "minor = 0.009",
        "minor = 1\nminor = 2",
        "= 3",
        "minor/ = 3",
        "a" * 21 + " = 1",
        "min\x07or = 1",
    ],
)
def test_bad_weights_name_the_line(text):
    with pytest.raises(ValueError, match=r"^Line [12]: "):
        parse_weights(text)


@pytest.mark.parametrize("text", ["", "minor/style = 1", "* = 1"])
def test_a_severity_is_needed(text):
    with pytest.raises(ValueError, match="at least one severity"):
        parse_weights(text)


@pytest.mark.parametrize("text", ["minor = 0", "minor = 0\nmajor = 0\n*/style = 1"])
def test_something_must_weigh(text):
    with pytest.raises(ValueError, match="above 0"):
        parse_weights(text)


names = st.text(st.characters(categories=["Ll"], max_codepoint=0x24F), min_size=1, max_size=8)


@given(
    st.dictionaries(names, st.integers(0, 1000), min_size=1, max_size=9).filter(
        lambda found: any(found.values())
    )
)
def test_written_weights_are_read_again(weights):
    weights = {name.lower(): weight for name, weight in weights.items()}
    assert parse_weights(written_weights(weights)) == weights


@pytest.mark.parametrize("preset", SPANS, ids=lambda preset: preset.slug)
def test_presets_agree_with_themselves(preset):
    assert problems(preset.options) == {}
    fields = {option.slug: option for option in Spans.option_fields(preset)}
    assert fields.keys() >= {"show_source", "show_reference", "context", "outputs_per_item"}
    assert ("categories" in fields) == (preset.slug == "custom-errors")
    assert ("weights" in fields) == bool(preset.options.get("categories"))
    if "weights" in fields:
        assert (
            parse_weights(fields["weights"].initial(Marking.read(preset.options)))
            == preset.options["weights"]
        )


def test_weights_that_never_apply_are_named():
    preset = PRESETS["custom-errors"]
    for weights, message in (
        ({"minor": 1, "major/style": 2}, "there is no severity “major”"),
        ({"minor": 1, "minor/tone": 2}, "there is no category “tone”"),
    ):
        assert message in problems(preset.options | {"weights": weights})["weights"]
    found = problems(preset.options | {"prefilled": True, "score": False})
    assert "score" in found


@pytest.mark.django_db
def test_a_campaign_with_a_tree_of_its_own(client):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner)
    client.force_login(owner)
    url = reverse("campaign-new-preset", args=["custom-errors"])
    page = client.get(url).content.decode()
    assert "Accuracy/Omission" in page and "major = 5" in page
    data = {
        "name": "Tone",
        "test_set": test_set.pk,
        "categories": "Tone/Too formal\nTone/Too blunt",
        "weights": "slip = 1\nblunder = 4\nslip/tone = 0.5",
        "most_errors": "3",
        "score": "on",
        "unaided": "0",
        "unaided_by": "segment",
        "planted": "0",
        "withheld": "0",
        "marks": "[Off the brief]",
        "unmarked": "refuse",
        "unmarked_below": "85",
        "mark_by": "language",
        "show_source": "on",
        "context": "none",
        "outputs_per_item": "2",
    }
    refused = client.post(url, data | {"weights": "slip"})
    assert "Line 1: write a severity" in refused.content.decode()
    refused = client.post(url, data | {"unaided": "10"})
    assert "Nothing is suggested in this campaign: give 0." in refused.content.decode()
    assert client.post(url, data | {"unaided": "51"}).status_code == 200
    assert client.post(url, data).status_code == 302
    campaign = Campaign.objects.get(name="Tone")
    marking = Marking.of(campaign)
    assert marking.categories == ("Tone/Too formal", "Tone/Too blunt")
    assert marking.marks == ("Off the brief",)
    assert (marking.unmarked, marking.unmarked_below) == ("refuse", 85)
    assert (marking.mark_by, marking.columns, marking.hidden_progress) == ("language", False, False)
    assert marking.score_of([("slip", "tone/too formal"), ("blunder", "tone/too blunt")]) == -4.5
    assert [d.slug for d in Spans(campaign).dimensions()] == ["esa", "esa_spans"]
    assert Spans(campaign).outputs_per_item() == (1, 2)
