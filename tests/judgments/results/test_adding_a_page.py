"""CONTRIBUTING.md says that a page of results is three files and one line. This adds those that it
shows to a copy of the checkout, and nothing else."""

import re
import shutil
import sys
from subprocess import run

import pytest

from tests.packages import ROOT

BLOCK = re.compile(r"^```(?:python|text) (\S+)\n(.*?)^```$", re.M | re.S)
REGISTRY = "judgments/apps.py"
# Of the checkout, what its tests of the site need.
NEEDED = ("judgments", "metrics", "mteval_site", "static", "templates", "tests", "docs")
FILES = ("manage.py", "pyproject.toml", "CHANGELOG.md", "requirements-neural.txt")


@pytest.fixture
def blocks():
    section = (
        (ROOT / "CONTRIBUTING.md").read_text().partition("## How to add a page of results\n")[2]
    )
    return dict(BLOCK.findall(section.partition("\n## ")[0]))


@pytest.fixture
def checkout(tmp_path):
    for folder in NEEDED:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    for file in FILES:
        shutil.copy(ROOT / file, tmp_path)
    return tmp_path


@pytest.mark.proof
@pytest.mark.slow
def test_three_files_and_one_line(blocks, checkout):
    line = blocks.pop("page")
    assert line.count("\n") == 1 and len(blocks) == 3
    for path, text in blocks.items():
        file = checkout / path
        assert not file.exists()
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    registry = checkout / REGISTRY
    before, end, after = registry.read_text().partition(
        '        "judgments.results.notes.page.PAGE",\n'
    )
    registry.write_text(before + end + line + after)
    done = run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("tests/judgments/results/test_lengths.py", "tests/test_architecture.py"),
            *("-k", "LengthsTest or floor or import"),
        ],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 5
    style = run(
        [sys.executable, "-m", "ruff", "check", *blocks],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert style.returncode == 0, style.stdout


def test_the_files_keep_the_format(blocks):
    blocks.pop("page")
    for name, text in blocks.items():
        done = run(
            [sys.executable, "-m", "ruff", "format", "--check", "--stdin-filename", name, "-"],
            input=text,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, (name, done.stderr)
