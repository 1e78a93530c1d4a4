"""Post-edits, which HTER reads."""

from collections.abc import Iterator

from judgments.files.output_texts import OutputText
from judgments.files.problem import shortened
from judgments.files.rows import RowKind
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_REFERENCE_NAME
from judgments.models import TargetedReference, TestSet

from .outputs import Outputs


class PostEdits(RowKind[OutputText]):
    """Of a test set. An output has one of each name."""

    model = TargetedReference
    fields = ("output", "name", "text")
    nouns = "post-edits"
    adds = True
    before_judging = False

    def __init__(self, owner: TestSet, *, replace: bool) -> None:
        super().__init__(owner, replace=replace)
        self.outputs = Outputs(owner.pk, with_texts=False)
        # Outputs that had a post-edit before, by system and name.
        self.old: dict[tuple[str, str], set[int]] = {}

    def records(self, row: OutputText) -> Iterator[tuple[int, str, str]]:
        output = self.outputs.find(row).pk
        group = (row.system, row.name)
        if group not in self.old:
            self.old[group] = self.edited(row)
        if not self.first_time(group, output):
            raise row.problem("segment", f"a second {shortened(row.name)} of the same output.")
        if output in self.old[group] and not self.replace:
            name = shortened(row.name)
            reason = f"the output already has a post-edit {name}. You can choose to replace it."
            raise row.problem("segment", reason)
        yield output, row.name, row.text

    def edited(self, row: OutputText) -> set[int]:
        """Return outputs of a row's system that have a post-edit of its name; the name is
        checked."""
        if problem := problem_with_name(row.name, LONGEST_REFERENCE_NAME):
            raise row.problem("name", problem)
        system = self.outputs.systems[row.system]
        found = TargetedReference.objects.filter(output__system=system, name=row.name)
        return set(found.order_by().values_list("output_id", flat=True))

    def clear(self) -> None:
        """Nothing yet: post-edits of outputs that the files do not hold stay."""

    def write(self, records: list[tuple]) -> None:
        if self.replace:
            by_name: dict[str, list[int]] = {}
            for output, name, _text in records:
                by_name.setdefault(name, []).append(output)
            for name, outputs in by_name.items():
                TargetedReference.objects.filter(name=name, output__in=outputs).delete()
        super().write(records)

    @property
    def n_groups(self) -> int:
        """How many systems."""
        return len(self.outputs.read)
