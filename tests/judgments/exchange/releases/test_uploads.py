"""An upload in the hands of a worker: its progress, its end, and what a dead worker leaves."""

import threading
import time
from contextlib import contextmanager

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction

from judgments.exchange.releases import uploads
from judgments.exchange.releases.importer import Findings
from judgments.exchange.releases.tasks import run_upload
from judgments.exchange.releases.weight import is_light
from judgments.exchange.releases.wmt_jsonl import WmtJsonl
from judgments.files.lines import read_lines
from judgments.models import JobStatus, TestSet, Upload
from judgments.models.worker_locks import UPLOADS
from tests import factory
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
ROW = '{"src": "eins", "refs": {"A": "one"}, "hyps": {"X": "1", "Y": "uno"}}\n'
SECONDS = 20


@pytest.fixture
def upload():
    owner = factory.make_user("owner", is_staff=True)
    file = SimpleUploadedFile("big.de-en.jsonl", (ROW * 3000).encode())
    return uploads.store(owner, [("big.de-en.jsonl", file)])


@contextmanager
def working(upload):
    """Run a worker with a separate connection."""

    def run():
        try:
            run_upload.call(upload.pk)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(SECONDS)
    assert not thread.is_alive()


def current(upload):
    upload.refresh_from_db()
    return upload


def endless(how):
    """Stands for an import that stores a row and then does not end by itself."""

    def import_release(paths, owner, *, progress, **options):
        TestSet.objects.create(name="half", source_language="de", target_language="en", owner=owner)
        n = 0
        while True:
            how()
            n += 1
            progress(n)

    return import_release


def test_looked_at_and_then_imported(upload):
    with working(upload):
        pass
    assert current(upload).is_reviewed
    assert "3,000 segments" in upload.outcome["found"][0]["sentence"]
    assert not TestSet.objects.exists()
    Upload.objects.update(status=JobStatus.QUEUED, keeps=True)
    with working(upload):
        pass
    assert current(upload).is_imported
    assert TestSet.objects.get().segments.count() == 3000
    assert not upload.pieces.exists()
    assert not uploads.work(upload.pk)  # a task that comes twice imports once
    assert TestSet.objects.count() == 1


@pytest.mark.parametrize("statement", ["SELECT pg_sleep(0.01)", "SELECT pg_sleep(60)"])
def test_progress_is_seen_and_cancel_ends_it_within_seconds(upload, monkeypatch, statement):
    def how():
        with connection.cursor() as cursor:
            cursor.execute(statement)

    monkeypatch.setattr(uploads, "import_release", endless(how))
    with working(upload):
        wait_until(
            lambda: current(upload).status == JobStatus.RUNNING and UPLOADS.is_taken(upload.pk)
        )
        if statement.endswith("(0.01)"):
            wait_until(lambda: current(upload).status and upload.n_rows > 0)
        Upload.objects.filter(pk=upload.pk).update(status=JobStatus.CANCELLED)
        began = time.monotonic()
    assert time.monotonic() - began < 6
    assert current(upload).status == JobStatus.CANCELLED
    assert not TestSet.objects.exists()
    assert not UPLOADS.is_taken(upload.pk)


@pytest.mark.parametrize("n_rows", [1, 20_000])
def test_cancel_is_heard_while_a_format_reads_ahead(upload, monkeypatch, n_rows):
    """Formats go through whole files before the first row of theirs is stored."""

    def read_for_ever(self, files, answers, problems):
        while True:
            for _ in read_lines(files[0].place):
                pass
            with files[0].open() as stream:
                stream.read(10)

    monkeypatch.setattr(WmtJsonl, "read", read_for_ever)
    content = (ROW * n_rows).encode()
    upload = uploads.store(upload.owner, [("x.jsonl", SimpleUploadedFile("x.jsonl", content))])
    with working(upload):
        wait_until(lambda: UPLOADS.is_taken(upload.pk))
        Upload.objects.update(status=JobStatus.CANCELLED)
        began = time.monotonic()
    assert time.monotonic() - began < 6
    assert current(upload).status == JobStatus.CANCELLED


