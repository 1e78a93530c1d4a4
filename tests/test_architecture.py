"""Architecture rules that can be checked automatically."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from judgments.protocols import PRESETS, PROTOCOLS
from metrics.scorers import SCORERS

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "docs" / "guide"
MOST_LINES = 600
MOST_LINES_OF_A_FUNCTION = 60
PRODUCT = ("judgments/", "metrics/", "mteval_site/")
FOLDERS = ("judgments", "metrics", "mteval_site", "benchmarks", "clients")
CODE = [
    path
    for path in sorted(
        [*ROOT.glob("*.py"), *(p for f in FOLDERS for p in (ROOT / f).rglob("*.py"))]
    )
    if "migrations" not in path.parts
]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[str]:
    """Yield the full names of the modules that a file imports anywhere."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *([node.module] if node.module else [])])


def imports_from(path: Path, *packages: str) -> list[str]:
    return [
        module
        for module in imported(path)
        if any(module == package or module.startswith(f"{package}.") for package in packages)
    ]


def test_imports_are_read_rightly():
    """The tests below would be worthless if the reader of imports missed some."""
    path = ROOT / "metrics" / "with_people" / "judged_segments.py"
    assert "judgments.models" in set(imported(path))
    assert imports_from(ROOT / "metrics" / "scorers" / "bleu.py", "metrics.scorers")
    assert imports_from(ROOT / "metrics" / "models.py", "django")


# The rooms, from the top down: a module imports from its own room and from those below it, also in
# late imports and imports for types. A room is named by its folder or its file; the entry points of
# an app (commands, URLs, the admin) are one room.
FLOORS = [
    line.split()
    for line in """
    manage.py gunicorn.conf.py bootstrap.py benchmarks tests clients
    mteval_site/settings.py
    metrics/urls.py metrics/api_urls.py metrics/apps.py metrics/checks.py metrics/tasks.py \\
        metrics/management metrics/templatetags
    metrics/with_people
    metrics/scores
    metrics/lessons
    metrics/scoring
    metrics/formats metrics/models.py
    metrics/stats
    metrics/scorers
    metrics/neural
    judgments/urls judgments/apps.py judgments/admin.py judgments/tasks.py \\
        judgments/management judgments/templatetags
    judgments/publishing
    judgments/exchange
    judgments/quality
    judgments/results
    judgments/judges
    judgments/judging
    judgments/plans
    judgments/test_sets
    judgments/people
    judgments/protocols
    judgments/web
    judgments/files
    judgments/models
    judgments/stats
    mteval_site
    """.replace("\\\n", " ")
    .strip()
    .splitlines()
]
NO_ROOM = {"judgments/__init__.py", "metrics/__init__.py"}  # empty


def floor_of(file: str) -> int:
    """Return the number of a file's floor; the longest name that fits is its room's."""
    found = [
        (len(place), number)
        for number, places in enumerate(FLOORS)
        for place in places
        if file == place or file.startswith(f"{place}/")
    ]
    assert found, f"{file} is in no room: give it one in FLOORS"
    return max(found)[1]


