"""Downloading models, from a hub that the test serves on this machine."""

import json
import socket
import subprocess
import sys
import threading
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from metrics.neural import environment
from metrics.neural.process import NeuralError, NeuralProcess

pytestmark = [pytest.mark.neural, pytest.mark.proof]

COMMIT = "0123456789" * 4
MODELS = {
    "tiny/bleurt": {
        "config.json": b'{"a": 1}',
        "spm.model": b"pieces",
        "model.safetensors": b"weights",
        "pytorch_model.bin": b"the same weights once more",
        "tf_model.h5": b"and again",
    },
    "tiny/comet": {
        "checkpoints/model.ckpt": b"weights",
        "hparams.yaml": b"pretrained_model: tiny/encoder\n",
        "README.md": b"of no use here",
    },
    "tiny/encoder": {"config.json": b"{}", "tokenizer.json": b"{}", "model.safetensors": b"big"},
    "tiny/gated": {},
}


class Hub(BaseHTTPRequestHandler):
    """The part of the model hub needed for downloads."""

    def log_message(self, *arguments: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.split("?")[0].strip("/")
        name = "/".join(path.removeprefix("api/models/").split("/")[:2])
        if name == "tiny/gated":
            self.answer(403, b"{}", {"X-Error-Code": "GatedRepo"})
        elif name not in MODELS:
            self.answer(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        elif path.startswith("api/models/"):
            siblings = [{"rfilename": file} for file in MODELS[name]]
            self.answer(200, json.dumps({"id": name, "sha": COMMIT, "siblings": siblings}).encode())
        else:
            content = MODELS[name][path.split(f"/resolve/{COMMIT}/")[1]]
            etag = sha256(content).hexdigest()
            self.answer(200, content, {"X-Repo-Commit": COMMIT, "ETag": f'"{etag}"'})

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for key, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


@pytest.fixture(scope="module")
def hub():
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def home(tmp_path, monkeypatch, hub, neural_python) -> Path:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_ENDPOINT", hub)
    for name in ("HF_HUB_OFFLINE", "HF_TOKEN", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def fetch(*names: str) -> subprocess.CompletedProcess:
    line = [environment.python(), "-m", "metrics.neural", "download", *names]
    return subprocess.run(line, cwd=environment.ROOT, capture_output=True, text=True, timeout=120)


def fetched(home: Path) -> set[str]:
    snapshots = home.glob("hub/models--*/snapshots/*")
    return {
        file.relative_to(folder).as_posix()
        for folder in snapshots
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_of_several_formats_one_is_fetched(home):
    done = fetch("tiny/bleurt")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tiny/bleurt: /")
    assert fetched(home) == {"config.json", "spm.model", "model.safetensors"}


def test_a_checkpoint_of_comet_comes_with_the_tokenizer_it_uses(home):
    assert fetch("tiny/comet").returncode == 0
    files = {"checkpoints/model.ckpt", "hparams.yaml", "config.json", "tokenizer.json"}
    assert fetched(home) == files


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tiny/nothing", "The model hub has no model tiny/nothing"),
        ("tiny/gated", "asks for a license to be accepted"),
        ("a/b/c", "'a/b/c' is not the name of a model"),
    ],
)
def test_refusals_are_told_in_words(home, name, words):
    done = fetch(name)
    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr and "Traceback" not in done.stderr


def test_without_a_network_it_fails_soon(home, monkeypatch):
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{taken.getsockname()[1]}")
        done = fetch("tiny/bleurt")
    assert done.returncode == 1
    assert "could not be fetched" in done.stderr and "check the network" in done.stderr


def test_offline_is_obeyed(home, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    done = fetch("tiny/bleurt")
    assert done.returncode == 1 and "HF_HUB_OFFLINE is set" in done.stderr


def test_the_program_fetches_what_it_may_and_only_that(home):
    program = NeuralProcess([str(environment.python()), "-m", "metrics.neural.worker"])
    request = {"metric": "comet", "model": "tiny/comet", "hypotheses": ["a"], "sources": ["b"]}
    request |= {"options": {"references": False}}
    try:
        with pytest.raises(NeuralError, match="is not on this machine; fetch it with"):
            program.scores({**request, "download": False})
        assert not fetched(home)
        with pytest.raises(NeuralError):  # the weights are invalid
            program.scores({**request, "download": True})
        assert "checkpoints/model.ckpt" in fetched(home)
    finally:
        program.stop()


def test_usage_is_told():
    line = [sys.executable, "-m", "metrics.neural", "upload", "x"]
    done = subprocess.run(line, cwd=environment.ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and "Usage: ./run neural" in done.stderr
