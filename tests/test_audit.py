"""Results of the dependency audit, by the answers of pip-audit."""

import json
import sys

import pytest

from tests import audit

KNOWN = {"name": "safe", "version": "1.0", "vulns": []}
# In the format of pip-audit 2.10.
BAD = {
    "name": "bad",
    "version": "2.0",
    "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["2.1"], "aliases": [], "description": ""}],
}
SKIPPED = {"name": "other", "skip_reason": "Dependency not found on PyPI and could not be audited"}


@pytest.fixture
def answer(monkeypatch, tmp_path):
    """`answer(packages)`: the results of our own pip-audit for every lock file."""

    def prepare(packages, code=0):
        report = json.dumps({"dependencies": packages, "fixes": []})
        script = tmp_path / "pip_audit.py"
        script.write_text(f"import sys; print({report!r}); sys.exit({code})")
        monkeypatch.setattr(audit, "installed", lambda folder: [sys.executable, str(script)])

    return prepare


def test_nothing_known(answer, capsys):
    answer([KNOWN])
    assert audit.main([]) == audit.main(["--strict"]) == 0
    said = capsys.readouterr().out
    assert "requirements.txt: known vulnerabilities in 1 packages: 0" in said
    assert "requirements-neural.txt" in said
    assert "NOT AUDITED" not in said


def test_a_vulnerability_fails(answer, capsys):
    answer([KNOWN, BAD, SKIPPED], code=1)
    assert audit.main([]) == 1
    assert "bad 2.0: PYSEC-2026-1, mended in 2.1" in capsys.readouterr().out


def test_packages_that_nobody_knows_about_are_not_called_safe(answer, capsys):
    """pip-audit itself reports "No known vulnerabilities found" for them, and exits with 0."""
    answer([KNOWN, SKIPPED])
    assert audit.main([]) == 0
    assert (
        "requirements.txt: NOT AUDITED, as PyPI has no data on them: 1 packages"
        in capsys.readouterr().out
    )
    assert audit.main(["--strict"]) == 2


def test_without_an_answer(monkeypatch, tmp_path, capsys):
    script = tmp_path / "pip_audit.py"
    script.write_text("raise SystemExit('no network')")
    monkeypatch.setattr(audit, "installed", lambda folder: [sys.executable, "-I", str(script)])
    assert audit.main([]) == 0
    assert capsys.readouterr().out == "NOT AUDITED: pip_audit.py failed: no network\n"
    assert audit.main(["--strict"]) == 2


@pytest.mark.proof
def test_without_an_installation(monkeypatch, tmp_path, capsys):
    lock = tmp_path / "lock.txt"
    lock.write_text("no-such-package-of-ours @ file:///nowhere/none.whl\n")
    monkeypatch.setattr(audit, "LOCK", lock)
    assert audit.main([]) == 0
    assert capsys.readouterr().out.startswith("NOT AUDITED: pip failed: ")
