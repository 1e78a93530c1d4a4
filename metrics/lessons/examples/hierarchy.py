"""Hierarchical rules: what they translate a sentence to, and the networks on the way."""

from metrics.lessons.baselines.hierarchy import Grammar, expanded, networks, read_rules
from metrics.lessons.baselines.machines import Machine, paths

from .base import (
    BYRNE,
    ExampleCase,
    ExampleField,
    ExampleResult,
    ResultRow,
    ResultTable,
    Values,
    WorkedExample,
    cells,
)
from .phrases import TOPIC

MOST_PATHS = 200
SHOWN_PATHS = 12


def strings_of(machine: Machine) -> list[str]:
    """What the paths of a machine say, each once. Raises ValueError where there are too many."""
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


NETWORK_RULES = (
    "a b c d → F3\na b c d → F5\ne f → F4\ng h → F1\na b c d X1 g h → F1 X1 F2\n"
    "a b c d X1 g h → F2 X1 F1\na b c d X1 X2 → X2 X1 F2"
)

RULES = WorkedExample(
    slug="hierarchical-rules",
    title="Hierarchical rules",
    topic=TOPIC,
    about="Rules with gaps translate what is apart in one language and together in the other; a "
    "network for each span of the sentence holds all that they say.",
    fields=(
        ExampleField(name="sentence", label="Sentence", most_words=8),
        ExampleField(
            name="rules",
            label="Rules",
            kind="lines",
            hint="One on each line, such as ne X1 pas → not X1; -> is an arrow, too.",
            most_words=16,
            most_lines=12,
        ),
    ),
    compute=compute_rules,
    guides=("hierarchical-rules",),
    pages=("hierarchical-rules",),
    cases=(
        ExampleCase(
            slug="e1-e4-e3",
            title="E1 E4 E3",
            source=BYRNE,
            values={
                "sentence": "E1 E4 E3",
                "rules": "E4 → F4\nE1 → F3\nE2 → F2\nE3 → F1\nE1 X1 E3 → F1 X1 F3",
            },
            printed={"translation1": "F1 F4 F3"},
        ),
        ExampleCase(
            slug="ne-pas",
            title="ne … pas",
            source=BYRNE,
            values={"sentence": "ne sait pas", "rules": "ne X1 pas → not X1\nsait → know"},
            remark="The rule is the lecture’s; the verb is made up.",
        ),
        ExampleCase(
            slug="of-the",
            title="le X2 X1",
            source=BYRNE,
            values={
                "sentence": "le chef bleu",
                "rules": "le X2 X1 → X1 of the X2\nchef → chief\nbleu → blue",
            },
            remark="The rule is the lecture’s; the words in its gaps are made up.",
        ),
        ExampleCase(
            slug="network",
            title="A recursive transition network",
            source=BYRNE,
            values={"sentence": "a b c d e f g h", "rules": NETWORK_RULES},
            remark="In the lecture E1 covers the words 1 to 4, E4 5 and 6, E3 7 and 8; here they "
            "are spelled a b c d, e f and g h.",
        ),
    ),
)

EXAMPLES = (RULES,)
