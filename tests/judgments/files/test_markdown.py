"""Instructions in Markdown: CommonMark, safe HTML, and no text that keeps a process busy."""

import random
import re
import sys
import time
from html.parser import HTMLParser

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.files.markdown import LONGEST, MOST_LEVELS, as_html, problem_with
from judgments.protocols import PRESETS
from judgments.templatetags.mteval import markdown
from metrics.scorers import SCORERS
from metrics.scoring import catalog

TAGS = {
    "a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "hr", "li", "ol", "p", "pre",
    "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
}  # fmt: skip
ATTRIBUTES = {("a", "href"), ("a", "title"), ("a", "rel"), ("a", "target"), ("ol", "start")}
VOID = {"br", "hr"}
ADDRESS = re.compile(r"(https?:|mailto:|(?![a-z][a-z0-9+.-]*:))", re.IGNORECASE)
PIECES = [
    "[", "]", "![", "](", "](b)", "[a](", "[a]: b", "[a][", "*", "**", "*a ", "_a", "a**b", ">",
    "> ", "`", "` `` ", "```\n", "<a ", "<", "<!--", "<?", "<http:", "<a@", "<script>", "- ",
    "- a\n", "1. ", "&", "&amp;", "&#x", "|", "|a", "|a|b|\n|-|-|\n", "|-", "\\", "\n",
    "    a\n", "\t", " ", "~", "# ", "a\n=\n", "a\n", "(", "\"", "'", "onclick=", "javascript:",
    "[a](javascript:alert(1))", "<br>", "[a](data:text/html,x)", "<javascript:a>",
    "[a]( java&#10;script:a)", "[a](<\x01javascript:a>)", "\x00", "\u202e", "é", "😀",
    "https://a.b/", "\r", "[a](JaVaScRiPt&colon;b)",
]  # fmt: skip


class Safe(HTMLParser):
    """Fails on whatever the judging pages may not hold, and on tags that are not closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.deepest = 0
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        for name, value in attrs:
            assert (tag, name) in ATTRIBUTES, (tag, name)
            assert name != "href" or ADDRESS.match(value), value
            assert name != "start" or value.isdigit()
        if tag not in VOID:
            self.open.append(tag)
            self.deepest = max(self.deepest, len(self.open))

    def handle_endtag(self, tag):
        assert tag in VOID or self.open.pop() == tag

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def test_formatting_stays_and_scripts_are_text():
    html = markdown("## Rules\n\n**Read** [this](https://example.org) <script>alert(1)</script>")
    assert "<h2>Rules</h2>" in html and "<strong>Read</strong>" in html
    assert 'href="https://example.org" target="_blank" rel="noopener noreferrer"' in html
    assert "<script" not in html and "&lt;script&gt;" in html
    assert "href" not in markdown("[here](javascript:alert(1))")
    assert markdown("[a](/metrics/bleu/)") == '<p><a href="/metrics/bleu/">a</a></p>\n'


def test_the_checker_finds_what_it_is_to_find():
    for bad in ("<script>", "<p onclick=a>", '<a href="javascript:a">', "<p>", "<!-- a -->",
                '<a href=" JAVASCRIPT:a">'.replace(" J", "J"), "<img>"):  # fmt: skip
        with pytest.raises(AssertionError):
            Safe(bad)


def test_very_many_brackets_are_shown_as_they_are():
    before = time.process_time()
    html = markdown("[<" * 20 * 1000)
    assert html == "<pre>" + "[&lt;" * 20 * 1000 + "</pre>"
    assert time.process_time() - before < 5  # Python-Markdown took most of a minute


@pytest.mark.parametrize("text", ["- " * 1000 + "a", "<a " * 10_000, "> " * 5000, "1. " * 3000])
def test_what_was_stored_before_is_shown_as_it_is(text):
    """Python-Markdown answered the first with a RecursionError, and took 20 s for the second."""
    before = time.process_time()
    assert problem_with(text)
    assert as_html(text).startswith("<pre>")
    Safe(as_html(text))
    assert time.process_time() - before < 2


def test_a_line_of_dashes_is_a_rule():
    """As CommonMark has it; Python-Markdown took it for a thousand lists."""
    assert markdown("- " * 1000) == "<hr />\n"


@pytest.mark.proof
@pytest.mark.parametrize("piece", PIECES)
def test_a_text_of_one_piece_is_quick(piece):
    """A piece as often as it fits; 0.5 s at most on a slow machine, so 5 s is generous."""
    for text in (piece * (LONGEST // len(piece)), nested(piece), "a" + piece * 4000 + "b" * 100):
        before = time.process_time()
        Safe(as_html(text))
        problem_with(text)
        assert time.process_time() - before < 5


def nested(piece: str) -> str:
    """Lines that each begin one level deeper."""
    lines, left = [], LONGEST
    while (left := left - (len(lines) * len(piece) + 3)) > 0:
        lines.append(piece * len(lines) + "a")
    return "\n".join(lines)


@pytest.mark.proof
def test_time_grows_with_the_text_and_not_with_its_square():
    """Calls of the parser's own functions are counted, which no busy machine changes."""
    for piece in ("*a_ ", "> ", "`", "<a ", "- a\n", "&", "|a|b|\n|-|-|\n", "[a](b) "):
        assert calls(piece * 2000) < 3 * calls(piece * 1000), piece


