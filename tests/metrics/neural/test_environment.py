"""Locations of models and their environment, and the messages if they are missing."""

import importlib.util
import sys
from pathlib import Path

import pytest

from metrics.neural import environment, folders
from metrics.scorers.neural import BLEURT, COMET


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    """An environment with only a Python."""
    monkeypatch.setenv("MTEVAL_NEURAL", str(tmp_path))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    return tmp_path


def test_without_an_environment_the_command_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("MTEVAL_NEURAL", str(tmp_path / "nothing"))
    assert "run ./run neural" in COMET.unavailable()
    with pytest.raises(ValueError, match=r"need PyTorch.*\./run neural"):
        COMET().statistics(["a"], [["b"]], ["c"])


def test_an_unfinished_and_an_old_environment_are_told_apart(folder):
    assert "not complete" in COMET.unavailable()
    (folder / "mteval-stamp").write_text("of an older lock file\n")
    assert "out of date" in COMET.unavailable()
    (folder / "mteval-stamp").write_text(environment.fingerprint() + "\n")
    assert BLEURT.unavailable() == ""


def test_the_stamp_is_that_of_bootstrap(folder, monkeypatch):
    monkeypatch.setenv("MTEVAL_VENV", str(folder))
    spec = importlib.util.spec_from_file_location("boot", environment.ROOT / "bootstrap.py")
    bootstrap = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bootstrap)
    assert bootstrap.fingerprint(bootstrap.NEURAL_LOCK) == environment.fingerprint()


def test_versions_are_those_of_that_environment(folder):
    assert environment.version_of("unbabel-comet") == "none"
    info = folder / "lib" / "python3.11" / "site-packages" / "unbabel_comet-2.2.7.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: unbabel-comet\nVersion: 2.2.7\n")
    assert environment.version_of("unbabel-comet") == "2.2.7"


@pytest.fixture
def models(tmp_path: Path, monkeypatch) -> Path:
    top = tmp_path / "models"
    (top / "owner" / "mine").mkdir(parents=True)
    (top / "owner" / "mine" / "weights").write_bytes(b"0123")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setenv("MTEVAL_MODELS", str(top))
    return top


def test_models_are_taken_from_below_the_folder_of_models_only(models):
    mine = models / "owner" / "mine"
    assert folders.local_model("owner/mine") == mine
    assert folders.local_model(str(mine)) == mine
    for name in ("", ".", "..", "../elsewhere", "owner/../../elsewhere", "owner/mine/weights"):
        assert folders.local_model(name) is None, name
    assert folders.local_model(str(models.parent / "elsewhere")) is None
    assert folders.local_model("a\0b") is None
    assert folders.local_model("a" * 300) is None


def test_a_link_that_the_operator_made_is_followed(models):
    (models / "linked").symlink_to(models.parent / "elsewhere")
    assert folders.local_model("linked") == models / "linked"


def test_digest_changes_with_the_content_and_not_with_the_place(models, tmp_path):
    mine = models / "owner" / "mine"
    before = folders.digest(mine)
    assert len(before) == 12
    moved = mine.rename(models / "moved")
    assert folders.digest(moved) == before
    (moved / "weights").write_bytes(b"0124")
    assert folders.digest(moved) != before


def test_only_known_models_are_fetched_unless_more_is_allowed(monkeypatch):
    known = COMET.downloads
    for name in ("HF_HUB_OFFLINE", "MTEVAL_MODEL_DOWNLOADS"):
        monkeypatch.delenv(name, raising=False)
    assert folders.may_download("Unbabel/wmt22-comet-da", known)
    assert not folders.may_download("somebody/anything", known)
    monkeypatch.setenv("MTEVAL_MODEL_DOWNLOADS", "any")
    assert folders.may_download("somebody/anything", known)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert not folders.may_download("Unbabel/wmt22-comet-da", known)
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv("MTEVAL_MODEL_DOWNLOADS", "none")
    assert not folders.may_download("Unbabel/wmt22-comet-da", known)
