"""A text for each output of a test set, such as its post-edit or its word links: a plain-text file
for each system, or one table."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .lines import Budget, Source, check_plain, name_of, problem_with_text, read_lines
from .problem import FileRow, ImportProblem
from .table import Columns, Row, read_table
from .texts import LONGEST_NAME, LONGEST_REFERENCE_NAME, LONGEST_SYSTEM_NAME

THE_SET = "post-edit"  # the name of a set of post-edits to which nobody gives one


@dataclass(slots=True)
class OutputText(FileRow):
    """The text of one output. `segment`: its key; "" in plain text, where the row is its place in
    the test set. `name`: of the set that it belongs to, where texts come in sets."""

    system: str
    segment: str
    text: str
    name: str = ""

    def problem(self, column: str, reason: str) -> ImportProblem:
        # Plain text has no columns.
        return ImportProblem(self.file, self.row, column if self.segment else "", reason)


@dataclass(frozen=True)
class OutputTexts:
    """The files of one kind of text.

    column: the table's, which holds the text. missing: what an empty line says, in words.
    in_sets: an output may have several texts, told apart by their names.
    may_be_empty: whether a table may say so, too. keeps_empty: an empty line is a text, too.
    """

    column: str
    missing: str
    in_sets: bool = False
    may_be_empty: bool = False
    keeps_empty: bool = False

    @property
    def columns(self) -> Columns:
        return Columns(("system", "segment", self.column), ("name",) if self.in_sets else ())

    def from_lines(
        self, systems: Mapping[str, Source], n_segments: int, name: str = ""
    ) -> Iterator[OutputText]:
        """Yield line n of a system's file is the text of its output for segment n; {system: file}.

        Raises ImportProblem for a file that has not one line for each segment.
        """
        check_plain(*systems.values())
        budget = Budget()
        for system, source in systems.items():
            file = name_of(source)
            row = 0
            for row, text in read_lines(source, budget):
                if row > n_segments:
                    reason = f"the test set has only {n_segments:,} segments."
                    raise ImportProblem(file, row, "", reason)
                if problem := problem_with_text(text):
                    raise ImportProblem(file, row, "", problem)
                if text.strip() or self.keeps_empty:
                    yield OutputText(file, row, system, "", text, name)
            if row != n_segments:
                reason = (
                    f"the file has {row:,} line{'s' * (row != 1)}, but the test set has "
                    f"{n_segments:,} segments. Leave a line empty where {self.missing}."
                )
                raise ImportProblem(file, None, "", reason)

    def from_table(self, table: Source, name: str = "") -> Iterator[OutputText]:
        """Yield a row for each text; `name` is that of rows which give none."""
        for row in read_table(table, self.columns):
            yield self.checked(row, name)

    def checked(self, row: Row, name: str = "") -> OutputText:
        return OutputText(
            row.file,
            row.number,
            row.name("system", LONGEST_SYSTEM_NAME),
            row.name("segment", LONGEST_NAME),
            row.get(self.column) if self.may_be_empty else row.text(self.column),
            row.name("name", LONGEST_REFERENCE_NAME) if row.get("name") else name,
        )


POST_EDITS = OutputTexts("text", "there is no post-edit", in_sets=True)
OUTPUTS = OutputTexts("text", "the translation is empty", may_be_empty=True, keeps_empty=True)
WORD_LINKS = OutputTexts("links", "there are no links", may_be_empty=True)
