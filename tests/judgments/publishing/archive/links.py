"""What the pages of an archive lead to."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class PageLinks(HTMLParser):
    """What a page leads to and loads, and the names in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: list[str] = []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.found += [known[key] for key in ("href", "src") if known.get(key)]
        self.ids += [known["id"]] if "id" in known else []
        self.scripts += tag == "script" and "src" not in known
        assert not any(key.startswith("on") or key == "style" for key in known), known
        assert tag not in ("iframe", "object", "form"), tag


def assert_links_resolve(folder: Path) -> None:
    """Every link leads to something in the folder, and every file of it can be come to."""
    reached, ids = {folder / "index.html"}, {}
    for page in sorted(folder.rglob("*.html")):
        read = PageLinks(page.read_text())
        assert not read.scripts, page
        assert len(set(read.ids)) == len(read.ids), page
        ids[page] = set(read.ids)
        for link in read.found:
            parts = urlsplit(link)
            if link == "data:,":  # no icon, so that no server is requested for one
                continue
            assert not parts.scheme and not parts.netloc and not link.startswith("/"), link
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target.is_file(), f"{page.name}: {link}"
            assert target.is_relative_to(folder.resolve())
            reached.add(target)
            if parts.fragment:
                there = ids.get(target) or set(PageLinks(target.read_text()).ids)
                assert parts.fragment in there, link
    assert set(folder.rglob("*.html")) <= reached, "every page can be come to"
    assert set(folder.rglob("*.csv")) <= reached
    assert set(folder.rglob("*.svg")) <= reached
