"""What readers of results see is marked for translation, with plurals that a language can choose.

The words of these pages go through gettext: whole sentences with named placeholders, and a number
with its noun through ngettext. The tests find what does not, as far as code tells.
"""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

import pytest

from judgments.pages import kept_words
from metrics.agreement_with_people import kept_words as kept_words_of_metrics
from tests.judgments.test_translations import LATER, ROOT

# Identifiers and messages of errors, not sentences for readers, or marked where they are made.
NOT_PAGES = (
    *("judgments/results/*", "judgments/tables.py", "metrics/a*.py", "metrics/api/*"),
    *("metrics/checks.py", "metrics/models.py", "metrics/tasks.py", "metrics/urls.py"),
    *("metrics/formats/*", "metrics/importing/*", "metrics/management/*", "metrics/migrations/*"),
    # Pieces of the guide, which is in English, and the data of an example.
    *("metrics/examples/*", "metrics/transducers/rule_examples.py"),
    *("metrics/neural/*", "metrics/scorers/*", "metrics/scoring/*", "metrics/stats/*"),
    *("metrics/baselines/*", "metrics/scores/comparisons.py"),
)
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext"}
# Arguments that readers see, by place or name.
SHOWN = {
    "Column": (1, 3),
    "Table": (1, 4),
    "Chart": (1, 2),
    "Lazy": (1,),
    "Section": (1,),
    "section": (1,),
    "ResultsPage": (1,),
}
SHOWN_BY_NAME = {
    *("title", "caption", "label", "help_text", "hint", "note", "axis", "legend", "description"),
    *("row_title", "column_title"),
}
WORD = re.compile(r"[A-Za-z’'-]*[a-z]{2,}")
# Of which a sentence consists of more.
FEW = 2
NAMES = re.compile(r"Pearson|Spearman|Kendall|Holm|Benjamini|Hochberg|TrueSkill")
# Markup, heads of files, statements, code of charts, and a unit that results name.
NOT_WORDS = re.compile(
    r"\s*(<|SELECT |text/|attachment;|system-ui,|luminance\(|' \?system=|pairs of outputs$)"
)


def is_page(name: str) -> bool:
    listed = any(fnmatchcase(name, pattern) for pattern in LATER)
    is_own = fnmatchcase(name, "metrics/agreement_with_people/*")
    return listed and (is_own or not any(fnmatchcase(name, each) for each in NOT_PAGES))


def named(call: ast.AST) -> str:
    if not isinstance(call, ast.Call):
        return ""
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def text_of(node: ast.AST) -> str | None:
    """What a text says, without what is put in; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (part.value for part in node.values if isinstance(part, ast.Constant))
        return " ".join(map(str, parts))
    return None


def ordinary(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes outside of marked texts, docstrings, annotations and raised errors."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.Assert):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            if named(child) in MARKS:
                continue
            if isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant):
                continue
            yield from ordinary(child)


def says_words(text: str, more_than: int) -> bool:
    return not NOT_WORDS.match(text) and len(WORD.findall(NAMES.sub("", text))) > more_than


def unmarked(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Sentences, and shorter texts where readers see them, that no gettext has seen."""
    for node in ordinary(tree):
        text = text_of(node)
        if text is not None and " " in text and says_words(text, FEW):
            yield node.lineno, text  # type: ignore[attr-defined]
        if not isinstance(node, ast.Call):
            continue
        shown = [node.args[i] for i in SHOWN.get(named(node), ()) if i < len(node.args)]
        shown += [each.value for each in node.keywords if each.arg in SHOWN_BY_NAME]
        for each in shown:
            text = text_of(each)
            if text is not None and says_words(text, 0):
                yield each.lineno, text


def is_text(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text


def wrong_plurals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """An s that is added for many, and texts that gettext cannot find or a translator not order."""
    for node in ast.walk(tree):
        if isinstance(node, ast.IfExp) and any(is_text(e, "s") for e in (node.body, node.orelse)):
            yield node.lineno, ast.unparse(node)
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Mult)
            and is_text(node.left, "s")
        ):
            yield node.lineno, ast.unparse(node)
        if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.IfExp):
            said = [text_of(each) for each in (node.value.body, node.value.orelse)]
            if any(each and says_words(each, 0) for each in said):
                yield node.lineno, ast.unparse(node.value)
        if named(node) == "pluralize":
            yield node.lineno, ast.unparse(node)  # type: ignore[attr-defined]
        if named(node) in MARKS:
            texts = node.args[: 2 if "ngettext" in named(node) else 1]  # type: ignore[attr-defined]
            for text in texts:
                said = text_of(text)
                is_lost = said is None and "ngettext" in named(node)
                if is_lost or isinstance(text, ast.JoinedStr) or re.search(r"%[sd]", said or ""):
                    yield text.lineno, ast.unparse(text)


