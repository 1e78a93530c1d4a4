"""One word for one thing: no two public classes of the product have one name, modules are nouns."""

import ast
from collections import defaultdict

from .shared import ROOT

APPS = ("judgments", "metrics", "mteval_site")
# Names that Django and related packages look up.
ASKED_FOR = {"Command", "Media", "Meta", "Migration"}


def modules():
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def test_no_class_name_stands_twice():
    found = defaultdict(list)
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    twice = {name: places for name, places in found.items() if len(places) > 1}
    assert {name: places for name, places in twice.items() if name not in ASKED_FOR} == {}


def test_no_module_is_named_by_a_participle():
    """`kept`, `judged`, `watching`: a reader cannot tell what they contain."""
    irregular = {"kept", "shown", "given", "held", "drawn", "written", "chosen", "known"}
    names = {path.stem for path in modules()} | {path.parent.name for path in modules()}
    participles = irregular | {"keeping", "watching"} | {n for n in names if n.endswith("ed")}
    assert names & participles == set()
