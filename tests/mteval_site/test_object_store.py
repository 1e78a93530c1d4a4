"""Two hosts that share an object store, which is a real server with the interface of Amazon S3."""

import contextlib
import os
import pickle
import socket
import threading
import time
import zipfile
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from moto.server import ThreadedMotoServer

from judgments.files import ImportProblem
from judgments.models import MediaFile
from judgments.results.observations import snapshots, tables, tasks
from judgments.test_sets.media import store
from judgments.test_sets.media import tasks as media_tasks
from judgments.web import cache
from mteval_site import erased_files, object_store, shared_results
from mteval_site.backup import writing
from mteval_site.shared_files import Bucket, SharedFolder, StoreAway
from tests import factory
from tests.judgments.results.test_snapshots import Judged
from tests.judgments.test_sets.media.spoken import spoken_test_set
from tests.mteval_site.test_leases import worker

BUCKET = "judged"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def bucket(server, monkeypatch, settings, tmp_path):
    """A new bucket, and the first of two hosts."""
    import boto3

    host, port = server.get_host_and_port()
    for name, value in (
        ("AWS_ENDPOINT_URL", f"http://{host}:{port}"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_DEFAULT_REGION", "eu-central-1"),
        ("MTEVAL_OBJECT_STORE", f"s3://{BUCKET}/a-site"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(Bucket, "away_until", 0.0)
    monkeypatch.setattr(snapshots, "PART", 4)
    monkeypatch.setattr(tasks, "_erased", "")
    monkeypatch.setattr(tasks, "_next_sweep", 0.0)
    monkeypatch.setattr(media_tasks, "_next_sweep", 0.0)
    client = boto3.client("s3")
    client.create_bucket(
        Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"}
    )
    settings.OBJECT_STORE = f"s3://{BUCKET}/a-site"
    settings.STORAGES = {
        **settings.STORAGES,
        "shared": object_store.storage_of("MTEVAL_OBJECT_STORE"),
    }
    become(settings, tmp_path, "one")
    yield client
    found = client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    for each in found:
        client.delete_object(Bucket=BUCKET, Key=each["Key"])
    client.delete_bucket(Bucket=BUCKET)


def become(settings, tmp_path: Path, name: str) -> None:
    """Go on as another host, with folders of its own."""
    folder = tmp_path / name
    settings.MEDIA_ROOT, settings.SNAPSHOTS_DIR = folder / "media", folder / "snapshots"
    settings.CACHES = {
        **settings.CACHES,
        "results": {**settings.CACHES["results"], "LOCATION": folder / "results"},
    }


def keys(client) -> list[str]:
    found = client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
    return [each["Key"] for each in found]


class TestMedia:
    def test_a_file_added_on_one_host_is_read_on_another(self, bucket, settings, tmp_path):
        source = tmp_path / "sound.wav"
        source.write_bytes(b"a sound")
        sha256 = store.keep(source)
        assert keys(bucket) == [f"a-site/media/{sha256[:2]}/{sha256}"]
        become(settings, tmp_path, "two")
        assert store.path_of(sha256).read_bytes() == b"a sound"
        assert store.path_of(sha256).is_relative_to(settings.MEDIA_ROOT)

    def test_a_file_that_nobody_uses_is_deleted_for_all(self, bucket, settings, tmp_path):
        source = tmp_path / "sound.wav"
        source.write_bytes(b"a sound")
        sha256 = store.keep(source)
        become(settings, tmp_path, "two")
        store.forget([sha256])
        assert keys(bucket) == []

    def test_sweeping_finds_what_another_host_has_left(self, bucket, settings, tmp_path):
        source = tmp_path / "sound.wav"
        source.write_bytes(b"a sound")
        store.keep(source)
        become(settings, tmp_path, "two")
        store.sweep(before=0)
        assert len(keys(bucket)) == 1
        store.sweep(before=1e12)
        assert keys(bucket) == []

    def test_files_from_before_the_store_are_put_into_it(self, bucket, settings, tmp_path):
        address, settings.OBJECT_STORE = settings.OBJECT_STORE, ""
        with pytest.raises(CommandError, match="MTEVAL_OBJECT_STORE is not set"):
            call_command("share_media")
        test_set = spoken_test_set(factory.make_user("owner"))
        hashes = set(test_set.media.values_list("sha256", flat=True))
        settings.OBJECT_STORE = address
        lost = sorted(hashes)[0]
        store.path_of(lost).unlink()
        said, problems = StringIO(), StringIO()
        call_command("share_media", stdout=said, stderr=problems)
        assert f"{len(hashes) - 1} files were added" in said.getvalue()
        assert f"1 files are neither there nor on this machine; the first is {lost}" in (
            problems.getvalue()
        )
        assert {key.rpartition("/")[2] for key in keys(bucket)} == hashes - {lost}
        call_command("share_media", stdout=said, stderr=problems)
        assert "0 files were added" in said.getvalue()

    def test_another_host_forgets_its_copy_within_a_day(self, bucket, settings, tmp_path):
        source = tmp_path / "sound.wav"
        source.write_bytes(b"a sound")
        sha256 = store.keep(source)
        become(settings, tmp_path, "two")
        path = store.path_of(sha256)
        become(settings, tmp_path, "one")
        store.forget([sha256])
        become(settings, tmp_path, "two")
        media_tasks.look()
        assert path.exists()
        os.utime(path, (0, 0))
        media_tasks._next_sweep = 0.0  # an hour later
        media_tasks.look()
        assert not path.exists()

    def test_a_backup_has_media_that_only_the_store_has(self, bucket, settings, tmp_path):
        test_set = spoken_test_set(factory.make_user("owner"))
        hashes = set(test_set.media.values_list("sha256", flat=True))
        become(settings, tmp_path, "two")
        with connection.cursor() as cursor, zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
            files, missing = writing._add_media(archive, cursor, settings.MEDIA_ROOT)
        assert {found["sha256"] for found in files.values()} == hashes
        assert not missing
        assert not settings.MEDIA_ROOT.exists()  # nothing was copied to this host

    def test_what_is_not_there_is_said_so(self):
        with pytest.raises(FileNotFoundError):
            store.path_of("0" * 64)
        assert Bucket.away_until == 0.0


class TestSnapshots:
    def test_a_host_reads_what_a_worker_of_another_has_written(
        self, bucket, settings, tmp_path, monkeypatch
    ):
        world = Judged()
        world.judge(6)
        snapshots.write(world.campaign)
        assert len(keys(bucket)) == len(snapshots.TABLES)
        become(settings, tmp_path, "two")
        asked = []
        read_ratings = tables.read_ratings

        def recorded(campaign, judgments, slugs):
            asked.append(len(judgments))
            return read_ratings(campaign, judgments, slugs)

        monkeypatch.setattr(tables, "read_ratings", recorded)
        world.judge(2)
        assert len(world.assert_same().judgments) == 8
        assert asked[0] == 2  # only the new ones, from the database

    def test_names_in_the_bucket_never_lead_out_of_the_folder(self, bucket, settings, tmp_path):
        settings.SNAPSHOTS_DIR.mkdir(parents=True)
        (settings.SNAPSHOTS_DIR.parent / "secret_key").write_text("secret")
        for name in ("../secret_key", "a/../../secret_key", "/etc/passwd", "a//b", ".new-a", "."):
            bucket.put_object(Bucket=BUCKET, Key=f"a-site/snapshots/{name}", Body=b"")
        bucket.put_object(Bucket=BUCKET, Key="a-site/snapshots/a/b", Body=b"")
        assert list(Bucket("snapshots").names()) == ["a/b"]
        snapshots.sweep()
        assert (settings.SNAPSHOTS_DIR.parent / "secret_key").exists()
        with pytest.raises(ValueError, match="not the name of a shared file"):
            snapshots.shared().path("../secret_key")

    def test_a_damaged_object_is_deleted_for_all(self, bucket, settings, tmp_path):
        world = Judged()
        world.judge(6)
        part = snapshots.write(world.campaign)
        name = f"a-site/snapshots/{part.files['ratings']}"
        bucket.put_object(Bucket=BUCKET, Key=name, Body=b"PAR1")
        become(settings, tmp_path, "two")
        assert len(world.read().judgments) == 6
        assert name not in keys(bucket)
        snapshots.write(world.campaign)
        world.assert_same()

    def test_copies_of_what_was_deleted_go(self, bucket, settings, tmp_path):
        world = Judged()
        world.judge(6)
        snapshots.write(world.campaign)
        become(settings, tmp_path, "two")
        world.read()
        assert list(settings.SNAPSHOTS_DIR.rglob("*.parquet"))
        for key in keys(bucket):
            bucket.delete_object(Bucket=BUCKET, Key=key)
        snapshots.sweep()
        assert not list(settings.SNAPSHOTS_DIR.rglob("*.parquet"))


class TestResults:
    def compute(self, name="a result", **options):
        calls = []

        def slowly():
            calls.append(1)
            return {"figure": name}

        found = cache.get_or_compute("key", slowly, group=1, **options)
        return found, len(calls)

    @pytest.fixture(autouse=True)
    def every_result_took_long(self, monkeypatch):
        monkeypatch.setattr(cache, "SHARED_SECONDS", -1.0)

    def test_what_one_host_has_computed_another_finds(self, bucket, settings, tmp_path):
        assert self.compute() == ({"figure": "a result"}, 1)
        become(settings, tmp_path, "two")
        assert self.compute("another") == ({"figure": "a result"}, 0)
        assert caches["results"].get("key") == {"figure": "a result"}  # nearer from now on

    def test_a_fast_result_is_not_shared(self, bucket, monkeypatch):
        monkeypatch.setattr(cache, "SHARED_SECONDS", 60.0)
        self.compute()
        assert keys(bucket) == []

    def test_nothing_that_the_site_has_not_signed_is_unpickled(self, bucket, settings, tmp_path):
        self.compute()
        [key] = keys(bucket)
        opened = tmp_path / "opened"

        class Hostile:
            def __reduce__(self):
                return (Path.touch, (opened,))

        content = bucket.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        mark = content[: shared_results.MARK_BYTES]
        bucket.put_object(Bucket=BUCKET, Key=key, Body=mark + pickle.dumps(Hostile()))
        become(settings, tmp_path, "two")
        assert self.compute("computed again") == ({"figure": "computed again"}, 1)
        assert not opened.exists()

    def test_a_result_under_another_name_is_not_taken(self, bucket, settings, tmp_path):
        self.compute()
        [key] = keys(bucket)
        content = bucket.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        bucket.put_object(Bucket=BUCKET, Key=key.replace("/key", "/other"), Body=content)
        assert shared_results.get("other", erased_files.n_erased()) is None

    def test_results_from_before_an_erasure_are_gone(self, bucket, settings, tmp_path):
        self.compute()
        assert shared_results.get("key", "1-0-0") is None
        shared_results.sweep("1-0-0")
        assert keys(bucket) == []

    def test_results_of_earlier_months_go(self, bucket, monkeypatch):
        self.compute()
        later = timezone.now() + timedelta(days=40)
        monkeypatch.setattr("mteval_site.shared_results.timezone.now", lambda: later)
        tasks.look()
        assert keys(bucket) == []


class TestAway:
    @pytest.fixture(autouse=True)
    def away(self, bucket, monkeypatch, settings):
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        settings.STORAGES = {**settings.STORAGES}  # without the former connection

    def test_pages_are_shown_anyway(self, monkeypatch):
        monkeypatch.setattr(cache, "SHARED_SECONDS", -1.0)
        assert cache.get_or_compute("away", lambda: 42, group=1) == 42
        world = Judged()
        world.judge(5)
        assert len(world.read().judgments) == 5

    def test_it_is_left_alone_for_a_while(self, monkeypatch):
        with pytest.raises(StoreAway):
            list(Bucket("media").pieces("a"))
        with monkeypatch.context() as patch:
            patch.setattr(Bucket, "_bucket", None)  # would fail otherwise
            with pytest.raises(StoreAway, match="a moment ago"):
                list(Bucket("media").pieces("a"))

    def test_a_file_that_cannot_be_shared_is_not_said_to_be_stored(self, tmp_path, settings):
        source = tmp_path / "sound.wav"
        source.write_bytes(b"a sound")
        with pytest.raises(StoreAway):
            store.keep(source)
        assert SharedFolder("media", settings.MEDIA_ROOT).local_names() == {}

    def test_an_upload_says_why_it_is_not_stored(self):
        with pytest.raises(ImportProblem, match="the object store of this site cannot be reached"):
            spoken_test_set(factory.make_user("owner"))
        assert not MediaFile.objects.exists()

    def test_media_are_deleted_here_and_later_there(self, settings, tmp_path):
        path = settings.MEDIA_ROOT / store.name_of("0" * 64)
        path.parent.mkdir(parents=True)
        path.touch()
        assert store.forget(["0" * 64]) == 1
        assert not path.exists()

    def test_workers_go_on_and_ask_for_snapshots(self, caplog, monkeypatch):
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(tasks, "_next_sweep", 0.0)
        monkeypatch.setattr(tasks, "_due", lambda: [(7, 70)])
        worker().look("judgments.results.observations.tasks.look")
        (record,) = [each for each in caplog.records if each.name == tasks.__name__]
        assert "not deleted from the object store yet" in record.message
        assert record.exc_info is None
        queued = DBTaskResult.objects.get(task_path=tasks.write_snapshot.module_path)
        assert queued.args_kwargs["args"] == [7]


class TestSilent:
    """A store that accepts connections and then says nothing, or goes away."""

    @pytest.fixture(params=["silent", "closes"])
    def endpoint(self, request):
        with socket.create_server(("127.0.0.1", 0)) as server:
            if request.param == "closes":
                threading.Thread(target=closing, args=[server], daemon=True).start()
            yield "http://{}:{}".format(*server.getsockname())

    def test_it_is_away(self, bucket, endpoint, monkeypatch, settings):
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        monkeypatch.setattr(object_store, "READ_SECONDS", 0.2)
        settings.STORAGES = {
            **settings.STORAGES,
            "shared": object_store.storage_of("MTEVAL_OBJECT_STORE"),
        }
        began = time.monotonic()
        with pytest.raises(StoreAway):
            list(Bucket("media").pieces("a"))
        assert time.monotonic() - began < 20
        assert Bucket.away_until > began


def closing(server):
    with contextlib.suppress(OSError):
        while True:
            server.accept()[0].close()


@pytest.mark.parametrize("address", ["judged", "s3:", "s3:///a", "http://a/b", "s3://a?b=1"])
def test_an_address_that_names_no_bucket(monkeypatch, address):
    monkeypatch.setenv("MTEVAL_OBJECT_STORE", address)
    with pytest.raises(ImproperlyConfigured, match="MTEVAL_OBJECT_STORE: write it as"):
        object_store.storage_of("MTEVAL_OBJECT_STORE")


def test_without_the_package_the_site_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("mteval_site.extras.is_there", lambda package: False)
    with pytest.raises(ImproperlyConfigured, match=r"storages is not installed.*\./run extras"):
        object_store.storage_of("MTEVAL_OBJECT_STORE")


def test_without_a_store_everything_is_in_folders(settings, tmp_path):
    settings.OBJECT_STORE = ""
    folder = SharedFolder("media", tmp_path)
    folder.add("ab/c", [b"1", b"2"])
    assert folder.path("ab/c").read_bytes() == b"12"
    assert list(folder.names("ab")) == list(folder.names()) == ["ab/c"]
    folder.forget_copies()
    assert folder.delete(["ab/c", "ab/d"]) == 1
