"""Pages with static files as they are collected: put together, compressed, under hashed names."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, Route, expect

from judgments.models import ErrorSpan, Invitation
from tests import factory

from .judging import at_item, press
from .test_walk import join

pytestmark = pytest.mark.django_db(transaction=True)
HASHED = re.compile(r"\.[0-9a-f]{12}\.(css|js)$")
STORAGE = "mteval_site.static_files.JoinedManifestStaticFilesStorage"


@pytest.fixture
def collected(settings, tmp_path: Path) -> Iterator[Path]:
    """The folder of collected files, whose names the pages have now."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": STORAGE, "OPTIONS": {"location": str(tmp_path)}},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    yield tmp_path


@pytest.fixture
def asked(page: Page, collected: Path) -> list[str]:
    """The names of static files that the browser has requested; the site's own server, which the
    test replaces in this, has only the sources."""
    names: list[str] = []

    def give(route: Route) -> None:
        name = route.request.url.split("/static/")[1]
        names.append(name)
        route.fulfill(path=collected / name, headers={"Cache-Control": "max-age=31536000"})

    page.context.route("**/static/**", give)
    return names


def test_a_newcomer_needs_five_files(page: Page, site: str, asked: list[str]):
    """From the invitation to the first marked error."""
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=3, n_systems=1)
    campaign = factory.make_campaign(test_set, preset="mqm", owner=owner)
    factory.make_task(campaign)
    invitation = Invitation.objects.create(campaign=campaign, created_by=owner)
    page = join(page.context, f"{site}/join/{invitation.token}/", "Ada")
    page.get_by_role("button", name="Begin").click()
    at_item(page, 1)
    expect(page.locator(".output .span-text").first).to_be_visible()
    press(page, ["ArrowRight", "3", "a", "m", "Enter"])
    at_item(page, 2)
    assert ErrorSpan.objects.get().category == "accuracy/mistranslation"
    assert len(set(asked)) <= 5, sorted(set(asked))
    assert all(HASHED.search(name) for name in asked)
