"""Links of the documents, in a plain checkout and on the site."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import Resolver404, resolve

from metrics.scorers import SCORERS
from metrics.scores.metric_pages import for_site
from metrics.scoring import catalog

ROOT = Path(settings.BASE_DIR)
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "clients").rglob("*.md")]
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def links_of(text: str) -> list[str]:
    found = LINK.findall(CODE.sub("", text))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors_of(page: Path) -> set[str]:
    """Return the names that GitHub gives the headings of a page."""
    headings = HEADING.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings_that_exist(document):
    for link in links_of(document.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        assert target.exists(), link
        assert target.resolve().is_relative_to(ROOT.resolve()), link
        if anchor:
            assert anchor in anchors_of(target), link


@pytest.mark.parametrize("slug", sorted(SCORERS))
def test_links_of_a_metric_lead_to_pages_of_the_site(slug):
    for link in links_of(for_site(catalog.guide_of(slug))):
        try:
            resolve(link.partition("#")[0])
        except Resolver404:
            pytest.fail(link)


def test_the_guide_of_metrics_lists_them_all():
    listed = set(
        re.findall(r"\]\(metrics/([\w-]+)\.md\)", (ROOT / "docs/guide/metrics.md").read_text())
    )
    assert listed == {path.stem for path in (ROOT / "docs/guide/metrics").glob("*.md")}
