"""HTML as other tools have it in short instructions → Markdown."""

from __future__ import annotations

import re
from html.parser import HTMLParser

MARKS = {"b": "**", "strong": "**", "u": "**", "mark": "**", "i": "*", "em": "*", "code": "`"}
BREAKS = {"p", "div", "ul", "ol", "h1", "h2", "h3", "h4", "table", "tr"}
UNSEEN = {"script", "style", "head", "title", "template"}
SIGNS = re.compile(r"([\\`*_\[\]<>#|~])")
SPACE = re.compile(r"[ \t\r\f\v\u00a0]*\n[ \t\r\f\v\u00a0]*")


class _Markdown(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag, attrs):
        if tag in UNSEEN:
            self.unseen += 1
        elif tag == "br":
            self.pieces.append("\n\n")
        elif tag == "li":
            self.pieces.append("\n\n- ")
        elif tag in BREAKS:
            self.pieces.append("\n\n")
        elif tag in MARKS:
            self.pieces.append(MARKS[tag])

    def handle_endtag(self, tag):
        if tag in UNSEEN:
            self.unseen = max(0, self.unseen - 1)
        elif tag in BREAKS:
            self.pieces.append("\n\n")
        elif tag in MARKS:
            self.pieces.append(MARKS[tag])

    def handle_data(self, data):
        if not self.unseen:
            self.pieces.append(SIGNS.sub(r"\\\1", " ".join(re.split(r"\s+", data))))


def markdown_of(html: str) -> str:
    """Return what HTML says, with its emphases, paragraphs and lists; everything else of it is
    dropped."""
    parser = _Markdown()
    parser.feed(html)
    parser.close()
    text = SPACE.sub("\n", "".join(parser.pieces))
    return re.sub(r"\n{2,}", "\n\n", text).strip()