def imported_files(path: Path) -> Iterator[str]:
    """Yield our files that a file imports: modules, and packages whose names it imports."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[tuple[str, ...]] = []
        if isinstance(node, ast.Import):
            names = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            base = (*base, *(node.module.split(".") if node.module else ()))
            names = [(*base, alias.name) for alias in node.names]
        for parts in names:
            if found := file_of(parts) or file_of(parts[:-1]):
                yield found


def file_of(parts: tuple[str, ...]) -> str | None:
    for name in ("/".join(parts) + ".py", "/".join((*parts, "__init__.py"))):
        if (ROOT / name).is_file():
            return name
    return None


def imports_upward(path: Path) -> list[str]:
    floor = floor_of(name(path))
    files = {file for file in imported_files(path) if file not in NO_ROOM}
    return sorted(file for file in files if floor_of(file) < floor)


def test_imports_go_down():
    found = {name(path): imports_upward(path) for path in CODE if name(path) not in NO_ROOM}
    assert len(found) > 800
    assert not {path: files for path, files in found.items() if files}


def test_clients_know_nothing_of_the_site():
    """They run where the site is not installed."""
    files = [path for path in CODE if name(path).startswith("clients/")]
    assert files
    for path in files:
        ours = imports_from(path, "judgments", "metrics", "mteval_site", "django", "numpy")
        assert not ours, name(path)


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("judgments/web/new.py", "from judgments.people import access"),
        ("judgments/people/new.py", "from ..results.selection.selection import Selection"),
        ("judgments/models/new.py", "def late():\n    import judgments.protocols.base"),
        ("judgments/judging/new.py", "if TYPE_CHECKING:\n    from metrics.models import Bitext"),
        ("mteval_site/new.py", "from judgments.models import Task"),
    ],
)
def test_an_import_upward_is_found(file, code, monkeypatch):
    """The test above would be worthless if it missed one."""
    monkeypatch.setattr(Path, "read_text", lambda self: code)
    assert imports_upward(ROOT / file)


def circles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the sets of nodes that reach each other, and nodes with an arrow to themselves."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            more = set(graph.get(ahead.pop(), ())) - seen
            seen |= more
            ahead += more
        return seen

    reach = {node: reached(node) for node in graph}
    found = {
        tuple(sorted(other for other in reach[node] if node in reach.get(other, ())))
        for node in graph
        if node in reach[node]
    }
    return [list(circle) for circle in sorted(found)]


def imports_among_modules() -> dict[str, set[str]]:
    """Return, by module of the product, the modules it imports, also late or for types."""
    ours = [path for path in CODE if name(path).startswith(PRODUCT)]
    return {name(path): set(imported_files(path)) for path in ours}


def test_no_modules_import_each_other():
    graph = imports_among_modules()
    assert len(graph) > 800
    assert circles(graph) == []


@pytest.mark.parametrize(
    ("arrows", "expected"),
    [
        ("a>b b>c a>c", []),
        ("a>b b>a c>a", [["a", "b"]]),
        ("a>b b>c c>d d>b c>e", [["b", "c", "d"]]),
        ("a>b b>a c>d d>c b>c", [["a", "b"], ["c", "d"]]),
        ("a>a a>b", [["a"]]),
        ("a>b b>stranger", []),
    ],
)
def test_a_circle_is_found(arrows, expected):
    graph = defaultdict(set)
    for arrow in arrows.split():
        start, _, end = arrow.partition(">")
        graph[start].add(end)
    assert circles(dict(graph)) == expected


@pytest.mark.parametrize(
    "code",
    [
        "from ..people.access import own",
        "from judgments.people import access",
        "def late():\n    import judgments.people.access",
        "if TYPE_CHECKING:\n    from judgments.people.access import Access",
    ],
)
def test_an_import_that_closes_a_circle_is_found(code, monkeypatch):
    upper, lower = "judgments/people/access.py", "judgments/web/new.py"
    monkeypatch.setattr(Path, "read_text", lambda self: code)
    graph = {upper: {lower}, lower: set(imported_files(ROOT / lower))}
    assert circles(graph) == [[upper, lower]]


def slugs_in(node: ast.AST) -> list[str]:
    """Return the slugs of protocols among the texts of an expression."""
    texts = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and text in PROTOCOLS]


def protocols_named_in(tree: ast.AST) -> list[str]:
    """Return where code names a protocol or branches on the kind of protocol.

    Presets are data, and may be named. Content of a protocol's package, such as a format, may be
    imported from its modules; the protocol itself, which is the package and its class, may not.
    """
    classes = {protocol.__name__ for protocol in PROTOCOLS.values()}
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            kinds = {side.attr for side in sides if isinstance(side, ast.Attribute)}
            found += [node] if kinds & {"protocol", "analysis", "ANALYSIS", "SLUG"} else []
            found += [side for side in sides if slugs_in(side)]
        elif isinstance(node, ast.Match):
            found += [case for case in node.cases if slugs_in(case.pattern)]
        elif isinstance(node, ast.keyword) and (node.arg or "").endswith("protocol"):
            found += [node] if slugs_in(node.value) else []
        elif isinstance(node, ast.Subscript) and "PROTOCOLS" in ast.unparse(node.value):
            found += [node] if slugs_in(node.slice) else []
        elif isinstance(node, ast.Call) and "PROTOCOLS" in ast.unparse(node.func):
            found += [node] if any(map(slugs_in, node.args)) else []
        elif isinstance(node, ast.ImportFrom) and "protocols" in (node.module or "").split("."):
            whole = (node.module or "").endswith("protocols")
            names = {alias.name for alias in node.names}
            found += [node] if names & classes or (whole and names & set(PROTOCOLS)) else []
        elif isinstance(node, ast.Import):
            names = {alias.name.rpartition("protocols.")[2] for alias in node.names}
            found += [node] if names & set(PROTOCOLS) else []
    return [f"{type(node).__name__} in line {getattr(node, 'lineno', '?')}" for node in found]


PROTOCOL_IN_TEMPLATE = re.compile(
    r"campaign\.protocol\b|protocol\.(slug|kinds)\b[^%}]*(==|!=| in )|"
    rf"""(==|!=|\bin\b)\s*["']({"|".join(PROTOCOLS)})["']"""
)


def test_no_code_outside_the_protocols_names_one():
    found = {}
    for path in CODE:
        if not name(path).startswith("judgments/protocols/"):
            found[name(path)] = protocols_named_in(ast.parse(path.read_text()))
    assert not {path: places for path, places in found.items() if places}


