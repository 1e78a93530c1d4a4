"""The guides as pages of a site on which the documentation has not been built."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from judgments.web import guide

DOCS = Path(settings.BASE_DIR) / "docs"
FILES = {f"guide/{path.stem}.html": path for path in (DOCS / "guide").glob("*.md")}
FILES["api.html"] = DOCS / "api.md"
PAGES = sorted(FILES)


def test_every_guide_has_a_page():
    assert sorted(place for place, _title in guide.titles()) == PAGES


@pytest.mark.parametrize("place", PAGES)
def test_a_page_is_whole_and_its_links_lead_somewhere(place):
    source = FILES[place].read_text()
    page = guide.read(place)
    assert source.startswith("# ")
    assert page.html.count("<h2>") == len(re.findall(r"^## ", without_code(source), re.MULTILINE))
    assert page.html.count("<table>") == page.html.count('class="scroll"')
    assert page.html.count("<table>") == len(
        re.findall(r"^\s*\|[ :|-]*---", without_code(source), re.MULTILINE)
    )
    known = {reverse("docs-page", args=[each]) for each in PAGES}
    for address in re.findall(r'href="([^"]*)"', page.html):
        assert address in known or address.startswith("http"), address
    assert "<img" not in page.html


def test_links_between_guides_are_kept():
    html = guide.read("guide/researcher.html").html
    assert 'href="/docs/guide/agreement.html"' in html
    assert 'href="/docs/api.html"' in html


def without_code(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("place", ["", "guide/no-such.html", "..", "../README", "guide/index.md"])
def test_there_is_no_other(place):
    assert guide.read(place) is None


@pytest.mark.django_db
def test_visitors_read_it(client):
    page = client.get(reverse("docs-page", args=["guide/agreement.html"])).content.decode()
    assert "<h1>Do people agree?</h1>" in page
    assert "Krippendorff" in page
    assert "<code>make docs</code>" in page, "it says that there is more"
    first = client.get(reverse("docs")).content.decode()
    assert "<code>make docs</code>" in first
    assert 'href="/docs/guide/agreement.html"' in first
    assert client.get(reverse("docs-page", args=["guide/no-such.html"])).status_code == 404
    assert client.post(reverse("docs")).status_code == 405


@pytest.mark.django_db
def test_the_addresses_of_before_lead_there(client):
    for slug, place in (("agreement", "guide/agreement.html"), ("api", "api.html")):
        answer = client.get(f"/guide/{slug}/")
        assert (answer.status_code, answer["Location"]) == (301, f"/docs/{place}")