def calls(text: str) -> int:
    counted = 0

    def count(_frame, event, _arg):
        nonlocal counted
        counted += event in ("call", "c_call")

    as_html.cache_clear()
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        as_html(text)
    finally:
        sys.setprofile(before)
    return counted


@settings(max_examples=300, deadline=5000, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=60))
def test_whatever_is_written_is_safe(parts):
    text = "".join(parts)
    found = Safe(as_html(text))
    # A list and its point are two tags; emphases come within the innermost.
    assert found.deepest <= 2 * MOST_LEVELS + MOST_LEVELS + 6
    if not problem_with(text):
        assert "<pre>" not in as_html(text).replace("<pre><code", "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ok\n\n" + "- " * (MOST_LEVELS + 1) + "a", "Line 3: "),
        ("> " * (MOST_LEVELS + 1) + "a", "Line 1: "),
        ("a\n\n" + "*a **b " * MOST_LEVELS + "c** d*" * MOST_LEVELS, "Line 3: "),
        ("a" * (LONGEST + 1), f"{LONGEST + 1:,} characters; at most {LONGEST:,}"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, words):
    assert words in problem_with(text)


def test_what_is_as_deep_as_allowed_is_shown_whole():
    for sign in ("- ", "> ", "1. ", "> - "):
        n = MOST_LEVELS // (sign.count(" ") if sign == "> - " else 1)
        assert not problem_with(sign * n + "innermost")
        assert "innermost" in as_html(sign * n + "innermost")


def test_nothing_of_a_text_is_lost():
    """The parser leaves out what is nested too deeply for it; it must have been refused before."""
    chance = random.Random(5)
    for _ in range(300):
        signs = "".join(
            chance.choice(["- ", "> ", "1. ", "* "]) for _ in range(chance.randint(1, 30))
        )
        text = signs + "innermost"
        assert "innermost" in as_html(text)


# GitHub's build of cmark, the reference implementation in C.


def of_cmark(text: str) -> str:
    return cmarkgfm.markdown_to_html_with_extensions(
        text, options=Options.CMARK_OPT_UNSAFE, extensions=["table"]
    )


def plain(html: str) -> str:
    """HTML without what our pages change on purpose, without blanks between tags, and with one for
    several, as browsers show it."""
    html = re.sub(r' (align|class|rel|target)="[^"]*"', "", html).replace(" />", ">")
    html = re.sub(r"<(/?)h1>", r"<\1h2>", html)
    html = re.sub(r"<(/?)h[56]>", r"<\1h4>", html)
    return re.sub(r"\s+", " ", re.sub(r"\s*(</?[a-z][^>]*>)\s*", r"\1", html))


@pytest.mark.parametrize("slug", [slug for slug in SCORERS if catalog.guide_of(slug)])
def test_guide_pages_read_as_cmark_reads_them(slug):
    text = catalog.guide_of(slug)
    assert plain(as_html(text)) == plain(of_cmark(text))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_instructions_of_presets_read_as_cmark_reads_them(preset):
    text = str(PRESETS[preset].instructions)
    assert not problem_with(text)
    assert plain(as_html(text)) == plain(of_cmark(text))


# An item of a list always has words: about empty ones the two programs differ.
WORDS = [
    "a", "b c", "*", "**", "_", "`", "[a](b)", "\n", "\n\n", "- a", "\n- a\n", "\n  - b\n", 
    "\n1. a\n", "> ", "# ", "\n    a\n", "\\", "***\n",
]  # fmt: skip


@settings(max_examples=300, deadline=5000, derandomize=True)
@given(st.lists(st.sampled_from(WORDS), max_size=12).map("".join))
def test_texts_read_as_cmark_reads_them(text):
    html = as_html(text)
    # GitHub's build, unlike the specification, leaves out a strong emphasis within another.
    within = re.search(r"<strong>(?:(?!</strong>).)*<strong>", html, re.DOTALL)
    if not problem_with(text) and not within:
        assert plain(html) == plain(of_cmark(text))
