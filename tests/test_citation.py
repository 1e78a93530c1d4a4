"""Information about the repository for catalogs and citations."""

import json
import re
import tomllib
from datetime import date
from pathlib import Path

import jsonschema
import pytest
import yaml
from django.conf import settings
from django.test import Client
from packaging.version import Version

from mteval_site.local import stack

ROOT = Path(settings.BASE_DIR)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
CODEMETA = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "tests/data/cff-schema-1.2.0.json").read_text(encoding="utf-8"))


def as_json(value):
    """Return dates as texts, as required by the schema; YAML reads days as dates."""
    return json.loads(json.dumps(value, default=date.isoformat))


def test_the_citation_is_valid():
    jsonschema.validate(as_json(CITATION), SCHEMA)


@pytest.mark.parametrize(
    "change",
    [
        {"authors": []},
        {"title": None},
        {"license": "Apache"},
        {"doi": "none yet"},
        {"homepage": "x"},
    ],
)
def test_an_invalid_citation_is_found(change):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(as_json(CITATION | change), SCHEMA)


def test_citation_codemeta_and_project_agree():
    assert CITATION["version"] == CODEMETA["version"] == PROJECT["version"] == settings.VERSION
    assert CODEMETA["license"] == f"https://spdx.org/licenses/{CITATION['license']}"
    assert PROJECT["license"] == CITATION["license"]
    assert CODEMETA["name"] == CITATION["title"]
    assert CODEMETA["description"] == CITATION["abstract"]
    assert CODEMETA["keywords"] == CITATION["keywords"]
    assert [each["name"] for each in CODEMETA["author"]] == [
        each["name"] for each in CITATION["authors"]
    ]
    assert CODEMETA["runtimePlatform"] == f"Python {PROJECT['requires-python'][2:]} or later"


def test_terms_of_codemeta_are_known():
    """Terms of CodeMeta 3.0 in use, with their types in its context."""
    assert CODEMETA.pop("@context") == "https://w3id.org/codemeta/3.0"
    assert CODEMETA["type"] == "SoftwareSourceCode"
    known = {
        *("type", "name", "description", "version", "license", "author", "keywords"),
        *("programmingLanguage", "runtimePlatform", "operatingSystem", "applicationCategory"),
        *("developmentStatus", "softwareRequirements"),
    }
    assert set(CODEMETA) <= known
    # https://www.repostatus.org, as recommended by CodeMeta.
    assert CODEMETA["developmentStatus"] == "active"


def test_the_version_is_written_once():
    assert str(Version(settings.VERSION)) == settings.VERSION
    code = [
        path
        for folder in ("judgments", "metrics", "mteval_site")
        for path in (ROOT / folder).rglob("*.py")
    ]
    written = [str(path) for path in code if f'"{settings.VERSION}"' in path.read_text()]
    assert written == []


@pytest.mark.django_db
def test_the_foot_of_every_page_shows_the_version():
    page = Client().get("/about/").content.decode()
    foot = re.search(r"<footer.*?</footer>", page, re.DOTALL)
    assert foot and f"mteval {settings.VERSION}" in foot[0]


def test_the_command_shows_the_version(capsys):
    with pytest.raises(SystemExit) as done:
        stack.parse(["--version"])
    assert done.value.code == 0
    assert capsys.readouterr().out == f"mteval {settings.VERSION}\n"


def test_the_citation_has_the_day_of_the_release():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    day = re.search(
        rf"^## \[{re.escape(Version(settings.VERSION).base_version)}\] - (\S+)$", changelog, re.M
    )
    released = CITATION.get("date-released")
    assert day and (str(released) if released else "Unreleased") == day[1]