# Which name measures and rules as publications do.
NAMING = ("mqm.py", "spans.py")


def said_by_statistics(app: str) -> set[str]:
    """Sentences of the statistics, which know nothing of Django."""
    return {
        text
        for path in sorted((ROOT / app / "stats").glob("*.py"))
        if path.name not in NAMING
        for node in ordinary(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and (text := text_of(node))
        if " " in text and not text.startswith(",") and says_words(text, FEW)
    }


MARKED_BLOCK = re.compile(
    r"{% (blocktrans(?:late)?|comment)\b.*?{% end\1 %}|{%.*?%}|{{.*?}}|{#.*?#}", re.DOTALL
)
SEEN_ATTRIBUTE = re.compile(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"')
INCLUDED = re.compile(r'{% include [^%]*\b(?:title|text|action)="([^"]*)"')
TAG = re.compile(r"<code>.*?</code>|<[^>]*>|&\w+;", re.DOTALL)
FORMATS = re.compile(r"\b(UTC|SVG|PNG|Vega-Lite|HTER|NEVA|WAFT|[\w-]+\.(jsonl?|tsv|zip))\b")


def unmarked_in_template(text: str) -> list[str]:
    """Words of a template that stand outside of its marks."""
    found = INCLUDED.findall(text)
    if re.search(r"\|pluralize\b", text):
        found.append("pluralize")
    bare = MARKED_BLOCK.sub(" ", text)
    found += SEEN_ATTRIBUTE.findall(bare)
    seen = [*found, *re.split(r"\s{2,}|\n", TAG.sub("  ", bare))]
    return [each for each in seen if re.search(r"[A-Za-z]{2}", FORMATS.sub("", each))]


PROGRAMS = [
    path
    for app in ("judgments", "metrics")
    for path in sorted((ROOT / app).rglob("*.py"))
    if is_page(path.relative_to(ROOT).as_posix())
]
TEMPLATES = [
    path
    for path in sorted((ROOT / "templates").rglob("*.html"))
    if is_page(path.relative_to(ROOT).as_posix())
]


def test_pages_are_found():
    """The tests below would be worth nothing if they read no page."""
    names = {path.relative_to(ROOT).as_posix() for path in [*PROGRAMS, *TEMPLATES]}
    assert len(PROGRAMS) > 40 and len(TEMPLATES) > 30
    assert {
        "judgments/pages/power.py",
        "metrics/agreement_with_people/words.py",
        "templates/judgments/quality.html",
        "templates/metrics/column.html",
    } <= names


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_of_pages_are_marked(path):
    tree = ast.parse(path.read_text())
    assert not [f"line {line}: {text}" for line, text in [*unmarked(tree), *wrong_plurals(tree)]]


@pytest.mark.parametrize(
    ("app", "kept"), [("judgments", kept_words.KEPT), ("metrics", kept_words_of_metrics.KEPT)]
)
def test_words_of_statistics_are_marked(app, kept):
    assert said_by_statistics(app) == set(kept)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_words_of_templates_are_marked(path):
    assert not unmarked_in_template(path.read_text())


@pytest.mark.parametrize(
    "code",
    [
        'title = "Every pair of systems"',
        'words = f"{n} pairs of systems differ"',
        'columns = (Column("n", "Items", "count"),)',
        'table = Table("slug", f"Power: {what}", columns, rows)',
        'spec = intervals(names, axis="difference")',
        "words = f\"{n} pair{'s' if n > 1 else ''}\"",
        "plural = 's' * (n != 1)",
        "words = f\"{n} {'have' if n > 1 else 'has'}\"",
        'words = f"{n} score{pluralize(n)}"',
        'words = _(f"{n} systems")',
        'words = _("%s systems") % n',
        'words = ngettext(one, "%(n)s systems", n)',
    ],
)
def test_what_is_not_marked_is_found(code):
    tree = ast.parse(code)
    assert [*unmarked(tree), *wrong_plurals(tree)]


@pytest.mark.parametrize(
    "template",
    [
        "<h2>Decide</h2>",
        "{{ n }} score{{ n|pluralize }}",
        '<p>{% trans "One" %} of many</p>',
        '<table aria-label="Annotators">',
        '{% include "components/empty.html" with title="No judgments yet" %}',
    ],
)
def test_what_is_not_marked_in_a_template_is_found(template):
    assert unmarked_in_template(template)
