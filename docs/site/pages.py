"""The pages that Sphinx reads: those of the checkout, with their links, and those made of the code.

A link of a page is written for the checkout, where it leads from file to file. Here it leads to the
page of that file; a file that is no page can be downloaded; a folder has no page.
"""

import posixpath
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from docs.site import openapi, recomputed, reference

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# What lies outside docs/: its name in the checkout, and here.
OUTSIDE = {
    "README.md": "project/first-steps.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "clients/python/README.md": "project/python-client.md",
    "tests/data/README.md": "project/published-tables.md",
}
DECISIONS = "decisions/index.md"
# Made of the code, by their names and titles; the last section of the first page lists them.
MADE: dict[str, tuple[str, Callable[[], str]]] = {
    "reference/api.md": ("API reference", openapi.page),
    "reference/commands.md": ("Commands", reference.commands),
    "reference/settings.md": ("Settings", reference.variables),
    "recomputed.md": ("Recomputed: published figures that tests reproduce", recomputed.page),
}
GALLERY = "gallery.md"
FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?P<before>!?\[(?P<words>(?:[^\[\]]|\[[^\]]*\])*)\]\()(?P<to>[^)\s]+)\)")
PICTURE = re.compile(r"!\[(?P<words>[^\]]*)\]\((?P<to>[^)\s]+)\)")


def of_checkout() -> dict[str, str]:
    """Return the names of pages here by their names in the checkout."""
    docs = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    return OUTSIDE | {name: name.removeprefix("docs/") for name in sorted(docs)}


def write(folder: Path) -> None:
    pages = of_checkout()
    for name, place in pages.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        put(folder, place, led(text, name, pages, folder))
    for place, (_title, make) in MADE.items():
        put(folder, place, make())
    put(folder, DECISIONS, decisions(pages))
    put(folder, GALLERY, gallery(pages))
    put(folder, "index.md", with_navigation((folder / "index.md").read_text(encoding="utf-8")))


def put(folder: Path, place: str, text: str) -> None:
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def led(text: str, name: str, pages: dict[str, str], folder: Path) -> str:
    """Return the text of a page with its links as they are here; copies the files they lead to."""

    def to_here(link: re.Match) -> str:
        path, _, anchor = link["to"].partition("#")
        if re.match(r"[a-z]+:", link["to"]) or not path:
            return link[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        place = DECISIONS if target == "docs/decisions" else pages.get(target)
        if not place and not (ROOT / target).is_file():
            return link["words"]
        if not place:
            place = f"checkout/{target}"
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / target, folder / place)
        here = posixpath.relpath(place, posixpath.dirname(pages[name]) or ".")
        return f"{link['before']}{here}{'#' if anchor else ''}{anchor})"

    parts = FENCED.split(text)
    return "".join(part if n % 2 else LINK.sub(to_here, part) for n, part in enumerate(parts))


def decisions(pages: dict[str, str]) -> str:
    found = [name for name in pages if name.startswith("docs/decisions/")]
    lines = [f"- [{title_of(name)}]({Path(name).name})" for name in sorted(found)]
    return "# Decisions\n\nWhy mteval is built as it is.\n\n" + "\n".join(lines) + "\n"


def gallery(pages: dict[str, str]) -> str:
    """Every picture of the guides once, with the page that explains it."""
    parts, seen = ["# Gallery of screens\n"], set()
    for name in sorted(pages):
        for picture in PICTURE.finditer((ROOT / name).read_text(encoding="utf-8")):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), picture["to"]))
            if target not in seen:
                seen.add(target)
                source = f"checkout/{target}"
                parts += [f"## [{title_of(name)}]({pages[name]})\n"]
                parts += [f"![{picture['words']}]({source})\n", f"{picture['words']}.\n"]
    return "\n".join(parts)


def title_of(name: str) -> str:
    first = (ROOT / name).read_text(encoding="utf-8").splitlines()[0]
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", first.lstrip("# "))


def with_navigation(text: str) -> str:
    """Return the first page, with the pages that are made, and each of its lists as navigation."""
    made = [(title, place) for place, (title, _make) in MADE.items()]
    text = text.rstrip() + "\n"
    for title, place in [*made, ("Gallery of screens", GALLERY)]:
        text += f"- [{title}]({place})\n"
    head, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    parts = [head]
    for section in sections:
        caption, _, body = section.partition("\n")
        entries = [f"{words} <{to}>" for _, words, to in LINK.findall(body) if to.endswith(".md")]
        tree = "\n".join([":hidden:", f":caption: {caption}", "", *entries])
        parts.append(f"## {section.rstrip()}\n\n```{{toctree}}\n{tree}\n```\n\n")
    return "".join(parts)
