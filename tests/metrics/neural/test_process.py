"""The protocol of the program of the neural metrics, whatever that program does."""

import json
import math
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from metrics.neural import environment, process
from metrics.neural.process import NeuralError, NeuralProcess, watched

FAKE = Path(__file__).with_name("fake_program.py")


@pytest.fixture
def fake():
    made = NeuralProcess([sys.executable, str(FAKE)], silence=60)
    yield made
    made.stop()


def ask(fake: NeuralProcess, model: str, texts=("a", "bcd"), **options) -> list[float]:
    return fake.scores({"model": model, "hypotheses": list(texts), "options": options})


def test_one_process_answers_many_requests(fake):
    assert ask(fake, "good") == [1.0, 3.0]
    pid = fake.pid
    assert ask(fake, "good", ["Ünïcode 😀", ""]) == [9.0, 0.0]
    assert fake.pid == pid


def test_long_requests_pass(fake):
    assert ask(fake, "good", ["word " * 10_000] * 20) == [50_000.0] * 20


def test_undefined_scores_are_nan(fake):
    assert all(math.isnan(score) for score in ask(fake, "undefined"))


def test_what_is_no_answer_is_passed_over(fake):
    assert ask(fake, "chatty") == [1.0, 3.0]


def test_progress_is_handed_on(fake):
    heard = []
    with watched(lambda done, total: heard.append((done, total))):
        ask(fake, "good", "abcd")
    assert [each for each in heard if each[1]] == [(0, 4), (1, 4), (2, 4), (3, 4)]
    heard.clear()
    ask(fake, "good")
    assert not heard


def test_errors_are_told_and_survived(fake):
    ask(fake, "good")
    pid = fake.pid
    with pytest.raises(NeuralError, match=r"^There is no such model\.$"):
        ask(fake, "error")
    with pytest.raises(NeuralError, match="does not fit"):
        ask(fake, "wrong number")
    assert ask(fake, "good") == [1.0, 3.0]
    assert fake.pid == pid


def test_a_crash_is_told_with_its_last_words_and_another_is_started(fake):
    with pytest.raises(NeuralError, match=r"exit code 3\. It said last:") as e:
        ask(fake, "exit")
    assert "no module named torch" in str(e.value)
    assert ask(fake, "good") == [1.0, 3.0]


def test_a_killed_process_is_told_and_another_is_started(fake):
    with pytest.raises(NeuralError, match=r"signal 9 \(SIGKILL\), perhaps because memory ran out"):
        ask(fake, "killed")
    assert ask(fake, "good") == [1.0, 3.0]


def test_a_process_that_says_nothing_is_ended(fake):
    ask(fake, "good")
    pid, fake.silence = fake.pid, 0.3
    with pytest.raises(NeuralError, match=r"said nothing for 0\.3 seconds"):
        ask(fake, "stuck")
    assert not alive(pid)
    fake.silence = 60
    assert ask(fake, "good") == [1.0, 3.0]


def test_cancelling_kills_the_process(fake):
    class Cancelled(Exception):
        pass

    def cancel(done, total):
        raise Cancelled

    ask(fake, "good")
    pid = fake.pid
    started = time.monotonic()
    with pytest.raises(Cancelled), watched(cancel):
        ask(fake, "stuck")
    assert time.monotonic() - started < 30
    assert not alive(pid)
    assert ask(fake, "good") == [1.0, 3.0]


def test_a_process_that_ends_as_it_is_asked_is_asked_again(fake, tmp_path):
    assert ask(fake, "idle", marker=str(tmp_path / "marker")) == [1.0, 3.0]


def test_a_program_that_cannot_be_started_is_told():
    with pytest.raises(NeuralError, match="could not be started"):
        ask(NeuralProcess(["/nowhere/python"]), "good")


def test_it_is_told_no_secrets_and_no_network(fake, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "of the site")
    monkeypatch.setenv("DATABASE_URL", "postgresql://")
    monkeypatch.setenv("HF_TOKEN", "of the model hub")
    names = ["SECRET_KEY", "DATABASE_URL", "HF_TOKEN", "HF_HUB_OFFLINE"]
    with pytest.raises(NeuralError) as error:
        ask(fake, "environment", names=names)
    values = [None, None, "of the model hub", "1"]
    assert json.loads(str(error.value)) == dict(zip(names, values, strict=True))


def test_threads_take_turns_at_the_shared_process(monkeypatch, tmp_path):
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setenv("MTEVAL_NEURAL", str(tmp_path))
    monkeypatch.setattr(process, "_shared", None)
    answers = {}

    def work(i):
        request = {"model": "good", "hypotheses": ["x" * i]}
        answers[i] = process.shared_answer(request).scores

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    process.stop_shared()
    assert answers == {i: [float(i)] for i in range(8)}


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class TestWorker:
    """The real program as far as it works without PyTorch, and so in this environment too."""

    command = (sys.executable, "-m", "metrics.neural.worker")

    def start(self, **variables: str) -> subprocess.Popen:
        return subprocess.Popen(
            self.command, cwd=environment.ROOT, env={**os.environ, **variables}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def test_each_bad_request_is_answered_and_the_program_goes_on(self):
        expected = {
            "no JSON": "JSONDecodeError",
            "[1, 2]": "could not be used",
            '{"id": 3, "metric": "rouge", "model": "x", "hypotheses": ["a"]}': "Unknown neural",
            '{"id": 4, "hypotheses": ["a"], "sources": ["b", "c"]}': "as many sources",
            '{"id": 5, "metric": "comet", "hypotheses": [7]}': "list of texts",
            '{"id": 6, "metric": "comet", "model": "/no/such", "name": "mine", '
            '"hypotheses": []}': "There is no model folder mine.",
        }
        with self.start() as program:
            for line, words in expected.items():
                program.stdin.write(line + "\n")
                program.stdin.flush()
                assert words in json.loads(program.stdout.readline())["error"]
            program.stdin.close()
            assert program.wait(timeout=30) == 0

    def test_it_ends_when_it_has_been_idle(self):
        with self.start(MTEVAL_NEURAL_IDLE="0.2") as program:
            assert json.loads(program.stdout.readline()) == {"bye": True}
            assert program.wait(timeout=30) == 0
