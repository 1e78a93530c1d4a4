"""Files of the field come in through the page Import: a folder, several files, a worker, keys."""

import re
import threading

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from judgments.exchange.releases import import_views as views
from judgments.exchange.releases.tasks import run_upload
from judgments.models import JobStatus, System, TestSet, Upload, UploadPiece
from tests import factory
from tests.judgments.files.files import written

from .judging import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
ROW = '{"src": "eins", "doc_id": "%d", "refs": {"A": "one"}, "hyps": {"X": "1"}}'


@pytest.fixture
def manager(page: Page, site: str):
    sign_in(page, site, factory.make_user("manager", is_staff=True))
    return page


def fits(page: Page, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [360, 1440])
def test_a_folder(manager: Page, site: str, tmp_path, axe, width):
    page = manager
    page.set_viewport_size({"width": width, "height": 900})
    folder = tmp_path / "weather"
    (folder / "system-outputs").mkdir(parents=True)
    written(folder / "source.txt", "الطقس جميل اليوم.", "غدا تمطر.")
    written(folder / "refA.txt", "The weather is fine today.", "Tomorrow it rains.")
    written(folder / "system-outputs" / "online-A.txt", "Fine weather today.", "Rain.")
    written(folder / "system-outputs" / "copy.txt", "الطقس جميل اليوم.", "غدا تمطر.")
    page.goto(site + "/testsets/")
    page.get_by_role("link", name="Import a release").click()
    expect(page.get_by_role("button", name="Check the files")).to_be_visible()
    axe(page)
    fits(page, width)
    page.get_by_label(re.compile("^Or a whole folder")).set_input_files(folder)
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_role("heading", name="Missing information")).to_be_visible()
    expect(page.get_by_label(re.compile("weather/system-outputs/copy.txt"))).to_have_value("out")
    axe(page)
    fits(page, width)
    page.get_by_role("button", name="Check again with these answers").click()
    expect(page.get_by_role("alert")).to_contain_text("Language of the source")
    page.get_by_label(re.compile("^Language of the source")).fill("ar")
    page.get_by_label(re.compile("^Language of the translations")).fill("en")
    page.get_by_role("button", name="Check again with these answers").click()
    expect(page.get_by_text("2 segments in 1 document with 1 reference")).to_be_visible()
    page.reload()
    page.get_by_text("The first 2 rows of weather ar-en").click()
    expect(page.get_by_role("cell", name="online-A: Fine weather today.")).to_be_visible()
    axe(page)
    fits(page, width)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    axe(page)
    page.reload()
    expect(page.get_by_text("2 segments, 1 system.")).to_be_visible()
    assert [system.name for system in System.objects.all()] == ["online-A"]
    assert not UploadPiece.objects.exists()
    page.get_by_role("link", name="weather ar-en", exact=True).click()
    expect(page.get_by_role("heading", name="weather ar-en")).to_be_visible()


def test_several_files_by_keys_alone(manager: Page, site: str, tmp_path, axe):
    page = manager
    page.set_viewport_size({"width": 360, "height": 800})
    files = [written(tmp_path / f"{n}.de-en.jsonl", ROW % n) for n in (1, 2)]
    bad = written(tmp_path / "3.de-en.jsonl", ROW % 3, '{"src": ""}')
    page.goto(site + "/import/")
    page.get_by_label(re.compile("^Files")).set_input_files([*files, bad])
    page.get_by_label(re.compile("^Files")).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Check the files")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing was imported")).to_be_visible()
    row = page.get_by_role("row", name=re.compile("there is no source"))
    expect(row).to_contain_text("3.de-en.jsonl")
    axe(page)
    fits(page, 360)
    page.get_by_role("button", name="Discard the files").focus()
    page.keyboard.press("Enter")
    page.get_by_label(re.compile("^Files")).set_input_files(files)
    page.get_by_role("button", name="Check the files").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="1.de-en")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    assert TestSet.objects.count() == 2


@pytest.mark.proof
def test_what_is_large_is_read_by_a_worker_meanwhile(
    manager: Page, site: str, tmp_path, axe, monkeypatch
):
    page = manager
    monkeypatch.setattr(views, "is_light", lambda upload: False)
    big = written(tmp_path / "big.de-en.jsonl", *(ROW % n for n in range(3000)))
    page.goto(site + "/import/")
    page.get_by_label(re.compile("^Files")).set_input_files(big)
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    axe(page)
    upload = Upload.objects.get()
    Upload.objects.update(status=JobStatus.RUNNING, n_rows=12_345)
    expect(page.get_by_text("Reading: 12,345 rows so far.")).to_be_visible()  # by itself
    Upload.objects.update(status=JobStatus.QUEUED)

    def work():
        run_upload.call(upload.pk)
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join(60)
    expect(page.get_by_role("heading", name="What was found")).to_be_visible()  # by itself
    expect(page.get_by_text("3,000 segments in 3,000 documents")).to_be_visible()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    page.get_by_role("button", name="Cancel and discard the files").click()
    expect(page.get_by_role("heading", name="Import", exact=True)).to_be_visible()
    assert not TestSet.objects.exists()


MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


@pytest.mark.parametrize("width", [360, 1440])
def test_a_bad_row_is_mended_and_another_left_out(manager: Page, site: str, tmp_path, axe, width):
    page = manager
    page.set_viewport_size({"width": width, "height": 900})
    good = [f"X\td\td1\t{n}\tr\tHaus {n}\tHouse {n}\tNo-error\tNo-error" for n in range(60)]
    bad = [f"X\td\td1\t{n}\tr\tHaus {n}\t<v>House {n}\tTerm\tMajor" for n in (1, 2)]
    written(tmp_path / "mqm_deen.tsv", MQM, *good, *bad)
    page.goto(site + "/import/")
    page.get_by_label(re.compile("^Files")).first.set_input_files(tmp_path / "mqm_deen.tsv")
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_role("heading", name="Nothing was imported")).to_be_visible()
    axe(page)
    fits(page, width)
    page.get_by_role("link", name="Fix row 62").press("Enter")
    line = page.get_by_label("The line")
    line.fill(line.input_value().replace("House 1", "House</v> 1"))
    axe(page)
    fits(page, width)
    page.get_by_role("button", name="Save and check again").press("Enter")
    expect(page.get_by_text("1 problem has to be fixed first.")).to_be_visible()
    page.get_by_role("button", name="Leave out 1 row and check again").click()
    expect(page.get_by_role("heading", name="1 row left out")).to_be_visible()
    axe(page)
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_role("link", name="mqm_deen").last.click()
    expect(page.get_by_text("1 row could not be read and was left out.")).to_be_visible()
    axe(page)
    fits(page, width)
    page.get_by_role("link", name="Scores").click()
    expect(page.get_by_text("1 row of the release was left out")).to_be_visible()
