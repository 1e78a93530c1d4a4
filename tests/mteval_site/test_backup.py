"""Backups made while annotators work, and their restoration."""

import contextlib
import io
import json
import os
import random
import signal
import stat
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import uploads
from judgments.models import Campaign, Judgment, MediaFile, Membership, Upload, UploadPiece
from judgments.models.chains import checking, publication, record
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from judgments.test_sets.media import store
from mteval_site.backup import BackupProblem, database, reading, tools, writing
from tests import factory
from tests.judgments.models.chains.test_chain import answer
from tests.media_files import wav
from tests.scratch import inside, new_database

ROOT = Path(__file__).resolve().parents[2]


def back_up(file, media=None):
    return writing.write(
        file, connection.settings_dict, secret=None, media=media or file.parent, version="0"
    )


def restore(file, settings):
    reading.restore(file, reading.checked(file), settings, set())


@pytest.fixture
def campaign(transactional_db):
    owner, *people = (factory.make_user(name) for name in ("owner", "ada", "bela"))
    texts = factory.make_test_set(owner, n_segments=150, n_systems=2)
    campaign = factory.make_campaign(texts, owner=owner, annotators=people)
    for seat, user in enumerate(people, 1):
        task = factory.make_task(campaign, user, seat=seat)
        for item in task.items.filter(position__lt=8):
            answer(campaign, user, item, 1 + (item.position + seat) % 5)
    record.begin(campaign.pk, "opened")
    return campaign


@pytest.mark.proof
@pytest.mark.slow
def test_a_backup_while_annotators_work(campaign, tmp_path):
    """Judgments acknowledged before it began are in it; its content is consistent."""
    file, done = tmp_path / "site.backup", threading.Event()
    acknowledged: list[int] = []

    def work(user):
        for item in campaign.tasks.get(annotator=user).items.filter(position__gte=8):
            if done.is_set():
                break
            acknowledged.append(answer(campaign, user, item, 1 + item.position % 5).pk)
        connection.close()

    annotators = campaign.members.filter(memberships__role="annotator")
    threads = [threading.Thread(target=work, args=[user]) for user in annotators]
    for thread in threads:
        thread.start()
    while len(acknowledged) < 20:
        assert any(thread.is_alive() for thread in threads)
    before = len(acknowledged)
    manifest = back_up(file)
    after = len(acknowledged)
    done.set()
    for thread in threads:
        thread.join()
    kept = manifest["judgments"][str(campaign.pk)] - 16
    assert before <= kept <= after and before < after, (before, kept, after)
    with new_database() as settings:
        restore(file, settings)
        with inside(settings):
            report = checking.check(Campaign.objects.get())
            assert (report.judgments, report.found) == (16 + kept, [])
            stored = set(Judgment.objects.values_list("pk", flat=True))
            assert set(acknowledged[: before - 2]) <= stored  # two may be between commit and list
            # Judging goes on where it ended.
            membership = Membership.objects.get(alias="ada")
            item = membership.user.tasks.get().items.filter(is_judged=False).first()
            assert answer(Campaign.objects.get(), membership.user, item, 3).pk not in stored


