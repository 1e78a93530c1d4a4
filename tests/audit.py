"""Checks all packages in the lock files for known vulnerabilities: `make audit`.

Uses pip-audit, in a separate environment, which queries PyPI. Exits with 1 if there is one. A
missing answer is neither a failure of ours nor a clean result: it is reported, and is an error (2)
only with --strict.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements-audit.txt"
PATIENCE = 300


class NoAnswer(Exception):
    """The audit could not be made; the message says why."""


def main(arguments: list[str]) -> int:
    locks = sorted(ROOT.glob("requirements*.txt"))
    try:
        with tempfile.TemporaryDirectory(prefix="mteval-audit-") as folder:
            program = installed(Path(folder))
            code = max(print_findings(lock.name, audited(program, lock)) for lock in locks)
    except NoAnswer as problem:
        print(f"NOT AUDITED: {problem}")
        code = 2
    return 1 if code == 1 else code * ("--strict" in arguments)


def installed(folder: Path) -> list[str]:
    """Return the command of pip-audit, installed there by the hashes of its lock file."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    run([python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(LOCK)])
    return [python, "-m", "pip_audit"]


def audited(program: list[str], lock: Path) -> list[dict]:
    """Return pip-audit's results for each package of a lock file."""
    options = ["--no-deps", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    said = run([*program, *options, "-r", str(lock)], may_fail=True)
    try:
        return json.loads(said)["dependencies"]
    except (ValueError, KeyError):
        raise NoAnswer("pip-audit gave no report.") from None


def run(command: list[str], *, may_fail: bool = False) -> str:
    """Return the standard output of a command. pip-audit also exits with 1 if it has found
    something."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NoAnswer(str(problem)) from None
    if done.returncode and not (may_fail and done.stdout.strip()):
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise NoAnswer(f"{Path(command[2]).name} failed: {last}")
    return done.stdout


def print_findings(name: str, packages: list[dict]) -> int:
    """Print the results for a lock file; return 1 for a vulnerability, 2 for unknown packages, else
    0."""
    found = [(package, each) for package in packages for each in package.get("vulns", ())]
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    for package, each in found:
        mended = ", ".join(each["fix_versions"]) or "no release"
        print(f"{name}: {package['name']} {package['version']}: {each['id']}, mended in {mended}")
    if n_known := len(packages) - len(unknown):
        print(f"{name}: known vulnerabilities in {n_known} packages: {len(found)}")
    if unknown:
        print(f"{name}: NOT AUDITED, as PyPI has no data on them: {len(unknown)} packages")
    return 1 if found else 2 * bool(unknown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
