"""The documentation as a site: built once, its links followed, served under the site's policy."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.conf import settings
from django.urls import reverse

from docs.site import __main__ as builder
from docs.site import pages

pytestmark = [pytest.mark.slow, pytest.mark.proof]
INLINE = re.compile(r"<style|<script>|<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=")


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("documentation") / "docs"
    assert builder.build(folder) == 0
    return folder


def html_of(site: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}


def test_every_page_of_the_checkout_is_there(site):
    for place in [*pages.of_checkout().values(), *pages.MADE, pages.DECISIONS, pages.GALLERY]:
        assert (site / place).with_suffix(".html").is_file(), place


def test_every_link_of_the_site_leads_somewhere(site):
    """Between files, as a static site; within a page by its anchors."""
    found = html_of(site)
    anchors = {path: set(re.findall(r'\bid="([^"]*)"', text)) for path, text in found.items()}
    faults, n_links = [], 0
    for path, text in found.items():
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            parts = urlsplit(unescape(link))
            if parts.scheme in {"http", "https", "mailto"}:
                continue
            n_links += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = target.is_file() and target.is_relative_to(site)
            if not known or (
                target.suffix == ".html"
                and parts.fragment
                and parts.fragment not in anchors[target]
            ):
                faults.append(f"{path.relative_to(site)}: {link}")
    assert not faults
    assert n_links > 5000


def test_nothing_is_inline_or_from_elsewhere(site):
    for path, text in html_of(site).items():
        without_code = re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL)
        assert not INLINE.search(without_code), path
        loaded = re.findall(r'<(?:script|img|source)[^>]*\bsrc="([^"]*)"', text)
        loaded += re.findall(r'<link[^>]*stylesheet[^>]*href="([^"]*)"', text)
        assert loaded
        assert not [each for each in loaded if re.match(r"[a-z]+:|//", each)], path
    for path in site.rglob("*.css"):
        assert not re.search(r"@import|url\(['\"]?(https?:)?//", path.read_text()), path


@pytest.mark.parametrize("html", ["<script>x()</script>", '<p style="a: b">', "<b onclick='x'>"])
def test_what_is_inline_is_found(html):
    assert INLINE.search(html)


def test_every_guide_is_in_the_navigation(site):
    """For metrics and decisions there are separate lists."""
    navigation = re.findall(r"<nav.*?</nav>", (site / "index.html").read_text(), re.DOTALL)[0]
    for path in (pages.ROOT / "docs" / "guide").glob("*.md"):
        assert f'href="guide/{path.stem}.html"' in navigation, path.stem
    for caption in ("I judge translations", "I run a campaign", "I work with the results"):
        assert caption in navigation
    for place in (*pages.MADE, pages.GALLERY):
        assert f'href="{place.removesuffix(".md")}.html"' in navigation


def test_the_search_knows_words_of_the_guides(site):
    index = (site / "searchindex.js").read_text()
    for word in ("krippendorff", "webhook", "rehears"):
        assert word in index


@pytest.mark.django_db
def test_the_site_serves_it(site, client, monkeypatch):
    monkeypatch.setattr(settings, "DOCS_DIR", site)
    first = client.get(reverse("docs"))
    assert b"I judge translations" in b"".join(first.streaming_content)
    assert "script-src 'self'" in first["Content-Security-Policy"]
    guide = client.get(reverse("docs-page", args=["guide/agreement.html"]))
    assert b"<h1>Do people agree?" in b"".join(guide.streaming_content)
    script = client.get(reverse("docs-page", args=["searchindex.js"]))
    assert script["Content-Type"].startswith("text/javascript")
    long = "a" * 300
    for place in ("guide/no-such.html", "guide/", "..%2f..%2fsecret_key", "../secret_key", long):
        assert client.get(f"/docs/{place}").status_code == 404, place
    assert client.post(reverse("docs")).status_code == 405


def test_a_dead_link_fails_the_build(tmp_path, monkeypatch, capfd):
    """And leaves what had been built before."""
    built = tmp_path / "docs"
    built.mkdir()
    (built / "index.html").write_text("as before")

    def write(folder):
        folder.mkdir()
        (folder / "index.md").write_text("# Title\n\n[nowhere](nowhere.md)\n")

    monkeypatch.setattr(pages, "write", write)
    assert builder.build(built) != 0
    assert "nowhere" in capfd.readouterr().err
    assert (built / "index.html").read_text() == "as before"
