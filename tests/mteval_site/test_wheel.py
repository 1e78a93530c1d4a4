"""The package that pip, pipx and uvx install: its content, and running the site from it."""

import os
import re
import signal
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import wait_until

from .conftest import ROOT, free_port

pytestmark = pytest.mark.slow
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    made = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package, using the dependencies of the tests."""
    folder = tmp_path_factory.mktemp("packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    yield folder


def command(installed: Path, data: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "MTEVAL_VAR", "SECRET_KEY")
    }
    environment |= {"PYTHONPATH": str(installed), "XDG_DATA_HOME": str(data)}
    return [sys.executable, "-m", "mteval_web", *arguments], environment


def run(installed: Path, data: Path, *arguments: str) -> str:
    line, environment = command(installed, data, *arguments)
    done = subprocess.run(line, env=environment, cwd=data, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_package_holds_every_tracked_file_of_the_site(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.partition("/")[0] for name in names}
    (information,) = [top for top in tops if top.endswith(".dist-info")]
    assert tops == {"mteval_web", information}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    files = listed.stdout.split("\0")[:-1]
    if not files:
        pytest.skip("This checkout has no Git, so its files cannot be listed.")
    wanted = {f"mteval_web/site/{file}" for file in files if file.split("/")[0] in FOLDERS}
    assert len(wanted) > 1000
    assert wanted <= names
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]
    entry = PROJECT["project"]["scripts"]["mteval"]
    assert entry.partition(":")[0].replace(".", "/") + ".py" in names


def test_its_commands(installed: Path, tmp_path: Path) -> None:
    version = PROJECT["project"]["version"]
    assert run(installed, tmp_path, "--version") == f"mteval {version}\n"
    usage = run(installed, tmp_path, "--help")
    assert usage.startswith("usage: mteval ")
    assert "./run" not in usage
    assert str(tmp_path / "mteval") in re.sub(r"\s+", "", usage)
    assert "0 silenced" in run(installed, tmp_path, "manage", "check")


def test_a_relative_folder_of_data(installed: Path, tmp_path: Path) -> None:
    """Commands name it by MTEVAL_VAR, and say nothing about that."""
    line, environment = command(installed, tmp_path, "manage", "check")
    environment["MTEVAL_VAR"] = "FOLDER"
    done = subprocess.run(line, env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.proof
def test_the_site_runs_from_it(installed: Path, tmp_path: Path) -> None:
    """Started in an empty folder: the first page, a style sheet and a guide are served; nothing is
    written next to the package; and the data are in the named folder."""
    before = {path for path in installed.rglob("*") if path.suffix != ".pyc"}
    port = free_port()
    data = tmp_path / "data"
    line, environment = command(
        installed, tmp_path, "--port", str(port), "--no-demo", "--data", str(data)
    )
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    log = tmp_path / "log"
    with log.open("wb") as out:
        site = subprocess.Popen(line, env=environment, cwd=tmp_path, stdout=out, stderr=out)
    try:
        wait_until(lambda: "Ctrl-C" in log.read_text() or site.poll() is not None, 120)
        assert site.poll() is None, log.read_text()
        base = f"http://127.0.0.1:{port}"
        with urllib.request.urlopen(base, timeout=30) as answer:
            page = answer.read().decode()
        (style,) = set(re.findall(r'href="(/static/css/site[^"]*)"', page))
        for address in (style, "/guide/annotator/"):
            with urllib.request.urlopen(base + address, timeout=30) as answer:
                assert answer.status == 200
    finally:
        site.send_signal(signal.SIGINT)
        assert site.wait(30) == 0
    assert (data / "postgres").is_dir() and (data / "secret_key").is_file()
    assert {path for path in installed.rglob("*") if path.suffix != ".pyc"} == before
