"""Marking errors: a key that is shown does that, and nothing else; where arrows go on from."""

import pytest
from playwright.sync_api import Page, expect

from judgments.models import ErrorSpan
from judgments.protocols import PRESETS
from tests import factory

from .test_spans import campaign_of, keys, open_at, said

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

# The keys that can be seen: of the page, and of the translation in work.
SHOWN = """() => [...document.querySelectorAll("kbd, .ticks strong")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }))
  .filter((node) => node.closest(".output")?.querySelector(".is-current") !== null)
  .map((node) => node.textContent.trim())"""
SEVERITIES = "[data-act=severity] kbd"
TICKS = ".ticks strong"


def shown(page: Page) -> list[str]:
    """Each once, or the test ends."""
    found = page.evaluate(SHOWN)
    assert len(found) == len(set(found)), sorted(found)
    return found


def letters(page: Page) -> list[str]:
    """Of the categories that are offered now."""
    return page.locator(".is-current .span-kinds kbd").all_inner_texts()


def test_a_key_is_shown_once_in_every_preset(page: Page, site: str, annotator):
    """Also in the midst of choosing a category, when what deletes an error still does."""
    first = campaign_of(annotator, "esa", n_systems=2)
    n_categories = 0
    for preset in PRESETS.values():
        if preset.protocol != "spans":
            continue
        campaign = factory.make_campaign(
            first.test_set, preset=preset.slug, annotators=[annotator],
            options=dict(preset.options) | {"context": "none"},
        )  # fmt: skip
        n_outputs = campaign.options["outputs_per_item"]
        segments = first.test_set.segments.all()[:1]
        factory.make_task(campaign, annotator, segments=segments, n_outputs=n_outputs)
        open_at(page, site, annotator, campaign)
        shown(page)
        keys(page, "ArrowRight")
        shown(page)
        keys(page, "1")
        for letter in letters(page) if page.locator(".is-choosing").count() else []:
            assert "d" in shown(page)
            assert "m" not in set(shown(page)) - set(letters(page)), "the key of another action"
            keys(page, letter)
            if page.locator(".is-choosing").count():
                n_categories += len(letters(page)) - 1
                shown(page)
            keys(page, "d")
            assert said(page).startswith("Deleted: ")
            keys(page, "ArrowLeft", "1")
        shown(page)
        keys(page, "d")
        expect(page.locator(".is-current .span-list li")).to_have_count(0)
    assert n_categories > 40


def test_digits_are_shown_where_they_work(page: Page, site: str, annotator):
    """ESA: the score at first, severities once something is chosen or marked, the score again when
    it is gone to."""
    open_at(page, site, annotator, campaign_of(annotator, "esa"))
    severity, tick = page.locator(SEVERITIES).first, page.locator(TICKS).first

    def are_shown(*, at_severities: bool, at_score: bool) -> None:
        shown(page)
        expect(severity).to_be_visible(visible=at_severities)
        expect(tick).to_be_visible(visible=at_score)

    are_shown(at_severities=False, at_score=True)
    keys(page, "ArrowRight")
    are_shown(at_severities=True, at_score=False)
    keys(page, "1")
    are_shown(at_severities=True, at_score=False)
    keys(page, "3", "0")  # neither a severity of ESA nor, here, a score
    expect(page.locator("#go")).to_have_text("Errors marked: 1 · give the score")
    keys(page, "Escape")
    are_shown(at_severities=False, at_score=False)
    keys(page, "1")
    assert said(page) == "Choose words first."
    keys(page, "Enter")
    are_shown(at_severities=False, at_score=True)
    keys(page, "k", ".")
    are_shown(at_severities=True, at_score=False)
    keys(page, "d", "Escape")
    are_shown(at_severities=False, at_score=True)
    keys(page, "8", "Enter")
    expect(page.get_by_role("heading", name="All done. Thank you!")).to_be_visible()
    assert not ErrorSpan.objects.exists()


def test_arrows_go_on_from_the_error_that_was_opened(page: Page, site: str, annotator):
    open_at(page, site, annotator, campaign_of(annotator, "esa", ["a b c d e f g h i"]))
    keys(page, "ArrowRight", "ArrowRight", "1", *["ArrowRight"] * 5, "1", "ArrowRight")
    assert said(page) == "“h”, word 8 of 9"
    keys(page, ",")  # the one before this place, and the one before that
    assert said(page) == "minor error, “g”, word 7 of 9"
    keys(page, ",")
    assert said(page) == "minor error, “b”, word 2 of 9"
    keys(page, "ArrowRight")
    assert said(page) == "“c”, word 3 of 9"
    keys(page, ".")
    assert said(page) == "minor error, “g”, word 7 of 9"
    keys(page, "ArrowLeft")
    assert said(page) == "“f”, word 6 of 9"
    keys(page, ",", "d", "ArrowRight")  # what was deleted stays the place
    assert said(page) == "“c”, word 3 of 9"
