"""The screens on which translators see texts."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from judgments.translations.catalogs import key_of, texts_of
from judgments.translations.made_up import MADE_UP
from judgments.translations.marks import SCRIPTED, SEEN
from judgments.translations.screens import PAGES, drawn, screens, where_shown
from judgments.trial import presets
from tests.gates.test_permissions import writes

pytestmark = pytest.mark.django_db


@pytest.fixture
def request_of_a_translator(rf):
    request = rf.get("/translations/", SERVER_NAME="localhost")
    request.user, request.session = AnonymousUser(), {}
    return request


def test_each_has_an_address_of_its_own():
    assert len(screens()) == 3 * len(presets()) + len(PAGES) + len(MADE_UP)


@pytest.mark.parametrize("code", ["de", "ar"])
def test_each_is_drawn_without_a_mark_left_and_nothing_is_written(code, request_of_a_translator):
    text = key_of("Submit and go on")
    with writes() as written:
        for slug, screen in screens().items():
            page = drawn(request_of_a_translator, screen, code, text)
            assert page.ways, slug
            left = set(re.findall(r"(?:\ue000|\\ue000)(\w{10})", page.html))
            assert left <= {text}, slug  # as words for a script
    assert not written.tables


def test_nearly_every_text_is_on_a_screen(request_of_a_translator):
    texts, shown = texts_of("de"), where_shown(request_of_a_translator)
    assert sum(key in shown for key in texts) / len(texts) > 0.85
    assert SEEN in shown[key_of("All done. Thank you!")]["between-done"]
    assert SEEN in shown[key_of("Adequacy")]["adequacy-fluency"]
    assert shown[key_of("# answers missing")]["adequacy-fluency"] == {SCRIPTED}


def test_made_up_pages_run_no_script_that_could_keep_answers(request_of_a_translator):
    for slug in (each.slug for each in MADE_UP):
        assert "<script" not in drawn(request_of_a_translator, screens()[slug], "de").html, slug


def test_annotators_get_no_marks_afterwards(client, request_of_a_translator):
    drawn(request_of_a_translator, screens()["esa"], "de", key_of("Quality"))
    number = [preset.slug for preset in presets()].index("esa") + 1
    page = client.get(reverse("trial-item", args=[number]), headers={"accept-language": "de"})
    assert "Qualität" in page.content.decode()
    assert not re.search("[\ue000-\ue002]|-x-marked", page.content.decode())
