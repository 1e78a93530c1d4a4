"""Files that a killed import leaves behind are swept a day later, and no others."""

import os
import signal
import time

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.models import TestSet
from judgments.test_sets.media import store
from judgments.test_sets.media.store import path_of
from judgments.test_sets.media.tasks import sweep_media
from tests.media_files import wav

from .spoken import on_disk, spoken_test_set

pytestmark = pytest.mark.django_db
HOUR = 3600


def aged(hours, paths):
    for path in paths:
        os.utime(path, (then := time.time() - hours * HOUR, then))


def files(root):
    return [path for path in root.rglob("*") if path.is_file()]


def killed(file, at):
    """Store a file in a process that is killed on its way, at a function of `os`."""
    if not (child := os.fork()):
        setattr(os, at, lambda *arguments: os.kill(os.getpid(), signal.SIGKILL))
        store.keep(file)
        os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


def test_what_a_killed_process_leaves_is_swept_a_day_later(owner, media_root, tmp_path):
    spoken_test_set(owner)
    there = on_disk(media_root)
    lost = tmp_path / "lost.wav"
    lost.write_bytes(wav(seconds=1))
    killed(lost, "fsync")  # half of a copy
    sha256 = store.keep(lost)  # the whole file, and no row
    assert len(on_disk(media_root)) == len(there) + 2
    aged(23, files(media_root))
    assert sweep_media.call() == 0
    aged(25, files(media_root))
    assert sweep_media.call() == 2
    assert on_disk(media_root) == there
    with pytest.raises(FileNotFoundError):
        path_of(sha256)


def test_what_is_no_file_of_ours_stays(owner, media_root):
    spoken_test_set(owner)
    for name in ("notes.txt", "ab/notes.txt", "cd/.keep"):
        (media_root / name).parent.mkdir(exist_ok=True)
        (media_root / name).write_text("mine")
    aged(48, files(media_root))
    n = len(files(media_root))
    assert sweep_media.call() == 0
    assert len(files(media_root)) == n


def test_without_a_folder_there_is_nothing_to_sweep(media_root):
    assert sweep_media.call() == 0
    assert not media_root.exists()


def waiting():
    return list(
        DBTaskResult.objects.filter(task_path="judgments.test_sets.media.tasks.sweep_media")
    )


def test_a_sweep_waits_while_an_import_runs(owner, monkeypatch):
    seen = []
    keep = store.keep
    monkeypatch.setattr(store, "keep", lambda source: seen.extend(waiting()) or keep(source))
    spoken_test_set(owner)
    hours = (seen[0].run_after - timezone.now()).total_seconds() / HOUR
    assert 24 < hours <= 25
    assert not waiting()  # nothing is left to sweep, nor where an import fails:

    def dies(source):
        raise KeyboardInterrupt

    monkeypatch.setattr(store, "keep", dies)
    with pytest.raises(KeyboardInterrupt):
        spoken_test_set(owner, name="Second")
    assert not TestSet.objects.filter(name="Second").exists()
    assert not waiting()
