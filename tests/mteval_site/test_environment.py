"""Readers of environment variables: valid values, and errors that name the variable."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from mteval_site import environment

from .conftest import ROOT


@pytest.mark.parametrize(
    ("text", "expected"), [("true", True), ("YES", True), ("1", True), ("off", False), ("", False)]
)
def test_flag(monkeypatch: pytest.MonkeyPatch, text: str, expected: bool) -> None:
    monkeypatch.setenv("X_FLAG", text)
    assert environment.flag("X_FLAG") is expected


def test_wrong_values_name_their_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_VALUE", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="X_VALUE='perhaps'"):
        environment.flag("X_VALUE")
    with pytest.raises(ImproperlyConfigured, match="X_VALUE='perhaps'"):
        environment.integer("X_VALUE", 3)


def test_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X_WORDS", " a, b ,,c ")
    assert environment.words("X_WORDS") == ["a", "b", "c"]


def test_database_address() -> None:
    found = environment.database("postgres://us%40er:p%2Fw@db.example:5433/na%20me?sslmode=require")
    assert {key: found[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")} == {
        "NAME": "na me",
        "USER": "us@er",
        "PASSWORD": "p/w",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize("address", ["sqlite:///file", "mysql://host/name", "host/name"])
def test_only_postgresql(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="PostgreSQL only"):
        environment.database(address)


def test_a_choice_names_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = {"INFO", "WARNING"}
    monkeypatch.delenv("LEVEL", raising=False)
    assert environment.choice("LEVEL", levels, "WARNING") == "WARNING"
    monkeypatch.setenv("LEVEL", "info")
    assert environment.choice("LEVEL", levels, "WARNING") == "INFO"
    monkeypatch.setenv("LEVEL", "loud")
    with pytest.raises(ImproperlyConfigured, match="LEVEL='LOUD' should be one of INFO, WARNING"):
        environment.choice("LEVEL", levels, "WARNING")


def test_several_are_all_unless_some_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["cpu", "gpu", "judge"]
    monkeypatch.delenv("X_SEVERAL", raising=False)
    assert environment.several("X_SEVERAL", options) == options
    for text, expected in [("", options), (" , ", options), ("judge, cpu,cpu", ["cpu", "judge"])]:
        monkeypatch.setenv("X_SEVERAL", text)
        assert environment.several("X_SEVERAL", options) == expected
    monkeypatch.setenv("X_SEVERAL", "cpu,GPU")
    message = "X_SEVERAL: 'GPU' should be one of cpu, gpu, judge"
    with pytest.raises(ImproperlyConfigured, match=message):
        environment.several("X_SEVERAL", options)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("X_LIMITS", raising=False)
    assert environment.limits("X_LIMITS", ["gpu"]) == {}
    monkeypatch.setenv("X_LIMITS", "gpu = 1, judge=0,")
    assert environment.limits("X_LIMITS", ["gpu", "judge"]) == {"gpu": 1, "judge": 0}


@pytest.mark.parametrize(
    "text",
    ["tpu=1", "gpu", "gpu=", "gpu=-1", "gpu=1.5", "gpu=many", "gpu=10000", "gpu=²", "gpu=1,gpu=2"],
)
def test_wrong_limits_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("X_LIMITS", text)
    with pytest.raises(ImproperlyConfigured, match="X_LIMITS: "):
        environment.limits("X_LIMITS", ["cpu", "gpu"])


def test_secret_is_made_once_and_kept_for_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    made = environment.secret_key(tmp_path / "var")
    assert len(made) >= 50
    assert environment.secret_key(tmp_path / "var") == made
    assert environment.secret_key(tmp_path / "other") != made
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600
    monkeypatch.setenv("SECRET_KEY", "given")
    assert environment.secret_key(tmp_path / "var") == "given"


@pytest.mark.parametrize("left", [b"", b"\n", b"short", b"\xff\xfe" * 30, b"\0" * 50])
def test_what_is_no_secret_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: bytes
) -> None:
    """As a full disk or a power cut leaves a file."""
    monkeypatch.delenv("SECRET_KEY", raising=False)
    file = tmp_path / "secret_key"
    file.write_bytes(left)
    (tmp_path / "secret_key.part").write_text("of a killed start")
    made = environment.secret_key(tmp_path)
    assert len(made) >= 50
    assert file.read_text() == made
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_processes_that_start_together_get_one_secret(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from mteval_site import environment; "
        "print(environment.secret_key(Path(sys.argv[1])))"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    clean = {name: value for name, value in os.environ.items() if name != "SECRET_KEY"}
    started = [
        subprocess.Popen(command, cwd=ROOT, env=clean, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    assert len({process.communicate()[0] for process in started}) == 1


def test_endpoints_and_their_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from-a-file\n")
    monkeypatch.setenv(
        "LISTED", "local=http://127.0.0.1:8000/v1/, hosted=https://api.example.org/v1"
    )
    monkeypatch.setenv("KEY_HOSTED_FILE", str(tmp_path / "key"))
    monkeypatch.delenv("KEY_HOSTED", raising=False)
    addresses, keys = environment.endpoints("LISTED", "KEY_")
    assert addresses == {
        "local": "http://127.0.0.1:8000/v1", "hosted": "https://api.example.org/v1",
    }  # fmt: skip
    assert keys == {"local": "", "hosted": "from-a-file"}
    assert "KEY_HOSTED" not in os.environ


@pytest.mark.parametrize(
    "text",
    [
        "https://host/v1",
        "a=ftp://host",
        "a b=https://host",
        "a=https://",
        "=https://host",
        "a=http://[",
        "a=https://user:word@host",
    ],
)
def test_wrong_endpoints_are_told(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("LISTED", text)
    with pytest.raises(ImproperlyConfigured, match="LISTED"):
        environment.endpoints("LISTED", "KEY_")


def test_a_file_of_a_key_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTED", "a=https://host/v1")
    monkeypatch.setenv("KEY_A_FILE", "/nowhere/key")
    with pytest.raises(ImproperlyConfigured, match="KEY_A_FILE"):
        environment.endpoints("LISTED", "KEY_")
