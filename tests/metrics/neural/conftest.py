import json
import os
import subprocess
from pathlib import Path

import pytest

from metrics.neural import environment, process
from metrics.neural.process import NeuralProcess

HERE = Path(__file__).parent
# Empty texts, other scripts, combining marks, emoji, right-to-left, one word, numbers.
TEXTS = {
    "sources": ["der Hund bellt", "eine Katze schläft", "", "ja", "שלום עולם", "猫坐在上", "12"],
    "hypotheses": ["the dog barks", "a cat rests 😀", "", "", "hello, you", "猫 na\u0308", "dozen"],
    "first": ["the dog is barking", "a cat is asleep", "x", "yes", "hello world", "the cat", "12"],
    "second": ["dogs bark", "the cat sleeps", "", "aye", "good morning", "a cat sat", "a dozen"],
}  # fmt: skip


@pytest.fixture(scope="session")
def neural_python() -> Path:
    """The Python of the environment of the neural metrics; skips if it is missing."""
    if reason := environment.unavailable():
        pytest.skip(reason)
    return environment.python()


@pytest.fixture(scope="session")
def models(neural_python, tmp_path_factory) -> Path:
    """A folder of tiny models with random weights: comet, kiwi, xcomet, bertscore, bleurt,
    metricx."""
    folder = tmp_path_factory.mktemp("models")
    run(neural_python, "make_models.py", folder)
    return folder


@pytest.fixture(scope="session")
def from_libraries(neural_python, models) -> dict:
    """The libraries' scores of TEXTS, without our code."""
    return json.loads(run(neural_python, "ask_libraries.py", models, input=json.dumps(TEXTS)))


def run(python: Path, script: str, *arguments: object, **options) -> str:
    """Return the output of a script of ours in the other environment."""
    line = [python, HERE / script, *arguments]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(line, capture_output=True, text=True, env=offline, **options)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def program(neural_python):
    """The program itself, for all tests of a module, as used by the metrics."""
    command = [str(neural_python), "-m", "metrics.neural.worker"]
    made = NeuralProcess(command, silence=300)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process, "_shared", made)
        patch.setattr(process, "_owner", os.getpid())
        yield made
        made.stop()


@pytest.fixture
def in_models(models, monkeypatch) -> Path:
    """The metrics find their models among the tiny ones, and download none."""
    monkeypatch.setenv("MTEVAL_MODELS", str(models))
    monkeypatch.setenv("MTEVAL_MODEL_DOWNLOADS", "none")
    return models