@pytest.mark.slow
def test_sound_and_pictures_come_back(transactional_db, tmp_path, settings):
    settings.MEDIA_ROOT = tmp_path / "media"
    test_set = factory.make_test_set(factory.make_user("owner"))
    wanted = tmp_path / "a.wav"
    wanted.write_bytes(wav())
    sha256, gone = store.keep(wanted), "0" * 64
    for name, each in (("a.wav", sha256), ("again.wav", sha256), ("gone.wav", gone)):
        MediaFile.objects.create(
            test_set=test_set, name=name, kind="audio/wav", sha256=each, n_bytes=1
        )
    store.keep(Path(__file__))  # not in any test set
    file = tmp_path / "site.backup"
    manifest = back_up(file, settings.MEDIA_ROOT)
    assert [name for name in manifest["files"] if name.startswith("media/")] == [f"media/{sha256}"]
    assert manifest["missing_media"] == [gone]
    with new_database() as database_settings:
        restore(file, database_settings)
    assert len(reading.restore_media(file, reading.checked(file), tmp_path / "new")) == 1
    found = [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    assert found == [tmp_path / "new" / sha256[:2] / sha256]
    assert found[0].read_bytes() == wav()


def test_a_backup_puts_no_file_elsewhere(tmp_path):
    """A backup with correct checksums, and wrong names."""
    for name, sha256 in (("media/../../x", "a" * 64), ("media/x", "x"), ("media/", "")):
        file = tmp_path / "altered.backup"
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(name, b"x")
        manifest = {"files": {name: {"sha256": sha256}}}
        with pytest.raises(BackupProblem, match="was altered"):
            reading.restore_media(file, manifest, tmp_path / "new")
    assert not [path for path in tmp_path.rglob("x") if path.is_file()]


@pytest.mark.slow
def test_figures_are_those_of_before(campaign, tmp_path):
    def figures():
        cache.clear()
        one = Campaign.objects.get()
        scores = scores_figures.system_scores(Selection.of(one), "adequacy")
        return publication.heads(one), scores.mean.tolist(), scores.n_segments.tolist()

    file = tmp_path / "site.backup"
    before = figures()
    back_up(file)
    with new_database() as settings:
        restore(file, settings)
        with inside(settings):
            assert figures() == before
            # Still append-only, by the restored triggers.
            with pytest.raises(Exception, match="only ever added"):
                Judgment.objects.update(active_ms=0)


@pytest.mark.proof
@pytest.mark.slow
def test_files_that_somebody_is_about_to_import_stay_out(campaign, tmp_path):
    owner = Membership.objects.filter(role="owner").first().user
    content = random.Random(1).randbytes(2**21)  # incompressible
    uploads.store(owner, [("x.bin", SimpleUploadedFile("x.bin", content))])
    file = tmp_path / "site.backup"
    back_up(file)
    assert file.stat().st_size < 2**20
    with new_database() as settings:
        restore(file, settings)
        with inside(settings):
            assert (Upload.objects.count(), UploadPiece.objects.count()) == (1, 0)


def test_restore_overwrites_nothing(campaign, tmp_path):
    file = tmp_path / "site.backup"
    back_up(file)
    with pytest.raises(BackupProblem, match=r"The database is not empty: .* Nothing was changed"):
        restore(file, connection.settings_dict)
    with pytest.raises(BackupProblem, match="already exists"):
        back_up(file)
    assert Judgment.objects.count() == 16
    with new_database() as settings:
        with database.transaction(settings, reading=False) as cursor:
            cursor.execute("CREATE TABLE somebody_elses (id int)")
        with pytest.raises(BackupProblem, match="a table that is not mteval's, somebody_elses"):
            restore(file, settings)


def damage(file, name, share):
    """Alter a byte of a member, at a fraction of its length."""
    with zipfile.ZipFile(file) as archive:
        member = archive.getinfo(name)
    content = bytearray(file.read_bytes())
    content[member.header_offset + 100 + int(share * (member.compress_size - 200))] ^= 255
    file.write_bytes(content)


@contextlib.contextmanager
def at_most(seconds):
    def give_up(number, frame):
        raise TimeoutError(f"It took longer than {seconds} s.")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.parametrize("member", ["database.dump", "media", "secret_key"])
def test_a_file_that_is_damaged_while_it_is_restored(
    transactional_db, tmp_path, settings, monkeypatch, member
):
    """By a failing disk, after the check: one error message at once, and nothing is
    half-restored."""
    settings.MEDIA_ROOT = tmp_path / "media"
    test_set = factory.make_test_set(factory.make_user("owner"), n_segments=400)
    sound = tmp_path / "sound.wav"
    sound.write_bytes(wav())
    sha256 = store.keep(sound)
    MediaFile.objects.create(
        test_set=test_set, name="a.wav", kind="audio/wav", sha256=sha256, n_bytes=1
    )
    (tmp_path / "secret").write_text("abcdefghijklmnopqrstuvwxyz" * 20)
    file = tmp_path / "site.backup"
    writing.write(file, connection.settings_dict, secret=tmp_path / "secret",
                  media=settings.MEDIA_ROOT, version="0")  # fmt: skip
    settings.MEDIA_ROOT = tmp_path / "new"
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.delenv("SECRET_KEY", raising=False)
    checked = reading.checked

    def check_then_damage(file):
        manifest = checked(file)
        damage(file, writing.MEDIA + sha256 if member == "media" else member, 0.5)
        return manifest

    monkeypatch.setattr(reading, "checked", check_then_damage)
    with new_database() as scratch, inside(scratch):
        with (
            at_most(60),
            pytest.raises(CommandError, match="is not a complete backup: ") as problem,
        ):
            call_command("restore", file)
        assert str(problem.value).count("\n") == 0
        with connection.cursor() as cursor:
            assert database.tables(cursor) == []
    assert not [path for path in (tmp_path / "new").rglob("*") if path.is_file()]
    assert not (tmp_path / "var" / "secret_key").exists()


def test_a_program_whose_input_fails_does_not_wait_for_more(tmp_path):
    def chunks():
        yield b"some"
        raise BackupProblem("It is damaged.")

    program = tmp_path / "reads"
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/read && touch {tmp_path}/done\n")
    program.chmod(0o755)
    with at_most(60), pytest.raises(BackupProblem, match=r"^It is damaged\.$"):
        tools.feed(program, connection.settings_dict, (), chunks())
    assert not (tmp_path / "done").exists(), "it took what there was for all"


def test_onto_a_site_that_was_started_it_says_what_to_do_instead(campaign, tmp_path):
    file = tmp_path / "site.backup"
    back_up(file)
    with pytest.raises(CommandError) as problem:
        call_command("restore", file)
    said = str(problem.value)
    assert (
        "Nothing was changed. Stop the site and restore into a folder that does not exist" in said
    )
    assert "MTEVAL_VAR=FOLDER ./run manage restore FILE, then MTEVAL_VAR=FOLDER ./run" in said
    assert Judgment.objects.count() == 16


def test_a_failed_dump_leaves_no_file(campaign, tmp_path, monkeypatch):
    monkeypatch.setattr(writing.tools, "find", lambda *given: (Path("/bin/false"), 99))
    with pytest.raises(BackupProblem, match="false failed"):
        back_up(tmp_path / "site.backup")
    assert not list(tmp_path.iterdir())


def test_a_backup_of_a_newer_version_is_refused():
    manifest = {"migrations": ["judgments.0001_initial", "judgments.9999_later"], "mteval": "9.0"}
    with pytest.raises(BackupProblem, match=r"newer version of mteval .9.0, with judgments.9999"):
        reading.require_known(manifest, {"judgments.0001_initial"})


def test_no_program_is_old_enough():
    with pytest.raises(BackupProblem, match="apt install postgresql-client-99"):
        tools.find("pg_dump", 99)
    path, major = tools.find("pg_dump", 18)
    assert major == 18 and path.exists()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A small file with everything in a backup except a database."""
    file = tmp_path_factory.mktemp("whole") / "site.backup"
    with zipfile.ZipFile(file, "w") as archive:
        files = {
            name: writing._add(archive, name, [bytes(range(256)) * 40])
            for name in (writing.DUMP, writing.SECRET)
        }
        manifest = {"format": "mteval backup", "format_version": 1, "files": files}
        archive.writestr(writing.MANIFEST, json.dumps(manifest))
    reading.checked(file)
    return file


@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_truncated_file_is_refused(whole, tmp_path, data):
    content = whole.read_bytes()
    part = tmp_path / "part"
    part.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(BackupProblem, match="is not a complete backup"):
        reading.checked(part)


@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_altered_byte_is_noticed(whole, tmp_path, data):
    """At any byte of the dump or the secret."""
    content = bytearray(whole.read_bytes())
    with zipfile.ZipFile(whole) as archive:
        member = data.draw(st.sampled_from(archive.infolist()[:2]))
    start = member.header_offset + 30 + len(member.filename) + 20  # with zip64's extra field
    place = start + data.draw(st.integers(0, member.file_size - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    altered = tmp_path / "altered"
    altered.write_bytes(content)
    with pytest.raises(BackupProblem, match=r"not a complete backup|was altered"):
        reading.checked(altered)
    with pytest.raises(BackupProblem, match="There is no file"):
        reading.checked(tmp_path / "none")


def test_the_command_says_what_is_wrong(campaign, tmp_path):
    file = tmp_path / "site.backup"
    file.write_text("not a backup")
    with pytest.raises(CommandError, match="is not a complete backup"):
        call_command("restore", file)
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", file)
    with pytest.raises(CommandError, match="cannot be written: No such file"):
        call_command("backup", tmp_path / "no" / "folder")


@pytest.mark.proof
@pytest.mark.slow
def test_into_a_fresh_folder(campaign, tmp_path):
    """Using only the commands, while no site runs: the stored data, and the secret."""
    file = tmp_path / "site.backup"
    out = io.StringIO()
    call_command("backup", file, stdout=out)
    assert "16 judgments of 1 campaigns" in out.getvalue()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    manifest = reading.checked(file)
    first, second = tmp_path / "first", tmp_path / "second"
    done = manage(first, "restore", file)
    assert "Restored: 16 judgments of 1 campaigns" in done.stdout, done.stderr
    assert done.returncode == 0, done.stderr
    assert (first / "run.lock").read_bytes() == b""
    assert "set SECRET_KEY to what it was" in done.stdout  # the tests have it in the environment
    secret = (first / "secret_key").read_text()
    assert "as they were stored" in manage(first, "backup", tmp_path / "again").stdout + "".join(
        manage_running(first)
    )
    again = manage(second, "restore", tmp_path / "again")
    assert "The site's secret was restored, too" in again.stdout, again.stderr
    assert again.returncode == 0, again.stderr
    assert (second / "secret_key").read_text() == secret
    assert stat.S_IMODE((second / "secret_key").stat().st_mode) == 0o600
    # The log has two more rows: the restoration, and the start of the second backup.
    acts = {"judgments_act": manifest["rows"]["judgments_act"] + 2}
    assert reading.checked(tmp_path / "again")["rows"] == manifest["rows"] | acts
    refused = manage(second, "restore", file)
    assert refused.returncode == 1 and "The database is not empty" in refused.stderr
    assert "Traceback" not in refused.stderr


def manage(folder, *arguments):
    environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "SECRET_KEY")}
    environment |= {"MTEVAL_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "mteval_site.settings"}
    return subprocess.run(
        [sys.executable, ROOT / "manage.py", *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def manage_running(folder):
    """Run `verify_judgments` next to a running database, as next to `./run`."""
    from mteval_site.local.postgres import Cluster

    cluster = Cluster(folder / "postgres", durable=False)
    cluster.start()
    try:
        yield manage(folder, "verify_judgments").stdout
    finally:
        cluster.stop()
