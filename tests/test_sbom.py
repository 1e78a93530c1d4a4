"""The content of `make sbom`, and the licenses of third-party files."""

import sys

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.spdx import is_expression, is_supported_id
from cyclonedx.validation.json import JsonStrictValidator
from packaging.utils import canonicalize_name

from mteval_site import version
from tests import sbom


@pytest.mark.proof
@pytest.mark.slow
def test_the_bill_lists_what_a_site_installs(tmp_path, capsys):
    path = tmp_path / "sbom.json"
    sbom.main([str(path)])
    text = path.read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None

    assert "file://" not in text
    found = sbom.json.loads(text)
    assert found["metadata"]["component"]["name"] == version.NAME
    names = {canonicalize_name(each["name"]): each for each in found["components"]}
    packages = {name: each["version"] for name, each in names.items() if "npm" not in each["purl"]}
    assert packages == sbom.locked()
    assert "pytest" not in names
    assert "vega" in names
    assert f"{len(names)} components" in capsys.readouterr().out
    assert [name for name, each in names.items() if not each.get("licenses")] == []
    refs = {each["bom-ref"] for each in found["components"]}
    django = next(each for each in found["dependencies"] if each["ref"].startswith("Django=="))
    assert set(django["dependsOn"]) <= refs
    assert any(ref.startswith("asgiref==") for ref in django["dependsOn"])


def test_every_vendored_file_has_a_license():
    works = sbom.vendored()
    assert len(works) > 4
    for work in works:
        assert is_supported_id(work.license), work.name
        assert len((work.folder / work.license_file).read_text()) > 500, work.name
    described = {work.folder / name for work in works for name in (*work.files, work.license_file)}
    there = {path for path in sbom.VENDOR.rglob("*") if path.is_file() and path.name != "VERSION"}
    assert there == described


def test_licenses_told_here_are_of_packages_that_declare_none():
    assert all(is_expression(each) or is_supported_id(each) for each in sbom.LICENSES.values())
    assert set(sbom.LICENSES) <= set(sbom.locked())


def test_the_lock_file_is_read():
    """With markers: only Windows needs tzdata."""
    ours = sbom.locked()
    assert len(ours) > 60
    assert ours["django"].startswith("5.2.")
    assert "tzdata" not in ours


def test_it_runs_as_the_makefile_says():
    makefile = (sbom.ROOT / "Makefile").read_text()
    assert "\t$(PYTHON) -m tests.sbom\n" in makefile
    assert sys.modules["tests.sbom"].main is sbom.main
