"""Which tests run: all except the proofs, the proofs, or those proofs affected by a change.

A proof takes long and finds what hardly ever breaks: kills, starts, simulations, published data, a
screen reader, random inputs, files that are exported and imported again, and checks of every
preset, window and theme where other tests check one. It is marked `proof`. If files or tests are
named, all tests in them run.
"""

import hashlib
import subprocess
import time
from pathlib import Path

import pytest

BEGUN = time.monotonic()
ROOT = Path(__file__).resolve().parent.parent
# Subjects of the proofs in folders and files that mirror no room.
ABOUT = {
    "tests/api": ("judgments/urls", "judgments/web", "metrics/api_urls.py"),
    "tests/benchmarks": ("benchmarks", "judgments/judging", "judgments/models"),
    "tests/browser": (
        *("judgments/judging", "judgments/protocols", "judgments/plans", "judgments/web"),
        *("metrics/scores", "static", "templates"),
    ),
    "tests/clients": ("clients", "judgments/exchange/tables", "judgments/web/api"),
    "tests/docs": ("docs",),
    "tests/gates": (
        *("judgments/people", "judgments/plans", "judgments/protocols", "judgments/urls"),
        "judgments/web",
    ),
    "tests/mteval_site": (
        "bootstrap.py",
        "gunicorn.conf.py",
        "mteval_site",
        "requirements.txt",
        "run",
    ),
    "tests/real": ("judgments/results", "judgments/stats", "metrics/scorers", "metrics/stats"),
    "tests/test_sbom.py": ("pyproject.toml", "requirements.txt", "static/vendor"),
}


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("proofs")
    group.addoption("--proofs", action="store_true", help="run the proofs, and nothing else")
    group.addoption(
        "--changed",
        nargs="?",
        const="",
        metavar="REVISION",
        help="run the proofs of what has changed since REVISION; without one, since the branch "
        "left origin/main, or in the last commit",
    )
    group.addoption(
        "--within",
        type=float,
        metavar="MINUTES",
        help="skip what has not begun by then; files come in another order with each commit",
    )


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that were not requested."""
    if config.option.changed is not None:
        changed = files_changed(config.option.changed)
        chosen = [item for item in items if is_proof(item) and is_touched(item, changed)]
    elif config.option.proofs:
        chosen = [item for item in items if is_proof(item)]
    elif config.args_source is pytest.Config.ArgsSource.ARGS:
        return
    else:
        chosen = [item for item in items if not is_proof(item)]
    if config.option.within is not None:
        # Tests of one file together, because they share what is created once.
        commit = _commit()
        chosen.sort(key=lambda item: _hash(commit + item.path.name))
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def skip_if_late(config: pytest.Config) -> None:
    """Skip the next test if the time limit has passed."""
    if config.option.within is not None and time.monotonic() - BEGUN > 60 * config.option.within:
        pytest.skip(f"not begun within {config.option.within:g} minutes")


def is_proof(item: pytest.Item) -> bool:
    return item.get_closest_marker("proof") is not None


def is_touched(item: pytest.Item, changed: set[str]) -> bool:
    file = item.path.relative_to(ROOT).as_posix()
    return file in changed or any(
        path == place or path.startswith(f"{place}/") for path in changed for place in about(file)
    )


def about(file: str) -> tuple[str, ...]:
    """Return the rooms, or the files, tested by the proofs in a file."""
    for folder, places in ABOUT.items():
        if file == folder or file.startswith(f"{folder}/"):
            return places
    room = "/".join(file.removeprefix("tests/").split("/")[:2])
    return (room,) if (ROOT / room).is_dir() else ("judgments", "metrics")


def files_changed(revision: str) -> set[str]:
    """Return the paths of the files that differ from a revision, committed or not; of all files, if
    git does not know the revision."""
    try:
        return set(_git("diff", "--name-only", revision or _base()).splitlines())
    except (OSError, subprocess.CalledProcessError):
        if revision:
            raise
        return {path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/**/*.py")}


def _base() -> str:
    """Return where the branch left origin/main; else the second to last commit."""
    try:
        base = _git("merge-base", "HEAD", "origin/main")
    except subprocess.CalledProcessError:
        base = ""
    return base if base and base != _git("rev-parse", "HEAD") else "HEAD~1"


def _commit() -> str:
    try:
        return _git("rev-parse", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        return ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()
