"""Location of the neural metrics' environment, and whether it can be used. Standard library
only."""

import hashlib
import os
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements-neural.txt"
HOW = "run ./run neural on every machine of the site"


def folder() -> Path:
    return Path(os.path.abspath(os.environ.get("MTEVAL_NEURAL") or ROOT / ".venv-neural"))


def python() -> Path:
    return folder() / "bin" / "python"


def is_elsewhere() -> bool:
    """Return whether neural metrics are computed on another machine, so that this one does not need
    the environment: MTEVAL_RESOURCES is set and does not list gpu."""
    listed = [word.strip() for word in os.environ.get("MTEVAL_RESOURCES", "").split(",")]
    return any(listed) and "gpu" not in listed


def unavailable() -> str:
    """Return why the environment cannot be used, and what to do; empty if it can."""
    if not python().exists():
        return f"Neural metrics need PyTorch and a few gigabytes: {HOW}."
    try:
        stamps = (folder() / "mteval-stamp").read_text().split()
    except OSError:
        return f"The environment of the neural metrics is not complete: {HOW}."
    if fingerprint() not in stamps:
        return f"The environment of the neural metrics is out of date: {HOW}."
    return ""


def fingerprint() -> str:
    """Return the text that bootstrap.py writes when the environment satisfies its lock file."""
    digest = hashlib.sha256(LOCK.read_bytes())
    digest.update(os.path.realpath(python()).encode())
    return digest.hexdigest()


def version_of(package: str) -> str:
    """Return the version of a package in that environment, "none" if it is not installed."""
    places = [str(path) for path in folder().glob("lib/python3*/site-packages")]
    for found in distributions(name=package, path=places):
        return found.version
    return "none"
