"""An answer moves nothing on the screen; measured as `benchmarks/layout_shift.py` does."""

import pytest
from playwright.sync_api import Page

from judgments.protocols import PRESETS
from tests.packages import ROOT

from .judging import SIZES, at_item, sign_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


@pytest.fixture
def shift(monkeypatch):
    """The benchmark as a module."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import layout_shift

    return layout_shift


@pytest.mark.parametrize("size", SIZES)
def test_every_preset(page: Page, site: str, shift, size):
    """On each screen of Try judging, answered by keys: 0 pixels."""
    page.set_viewport_size(SIZES[size])
    moved = {}
    n_answered = 0
    for name, address in shift.trial_screens(site):
        page.goto(address)
        page.wait_for_selector("#stage [data-question], #stage .is-current")
        found = shift.answer_all(page)
        n_answered += found.n_keys > 0
        if found.scrolled or found.moved:
            moved[name] = found
    assert n_answered >= 15
    assert not moved


@pytest.mark.parametrize("size", SIZES)
def test_paragraphs_of_400_words(page: Page, site: str, annotator, shift, size):
    page.set_viewport_size(SIZES[size])
    sign_in(page, site, annotator)
    moved = {}
    campaigns = dict(shift.long_campaigns(annotator))
    assert campaigns.keys() == PRESETS.keys()
    for name, campaign in campaigns.items():
        page.goto(f"{site}/judge/{campaign}/")
        at_item(page, 1)
        width = page.evaluate("document.getElementById('stage').offsetWidth")
        found = shift.answer_all(page)
        assert found.n_keys, name
        assert page.evaluate("document.getElementById('stage').offsetWidth") == width
        if found.scrolled or found.moved:
            moved[name] = found
    assert not moved
