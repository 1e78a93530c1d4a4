"""Sound and pictures of the items to come, held in the browser: they play and seek without a
connection, up to a limit that is said, for one person. Here browsers have their service worker."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import Page, Playwright, expect

from judgments.files.texts import from_table
from judgments.models import MediaFile, TestSet
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.media.archive import media_archive
from tests import factory
from tests.media_files import VTT, png, table, wav, zipped

from . import chromium
from .judging import at_item, comes_true, press, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

# The paths that are held.
HELD = """async () => {
  const held = [];
  for (const name of await caches.keys())
    if (name.startsWith("mteval-media-"))
      for (const request of await (await caches.open(name)).keys())
        held.push(new URL(request.url).pathname);
  return held.sort();
}"""
KEEPS = """async () => {
  for (const name of await caches.keys())
    if (name.startsWith("mteval-pages-"))
      return (await (await caches.open(name)).keys()).length > 0;
  return false;
}"""
# Four days ago, of another work of the same person.
OLD = """async () => {
  const cache = await caches.open(`mteval-media-${document.body.dataset.owner}-/judge/0/`);
  const at = String(Date.now() - 4 * 24 * 3600 * 1000);
  await cache.put("/media/0/", new Response("x", { headers: { "X-Kept": at, "X-Bytes": "1" } }));
}"""
HAS = f"async (n) => (await ({HELD})()).length === n"
PLAYER = "document.querySelector('#stage [data-media] audio')"


@pytest.fixture
def campaign(annotator):
    owner = factory.make_user("owner")
    files = {
        "one.wav": wav(seconds=4),
        "one.vtt": VTT,
        "two.wav": wav(seconds=6),
        "dot.png": png(),
    }
    rows = (
        ("1", "Moin.", "one.wav", "one.vtt", "", ""),
        ("2", "Es fährt hinaus.", "two.wav", "", "1", "5.5"),
        ("3", "Ein Schild.", "dot.png", "", "", ""),
    )
    new = TestSet(name="Talks", source_language="de", target_language="en", owner=owner)
    with media_archive(SimpleUploadedFile("talks.zip", zipped(files))) as media:
        found = from_table(SimpleUploadedFile("t.tsv", table(*rows)))
        test_set = import_test_set(new, found, media)
    campaign = factory.make_campaign(test_set, preset="da-sqm", owner=owner, annotators=[annotator])
    design.plan(campaign, PlanSettings(batch_items=50))
    campaign.tasks.update(annotator=annotator)
    return campaign


@pytest.fixture
def page(playwright: Playwright, tmp_path: Path, browser_type_launch_args: dict):
    context = playwright.chromium.launch_persistent_context(
        tmp_path / "browser",
        executable_path=browser_type_launch_args["executable_path"],
        args=chromium.ARGUMENTS,
        service_workers="allow",
    )
    yield context.pages[0]
    context.close()


def begin(page: Page, site: str, user, campaign) -> None:
    sign_in(page, site, user)
    page.goto(f"{site}/judge/{campaign.pk}/1/")
    at_item(page, 1)
    comes_true(page, "() => Boolean(navigator.serviceWorker.controller)")


def kept(page: Page) -> None:
    comes_true(page, KEEPS)


def test_the_sound_of_the_next_item_plays_and_seeks_offline(
    page: Page, site: str, annotator, campaign, axe
):
    begin(page, site, annotator, campaign)
    kept(page)
    comes_true(page, HAS, 4)
    assert page.evaluate(HELD) == sorted(
        f"/media/{pk}/" for pk in MediaFile.objects.values_list("pk", flat=True)
    )
    expect(page.locator("#media-room")).to_be_hidden()
    page.context.set_offline(True)
    path = f"/media/{MediaFile.objects.get(name='two.wav').pk}/"
    answers = []
    page.on(
        "response",
        lambda answer: (
            answer.url.endswith(path)
            and answers.append((answer.status, answer.from_service_worker))
        ),
    )
    page.reload()  # what the worker holds is all there is
    at_item(page, 1)
    comes_true(page, "() => window.mtevalRows.ready() === 2")  # read from the worker
    comes_true(page, f"() => {PLAYER}.duration > 3.9")
    press(page, "6")
    page.keyboard.press("Enter")
    at_item(page, 2)
    comes_true(page, f"() => {PLAYER}.readyState >= 1")
    assert (206, True) in answers, answers
    assert page.evaluate(f"{PLAYER}.duration") == 6
    page.evaluate(f"() => {{ {PLAYER}.currentTime = 4.5; }}")
    comes_true(page, f"() => !{PLAYER}.seeking && {PLAYER}.currentTime === 4.5")
    page.keyboard.press("l")
    comes_true(page, f"() => {PLAYER}.currentTime > 4.7")
    expect(page.locator(".media-gone")).to_be_hidden()
    axe(page)
    page.keyboard.press("l")
    press(page, "5")
    page.keyboard.press("Enter")
    at_item(page, 3)
    comes_true(page, "() => document.querySelector('#stage [data-media] img').naturalWidth === 1")


def test_what_has_no_room_is_said(page: Page, site: str, annotator, campaign, settings, axe):
    settings.HELD_MEDIA_BYTES = 70_000  # the first sound has 64,044 bytes, the second 96,044
    begin(page, site, annotator, campaign)
    comes_true(page, HAS, 3)
    line = page.locator("#media-room")
    expect(line).to_contain_text("Not kept for work without a connection: 1 of 3.")
    two = MediaFile.objects.get(name="two.wav")
    assert f"/media/{two.pk}/" not in page.evaluate(HELD)
    axe(page)
    page.get_by_role("link", name="Settings").click()
    device = page.get_by_role("region", name="This device")
    expect(device).to_contain_text("up to 68.4")
    expect(device).to_contain_text("Upcoming items that have them on this device: 2 of 3.")
    # The site is away: the item says what it lacks, as before.
    page.keyboard.press("Escape")
    press(page, "6")
    page.keyboard.press("Enter")
    at_item(page, 2)
    comes_true(page, HAS, 1)  # what belongs to the first item went with it


def test_it_goes_with_the_person(page: Page, site: str, annotator, campaign):
    begin(page, site, annotator, campaign)
    kept(page)
    comes_true(page, HAS, 4)
    page.evaluate(OLD)
    comes_true(page, HAS, 5)
    page.reload()
    at_item(page, 1)
    comes_true(page, HAS, 4)  # what is older than three days has gone
    page.goto(f"{site}/")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Sign in").first.wait_for()
    comes_true(page, HAS, 0)


@pytest.mark.proof
def test_whoever_comes_next_at_this_device_hears_nothing_of_it(
    page: Page, site: str, annotator, campaign
):
    begin(page, site, annotator, campaign)
    kept(page)
    comes_true(page, HAS, 4)
    sign_in(page, site, factory.make_user("somebody"))  # nobody signed out
    page.goto(f"{site}/")
    comes_true(page, HAS, 0)
    two = MediaFile.objects.get(name="two.wav")
    assert page.request.get(f"{site}/media/{two.pk}/").status == 404
