"""Browser tests: Debian's Chromium through pytest-playwright, and axe for accessibility."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

HERE = Path(__file__).parent
# Names of the program, in the order in which they are tried.
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# In a container there is no sandbox and no GPU; the rest keeps Chromium from calling home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    """CHROMIUM from the environment, or the first known program on the path."""
    given = os.environ.get("CHROMIUM")
    return given or next(filter(None, map(shutil.which, PROGRAMS)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = find_chromium() is None
    skip = pytest.mark.skip(reason="no Chromium: install it, or set CHROMIUM to its path")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if missing and os.environ.get("CI") != "true":
                item.add_marker(skip)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    program = find_chromium()
    assert program, "CI=true, and there is no Chromium: install it, or set CHROMIUM to its path"
    return {**browser_type_launch_args, "executable_path": program, "args": ARGUMENTS}


@pytest.fixture
def site(live_server, page: Page) -> str:
    """The address of the running site, without a slash at the end; `page.goto("/…")` is not
    enough, because the port changes from run to run."""
    return live_server.url


@pytest.fixture
def axe() -> Callable[[Page], None]:
    """`axe(page)` fails when axe-core finds a violation of WCAG 2.2 A or AA, and lists them all."""
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}

    def check(page: Page) -> None:
        results = Axe().run(page, options=options)
        assert results.violations_count == 0, results.generate_report()

    return check
