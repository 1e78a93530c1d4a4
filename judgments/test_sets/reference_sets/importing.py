"""A further reference set, such as a corrected copy of one that is there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import MD5

from judgments.files import ImportProblem
from judgments.files.problem import shortened
from judgments.files.reference_texts import ReferenceText
from judgments.files.rows import RowKind, import_rows
from judgments.models import Reference, ReferenceFacts, ReferenceKind, TestSet, reference_facts_of
from judgments.models.chains import record
from judgments.models.reference_facts import line_of
from judgments.protocols import protocol_of
from judgments.web import plurals as counted

# Segments that a copy lacks, and in how many it says something else.
AGAINST = """SELECT count(*) FILTER (WHERE c.id IS NULL),
        min(g.key) FILTER (WHERE c.id IS NULL),
        count(*) FILTER (WHERE c.text <> r.text)
    FROM judgments_reference r JOIN judgments_segment g ON g.id = r.segment_id
    LEFT JOIN judgments_reference c ON c.segment_id = r.segment_id AND c.name = %s
    WHERE g.test_set_id = %s AND r.name = %s"""


class Correction(NamedTuple):
    """Of which reference a set is a corrected copy, and the `CloningStep` of it, or ""."""

    original: str
    step: str


@dataclass(frozen=True)
class AddedReference:
    """n_segments: that have a text; n_changed: of these, where a corrected copy differs from its
    original. Of a set that was replaced: n_without_donor: segments whose donor was of another text;
    copy_of: the original of which it was stated to be a copy."""

    n_segments: int
    n_changed: int = 0
    is_replaced: bool = False
    n_without_donor: int = 0
    copy_of: str = ""

    def lost(self) -> list[str]:
        """Return what was stated of the texts that were replaced and is no longer, in sentences."""
        found = []
        if n := self.n_without_donor:
            found.append(f"The donors of {counted.segments(n)} were removed with the old texts.")
        if self.copy_of:
            found.append(f"It is no longer stated to be a corrected copy of {self.copy_of}.")
        return found


class ReferenceSet(RowKind[ReferenceText]):
    """Of a test set. A segment has one of each name."""

    model = Reference
    fields = ("segment", "name", "text")
    nouns = "reference texts"
    adds = True
    before_judging = False

    def __init__(self, owner: TestSet, *, replace: bool) -> None:
        super().__init__(owner, replace=replace)
        rows = owner.segments.order_by("position").values_list("pk", "key", "source")
        self.segments = list(rows)
        self.places = {key: place for place, (_, key, _) in enumerate(self.segments)}

    def records(self, row: ReferenceText) -> Iterator[tuple[int, str, str]]:
        place = self.places.get(row.segment) if row.segment else row.row - 1
        if place is None:
            reason = f"the test set has no segment {shortened(row.segment)}."
            raise row.problem("segment", reason)
        segment, key, source = self.segments[place]
        if not self.first_time("", segment):
            raise row.problem("segment", f"the segment {shortened(key)} occurs twice.")
        # Spreadsheets change blanks and breaks.
        if row.source and row.source.split() != source.split():
            reason = "the source differs from that of this segment in the test set."
            raise row.problem("source", reason)
        yield segment, row.name, row.text

    def clear(self) -> None:
        Reference.objects.filter(segment__test_set=self.owner).delete()


@transaction.atomic
def add_reference(
    test_set: TestSet,
    name: str,
    rows: Iterable[ReferenceText],
    *,
    file: str,
    correction: Correction | None = None,
    replace: bool = False,
) -> AddedReference:
    """Store a reference set, all of it or nothing, and whose corrected copy it is.

    rows: of the set `name`. file: what is named where it is wrong as a whole. replace: a set of the
    same name goes; a donor stays where the text does. Where a campaign shows references the first
    of each segment stays, and a segment without one gets none, since that is what annotators are
    shown. Raise ImportProblem.
    """
    campaigns = record.lock_recorded(test_set.pk)
    test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    there = Reference.objects.filter(segment__test_set=test_set, name=name)
    if reason := _refusal(test_set, name, correction, is_new=replace or not there.exists()):
        raise ImportProblem(file, None, "", reason)
    before = shown(test_set) if are_shown(test_set) else None
    is_replaced = replace and there.exists()
    donors = donors_in(there)
    if replace:
        there.delete()
    n = import_rows(ReferenceSet, test_set, rows).rows
    n_without_donor = len(donors) - _carry_over(there, donors)
    if before is not None and (reason := _change(test_set, before)):
        raise ImportProblem(file, None, "", reason)
    n_changed = _state(test_set, name, correction, file) if correction else 0
    copy_of = _no_copy(test_set, name) if is_replaced and not correction else ""
    for campaign in campaigns:
        act = "reference replaced" if is_replaced else "reference added"
        record.note(campaign, act, "reference")
    return AddedReference(n, n_changed, is_replaced, n_without_donor, copy_of)


def _refusal(test_set: TestSet, name: str, correction: Correction | None, *, is_new: bool) -> str:
    """Return why no such set may come in; nothing if it may."""
    if not test_set.has_texts:
        return "the test set has no texts; add them first."
    if not is_new:
        return f"there is already a reference {shortened(name)}. You can choose to replace it."
    if correction and name in line_of(reference_facts_of(test_set), correction.original):
        return f"{shortened(correction.original)} is this reference, or was made from it."
    return ""


def donors_in(references: QuerySet[Reference]) -> dict[int, tuple[str, int]]:
    """Return a hash of the text, and the donor, of the segments that have one, by segment."""
    rows = references.filter(donor__isnull=False).values_list("segment_id", MD5("text"), "donor_id")
    return {segment: (text, donor) for segment, text, donor in rows}


def _carry_over(references: QuerySet[Reference], donors: dict[int, tuple[str, int]]) -> int:
    """Store the donors, as `donors_in`, of the segments whose text is the same; how many."""
    made: dict[int, list[int]] = defaultdict(list)
    rows = references.filter(segment__in=donors).values_list("pk", "segment_id", MD5("text"))
    for pk, segment, text in rows if donors else ():
        old, donor = donors[segment]
        if text == old:
            made[donor].append(pk)
    for donor, pks in made.items():
        Reference.objects.filter(pk__in=pks).update(donor=donor)
    return sum(map(len, made.values()))


def _no_copy(test_set: TestSet, name: str) -> str:
    """Delete what is stated of a corrected copy; the original's name, or ""."""
    facts = reference_facts_of(test_set).get(name)
    if facts is None or facts.kind != ReferenceKind.CORRECTED:
        return ""
    facts.delete()
    return facts.original or "another reference"


