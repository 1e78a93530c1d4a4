"""The figures of publications that tests reproduce: which test, from what, to how many digits."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Tests of published data by their kind; each module says in its first lines what it reproduces.
WHERE = {
    "Campaigns and releases, through the whole site": ("tests/real/test_*.py",),
    "Tables that come with the checkout": ("tests/test_published.py",),
    "Statistics and metrics on published data": (
        "tests/*/**/test_real_*.py",
        "tests/**/test_published_*.py",
    ),
    "Worked examples of lectures and articles": ("tests/test_errata*.py",),
}
TOLERANCES = {"abs": "± {}", "atol": "± {}", "rel": "± {} of it", "rtol": "± {} of it"}


HEAD = """# Recomputed

Each line is a test that computes a published figure anew, or compares with another program, and
fails if the result differs. The last column is how far a result may be off; *exact* means equal as
published. [Errata](errata.md) lists what could not be reproduced because it is wrong where it was
published. Data of publications lie beside the checkout, not in it;
[small tables](project/published-tables.md) come with it. This page is made of the tests.
"""


def page() -> str:
    parts = [HEAD]
    seen: set[Path] = set()
    for title, patterns in WHERE.items():
        parts.append(f"## {title}\n")
        paths = {path for pattern in patterns for path in ROOT.glob(pattern)} - seen
        seen |= paths
        for path in sorted(paths):
            parts += of_module(path)
    return "\n".join(parts)


def of_module(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    rows = [row_of(node, constants(tree)) for node in tests_of(tree)]
    if not rows:
        return []
    name = path.relative_to(ROOT).as_posix()
    lines = [f"### {name}\n", f"{safe(ast.get_docstring(tree) or '')}\n"]
    return [*lines, "| figure | test | may be off by |", "| --- | --- | --- |", *rows, ""]


def tests_of(tree: ast.Module) -> list[ast.FunctionDef]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def row_of(test: ast.FunctionDef, known: dict[str, str]) -> str:
    words = test.name.removeprefix("test_").replace("_", " ")
    note = (ast.get_docstring(test) or "").split("\n\n")[0]
    figure = f"{words[0].upper()}{words[1:]}" + (f": {note}" if note else "")
    off = ", ".join(sorted(set(tolerances(test, known)))) or "exact"
    return f"| {safe(figure)} | `{test.name}` | {safe(off)} |"


def tolerances(test: ast.FunctionDef, known: dict[str, str]) -> list[str]:
    found = []
    for node in ast.walk(test):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg in TOLERANCES:
                written = ast.unparse(keyword.value)
                number = known.get(written, written)
                found += [] if number == "0" else [TOLERANCES[keyword.arg].format(number)]
    return found


def constants(tree: ast.Module) -> dict[str, str]:
    """Return the numbers of a module that have a name, as they are written."""
    return {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def safe(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "\\<").replace("*", "\\*")
