"""Finds the outputs of a test set by the names that files have for them."""

from typing import NamedTuple, Protocol

from django.db.models import F, Value

from judgments.files import ImportProblem
from judgments.files.problem import shortened
from judgments.models import Output, Segment, System


class OutputRow(Protocol):
    """A row of a file that names an output; `segment` is empty where its place names the segment,
    from 1."""

    row: int
    system: str
    segment: str

    def problem(self, column: str, reason: str) -> ImportProblem: ...


class FoundOutput(NamedTuple):
    """An output by its key in the database. Texts are empty unless they were asked for."""

    pk: int
    text: str
    source: str


class Outputs:
    """Outputs are read a system at a time, when it is met. `read`: the systems met so far."""

    def __init__(self, test_set: int, *, with_texts: bool) -> None:
        self.with_texts = with_texts
        self.systems = dict(System.objects.filter(test_set=test_set).values_list("name", "pk"))
        rows = Segment.objects.filter(test_set=test_set).order_by("position")
        columns = ("pk", "key", "source") if with_texts else ("pk", "key")
        self.segments = list(rows.values_list(*columns))
        self.places = {row[1]: place for place, row in enumerate(self.segments)}
        self.read: dict[str, dict[int, tuple[int, str]]] = {}

    def find(self, row: OutputRow) -> FoundOutput:
        """Return the output of the row's segment; where it names none, of the segment at the place
        of the row in the test set. Raise ImportProblem when there is none."""
        if row.system not in self.systems:
            known = ", ".join(sorted(self.systems)[:20])
            reason = f"the test set has no system {shortened(row.system)}; it has {known}."
            raise row.problem("system", reason)
        place = self.places.get(row.segment) if row.segment else row.row - 1
        if place is None:
            raise row.problem("segment", f"there is no segment {shortened(row.segment)}.")
        there = self.segments[place]
        output = self._of_system(row.system).get(there[0])
        if output is None:
            reason = f"{shortened(row.system)} has no output for this segment."
            raise row.problem("segment", reason)
        return FoundOutput(*output, there[2] if self.with_texts else "")

    def _of_system(self, system: str) -> dict[int, tuple[int, str]]:
        if system not in self.read:
            rows = Output.objects.filter(system=self.systems[system]).order_by()
            texts = F("text") if self.with_texts else Value("")
            found = rows.values_list("segment_id", "pk", texts)
            self.read[system] = {segment: (pk, text) for segment, pk, text in found}
        return self.read[system]
