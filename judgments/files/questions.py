"""Questions about documents: one table, a row for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judgments.models import Level

from .lines import Source
from .problem import FileRow, shortened
from .table import Columns, Row, read_table
from .texts import LONGEST_NAME

COLUMNS = Columns(
    required=("document", "level", "question"), optional=("choices", "right", "untold")
)
BETWEEN = "|"
LEVELS = {str(level.value): level for level in Level}
MOST_CHOICES = 9  # each has a key of its own
MOST_RIGHT = 50
LONGEST_QUESTION = 2000
LONGEST_ANSWER = 500
UNTOLD = {"": False, "no": False, "yes": True}


@dataclass(slots=True)
class QuestionRow(FileRow):
    """One question; `right` holds "" where the source does not tell."""

    document: str
    level: int
    text: str
    choices: list[str]
    right: list[str]


def from_table(table: Source) -> Iterator[QuestionRow]:
    """Yield the questions of a .tsv, .csv or .jsonl file. Raise ImportProblem."""
    for row in read_table(table, COLUMNS):
        yield checked(row)


def checked(row: Row) -> QuestionRow:
    level = LEVELS.get(row.text("level"))
    if level is None:
        known = ", ".join(f"{n} ({level.label})" for n, level in LEVELS.items())
        reason = f"{shortened(row.get('level'))} is not a level. The levels are {known}."
        raise row.problem("level", reason)
    untold = row.get("untold")
    if untold not in UNTOLD:
        raise row.problem("untold", f"{shortened(untold)} should be yes or no.")
    text = row.text("question").strip()
    choices, right = (split(row.get(column)) for column in ("choices", "right"))
    if UNTOLD[untold]:
        right = [*right, ""]
    if fault := fault_of(text, choices, right):
        raise row.problem(*fault)
    document = row.name("document", LONGEST_NAME)
    return QuestionRow(row.file, row.number, document, int(level), text, choices, right)


def split(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(BETWEEN) if part.strip()]


def fault_of(text: str, choices: Sequence[str], right: Sequence[str]) -> tuple[str, str] | None:
    """Return (column, what is wrong with it) of a question that cannot be asked so."""
    if len(text) > LONGEST_QUESTION:
        return "question", f"the question is longer than {LONGEST_QUESTION:,} characters."
    for column, answers, most in (("choices", choices, MOST_CHOICES), ("right", right, MOST_RIGHT)):
        if len(answers) > most:
            return column, f"there are {len(answers)} answers; at most {most} are possible."
        if long := next((each for each in answers if len(each) > LONGEST_ANSWER), None):
            return column, f"{shortened(long)} is longer than {LONGEST_ANSWER} characters."
        if len(set(answers)) < len(answers):
            twice = next(each for each in answers if list(answers).count(each) > 1)
            return column, f"{shortened(twice)} is listed twice."
    if len(choices) == 1:
        return "choices", "one choice is not enough: give two or more, or none if it is open."
    if choices and not right:
        return "right", "say which of the choices is right, or that the source does not say."
    if choices and (other := next((each for each in right if each and each not in choices), None)):
        return "right", f"{shortened(other)} is not one of the choices."
    if "" in right and len(right) > 1:
        return "right", "either an answer is right, or the source does not say."
    return None
