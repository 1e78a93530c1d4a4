"""The second environment: its Python, and which packages are installed in it."""

import os
import re
import subprocess
from types import ModuleType

import pytest

from .conftest import ROOT
from .test_bootstrap import Installer, bootstrap, installer  # noqa: F401


@pytest.fixture
def started(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list:  # noqa: F811
    """The command that the process would become; it ends there."""
    calls = []

    def execv(path: str, line: list[str]) -> None:
        calls.append(line)
        raise SystemExit

    monkeypatch.delenv("MTEVAL_NEURAL", raising=False)
    monkeypatch.setattr(bootstrap.os, "execv", execv)
    monkeypatch.setattr(bootstrap.sys, "argv", ["bootstrap.py", "run", "neural", "download", "x"])
    return calls


def test_run_neural_starts_again_with_the_other_folder(bootstrap, started, monkeypatch):  # noqa: F811
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 12, 1))
    with pytest.raises(SystemExit):
        bootstrap.main()
    assert started[0][1:] == [str(ROOT / "bootstrap.py"), "neural", "download", "x"]
    assert os.environ["MTEVAL_VENV"] == str(ROOT / ".venv-neural")


def test_a_python_that_is_too_new_hands_over(bootstrap, started, monkeypatch):  # noqa: F811
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 14, 0))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(SystemExit):
        bootstrap.main()
    assert started[0][0] == "/usr/bin/python3.12"


def test_without_a_fitting_python_it_is_said(bootstrap, started, monkeypatch):  # noqa: F811
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 14, 0))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"need Python 3\.11 or 3\.12, and python3 is 3\.14"):
        bootstrap.main()


def test_the_neural_environment_does_not_do_for_the_site(bootstrap, installer):  # noqa: F811
    bootstrap.prepare(bootstrap.NEURAL_LOCK)
    assert installer.locks == ["requirements-neural.txt"]
    assert bootstrap.satisfied(bootstrap.NEURAL_LOCK)
    assert not bootstrap.satisfied(bootstrap.SITE_LOCK)
    assert not bootstrap.satisfied(bootstrap.TEST_LOCK)


@pytest.mark.parametrize("with_uv", [True, False])
def test_pytorch_comes_last_and_by_version_alone(bootstrap, monkeypatch, with_uv):  # noqa: F811
    lines = []

    def run(line: list[str], **options: object) -> subprocess.CompletedProcess:
        lines.append([word for word in line if word != "--disable-pip-version-check"])
        return subprocess.CompletedProcess(line, 0, b"")

    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: "/usr/bin/uv" if with_uv else None)
    monkeypatch.setattr(bootstrap, "quiet", lambda line: with_uv and not lines.append(line))
    monkeypatch.setattr(bootstrap.subprocess, "run", run)
    assert bootstrap.fill(bootstrap.NEURAL_LOCK) == ("uv" if with_uv else "pip")
    first, last = lines
    assert "--require-hashes" in first and first[-1] == bootstrap.NEURAL_LOCK
    assert with_uv or "--no-deps" in first
    assert last[1:4] == ["-m", "pip", "install"]
    assert len(last) == 5 and re.fullmatch(r"torch==[\d.]+", last[4])


def test_the_lock_has_a_hash_for_all_but_pytorch():
    lock = (ROOT / "requirements-neural.txt").read_text()
    packages = re.findall(r"^([a-z0-9-]+)==.*(?:\\\n +--hash=\S+)+", lock, re.MULTILINE)
    assert len(packages) > 40 and {"unbabel-comet", "bert-score", "sympy"} <= set(packages)
    assert len(packages) == len(re.findall(r"^[a-z0-9-]+==", lock, re.MULTILINE))
    assert "torch" not in packages and not re.search("^nvidia|^triton", lock, re.MULTILINE)
    (wanted,) = re.findall(r"^torch==.*", (ROOT / "requirements-neural.in").read_text(), re.M)
    assert f"# without its hash: {wanted}\n" in lock
    project = (ROOT / "pyproject.toml").read_text()
    assert f'name = "torch"\nversion = "{wanted.split("==")[1]}"' in project


def test_the_site_keeps_all_its_hashes(bootstrap, monkeypatch):  # noqa: F811
    lines = []

    def run(line: list[str], **options: object) -> subprocess.CompletedProcess:
        lines.append(line)
        return subprocess.CompletedProcess(line, 0, b"")

    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    monkeypatch.setattr(bootstrap, "quiet", lambda line: False)
    monkeypatch.setattr(bootstrap.subprocess, "run", run)
    bootstrap.fill(bootstrap.SITE_LOCK)
    assert len(lines) == 1 and "--require-hashes" in lines[0] and "--no-deps" not in lines[0]
