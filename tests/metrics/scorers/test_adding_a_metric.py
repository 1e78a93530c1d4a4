"""CONTRIBUTING.md says that a metric is one module and one line. This adds the one it shows to a
copy of the checkout, and nothing else."""

import re
import shutil
import sys
from subprocess import run

import pytest

from tests.packages import ROOT

BLOCK = re.compile(r"^```(?:python|text) (\S+)\n(.*?)^```$", re.M | re.S)
REGISTRY = "metrics/scorers/__init__.py"
# Parts of the checkout that its tests of the site need.
NEEDED = ("judgments", "metrics", "mteval_site", "static", "templates", "tests", "docs")
FILES = ("manage.py", "pyproject.toml", "CHANGELOG.md", "requirements-neural.txt")


@pytest.fixture
def blocks():
    section = (ROOT / "CONTRIBUTING.md").read_text().partition("## How to add a metric\n")[2]
    return dict(BLOCK.findall(section))


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
def test_one_module_and_one_line(blocks, checkout):
    line = blocks.pop("registry")
    assert line.count("\n") == 1
    ((module, content),) = blocks.items()
    assert not (checkout / module).exists()
    (checkout / module).write_text(content)
    registry = checkout / REGISTRY
    before, end, after = registry.read_text().partition('    "uploads:Uploaded",\n')
    registry.write_text(before + line + end + after)
    done = run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            *("tests/metrics/scorers/added_metric.py", "tests/metrics/scorers/test_contract.py"),
            *("-k", "AddedMetric or shared_types"),
        ],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    # Those of added_metric.py, and those of test_contract.py for every metric.
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 10
    style = run(
        [sys.executable, "-m", "ruff", "check", module],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert style.returncode == 0, style.stdout


def test_the_module_keeps_the_format(blocks):
    done = run(
        [sys.executable, "-m", "ruff", "format", "--check", "--stdin-filename", "x.py", "-"],
        input=blocks["metrics/scorers/shared_types.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
