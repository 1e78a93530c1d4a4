"""Trying to judge without an account: every preset, in words, and none of it is stored."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.judging.trial import presets, trial_screen
from judgments.models import Campaign, TestSet
from judgments.protocols import PRESETS, PROTOCOLS
from judgments.web import limits
from tests.gates.blind_walk import answers_to
from tests.gates.test_permissions import writes

pytestmark = pytest.mark.django_db

# What a manager has to fill in before it asks anything.
LEFT_OUT = {"custom-rating"}
SLUGS = [preset.slug for preset in PRESETS.values() if preset.slug not in LEFT_OUT]


@pytest.fixture(autouse=True)
def empty_site():
    """A newly installed site."""
    assert not Campaign.objects.exists() and not TestSet.objects.exists()


def number_of(slug: str) -> int:
    return SLUGS.index(slug) + 1


def answer(client, slug: str, data: dict, **extra):
    return client.post(reverse("trial-item", args=[number_of(slug)]), data, **extra)


def said(client, slug: str, data: dict) -> list[str]:
    """The lines that say what would have been stored."""
    response = answer(client, slug, data)
    assert response.status_code == 200, response.content.decode()
    return response.context["lines"]


def test_every_preset_that_asks_something_is_there(client):
    assert [preset.slug for preset in presets()] == SLUGS
    assert {preset.protocol for preset in presets()} == set(PROTOCOLS)
    page = client.get(reverse("trial")).content.decode()
    for number, slug in enumerate(SLUGS, 1):
        assert f'href="{reverse("trial-item", args=[number])}"' in page, slug


@pytest.mark.parametrize("slug", SLUGS)
def test_a_screen_is_answered_and_nothing_is_written(client, slug):
    number = number_of(slug)
    form = trial_screen(number, timezone.now()).form()
    with writes() as written:
        page = client.get(reverse("trial-item", args=[number])).content.decode()
        lines = said(client, slug, answers_to(form) | {"active_ms": "7400"})
        client.get(reverse("trial-instructions", args=[number]))
    assert written.tables <= {"judgments_attempts"}, "only how often it was tried"
    assert lines
    assert 'data-draft=""' in page
    assert "data-practice" in page
    for kept in ("site.js", "queue.", 'id="waiting"', 'href="/judge', 'href="/settings'):
        assert kept not in page


@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_missing_is_said(client, slug):
    response = answer(client, slug, {})
    assert response.status_code == 400
    assert "Not stored yet: some answers are missing" in response.content.decode()


def test_what_was_answered_already_is_still_there(client):
    page = answer(client, "adequacy-fluency", {"output1-adequacy": "4"}).content.decode()
    assert page.count("checked") >= 1
    assert 'value="4" data-key="4" required checked' in " ".join(page.split())


def test_ratings_in_words(client):
    n_outputs = 5
    data = {f"output{place}-adequacy": "4" for place in range(1, n_outputs + 1)}
    data |= {f"output{place}-fluency": "1" for place in range(1, n_outputs + 1)}
    lines = said(client, "adequacy-fluency", data)
    assert len(lines) == 2 * n_outputs
    assert lines[0] == "Translation 1, Adequacy: 4 (Most)"
    assert "Translation 5, Fluency: 1 (Incomprehensible)" in lines


@pytest.mark.parametrize(
    ("value", "words"),
    [("1", "the first is better"), ("0", "both are equal"), ("-1", "the second is better")],
)
def test_preferences_in_words(client, value, words):
    lines = said(client, "pairwise", {"preference": value})
    assert lines == [f"Of the two translations: {words}"]


def test_errors_in_words(client):
    """ESA's weights: a major error counts 5."""
    screen = trial_screen(number_of("esa"), timezone.now())
    text = screen.shown[0].output.text
    end = text.index(" ")
    marks = [{"side": "target", "start": 0, "end": end, "severity": "major", "category": ""}]
    data = {"output1-spans": json.dumps(marks), "output1-esa": "40", "output1-confirmed": "1"}
    assert said(client, "esa", data) == [
        "Translation 1, Quality: 40",
        "Translation 1, Score of the marked errors: \N{MINUS SIGN}5",
        f"Translation 1, an error: “{text[:end]}” (major)",
    ]


