"""The texts of a test set as lists in its order, and the hash that shows when they changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from judgments.models import Output, Reference, Segment, TargetedReference, TestSet
from judgments.models.corpus import texts_hash
from judgments.models.moments import connection_to_read

# PostgreSQL stores no NUL, so this can never be a text.
MISSING = "\0"


@dataclass(frozen=True)
class SourceTexts:
    """Source and references of every segment, in the order of the test set.

    `references` has one list for each of `names`, None where a segment has no such reference.
    """

    segment_ids: list[int]
    sources: list[str]
    names: list[str]
    references: list[list[str | None]]

    @cached_property
    def own_hash(self) -> str:
        """A hash over source and references, taken once for all systems."""
        streams: list[Sequence[str | None]] = [self.sources, *self.references]
        return hash_of(text for stream in streams for text in stream)

    def hash_with(self, outputs: Sequence[str | None]) -> str:
        """Return a hash over source, references and outputs: what a score depends on."""
        return hash_of([self.own_hash, *outputs])


def hash_of(texts: Iterable[str | None]) -> str:
    return texts_hash(MISSING if text is None else text for text in texts)


def load_sources(test_set: TestSet, names: Sequence[str]) -> SourceTexts:
    """Return source and references of a test set, in two queries."""
    segments = list(
        Segment.objects.filter(test_set=test_set).order_by("position").values_list("pk", "source")
    )
    place = {pk: i for i, (pk, _) in enumerate(segments)}
    references: dict[str, list[str | None]] = {name: [None] * len(segments) for name in names}
    rows = Reference.objects.filter(segment__test_set=test_set, name__in=names).order_by()
    for segment_id, name, text in rows.values_list("segment_id", "name", "text"):
        if segment_id in place:
            references[name][place[segment_id]] = text
    return SourceTexts(
        [pk for pk, _ in segments],
        [source for _, source in segments],
        list(names),
        [references[name] for name in names],
    )


def load_outputs(sources: SourceTexts, system_ids: Sequence[int]) -> dict[int, list[str | None]]:
    """Return outputs of some systems by system, in the order of the test set, in one query."""
    place = {pk: i for i, pk in enumerate(sources.segment_ids)}
    outputs: dict[int, list[str | None]] = {pk: [None] * len(place) for pk in system_ids}
    rows = Output.objects.filter(system_id__in=system_ids).order_by()
    for system_id, segment_id, text in rows.values_list("system_id", "segment_id", "text"):
        if segment_id in place:  # and not added since the sources were read
            outputs[system_id][place[segment_id]] = text
    return outputs


def load_targeted(
    sources: SourceTexts, names: Sequence[str], system_ids: Sequence[int]
) -> dict[int, list[list[str | None]]]:
    """Return the post-edits of some systems' outputs by system, a list for each name, in the order
    of the test set, in one query."""
    place = {pk: i for i, pk in enumerate(sources.segment_ids)}
    number = {name: i for i, name in enumerate(names)}
    found: dict[int, list[list[str | None]]] = {
        pk: [[None] * len(place) for _ in names] for pk in system_ids
    }
    rows = TargetedReference.objects.filter(output__system_id__in=system_ids, name__in=names)
    for system_id, segment_id, name, text in rows.order_by().values_list(
        "output__system_id", "output__segment_id", "name", "text"
    ):
        if segment_id in place:
            found[system_id][number[name]][place[segment_id]] = text
    return found


TEXTS = """SELECT md5(string_agg(part, ' ' ORDER BY kind, id)) FROM (
    SELECT 0 AS kind, id, concat(id, ':', position, md5(source)) AS part
        FROM judgments_segment WHERE test_set_id = %(test_set)s
    UNION ALL SELECT 1, o.id, concat(o.id, ':', s.id, md5(s.name), md5(o.text))
        FROM judgments_output o JOIN judgments_system s ON s.id = o.system_id
        WHERE s.test_set_id = %(test_set)s
    UNION ALL SELECT 2, r.id, concat(r.id, ':', md5(r.name), md5(r.text))
        FROM judgments_reference r JOIN judgments_segment g ON g.id = r.segment_id
        WHERE g.test_set_id = %(test_set)s
    UNION ALL SELECT 3, t.id, concat(t.id, ':', md5(t.name), md5(t.text))
        FROM judgments_targetedreference t JOIN judgments_output o ON o.id = t.output_id
        JOIN judgments_system s ON s.id = o.system_id WHERE s.test_set_id = %(test_set)s
) parts"""


def texts_mark(test_set: TestSet) -> str:
    """Return a digest of all texts of a test set, in one statement."""
    with connection_to_read().cursor() as cursor:
        cursor.execute(TEXTS, {"test_set": test_set.pk})
        return cursor.fetchone()[0] or ""
