"""Post-edits from files."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.conf import settings
from django.db import transaction

from judgments.formats import ImportProblem
from judgments.formats.post_edits import PostEditRow
from judgments.formats.problem import shortened
from judgments.models import TargetedReference, TestSet

from .copying import analyze, copy_rows
from .outputs import Outputs

EDITS_AT_ONCE = 2_000


@dataclass(frozen=True)
class AddedPostEdits:
    """How much an import added, and to how many systems."""

    post_edits: int
    systems: int


@transaction.atomic
def import_post_edits(
    test_set: TestSet, edits: Iterable[PostEditRow], *, replace: bool = False
) -> AddedPostEdits:
    """Add all post-edits, or none at all.

    replace: take the place of post-edits that an output has under the same name; without it they
    are refused. Raises ImportProblem.
    """
    # One import at a time: two of the same file would each find that it is new.
    test_set = TestSet.objects.select_for_update(of=["self"]).get(pk=test_set.pk)
    places = _Places(test_set, replace)
    remaining = iter(edits)
    n_edits = 0
    while batch := list(islice(remaining, EDITS_AT_ONCE)):
        copy_rows(TargetedReference, ["output", "name", "text"], places.rows(batch))
        n_edits += len(batch)
        if n_edits > settings.MAX_IMPORT_ROWS:
            reason = (
                f"there are more than {settings.MAX_IMPORT_ROWS:,} post-edits, the limit of this "
                "site. Import them in several steps."
            )
            raise batch[-1].problem("", reason)
    if not n_edits:
        raise ImportProblem("files", None, "", "they contain no post-edits.")
    analyze(TargetedReference)
    return AddedPostEdits(n_edits, len(places.outputs.read))


class _Places:
    """Finds the output that each post-edit belongs to."""

    def __init__(self, test_set: TestSet, replace: bool) -> None:
        self.replace = replace
        self.outputs = Outputs(test_set.pk, with_texts=False)
        # Outputs that have a post-edit, by system and name: from before, and from these files.
        self.old: dict[tuple[str, str], set[int]] = {}
        self.new: dict[tuple[str, str], set[int]] = {}

    def rows(self, batch: list[PostEditRow]) -> Iterator[tuple[int, str, str]]:
        """Values for `copy_rows`, once everything in the way is out of it."""
        found = [(self.output_of(edit), edit.name, edit.text) for edit in batch]
        if self.replace:
            by_name: dict[str, list[int]] = {}
            for output, name, _ in found:
                by_name.setdefault(name, []).append(output)
            for name, outputs in by_name.items():
                TargetedReference.objects.filter(name=name, output__in=outputs).delete()
        return iter(found)

    def output_of(self, edit: PostEditRow) -> int:
        """The key of the output; raises ImportProblem when there is none, or when it is edited."""
        output = self.outputs.find(edit.system, edit.segment, edit.problem, row=edit.row).pk
        self.check_new(edit, output)
        return output

    def check_new(self, edit: PostEditRow, output: int) -> None:
        key = (edit.system, edit.name)
        if key not in self.old:
            rows = TargetedReference.objects.filter(
                output__system=self.outputs.systems[edit.system], name=edit.name
            )
            self.old[key] = set(rows.order_by().values_list("output_id", flat=True))
            self.new[key] = set()
        if output in self.new[key]:
            raise edit.problem("segment", f"a second {shortened(edit.name)} of the same output.")
        if output in self.old[key] and not self.replace:
            name = shortened(edit.name)
            reason = f"the output already has a post-edit {name}. You can choose to replace it."
            raise edit.problem("segment", reason)
        self.new[key].add(output)
