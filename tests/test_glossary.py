"""docs/glossary.md: one entry for everything that is stored, and the documents use its words."""

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
GLOSSARY = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^\| \*\*(.+?)\*\*(?: \(`(\w+)`\))? \| .+ \|$", GLOSSARY, re.MULTILINE)

# Rows that join two others; nobody sees their names.
UNNAMED = {"ItemOutput", "ProjectCampaign"}
GUIDES = sorted((ROOT / "docs/guide").glob("*.md"))
PROSE = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *GUIDES,
    *(ROOT / "templates").rglob("*.html"),
]
# Former words for things that now have another name.
RETIRED = {
    r"\bword links?\b": "alignment link",
    r"\bthe page \*+quality\*+(?! control)": "quality control",
    r">quality</a>": "quality control",
}


def models() -> set[str]:
    labels = ("judgments", "metrics")
    return {model.__name__ for label in labels for model in apps.get_app_config(label).get_models()}


def test_every_model_has_an_entry_and_every_entry_its_model():
    assert {name for _, name in ENTRIES if name} == models() - UNNAMED


def test_no_term_is_defined_twice():
    terms = [term.casefold() for term, _ in ENTRIES]
    assert len(terms) >= 40
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize(
    "document",
    ["README.md", "CONTRIBUTING.md", *(f"docs/guide/{page.name}" for page in GUIDES)],
)
def test_documents_link_to_the_glossary(document):
    assert re.search(r"\]\((docs/|\.\./)glossary\.md[#)]", (ROOT / document).read_text()), document


@pytest.mark.parametrize("pattern", RETIRED)
def test_retired_words_are_gone(pattern):
    found = [
        f"{page.relative_to(ROOT)}: {match[0]} (say {RETIRED[pattern]})"
        for page in PROSE
        for match in re.finditer(pattern, page.read_text(encoding="utf-8"), re.IGNORECASE)
    ]
    assert found == []
