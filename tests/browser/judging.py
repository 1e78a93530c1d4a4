"""What the tests of judging in a browser share: a campaign, somebody who judges in it, keys."""

import re
from collections.abc import Callable, Iterable

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, Route, ViewportSize, expect

from judgments.models import Rating
from tests import factory

SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 360, "height": 800},
    "desk": {"width": 1440, "height": 900},
}


def make_campaign(annotator, preset="adequacy-fluency", target_language="en", **fields):
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, target_language=target_language)
    return factory.make_campaign(
        test_set, preset=preset, owner=owner, annotators=[annotator], **fields
    )


def sign_in(page: Page, site: str, user) -> None:
    client = Client()
    client.force_login(user)
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": site}])


def at_item(page: Page, number: int) -> None:
    """Wait until the item is open, its script has run, and no answer is on its way."""
    page.wait_for_url(re.compile(rf"/judge/\d+/{number}/$"))
    expect(page.locator(".is-current")).to_have_count(1)
    settled(page)


def settled(page: Page) -> None:
    """Wait until the site has said of every answer what becomes of it, or could not be reached."""
    for _ in range(200):
        if page.evaluate("window.mtevalQueue?.isIdle() ?? true"):
            return
        page.wait_for_timeout(25)
    raise AssertionError("An answer is still on its way.")


def comes_true(page: Page, expression: str, arg=None) -> None:
    """Wait until JavaScript says so. Playwright's own `wait_for_function` evaluates in the page
    from the second time on, which the site's Content Security Policy does not allow."""
    for _ in range(200):
        if page.evaluate(expression, arg):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"It did not come true: {expression}")


def intercept(page: Page, pattern: str, reply: Callable[[Route], object]) -> None:
    """From now on `reply` answers what a loaded page asks of addresses like `pattern`.

    A page hears a moment after `route` that its requests are intercepted; until then they go to the
    site.
    """
    page.route("**/is-intercepted/", lambda route: route.fulfill(body="yes"))
    page.route(pattern, reply)
    comes_true(page, "async () => (await (await fetch('/is-intercepted/')).text()) === 'yes'")


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def stored() -> list[float]:
    return list(Rating.objects.order_by("pk").values_list("value", flat=True))


def fetched_ahead(page: Page, n_items: int) -> None:
    """Wait until so many of the next items can be opened without the site."""
    for _ in range(100):
        if page.evaluate("window.mtevalRows.nReady()") >= n_items:
            return
        page.wait_for_timeout(50)
    raise AssertionError("The next items were not fetched.")


def longer(text: str, n_words: int = 200) -> str:
    """The text over and over, until it has so many words."""
    return " ".join([text] * -(-n_words // len(text.split())))
