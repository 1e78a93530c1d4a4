"""Name and version of the program, from `pyproject.toml`, and how it is started."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME: str = _project["name"]
VERSION: str = _project["version"]


def is_installed() -> bool:
    """Return whether this is an installed package rather than a checkout, which has `run`."""
    return not (ROOT / "run").exists()


# Command that starts the site, or, followed by "manage", a management command.
COMMAND = "mteval" if is_installed() else "./run"