def are_shown(test_set: TestSet) -> bool:
    """Return whether a campaign on the test set shows references to its annotators."""
    return any(protocol_of(campaign).gives_references() for campaign in test_set.campaigns.all())


def _change(test_set: TestSet, before: dict[int, tuple[str, str]]) -> str:
    """Return why what annotators read would be another text; nothing where it stays. before:
    `shown`."""
    after = shown(test_set)
    rule = "annotators of campaigns are shown the first reference by name of each segment, and "
    if any(after.get(segment) != first for segment, first in before.items()):
        last = max(first for first, _text in before.values())
        return (
            f"{rule}that would change. Choose another name, one that comes after {shortened(last)}."
        )
    if new := after.keys() - before.keys():
        segment = test_set.segments.filter(pk__in=new).order_by("position")[0]
        return (
            f"{rule}{len(new):,} of them {'have' if len(new) != 1 else 'has'} none yet, such as "
            f"{shortened(segment.key)}. Leave them out."
        )
    return ""


def shown(test_set: TestSet) -> dict[int, tuple[str, str]]:
    """Return the first reference by name of each segment, which screens show: its name, and a hash
    of its text, by segment."""
    rows = Reference.objects.filter(segment__test_set=test_set).order_by("segment_id", "name")
    found = rows.distinct("segment_id").values_list("segment_id", "name", MD5("text"))
    return {segment: (name, text) for segment, name, text in found}


def _state(test_set: TestSet, name: str, correction: Correction, file: str) -> int:
    """Store what is stated of a corrected copy; in how many segments it says something else than
    its original. Raise ImportProblem for a copy that lacks segments."""
    with connection.cursor() as cursor:
        cursor.execute(AGAINST, [name, test_set.pk, correction.original])
        n_missing, first, n_changed = cursor.fetchone()
    if n_missing:
        reason = (
            f"{n_missing:,} segment{'s' * (n_missing != 1)} of {shortened(correction.original)} "
            f"{('are' if n_missing != 1 else 'is')} not in it, such as {shortened(first)}. A "
            "copy must contain all of them, including those in which nothing was corrected."
        )
        raise ImportProblem(file, None, "", reason)
    ReferenceFacts.objects.update_or_create(
        test_set=test_set,
        name=name,
        defaults={
            "kind": ReferenceKind.CORRECTED,
            "original": correction.original,
            "step": correction.step,
            "system": None,
        },
    )
    return n_changed
