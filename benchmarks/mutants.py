"""Number of altered formulas that the tests detect.

    python benchmarks/mutants.py [--mutants 60] [--seed 1] [--only judgments/stats/alpha.py]
                                 [--proofs]

Draws places in judgments/stats and metrics/scorers at random (mutation testing: DeMillo, Lipton and
Sayward 1978) and alters one operator at each: + and -, * and /, < and <=, == and !=, `and` and
`or`, an integer by one. Each time the tests of that room run until one fails, in a copy of the
checkout; --proofs: with the proofs. Prints each undetected one, with its line, and the number of
detected ones. With the same seed the same are drawn as long as the files are unchanged.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {"judgments/stats": "tests/judgments/stats", "metrics/scorers": "tests/metrics/scorers"}
LONGEST = 600  # seconds; an altered loop may be endless
OPERATORS: dict[type[ast.AST], Any] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


@dataclass(frozen=True)
class Place:
    """``number``: of the node in the order of `ast.walk`; ``part``: of the operators of a chain of
    comparisons."""

    file: str
    number: int
    part: int
    line: int


def places(file: Path) -> list[Place]:
    """Return what can be altered in the functions of a file."""
    found = []
    name = file.relative_to(ROOT).as_posix()
    for number, node in enumerate(ast.walk(ast.parse(file.read_text()))):
        if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
            is_known, parts = type(node.op) in OPERATORS, 1
        elif isinstance(node, ast.Compare):
            is_known, parts = all(type(op) in OPERATORS for op in node.ops), len(node.ops)
        elif isinstance(node, ast.Constant):
            is_known, parts = type(node.value) is int, 1
        else:
            continue
        if is_known:
            found += [Place(name, number, part, node.lineno) for part in range(parts)]
    return found


def altered(text: str, place: Place) -> tuple[str, str]:
    """Return the file with one operator altered, and the altered expression."""
    tree = ast.parse(text)
    node = list(ast.walk(tree))[place.number]
    if isinstance(node, ast.Compare):
        node.ops[place.part] = OPERATORS[type(node.ops[place.part])]()
    elif isinstance(node, ast.Constant):
        assert isinstance(node.value, int)
        node.value += 1
    else:
        assert isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp)
        node.op = OPERATORS[type(node.op)]()
    return ast.unparse(tree), ast.unparse(node)


def is_noticed(checkout: Path, room: str, proofs: bool) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", ROOMS[room]]
    if not proofs:
        command += ["-m", "not proof"]
    try:
        done = subprocess.run(
            command, cwd=checkout, capture_output=True, timeout=LONGEST, env={**os.environ}
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mutants", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=Path)
    parser.add_argument("--proofs", action="store_true")
    arguments = parser.parse_args()
    files = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
    if arguments.only:
        files = [arguments.only.resolve()]
    every = [place for file in files for place in places(file)]
    drawn = random.Random(arguments.seed).sample(every, min(arguments.mutants, len(every)))
    noticed = 0
    with tempfile.TemporaryDirectory(prefix="mteval-bench-", dir="/tmp") as folder:
        checkout = Path(folder) / "mteval"
        ignored = shutil.ignore_patterns(".venv*", "var", ".git", "__pycache__")
        shutil.copytree(ROOT, checkout, ignore=ignored)
        for place in drawn:
            file = checkout / place.file
            before = file.read_text()
            after, expression = altered(before, place)
            file.write_text(after)
            room = next(room for room in ROOMS if place.file.startswith(room))
            found = is_noticed(checkout, room, arguments.proofs)
            file.write_text(before)
            noticed += found
            if not found:
                print(f"not noticed: {place.file}:{place.line}  {expression}", flush=True)
    print(f"{noticed} of {len(drawn)} noticed, of {len(every)} that could be drawn")


if __name__ == "__main__":
    main()