def test_no_template_outside_the_protocols_names_one():
    paths = [p for p in (ROOT / "templates").rglob("*.*") if p.parent.name != "protocols"]
    assert len(paths) > 60
    found = {name(p): PROTOCOL_IN_TEMPLATE.search(p.read_text()) for p in paths}
    assert not {path: match[0] for path, match in found.items() if match}


@pytest.mark.parametrize(
    "code",
    [
        'if campaign.protocol == "spans": pass',
        "same = campaign.protocol in (first, second)",
        'if protocol_of(campaign).slug in ("rating", "ranking"): pass',
        'if protocol_of(campaign).ANALYSIS == "ratings": pass',
        "if campaign.protocol != spans.SLUG: pass",
        'match kind:\n    case "alignment": pass',
        'Campaign.objects.filter(protocol="questions")',
        'Task.objects.filter(campaign__protocol="questions")',
        'protocol = PROTOCOLS["pairwise"]',
        'protocol = PROTOCOLS.get("pairwise")',
        "from judgments.protocols import spans",
        "from judgments.protocols.spans import Spans",
        "import judgments.protocols.spans",
    ],
)
def test_naming_a_protocol_is_found(code):
    """The two tests above would be worthless if they missed one."""
    assert protocols_named_in(ast.parse(code))


@pytest.mark.parametrize(
    "template",
    [
        '{% if campaign.protocol == "spans" %}',
        "{% if campaign.protocol != other %}",
        '{% if kind == "pairwise" %}',
        '{% if protocol.slug == "post_editing" %}',
    ],
)
def test_naming_a_protocol_in_a_template_is_found(template):
    assert PROTOCOL_IN_TEMPLATE.search(template)


WITHOUT_DJANGO = (
    "judgments/stats",
    "metrics/stats",
    "metrics/scorers",
    "metrics/lessons/baselines",
)


@pytest.mark.parametrize("folder", WITHOUT_DJANGO)
def test_numbers_do_not_know_django(folder):
    paths = [path for path in CODE if name(path).startswith(f"{folder}/")]
    assert len(paths) > 2
    packages = ("django", "rest_framework", "judgments.models", "metrics.models", "mteval_site")
    found = {name(path): imports_from(path, *packages) for path in paths}
    assert not {path: modules for path, modules in found.items() if modules}


def test_baselines_need_no_library_but_numpy():
    ours = ("numpy", "metrics.lessons.baselines", "metrics.scorers")
    for path in CODE:
        if name(path).startswith("metrics/lessons/baselines/"):
            tops = {module.split(".")[0] for module in imported(path)} - sys.stdlib_module_names
            known = {module.split(".")[0] for module in imports_from(path, *ours)}
            assert tops == known, name(path)


def test_modules_are_small():
    sizes = {name(path): len(path.read_text().splitlines()) for path in CODE}
    assert not {path: size for path, size in sizes.items() if size > MOST_LINES}


def test_functions_are_small():
    found = {}
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                if size > MOST_LINES_OF_A_FUNCTION:
                    found[f"{name(path)}:{node.name}"] = size
    assert not found


def test_randomness_is_passed_in():
    """Statistics never create a generator: the caller knows the seed."""
    for path in CODE:
        if name(path).startswith(tuple(f"{folder}/" for folder in WITHOUT_DJANGO)):
            calls = [
                node
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Call) and "default_rng" in ast.unparse(node.func)
            ]
            assert not calls, name(path)


def guide() -> str:
    pages = sorted(GUIDE.rglob("*.md"))
    assert pages, "docs/guide has no pages"
    return "\n".join(page.read_text() for page in pages)


def test_browser_tests_do_not_wait_where_the_policy_forbids_it():
    """`comes_true` of `tests/browser/judging.py` says why."""
    files = (ROOT / "tests" / "browser").glob("*.py")
    assert [path.name for path in files if "page.wait_for_function(" in path.read_text()] == []


@pytest.mark.parametrize("scorer", SCORERS.values(), ids=lambda scorer: scorer.slug)
def test_every_metric_has_its_page_in_the_guide(scorer):
    text = (GUIDE / "metrics" / f"{scorer.slug}.md").read_text()
    assert text.startswith("# ") and f"(`{scorer.slug}`)" in text.partition("\n")[0]
    for option in scorer.option_names():
        assert f"`{option}`" in text, option


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda protocol: protocol.slug)
def test_every_protocol_is_in_the_guide(protocol):
    assert protocol.name in guide()


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.slug)
def test_every_preset_is_in_the_guide(preset):
    text = guide()
    assert f"`{preset.slug}`" in text
    assert preset.name in text
