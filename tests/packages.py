"""Packages as an installer leaves them: modules, and the metadata of entry points."""

import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "docs" / "example-metric"


def install(package: Path, target: Path) -> None:
    """Copy the modules of a package into a folder and write the metadata that its pyproject.toml
    requires, without a build tool or the network."""
    project = tomllib.loads((package / "pyproject.toml").read_text())
    for module in project["tool"]["setuptools"]["py-modules"]:
        shutil.copy(package / f"{module}.py", target)
    about = project["project"]
    name = about["name"].replace("-", "_")
    info = target / f"{name}-{about['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
    )
    lines = []
    for group, points in about["entry-points"].items():
        lines += [f"[{group}]", *(f"{slug} = {value}" for slug, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
