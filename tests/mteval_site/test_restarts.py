"""When a part is restarted, on a clock of the test; logs of bounded size."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mteval_site.local import logs, postmaster
from mteval_site.local.restarts import GOOD_LIFE, LONGEST_PAUSE, Restarts
from mteval_site.local.watchdog import Watchdog
from tests.waiting import wait_until

from .conftest import ROOT


def test_after_a_good_life_the_next_start_is_at_once():
    restarts = Restarts(patience=60)
    for start in (0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0):
        restarts.is_up(start)
        assert restarts.ended(start + GOOD_LIFE) == 0
        assert not restarts.are_hopeless(start + GOOD_LIFE)


def test_pauses_double_and_a_minute_of_failures_is_enough():
    restarts, now, pauses = Restarts(patience=60), 0.0, []
    while not restarts.are_hopeless(now):
        restarts.is_up(now)
        now += 0.1
        pauses.append(restarts.ended(now))
        now += pauses[-1]
    assert pauses[:6] == [0, 0.5, 1, 2, 4, 8]
    assert set(pauses[6:]) == {LONGEST_PAUSE}
    assert 60 <= now < 60 + 2 * LONGEST_PAUSE


def test_a_few_failures_are_not_enough_however_long_they_take():
    restarts = Restarts(patience=60)
    for now in (0.0, 100.0, 200.0, 300.0):  # it never came up
        restarts.ended(now)
        assert not restarts.are_hopeless(now)
    restarts.ended(400.0)
    assert restarts.are_hopeless(400.0)


def test_a_good_life_makes_up_for_failures():
    restarts = Restarts(patience=1)
    for now in (0.0, 1.0, 2.0, 3.0):
        restarts.ended(now)
    restarts.is_up(4.0)
    restarts.is_up(8.0)  # still
    assert restarts.ended(4.0 + GOOD_LIFE) == 0
    assert not restarts.are_hopeless(4.0 + GOOD_LIFE)


def test_logs_are_added_to_and_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(logs, "LARGEST", 100)
    path, old = tmp_path / "web.log", tmp_path / "web.log.1"
    for line in (b"first\n", b"second\n"):
        with logs.open_to_append(path) as file:
            file.write(line)
    assert path.read_text() == "first\nsecond\n"
    with logs.open_to_append(path) as writer:
        writer.write(b"x" * 100)
        writer.flush()
        logs.bound(path)  # while it is written to
        writer.write(b"third\n")
        writer.flush()
        assert path.read_bytes() == b"third\n"
        assert old.read_bytes() == b"first\nsecond\n" + b"x" * 100
    start = logs.size(path)
    with logs.open_to_append(path) as file:
        file.write(b"fourth\n")
    assert logs.said(path, start) == "fourth\n"


def sleeper() -> subprocess.Popen:
    return subprocess.Popen(["sleep", "60"], start_new_session=True)


def test_a_watchdog_that_was_killed_is_started_again_with_all_it_watched():
    watched, forgotten = sleeper(), sleeper()
    watchdog = Watchdog()
    for process in (watched, forgotten):
        watchdog.watch(process.pid, signal.SIGTERM, signal.SIGKILL)
    assert not watchdog.revive()
    watchdog.process.kill()
    watchdog.process.wait()
    watchdog.forget(forgotten.pid)  # nobody is listening
    assert watchdog.revive()
    watchdog.process.stdin.close()  # as when the parent has died
    assert watched.wait(5) == -signal.SIGTERM
    watchdog.process.wait(5)
    assert forgotten.poll() is None
    forgotten.kill()
    forgotten.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells children that the parent has died")
def test_children_end_with_a_parent_that_has_no_watchdog():
    script = (
        "import signal, subprocess, time\n"
        "from mteval_site.local.processes import with_parent\n"
        "child = subprocess.Popen(['sleep', '60'], preexec_fn=with_parent(signal.SIGTERM))\n"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE)
    child = int(parent.stdout.readline())
    assert postmaster.command_line(child).startswith("sleep")
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not postmaster.command_line(child), 5)
