"""Which tests `./test`, `./test --proofs` and `./test --changed` run."""

import os
import re
import subprocess
import sys

import pytest

from tests import proofs

SOME = """
import pytest

def test_usual(): pass

@pytest.mark.proof
def test_proof(): pass
"""


@pytest.mark.parametrize(
    "file, rooms",
    [
        ("tests/judgments/results/errors/test_weights.py", ("judgments/results",)),
        ("tests/metrics/scorers/test_ter.py", ("metrics/scorers",)),
        ("tests/metrics/test_load_demo.py", ("judgments", "metrics")),
        ("tests/test_upgrade.py", ("judgments", "metrics")),
        ("tests/test_sbom.py", ("pyproject.toml", "requirements.txt", "static/vendor")),
        ("tests/api/test_schema.py", ("judgments/urls", "judgments/web", "metrics/api_urls.py")),
    ],
)
def test_what_a_proof_is_about(file, rooms):
    assert proofs.about(file) == rooms


def test_every_folder_is_about_something_that_is_there():
    for folder, places in proofs.ABOUT.items():
        assert (proofs.ROOT / folder).exists()
        assert all((proofs.ROOT / place).exists() for place in places)


@pytest.mark.parametrize(
    "changed, is_touched",
    [
        ({"judgments/results/errors/weights.py"}, True),
        ({"tests/judgments/results/test_selection_walk.py"}, True),
        ({"judgments/resultsets.py", "judgments/plans/price.py", "README.md"}, False),
    ],
)
def test_a_change_touches_the_proofs_of_its_room(changed, is_touched, request):
    item = FakeItem(proofs.ROOT / "tests/judgments/results/test_selection_walk.py")
    assert proofs.is_touched(item, changed) == is_touched


class FakeItem:
    def __init__(self, path):
        self.path = path


def test_what_has_changed_is_asked_of_git(tmp_path, monkeypatch):
    def git(*arguments):
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True)

    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    git("init", "-q")
    for name in ("one", "two", "three"):
        (tmp_path / name).touch()
        git("add", name)
        git("commit", "-qm", name)
    assert proofs.files_changed("") == {"three"}
    git("update-ref", "refs/remotes/origin/main", "HEAD~2")
    assert proofs.files_changed("") == {"two", "three"}
    (tmp_path / "one").write_text("changed")
    assert proofs.files_changed("") == {"one", "two", "three"}
    assert proofs.files_changed("HEAD") == {"one"}


def test_without_git_everything_has_changed(tmp_path, monkeypatch):
    (tmp_path / "judgments").mkdir()
    (tmp_path / "judgments" / "apps.py").touch()
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert proofs.files_changed("") == {"judgments/apps.py"}


@pytest.mark.parametrize(
    "arguments, ran",
    [
        ([], ["test_usual"]),
        (["--proofs"], ["test_proof"]),
        (["test_some.py"], ["test_usual", "test_proof"]),
        (["--changed=HEAD"], []),
        (["--proofs", "--within=1"], ["test_proof"]),
        (["--proofs", "--within=0"], []),
    ],
)
def test_what_is_run(tmp_path, arguments, ran):
    (tmp_path / "test_some.py").write_text(SOME)
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = proof\ntestpaths = .")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", *arguments],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(proofs.ROOT),
            "PYTEST_ADDOPTS": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        },
        capture_output=True,
        text=True,
    )
    assert re.findall(r"::(\w+) PASSED", done.stdout) == ran, done.stdout + done.stderr


PLUGIN = """
import pytest

from tests import proofs

def pytest_addoption(parser):
    proofs.add_options(parser)

def pytest_collection_modifyitems(config, items):
    proofs.files_changed = lambda revision: set()
    proofs.choose(config, items)

def pytest_runtest_setup(item):
    proofs.skip_if_late(item.config)
"""
