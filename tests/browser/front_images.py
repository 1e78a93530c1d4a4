"""Takes the pictures of the front page anew, in light and dark. They are no tests, so they run only
when named:

./test tests/browser/front_images.py
"""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from playwright.sync_api import Browser

from judgments.models import Campaign
from tests import seeds

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

IMAGES = Path(__file__).parents[2] / "static/front"
# Of the pages' 3 : 2, and high enough for source and translations (docs/decisions/0037).
SIZE = {"width": 750, "height": 500}
LARGEST = 60_000  # bytes: three of them are the weight of the page
# The element at the upper edge.
SEEN = {"manager": "main .counters", "researcher": "main figure"}
# The picture, who looks, and at which address of the campaign.
PICTURES = (
    ("annotator", "annotator", "/judge/{}/1/"),
    ("manager", "manager", "/campaigns/{}/"),
    ("researcher", "researcher", "/campaigns/{}/scores/"),
)


@pytest.mark.parametrize(("theme", "suffix"), [("light", ""), ("dark", "-dark")])
def test_pictures(browser: Browser, site: str, theme, suffix):
    seeds.take("demo", lambda: call_command("load_demo", verbosity=0))
    campaign = Campaign.objects.get(preset="adequacy-fluency")
    annotator = get_user_model().objects.get(username="annotator")
    task = campaign.tasks.filter(annotator=None)[0]
    task.annotator = annotator
    task.save()
    IMAGES.mkdir(exist_ok=True)
    for name, user, address in PICTURES:
        context = browser.new_context(viewport=SIZE, color_scheme=theme)
        page = context.new_page()
        sign_in(page, site, get_user_model().objects.get(username=user))
        page.goto(site + address.format(campaign.pk))
        page.wait_for_load_state("networkidle")
        if user == "annotator":
            page.keyboard.press("4")
        else:
            page.locator(SEEN[name]).first.evaluate("e => e.scrollIntoView()")
        page.wait_for_timeout(300)
        file = IMAGES / f"{name}{suffix}.png"
        page.screenshot(path=file)
        assert file.stat().st_size < LARGEST, f"{name}: {file.stat().st_size} bytes"
        context.close()