def test_one_worker_at_a_time(upload, monkeypatch):
    monkeypatch.setattr(uploads, "import_release", endless(lambda: time.sleep(0.01)))
    with working(upload):
        wait_until(lambda: UPLOADS.is_taken(upload.pk))
        assert not uploads.work(upload.pk)
        Upload.objects.update(status=JobStatus.CANCELLED)


def test_a_worker_that_dies_leaves_nothing_but_the_upload(upload, monkeypatch):
    def dies():
        with connection.cursor() as cursor:  # as a session ends whose process was killed
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    monkeypatch.setattr(uploads, "import_release", endless(dies))
    failed = []

    def run():
        try:
            run_upload.call(upload.pk)
        except Exception as error:  # noqa: BLE001
            failed.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(SECONDS)
    assert failed
    assert current(upload).status == JobStatus.RUNNING
    assert not UPLOADS.is_taken(upload.pk)
    assert not TestSet.objects.exists()
    monkeypatch.undo()
    with working(upload):
        pass
    assert current(upload).is_reviewed


def test_cancelled_at_the_last_moment_stores_nothing(upload, monkeypatch):
    def import_release(paths, owner, **options):
        TestSet.objects.create(name="half", source_language="de", target_language="en", owner=owner)
        thread = threading.Thread(target=cancel)
        thread.start()
        thread.join()
        return Findings()

    def cancel():
        Upload.objects.update(status=JobStatus.CANCELLED)
        connection.close()

    monkeypatch.setattr(uploads, "import_release", import_release)
    with working(upload):
        pass
    assert current(upload).status == JobStatus.CANCELLED
    assert not TestSet.objects.exists()


def test_what_is_large_once_unpacked_is_left_to_a_worker(upload):
    import gzip

    assert is_light(upload)
    owner = upload.owner
    packed = gzip.compress((ROW * 40_000).encode())
    assert len(packed) < 20_000
    large = uploads.store(owner, [("x.jsonl.gz", SimpleUploadedFile("x.jsonl.gz", packed))])
    assert not is_light(large)


def test_a_page_does_not_wait_for_long(upload, monkeypatch):
    monkeypatch.setattr(uploads, "AT_ONCE", 0.0)
    assert not uploads.work_at_once(upload.pk)
    assert current(upload).status == JobStatus.QUEUED
    assert not TestSet.objects.exists()


def test_pieces_of_a_megabyte_are_put_together_again(tmp_path):
    owner = factory.make_user("owner")
    content = bytes(range(256)) * 10_000
    files = [("a/b.bin", SimpleUploadedFile("b.bin", content)), ("c", SimpleUploadedFile("c", b""))]
    upload = uploads.store(owner, files)
    assert upload.pieces.count() == 4
    with uploads.laid_out(upload) as paths:
        assert [path.name for path in paths] == ["a", "c"]
        assert (paths[0] / "b.bin").read_bytes() == content
        assert paths[1].read_bytes() == b""


@pytest.mark.parametrize("slash", ["/", "\\"])
def test_no_file_is_laid_out_beside_its_folder(upload, tmp_path, slash):
    """Also where a row of the database says so."""
    elsewhere = f"{tmp_path}/x.jsonl".replace("/", slash)
    upload.pieces.update(path=elsewhere)
    with working(upload):
        pass
    assert current(upload).status == JobStatus.FAILED
    assert upload.outcome["problems"][0]["reason"] == "the file would be outside its folder."
    assert not list(tmp_path.iterdir())


def test_what_is_brought_at_the_same_time_counts_too(upload, settings):
    settings.MAX_UPLOAD_BYTES = upload.n_bytes  # of which a person may have twice as much
    row = ROW.encode() * 2000
    refused = []

    def bring():
        uploads.store(upload.owner, [("y", SimpleUploadedFile("y", row))])

    def other():
        try:
            bring()
        except uploads.QuotaExceeded as problem:
            refused.append(problem)
        finally:
            connection.close()

    thread = threading.Thread(target=other)
    with transaction.atomic():
        bring()
        thread.start()
        thread.join(0.5)
    thread.join(SECONDS)
    assert refused
    assert Upload.objects.count() == 2
