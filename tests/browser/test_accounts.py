"""A person's account by keyboard alone: signing in, a token, a new password, a refused sign-in."""

import re

import pytest
from playwright.sync_api import Page, expect

from judgments.models import ApiToken
from tests import factory

from .judging import SIZES

pytestmark = pytest.mark.django_db(transaction=True)

NEW = "a quite different one 7"


# What the control that has the focus is called.
FOCUSED = "(document.activeElement.labels?.[0] ?? document.activeElement).innerText"


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the focus is on the control of that name."""
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(" ".join(page.evaluate(FOCUSED).split())[:40])
        if seen[-1] == name:
            return
    raise AssertionError(f"{name} cannot be reached by Tab, which leads to {seen}.")


def press(page: Page, name: str) -> None:
    tab_to(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def sign_in(page: Page, site: str, password: str) -> None:
    page.goto(f"{site}/sign-in/")
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("owner")
    tab_to(page, "Password")
    page.keyboard.type(password)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def fits(page: Page) -> bool:
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    return not page.evaluate(wide)


@pytest.mark.parametrize("size", SIZES)
def test_an_account_by_keyboard(page: Page, site: str, axe, size):
    page.set_viewport_size(SIZES[size])
    factory.make_user("owner", is_staff=True)
    sign_in(page, site, factory.PASSWORD)
    press(page, "owner")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your account")
    axe(page)
    press(page, "Tokens for programs (API)")
    tab_to(page, "Name")
    page.keyboard.type("nightly export")
    tab_to(page, "It may")
    page.keyboard.type("Read and")
    press(page, "Make the token")
    expect(page.get_by_text(re.compile(r"^mteval_[\w-]{43}$"))).to_be_visible()
    axe(page)
    assert fits(page)
    assert ApiToken.objects.get().scope == "write"
    press(page, "Revoke nightly export")
    assert not ApiToken.objects.exists()
    press(page, "owner")
    press(page, "Change the password")
    expect(page.get_by_label("Old password")).to_be_focused()
    for password in ("wrong", NEW, NEW):
        page.keyboard.type(password)
        page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Your old password was entered incorrectly")
    axe(page)
    assert fits(page)


@pytest.mark.proof
@pytest.mark.parametrize("size", SIZES)
def test_a_closed_door_says_when_it_opens(page: Page, site: str, axe, size):
    page.set_viewport_size(SIZES[size])
    factory.make_user("owner")
    for _ in range(10):
        sign_in(page, site, "wrong")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign-in is closed for a while")
    expect(page.get_by_text("Try again in 15 minutes.")).to_be_visible()
    axe(page)
    assert fits(page)
    press(page, "Choose a new password")
    expect(page.get_by_text("This site sends no mail.")).to_be_visible()
    axe(page)
