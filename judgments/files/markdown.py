"""CommonMark with tables, as managers write it: checked when it is saved, safe when it is shown.

HTML in it is text, links lead to web pages and mail addresses only, and pictures are not loaded: an
annotator's browser asks no other site for anything. markdown-it-py takes time in proportion to the
text, but for nested brackets and tables, which the limits below keep to half a second.
"""

from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 20_000  # characters, about 3,000 words
MOST_LEVELS = 8  # of lists and quotations within each other, and of emphasis
SCHEMES = {"http", "https", "mailto"}
HEADINGS = {"h1": "h2", "h5": "h4", "h6": "h4"}  # a page has a heading of its own
BEHIND = {"target": "_blank", "rel": "noopener noreferrer"}  # the work stays where it is
CONTAINERS = {"bullet_list_open", "ordered_list_open", "blockquote_open"}


def problem_with(text: str) -> str:
    """Return what is wrong with a text of Markdown, and where, in words; empty when it can be
    shown."""
    if len(text) > LONGEST:
        return (
            f"This text has {len(text):,} characters; at most {LONGEST:,} are possible. "
            "Shorten it, or put a part of it on a page of its own and link to it."
        )
    line = _too_deep(_tokens(text))
    if line is None:
        return ""
    return (
        f"Line {line}: more than {MOST_LEVELS} lists, quotations or emphases are nested. Write a "
        "flatter text; a backslash before a character such as * or > makes it plain."
    )


# The same instructions are opened by everybody who works under them.
@lru_cache(maxsize=128)
def as_html(text: str) -> str:
    """Return safe HTML of any text: one that `problem_with` objects to is shown as it was
    written."""
    if len(text) > LONGEST:
        return f"<pre>{escape(text)}</pre>"
    tokens = _tokens(text)
    if _too_deep(tokens) is not None:
        return f"<pre>{escape(text)}</pre>"
    for token in tokens:
        _tame(token)
        for inner in token.children or ():
            _tame(inner)
    parser = _parser()
    return parser.renderer.render(tokens, parser.options, {})


def _tokens(text: str) -> "list[Token]":
    return _parser().parse(text)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # takes 60 ms; most web processes never show Markdown

    # The parser leaves out what lies deeper than this: a list and its point are two levels. So
    # every text that loses something has more containers than MOST_LEVELS.
    options: Any = {"html": False, "maxNesting": 2 * MOST_LEVELS + 4}
    parser = MarkdownIt("commonmark", options).enable("table").disable("image")
    parser.validateLink = is_safe  # type: ignore[method-assign,assignment]
    return parser


def is_safe(address: str) -> bool:
    """Return whether a link may lead there: a page of the web or of this site, or a mail address.

    address: normalized by the parser, entities decoded, blanks and control characters escaped.
    """
    scheme, colon, _ = address.partition(":")
    return not colon or any(sign in scheme for sign in "/?#") or scheme.lower() in SCHEMES


def _too_deep(tokens: "list[Token]") -> int | None:
    """Return the line, from 1, on which too many containers or emphases begin within each other."""
    open_containers, line = 0, 1
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        if token.type in CONTAINERS:
            open_containers += 1
        elif token.type.replace("_close", "_open") in CONTAINERS:
            open_containers -= 1
        emphases = max((inner.level for inner in token.children or ()), default=0)
        if max(open_containers, emphases) > MOST_LEVELS:
            return line
    return None


def _tame(token: "Token") -> None:
    """No style, class or heading of its own; links to other sites open beside the work."""
    token.tag = HEADINGS.get(token.tag, token.tag)
    token.attrs.pop("style", None)  # how a table's column is aligned; the site's policy forbids it
    token.info = ""  # the language of a block of code, which would become a class
    if token.type == "link_open" and "//" in str(token.attrs.get("href", "")):
        token.attrs |= BEHIND