def test_suggested_errors_are_on_the_screen(client):
    screen = trial_screen(number_of("esa-ai"), timezone.now())
    marks = json.loads(screen.form()["output1-spans"].value())
    text = screen.shown[0].output.text
    found = [text[mark["start"] : mark["end"]] for mark in marks]
    assert found
    data = {
        "output1-spans": json.dumps(marks),
        "output1-esa": "40",
        "output1-confirmed": "1",
    }
    lines = said(client, "esa-ai", data)
    assert [line.split("“")[1].split("”")[0] for line in lines if "“" in line] == found


def test_answers_in_words(client):
    screen = trial_screen(number_of("comprehension"), timezone.now())
    first, second = screen.form().asked()
    value = next(value for value, words, *_ in first.choices if words == "every week")
    data = {first.name: value, f"{second.name}-text": "Nothing!"}
    assert said(client, "comprehension", data) == [
        "“How often does the bus come?” every week (wrong)",
        "“What does somebody pay who brings a book back late?” Nothing! (right)",
    ]


def test_links_in_words(client):
    assert said(client, "word-alignment", {"output1-links": "0-1 2p2"}) == [
        "Word 1 of the source and word 2 of the translation, surely",
        "Word 3 of the source and word 3 of the translation, possibly",
    ]


def test_an_edit_in_words(client):
    data = {"output1-text": "It stops here.", "output1-outcome": "edited"}
    lines = said(client, "post-editing", data)
    assert "Translation 1, edited: “It stops here.”" in lines


def test_the_next_screen_follows_and_the_last_one_says_so(client):
    form = trial_screen(len(SLUGS), timezone.now()).form()
    last = answer(client, SLUGS[-1], answers_to(form)).content.decode()
    assert "That was the last screen." in last
    page = answer(client, "pairwise", {"preference": "0"}).content.decode()
    assert f'href="{reverse("trial-item", args=[number_of("pairwise") + 1])}"' in page


def test_words_of_a_visitor_are_shown_as_text(client):
    data = {"output1-text": "<script>x</script>", "output1-outcome": "edited"}
    page = answer(client, "post-editing", data).content.decode()
    assert "&lt;script&gt;x" in page
    assert "<script>x" not in page


@pytest.mark.parametrize("number", [0, len(SLUGS) + 1, 10**30])
def test_there_are_no_others(client, number):
    assert client.get(reverse("trial-item", args=[number])).status_code == 404
    assert client.post(reverse("trial-item", args=[number])).status_code == 404
    assert client.get(reverse("trial-instructions", args=[number])).status_code == 404


def test_no_form_of_another_site_is_taken():
    client = Client(enforce_csrf_checks=True)
    assert answer(client, "pairwise", {"preference": "0"}).status_code == 403


def test_it_is_in_the_language_of_the_browser(client):
    german = {"headers": {"accept-language": "de"}}
    page = client.get(reverse("trial"), **german).content.decode()
    assert "Beurteilen ausprobieren" in page
    lines = answer(client, "pairwise", {"preference": "0"}, **german).context["lines"]
    assert lines == ["Von den beiden Übersetzungen: beide sind gleich gut"]


def test_an_address_that_tries_too_often_waits(client, settings):
    settings.RATE_LIMITS = 1
    address = reverse("trial-item", args=[1])
    limits.charge(limits.TRIALS, "192.0.2.1", limits.TRIALS.most)
    response = client.get(address, REMOTE_ADDR="192.0.2.1")
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 900
    assert client.get(address, REMOTE_ADDR="192.0.2.2").status_code == 200
