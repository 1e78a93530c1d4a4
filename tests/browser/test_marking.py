"""Marking errors in long texts: reaching a word from afar, and what follows the place of work."""

import pytest
from playwright.sync_api import Page

from tests import factory

from .test_spans import TEXT, box_of, campaign_of, keys, open_at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


def test_the_place_of_work_is_told(page: Page, site: str, annotator):
    """By key, by click and when an error is opened: what follows the reading hears where it is."""
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    page.evaluate(
        """() => {
          window.heard = [];
          document.getElementById("stage").addEventListener("mteval:place", ({ target, detail }) =>
            heard.push([target.className.includes("segment-text"), detail.offset]));
        }"""
    )
    keys(page, "ArrowRight", "ArrowRight", "1")
    dog = box_of(page, "dog")
    page.mouse.click(dog["x"], dog["y"])
    keys(page, ",")
    places = [TEXT.index(word) for word in ("The", "cat", "dog", "cat")]
    assert page.evaluate("heard") == [[True, place] for place in places]
