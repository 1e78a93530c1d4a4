"""The environment: when it is reused, when recreated, and the message if that fails."""

import fcntl
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .conftest import ROOT

LOCKS = ("requirements.txt", "requirements-all.txt", "requirements-test.txt")


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """bootstrap.py with its environment in tmp_path, which only has a Python."""
    environment = tmp_path / "environment"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.setenv("MTEVAL_VENV", str(environment))
    spec = importlib.util.spec_from_file_location("bootstrap_in_test", ROOT / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Installer:
    """A fake for uv and pip that records its calls."""

    def __init__(self, bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        self.locks: list[str] = []
        self.venvs = 0
        monkeypatch.setattr(bootstrap, "fill", self.fill)
        monkeypatch.setattr(bootstrap, "make_venv", self.make_venv)

    def fill(self, lock: str) -> str:
        self.locks.append(os.path.basename(lock))
        return "nothing"

    def make_venv(self) -> None:
        self.venvs += 1


@pytest.fixture
def installer(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Installer:
    monkeypatch.setattr(bootstrap, "quiet", lambda command: True)
    return Installer(bootstrap, monkeypatch)


def test_installs_once(bootstrap: ModuleType, installer: Installer) -> None:
    assert not bootstrap.satisfied(bootstrap.SITE_LOCK)
    bootstrap.prepare(bootstrap.SITE_LOCK)
    assert bootstrap.satisfied(bootstrap.SITE_LOCK)
    bootstrap.prepare(bootstrap.SITE_LOCK)
    assert installer.locks == ["requirements.txt"]


def test_the_tests_environment_does_for_the_site(
    bootstrap: ModuleType, installer: Installer
) -> None:
    bootstrap.prepare(bootstrap.TEST_LOCK)
    assert bootstrap.satisfied(bootstrap.SITE_LOCK)
    assert bootstrap.satisfied(bootstrap.TEST_LOCK)


def test_the_sites_environment_does_not_do_for_the_tests(
    bootstrap: ModuleType, installer: Installer
) -> None:
    bootstrap.prepare(bootstrap.SITE_LOCK)
    assert not bootstrap.satisfied(bootstrap.TEST_LOCK)


def test_changed_lock_installs_again_and_keeps_the_tests_packages(
    bootstrap: ModuleType, installer: Installer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.prepare(bootstrap.TEST_LOCK)
    (tmp_path / "environment" / "bin" / "pytest").touch()
    changed = tmp_path / "requirements.txt"
    changed.write_text("something==1.0\n")
    monkeypatch.setattr(bootstrap, "SITE_LOCK", str(changed))
    assert not bootstrap.satisfied(bootstrap.SITE_LOCK)
    bootstrap.prepare(bootstrap.SITE_LOCK)
    assert installer.locks == ["requirements-test.txt", "requirements-test.txt"]


def test_changed_lock_keeps_the_extras(
    bootstrap: ModuleType, installer: Installer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.prepare(bootstrap.ALL_LOCK)
    assert bootstrap.satisfied(bootstrap.SITE_LOCK)
    assert not bootstrap.satisfied(bootstrap.TEST_LOCK)
    (tmp_path / "environment" / "lib" / "python3.11" / "site-packages" / "typst").mkdir(
        parents=True
    )
    changed = tmp_path / "requirements.txt"
    changed.write_text("something==1.0\n")
    monkeypatch.setattr(bootstrap, "SITE_LOCK", str(changed))
    bootstrap.prepare(bootstrap.SITE_LOCK)
    assert installer.locks == ["requirements-all.txt", "requirements-all.txt"]


def test_extras_are_installed_by_name(
    bootstrap: ModuleType, installer: Installer, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "run", "extras"])
    bootstrap.main()
    assert installer.locks == ["requirements-all.txt"]
    assert "Restart the site" in capsys.readouterr().out


def test_another_python_below_the_environment_installs_again(
    bootstrap: ModuleType, installer: Installer, tmp_path: Path
) -> None:
    bootstrap.prepare(bootstrap.SITE_LOCK)
    python = tmp_path / "environment" / "bin" / "python"
    other = tmp_path / "python-of-the-next-release"
    other.touch()
    python.unlink()
    python.symlink_to(other)
    assert not bootstrap.satisfied(bootstrap.SITE_LOCK)


def test_killed_installation_starts_anew(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "quiet", lambda command: True)
    installer = Installer(bootstrap, monkeypatch)
    Path(bootstrap.UNFINISHED).touch()  # left by make_venv until everything is installed
    bootstrap.prepare(bootstrap.SITE_LOCK)
    assert installer.venvs == 1
    assert not os.path.exists(bootstrap.UNFINISHED)


def test_failed_installation_leaves_no_stamp(
    bootstrap: ModuleType, installer: Installer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bootstrap.prepare(bootstrap.SITE_LOCK)

    def fail(lock: str) -> str:
        sys.exit("no network")

    monkeypatch.setattr(bootstrap, "fill", fail)
    with pytest.raises(SystemExit, match="no network"):
        bootstrap.prepare(bootstrap.TEST_LOCK)
    assert not bootstrap.satisfied(bootstrap.SITE_LOCK)


def test_second_start_waits_for_the_first(bootstrap: ModuleType, tmp_path: Path) -> None:
    """While the lock is held it waits; then it finds the work done and installs nothing."""
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    command = [sys.executable, str(ROOT / "bootstrap.py"), "python", "-c", "print('done')"]
    second = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert "Waiting for another start" in second.stdout.readline()
    Path(bootstrap.STAMP).write_text(bootstrap.fingerprint(bootstrap.TEST_LOCK))
    os.close(held)
    said, _ = second.communicate(timeout=20)
    assert (said, second.returncode) == ("done\n", 0)


def test_too_old_python_says_so(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, and python3 is 3\.9"):
        bootstrap.main()


def test_too_old_python_hands_over_to_a_newer_one(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = []

    def execv(path: str, line: list[str]) -> None:
        called.append(path)
        raise SystemExit

    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap.os, "execv", execv)
    monkeypatch.setattr(bootstrap.shutil, "which", {"python3.12": "/x/python3.12"}.get)
    with pytest.raises(SystemExit):
        bootstrap.main()
    assert called == ["/x/python3.12"]


def test_missing_venv_module_says_what_to_install(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error message of Debian's python3 without python3-venv."""
    said = "The virtual environment was not created successfully because ensurepip is not available"
    fake = tmp_path / "python3"
    fake.write_text(f"#!/bin/sh\necho '{said}'\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(bootstrap.sys, "executable", str(fake))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        bootstrap.make_venv()
    assert not Path(bootstrap.VENV).exists()


@pytest.mark.proof
@pytest.mark.slow
def test_without_an_index_says_so(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9/simple"
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "MTEVAL_VENV": str(tmp_path / "environment"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": nowhere,
        "PIP_RETRIES": "0",
        "UV_INDEX_URL": nowhere,
        "UV_HTTP_RETRIES": "0",
        "UV_NO_CONFIG": "1",
    }
    done = subprocess.run(
        [sys.executable, ROOT / "bootstrap.py", "run", "manage", "check"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    assert "check the network connection" in done.stderr
    assert "Traceback" not in done.stderr


def pins(name: str) -> set[str]:
    """Return all `package==version`; a package may have several, for different Pythons."""
    return set(re.findall(r"^([^\s#]+==[^\s;]+)", (ROOT / name).read_text(), re.M))


def test_each_lock_holds_the_one_before() -> None:
    """bootstrap.py relies on it when it uses one instead of the other."""
    site, everything, tests = map(pins, LOCKS)
    assert len(site) > 20
    assert site < everything < tests


def test_locks_hold_what_pyproject_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = project["optional-dependencies"]
    extras = {name for group, names in groups.items() if group != "all" for name in names}
    everything = f"{project['name']}[{','.join(sorted(set(groups) - {'all'}))}]"
    assert groups["all"] == [everything]

    def names(requirements) -> set[str]:
        return {canonicalize_name(Requirement(each).name) for each in requirements}

    site, rest = (names(pins(lock)) for lock in LOCKS[:2])
    assert names(project["dependencies"]) <= site
    # The others are what an extra needs itself, as the lock file says below each.
    blocks = re.split(r"\n(?=\S)", (ROOT / LOCKS[1]).read_text())
    of_project = [block.split()[0] for block in blocks if f"{project['name']} (pyp" in block]
    assert names(extras) == names(of_project) - site
    assert names(extras) <= rest - site


@pytest.mark.parametrize("name", [*LOCKS, "requirements-uv.txt"])
def test_every_pin_has_a_hash_and_no_lock_names_an_index(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "://" not in text
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.M)[1:]
    assert {entry.split()[0] for entry in entries} == pins(name)
    assert all("--hash=sha256:" in entry for entry in entries)


def test_no_psycopg_3_beside_psycopg2() -> None:
    """Django would use it instead, silently."""
    names = {re.split(r"[\[=]", line)[0] for line in pins("requirements-test.txt")}
    assert "psycopg2-binary" in names
    assert not {"psycopg", "psycopg-binary", "psycopg-c"} & names
