"""Browser tests: Debian's Chromium through pytest-playwright, and axe for accessibility."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.signals import request_finished, request_started
from playwright.sync_api import Page

from tests import factory

from . import chromium
from .judging import make_campaign, sign_in

HERE = Path(__file__).parent


# What a test says of its window, theme and language: variants of one another.
WINDOWS = {"phone", "desk", "laptop", "zoomed", "narrow", "wide"}
SIZES = {"360", "768", "900", "1366", "1440"}
VARIANTS = WINDOWS | SIZES | {"light", "dark", "en", "ar", "zh"}


@pytest.hookimpl(tryfirst=True)  # before proofs are chosen
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test in several windows, themes and languages the first is one of `./test`, the others
    are proofs."""
    seen = set()
    for item in items:
        if HERE not in item.path.parents:
            continue
        item.add_marker(pytest.mark.browser)
        test, _, variant = item.nodeid.rstrip("]").partition("[")
        words = tuple(word for word in variant.split("-") if word not in VARIANTS)
        if (test, words) in seen:
            item.add_marker(pytest.mark.proof)
        seen.add((test, words))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict, pytestconfig: pytest.Config) -> dict:
    # Without capture, so that a person who waits for the installation knows why.
    with pytestconfig.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        program = chromium.find_or_install_headless()
    if program is None and os.environ.get("CI") != "true":
        pytest.skip(f"no Chromium: {chromium.HOW}")
    assert program, f"There is no Chromium, and CI=true: {chromium.HOW}."
    return {
        **browser_type_launch_args,
        "executable_path": program,
        "args": chromium.ARGUMENTS,
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    """Without service workers, behind which routes see less; `test_trains.py` has them."""
    return {**browser_context_args, "service_workers": "block"}


class Requests:
    """Counts the requests that the site has begun to answer and not ended."""

    def __init__(self) -> None:
        self.n = 0
        self.changed = threading.Condition()
        request_started.connect(self.began)
        request_finished.connect(self.ended)

    def began(self, **kwargs: object) -> None:
        with self.changed:
            self.n += 1

    def ended(self, **kwargs: object) -> None:
        with self.changed:
            self.n -= 1
            self.changed.notify_all()

    def wait(self) -> None:
        with self.changed:
            self.changed.wait_for(lambda: self.n <= 0, timeout=5)
            self.n = 0


@pytest.fixture(scope="session")
def requests_at_work() -> Requests:
    return Requests()


@pytest.fixture(autouse=True)
def requests_are_over(requests_at_work: Requests) -> Iterator[None]:
    """Pages fetch what comes next; the database is emptied only when the site has answered."""
    yield
    requests_at_work.wait()


@pytest.fixture
def site(live_server) -> str:
    """The address of the running site, without a slash at the end: `page.goto(site + "/…")`."""
    return live_server.url


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """`axe(page)` fails when axe-core finds a violation of WCAG 2.2 A or AA, and lists them all."""
    # Without reading style sheets once more: that is for a rule that is off (css-orientation-lock),
    # and puts what they import into the page, which the Content Security Policy forbids.
    options = {
        "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
        "preload": False,
    }

    def check(page: Page) -> None:
        results = Axe().run(page, options=options)
        assert results.violations_count == 0, results.generate_report()

    return check


@pytest.fixture
def annotator():
    return factory.make_user("annotator")


@pytest.fixture
def campaign(annotator):
    """Four items with three translations each."""
    campaign = make_campaign(annotator)
    factory.make_task(campaign, annotator)
    return campaign


@pytest.fixture
def judging(page: Page, site: str, annotator, campaign) -> Page:
    """The first item, opened by the annotator."""
    sign_in(page, site, annotator)
    page.goto(f"{site}/judge/{campaign.pk}/")
    return page
