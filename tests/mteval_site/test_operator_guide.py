"""Everything in the operators' guide exists, and everything that exists is in the guide."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs/deploy"
GUIDE = (ROOT / "docs/guide/operator.md").read_text()
GUIDES = GUIDE + (ROOT / "docs/guide/deployment.md").read_text()
READ = re.compile(
    r"""(?:\benv(?:ironment)?\.[a-z_]+\(|\bos\.environ(?:\.get|\.setdefault|\.pop)?[\[(])"""
    r"""\s*["']([A-Z][A-Z_]+)["']"""
)
# Of Python, Django, sudo and the Hugging Face hub: not for setting up a site.
NOT_OURS = {"DJANGO_SETTINGS_MODULE", "PYTHONDONTWRITEBYTECODE", "SUDO_USER", "HF_HUB_OFFLINE"}


def variables_read() -> set[str]:
    files = [ROOT / "bootstrap.py", ROOT / "manage.py", ROOT / "gunicorn.conf.py"]
    for package in ("mteval_site", "judgments", "metrics"):
        files += (ROOT / package).rglob("*.py")
    return {name for file in files for name in READ.findall(file.read_text())} - NOT_OURS


def variables_described() -> list[str]:
    table = GUIDE.split("\n## Variables\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)]


def test_the_readers_of_variables_are_found():
    """The pattern itself: one name from each place where variables are read."""
    names = {"HTTPS", "WEB_CONCURRENCY", "MTEVAL_VENV", "MTEVAL_NEURAL_IDLE", "LOG_FORMAT"}
    assert names <= variables_read()


def test_every_variable_is_in_the_table_once():
    described = variables_described()
    assert sorted(described) == sorted(variables_read())


def test_every_file_is_named():
    for file in DEPLOY.iterdir():
        assert re.search(rf"[`/]{re.escape(file.name)}[`)\s]", GUIDES), file.name


def test_files_that_the_guides_name_exist():
    named = re.findall(r"docs/deploy/([\w.*-]*\w)", GUIDES)
    assert "nightly-backup" in named
    for name in {*named} - {".env"}:
        assert list(DEPLOY.glob(name)), name


@pytest.mark.parametrize("file", ["mteval.env", "compose.yaml", "Containerfile"])
def test_files_set_only_variables_that_there_are(file: str):
    lines = (DEPLOY / file).read_text()
    found = set(re.findall(r"^(?:# |ENV |    )?([A-Z][A-Z_]+)[=:] ?", lines, re.MULTILINE))
    assert {name for name in found if not name.startswith("POSTGRES_")} <= variables_read()
    assert found


def backup(folder: Path, tmp_path: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run `nightly-backup` in a checkout whose `./run` is the command."""
    checkout = tmp_path / "checkout"
    (checkout / "docs/deploy").mkdir(parents=True, exist_ok=True)
    script = checkout / "docs/deploy/nightly-backup"
    script.write_text((DEPLOY / "nightly-backup").read_text())
    script.chmod(0o755)
    (checkout / "run").write_text(f"#!/bin/sh\n{command}\n")
    (checkout / "run").chmod(0o755)
    return subprocess.run([script, folder], capture_output=True, text=True, check=False)


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    folder = tmp_path / "some backups"
    folder.mkdir()
    for day in range(1, 36):
        (folder / f"mteval-2026-01-{day:02}T031500Z.backup").write_text(str(day))
    (folder / "notes.txt").write_text("not ours")
    return folder


def test_the_newest_thirty_backups_stay(backups: Path, tmp_path: Path):
    done = backup(backups, tmp_path, 'test "$1 $2" = "manage backup" && echo new > "$3"')
    assert done.returncode == 0, done.stderr
    kept = sorted(path.name for path in backups.glob("mteval-*"))
    assert len(kept) == 30
    assert kept[0] == "mteval-2026-01-07T031500Z.backup"
    assert (backups / kept[-1]).read_text() == "new\n"
    assert (backups / "notes.txt").exists()


def test_a_backup_that_fails_removes_none(backups: Path, tmp_path: Path):
    before = sorted(backups.iterdir())
    assert backup(backups, tmp_path, "exit 1").returncode == 1
    assert sorted(backups.iterdir()) == before
