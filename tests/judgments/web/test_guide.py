"""The guides as pages of the site."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from judgments.web import guide

DOCS = Path(settings.BASE_DIR) / "docs"
FILES = {path.stem: path for path in [*(DOCS / "guide").glob("*.md"), DOCS / "api.md"]}
PAGES = sorted(FILES)


def test_every_guide_has_a_page():
    assert sorted(slug for slug, _title in guide.titles()) == PAGES


@pytest.mark.parametrize("slug", PAGES)
def test_a_page_is_whole_and_its_links_lead_somewhere(slug):
    source = FILES[slug].read_text()
    page = guide.read(slug)
    assert source.startswith("# ")
    assert page.html.count("<h2>") == len(re.findall(r"^## ", without_code(source), re.MULTILINE))
    assert page.html.count("<table>") == page.html.count('class="scroll"')
    assert page.html.count("<table>") == len(
        re.findall(r"^\s*\|[ :|-]*---", without_code(source), re.MULTILINE)
    )
    for address in re.findall(r'href="([^"]*)"', page.html):
        known = {reverse("guide", args=[each]) for each in PAGES}
        assert address in known or address.startswith("http"), address
    assert "<img" not in page.html


def without_code(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("slug", ["", "no-such-guide", "..", "../README", "index.md"])
def test_there_is_no_other(slug):
    assert guide.read(slug) is None


@pytest.mark.django_db
def test_visitors_read_it(client):
    page = client.get(reverse("guide", args=["agreement"])).content.decode()
    assert "<h1>Do people agree?</h1>" in page
    assert "Krippendorff" in page
    assert client.get(reverse("guide", args=["no-such-guide"])).status_code == 404
    assert client.post(reverse("guide", args=["agreement"])).status_code == 405
