"""Which tests run: all but the proofs, the proofs, or those of them that a change touches.

A proof takes long and finds what hardly ever breaks: kills, starts, simulations, published data, a
screen reader, inputs made at random, files that go out and come in again, what holds for every
preset, window and theme where others have looked at one. It is marked `proof`. Whoever names files
or tests gets all that is in them.
"""

import hashlib
import subprocess
import time
from pathlib import Path

import pytest

BEGUN = time.monotonic()
ROOT = Path(__file__).resolve().parent.parent
# What the proofs of folders that mirror no room are about.
ABOUT = {
    "tests/api": ("judgments/urls", "judgments/web", "metrics/api_urls.py"),
    "tests/benchmarks": ("benchmarks", "judgments/judging", "judgments/models"),
    "tests/browser": (
        *("judgments/judging", "judgments/protocols", "judgments/plans", "judgments/web"),
        *("metrics/scores", "static", "templates"),
    ),
    "tests/clients": ("clients", "judgments/exchange/tables", "judgments/web/api"),
    "tests/gates": ("judgments/people", "judgments/protocols", "judgments/urls", "judgments/web"),
    "tests/mteval_site": (
        "bootstrap.py",
        "gunicorn.conf.py",
        "mteval_site",
        "requirements.txt",
        "run",
    ),
    "tests/real": ("judgments/results", "judgments/stats", "metrics/scorers", "metrics/stats"),
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
    """Deselect what was not asked for."""
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
        # Of one file together, as its tests share what is made once.
        commit = _commit()
        chosen.sort(key=lambda item: _hash(commit + item.path.name))
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def skip_if_late(config: pytest.Config) -> None:
    """Skip the test that is about to begin, where the minutes are over."""
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
    """The rooms, or the files, that the proofs of a file of tests are about."""
    for folder, places in ABOUT.items():
        if file.startswith(f"{folder}/"):
            return places
    room = "/".join(file.removeprefix("tests/").split("/")[:2])
    return (room,) if (ROOT / room).is_dir() else ("judgments", "metrics")


def files_changed(revision: str) -> set[str]:
    """Paths of the files that differ from a revision, committed or not; of all files, where git
    knows no revision."""
    try:
        return set(_git("diff", "--name-only", revision or _base()).splitlines())
    except (OSError, subprocess.CalledProcessError):
        if revision:
            raise
        return {path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/**/*.py")}


def _base() -> str:
    """Where the branch left origin/main; else the commit before the last."""
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
