"""Hierarchical rules: what they translate a sentence to, and the networks on the way."""

from metrics.lessons.baselines.hierarchy import Grammar, expanded, networks, read_rules
from metrics.lessons.baselines.machines import Machine, paths

from .base import (
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    cells,
)

MOST_PATHS = 200
SHOWN_PATHS = 12


def strings_of(machine: Machine) -> list[str]:
    """Return what the paths of a machine say, each once. Raise ValueError where there are too
    many."""
    return sorted({" ".join(path.outputs) for path in paths(machine, limit=MOST_PATHS)})


def compute_rules(values: Values) -> ExampleResult:
    words = values["sentence"].split()
    found = networks(words, Grammar(read_rules(values["rules"])), unknown=None)
    translations = strings_of(expanded(found))
    rows = [ResultRow("n", "Translations", str(len(translations)))]
    rows += [
        ResultRow(f"translation{n}", f"Translation {n}", text)
        for n, text in enumerate(translations[:SHOWN_PATHS], start=1)
    ]
    lines = []
    for name, machine in found.machines.items():
        if name != found.root:
            first, last = (int(place) for place in name.strip(" T[]").split(","))
            said = [text.replace(" T[", "T[") for text in strings_of(machine)]
            lines.append((name.strip(), cells(" ".join(words[first - 1 : last]), " / ".join(said))))
    note = "T[i,j] stands for the words from i to j; its network may name smaller ones."
    tables = [ResultTable("Networks", ["Network", "Reads", "Says"], lines, note)]
    nothing = ["No rules cover the whole sentence."] if not translations else []
    return ExampleResult(rows, tables, nothing)
