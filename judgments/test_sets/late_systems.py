"""Systems that come to a test set after it was made, with their outputs."""

from collections.abc import Iterator

from judgments.files.output_texts import OutputText
from judgments.files.problem import shortened
from judgments.files.rows import RowKind
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_SYSTEM_NAME
from judgments.models import Output, System, TestSet


class LateOutputs(RowKind[OutputText]):
    """Of a test set. What was judged of other systems stays as it is, so judging may have begun."""

    model = Output
    fields = ("segment", "system", "text")
    nouns = "outputs"
    adds = True
    before_judging = False

    def __init__(self, owner: TestSet, *, replace: bool = False) -> None:
        super().__init__(owner, replace=replace)
        rows = list(owner.segments.order_by("position").values_list("pk", "key"))
        self.segments = [pk for pk, _ in rows]
        self.places = {key: place for place, (_, key) in enumerate(rows)}
        self.there = set(owner.systems.values_list("name", flat=True))
        self.added: dict[str, int] = {}

    def records(self, row: OutputText) -> Iterator[tuple[int, int, str]]:
        system = self.system(row)
        place = self.places.get(row.segment) if row.segment else row.row - 1
        if place is None:
            reason = f"the test set has no segment {shortened(row.segment)}."
            raise row.problem("segment", reason)
        segment = self.segments[place]
        if not self.first_time(system, segment):
            reason = f"a second output of {shortened(row.system)} for this segment."
            raise row.problem("segment", reason)
        yield segment, system, row.text

    def system(self, row: OutputText) -> int:
        """Return the id of a row's system, which is stored when it is met first."""
        if row.system not in self.added:
            if problem := problem_with_name(row.system, LONGEST_SYSTEM_NAME):
                raise row.problem("system", problem)
            if row.system in self.there:
                reason = f"the test set already has the system {shortened(row.system)}."
                raise row.problem("system", reason)
            made = System.objects.create(test_set=self.owner, name=row.system)
            self.added[row.system] = made.pk
        return self.added[row.system]
