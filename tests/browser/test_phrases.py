"""Phrases and terms in a real browser with a real worker: a bitext from the file to its table, and
the test set of the demo."""

import gzip
import threading
from pathlib import Path

import pytest
from django.db import connections
from playwright.sync_api import Page, expect

from judgments.models import TestSet
from metrics.lessons.baselines.moses import read_moses
from metrics.lessons.phrase_tables import tasks as phrase_tables_tasks
from metrics.models import LinkedTexts

from .test_metrics import look, manager  # noqa: F401  a fixture

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]


def work() -> None:
    """Do what waits, as a worker does."""

    def in_a_thread() -> None:
        phrase_tables_tasks.run_linking.call(LinkedTexts.objects.get().pk)
        connections.close_all()

    worker = threading.Thread(target=in_a_thread)
    worker.start()
    worker.join()


def test_a_bitext_from_the_file_to_its_table(page: Page, site: str, manager, axe, tmp_path):  # noqa: F811
    file = tmp_path / "books.tsv"
    file.write_text("das Haus\tthe house\ndas Buch\tthe book\nein Buch\ta book\n")
    page.goto(f"{site}/testsets/")
    page.get_by_role("link", name="Bitexts and their phrase tables").click()
    page.get_by_label("Name").fill("Books")
    page.get_by_label("Source language").fill("de")
    page.get_by_label("Target language").fill("en")
    page.get_by_label("Source text, or a table with both").set_input_files(file)
    page.get_by_role("button", name="Add the bitext").click()
    expect(page.get_by_text("Waiting for a worker to link the words.")).to_be_visible()
    work()
    # It asks for itself; what was found is a link away.
    page.get_by_role("link", name="Show them").click()
    page.get_by_label("Word or phrase").fill("BUCH")
    page.get_by_role("button", name="How is it translated?").click()
    found = page.get_by_role("region", name="Translations of the phrase")
    expect(found.get_by_role("rowheader").first).to_have_text("book")
    found.get_by_role("link").first.click()
    expect(page.locator(".phrase-examples mark").first).to_have_text("Buch")
    look(page, axe, "phrase-found")
    page.get_by_role("link", name="Terminology, consistency and the phrase table").click()
    expect(page.get_by_text("Terminology and consistency")).to_be_visible()
    with page.expect_download() as moses:
        page.get_by_role("link", name="Phrase table (.txt.gz)").click()
    text = gzip.decompress(Path(moses.value.path()).read_bytes()).decode()
    assert read_moses(text.splitlines()).translations(["ein", "Buch"])[0].target == ("a", "book")
    page.get_by_label("Terms translated").select_option("all")
    page.get_by_role("button", name="Show", exact=True).click()
    with page.expect_download() as terms:
        page.get_by_role("link", name="these terms").click()
    assert Path(terms.value.path()).read_text().startswith("term,segments,places,")
    page.goto(f"{site}/bitexts/")
    look(page, axe, "bitexts")
    page.get_by_role("button", name="Delete Books").click()
    expect(page.get_by_text("The bitext “Books” was deleted.")).to_be_visible()


def test_terms_of_the_demo(page: Page, site: str, manager, axe):  # noqa: F811
    test_set = TestSet.objects.get()
    page.goto(f"{site}/testsets/{test_set.pk}/metrics/")
    page.get_by_role("link", name="Phrases and terms").click()
    page.get_by_role("button", name="Link the words").click()
    expect(page.get_by_text("Waiting for a worker to link the words.")).to_be_visible()
    work()
    assert LinkedTexts.objects.get().status == "done"
    page.get_by_role("link", name="Show them").click()
    expect(page.get_by_role("region", name="Table: Consistency")).to_be_visible()
    page.get_by_label("Terms translated").select_option("all")
    page.get_by_role("button", name="Show", exact=True).click()
    terms = page.get_by_role("region", name="Terms and their translations")
    expect(terms.get_by_role("rowheader").first).to_be_visible()
    look(page, axe, "terms")
    terms.get_by_role("rowheader").first.get_by_role("link").click()
    expect(page.get_by_role("region", name="Translations of the phrase")).to_be_visible()
