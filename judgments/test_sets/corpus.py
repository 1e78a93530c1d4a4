"""Import of test sets from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from psycopg2.extras import execute_values

from judgments.files import ImportProblem
from judgments.files.copying import analyze, copy_rows, new_ids
from judgments.files.output_texts import THE_SET
from judgments.files.problem import shortened
from judgments.files.texts import LONGEST_DOMAIN, SegmentTexts
from judgments.models import (
    Document,
    Output,
    Reference,
    Segment,
    System,
    TargetedReference,
    TestSet,
)
from judgments.models.chains import record

if TYPE_CHECKING:
    from judgments.test_sets.media.archive import MediaArchive

SEGMENTS_AT_ONCE = 500
original_language = Document._meta.get_field("original_language")


@transaction.atomic
def import_test_set(
    test_set: TestSet, segments: Iterable[SegmentTexts], media: MediaArchive | None = None
) -> TestSet:
    """Save a new test set with all its texts, or nothing.

    segments: from `judgments.files.texts`, read in chunks, so that files of any size take little
    memory. media: the files that rows name. Raise ImportProblem for any error in a file, and
    ValidationError for an invalid name or language of the test set.
    """
    test_set.full_clean()
    test_set.save()
    writer = _Writer(test_set, media)
    remaining = iter(segments)
    limit = settings.MAX_IMPORT_ROWS
    while batch := list(islice(remaining, SEGMENTS_AT_ONCE)):
        writer.write(batch)
        if writer.n_segments > limit:
            reason = f"there are more than {limit:,} segments, the limit of this site."
            raise ImportProblem(batch[-1].file, batch[-1].row, "", reason)
    analyze(Output, Reference, Segment)
    return test_set


def add_systems(test_set: TestSet, known: dict[str, int], names: Iterable[str]) -> None:
    """Store systems that are not known yet: a segment may lack outputs that others have."""
    added = [System(test_set=test_set, name=n) for n in dict.fromkeys(names) if n not in known]
    System.objects.bulk_create(added)
    known.update((system.name, system.pk) for system in added)


def add_references(
    segments: Iterable[tuple[int, SegmentTexts]], systems: Mapping[str, int]
) -> None:
    """Store the references of segments, each with its donor. systems: ids by names."""
    copy_rows(
        Reference,
        ["segment", "name", "text", "donor"],
        (
            (pk, name, text, systems.get(each.donors.get(name, "")))
            for pk, each in segments
            for name, text in each.references.items()
        ),
    )


class _Writer:
    def __init__(self, test_set: TestSet, media: MediaArchive | None) -> None:
        self.test_set = test_set
        self.media = media
        self.n_segments = 0
        self.systems: dict[str, int] = {}
        self.documents: dict[str, Document] = {}

    def write(self, batch: list[SegmentTexts]) -> None:
        names = (name for segment in batch for name in segment.outputs)
        add_systems(self.test_set, self.systems, names)
        self._add_documents(batch)
        ids = new_ids(Segment, len(batch))
        copy_rows(
            Segment,
            ["id", "test_set", "document", "key", "position", "source", "gloss"],
            (
                (
                    pk,
                    self.test_set.pk,
                    self.documents[s.document].pk,
                    s.key,
                    position,
                    s.source,
                    s.gloss,
                )
                for position, (pk, s) in enumerate(zip(ids, batch, strict=True), self.n_segments)
            ),
        )
        self.n_segments += len(batch)
        self._add_media(ids, batch)
        add_references(zip(ids, batch, strict=True), self.systems)
        copy_rows(
            Output,
            ["segment", "system", "text"],
            (
                (pk, self.systems[name], text)
                for pk, s in zip(ids, batch, strict=True)
                for name, text in s.outputs.items()
            ),
        )
        self._add_post_edits(ids, batch)

    def _add_post_edits(self, ids: Sequence[int], batch: list[SegmentTexts]) -> None:
        edits = {
            (pk, self.systems[name]): text
            for pk, each in zip(ids, batch, strict=True)
            for name, text in each.post_edits.items()
        }
        if not edits:
            return
        outputs = Output.objects.filter(segment__in=ids).order_by("pk")
        TargetedReference.objects.bulk_create(
            TargetedReference(output_id=pk, name=THE_SET, text=edits[segment, system])
            for pk, segment, system in outputs.values_list("pk", "segment", "system")
            if (segment, system) in edits
        )

    def _add_media(self, ids: Sequence[int], batch: list[SegmentTexts]) -> None:
        named = [(pk, each) for pk, each in zip(ids, batch, strict=True) if each.media]
        if not named:
            return
        if self.media is None:
            reason = "the row names a file, but no files came with the table. Upload a zip of them."
            raise ImportProblem(named[0][1].file, named[0][1].row, "media", reason)
        self.media.attach(self.test_set, named)
        if not self.test_set.has_media:
            self.test_set.has_media = True
            self.test_set.save(update_fields=["has_media"])

    def _add_documents(self, batch: list[SegmentTexts]) -> None:
        added = []
        for segment in batch:
            known = self.documents.get(segment.document)
            if known is None:
                known = self._new_document(segment)
                self.documents[segment.document] = known
                added.append(known)
            for column in ("domain", "original_language"):
                if getattr(segment, column) != getattr(known, column):
                    reason = (
                        f"the document {shortened(segment.document)} has a different "
                        f"{column.replace('_', ' ')} in an earlier row."
                    )
                    raise ImportProblem(segment.file, segment.row, column, reason)
        Document.objects.bulk_create(added)

    def _new_document(self, segment: SegmentTexts) -> Document:
        if len(segment.domain) > LONGEST_DOMAIN:
            reason = f"the domain is longer than {LONGEST_DOMAIN} characters."
            raise ImportProblem(segment.file, segment.row, "domain", reason)
        if segment.original_language:
            try:
                original_language.run_validators(segment.original_language)
            except ValidationError as error:
                raise ImportProblem(
                    segment.file, segment.row, "original_language", error.messages[0]
                ) from None
        return Document(
            test_set=self.test_set,
            name=segment.document,
            domain=segment.domain,
            original_language=segment.original_language,
            instructions=segment.instructions,
            position=len(self.documents),
        )


@dataclass(frozen=True)
class AddedTexts:
    """Counts of texts added to a test set of keys. n_left_out: segments that it does not have;
    n_new_outputs: outputs of systems that nobody judged."""

    n_segments: int
    n_new_outputs: int
    n_left_out: int


@transaction.atomic
def add_texts(test_set: TestSet, segments: Iterable[SegmentTexts]) -> AddedTexts:
    """Add all texts, or none, to a test set that only has keys.

    segments: from `judgments.files.texts`, matched by their keys; documents do not change. Every
    segment of the test set must be there with all of its outputs, and marked errors must be within
    their texts. Raise ImportProblem.
    """
    campaigns = record.lock_recorded(test_set.pk)
    test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    if test_set.has_texts:
        raise ImportProblem("files", None, "", "the test set already has its texts.")
    filler = _Filler(test_set)
    remaining = iter(segments)
    while batch := list(islice(remaining, SEGMENTS_AT_ONCE)):
        filler.fill(batch)
    filler.finish()
    test_set.has_texts = True
    test_set.save(update_fields=["has_texts"])
    analyze(Output, Reference, Segment)
    for campaign in campaigns:
        record.note(campaign, "texts brought", "segment", "reference", "output")
    return AddedTexts(len(filler.rows), filler.n_new, filler.n_left_out)


# The first marked error that ends after its text, in the order of the test set.
TOO_LONG = """
    SELECT g.id, s.name, e.side, e.start, e."end", c.name,
        char_length(CASE e.side WHEN 'source' THEN g.source ELSE o.text END)
    FROM judgments_errorspan e
    JOIN judgments_output o ON o.id = e.output_id
    JOIN judgments_segment g ON g.id = o.segment_id
    JOIN judgments_system s ON s.id = o.system_id
    JOIN judgments_judgment j ON j.id = e.judgment_id
    JOIN judgments_campaign c ON c.id = j.campaign_id
    WHERE g.test_set_id = %s AND e.side <> 'missing'
        AND e."end" > char_length(CASE e.side WHEN 'source' THEN g.source ELSE o.text END)
    ORDER BY g.position, e.id LIMIT 1
"""


class _Filler:
    """Writes texts into existing rows. rows: file and row of the texts, by id of the segment."""

    def __init__(self, test_set: TestSet) -> None:
        self.test_set = test_set
        self.segments = dict(test_set.segments.values_list("key", "pk"))
        self.systems = dict(test_set.systems.values_list("name", "pk"))
        self.rows: dict[int, tuple[str, int]] = {}
        self.n_new = self.n_left_out = 0

    def fill(self, batch: list[SegmentTexts]) -> None:
        known = [each for each in batch if each.key in self.segments]
        self.n_left_out += len(batch) - len(known)
        texts = {}
        for each in known:
            pk = self.segments[each.key]
            if pk in self.rows:
                reason = f"the segment {shortened(each.key)} occurs twice."
                raise ImportProblem(each.file, each.row, "segment", reason)
            if each.media:
                reason = "add media on the page Sound and pictures, after the texts."
                raise ImportProblem(each.file, each.row, "media", reason)
            texts[pk] = each
            self.rows[pk] = each.file, each.row
        _update(Segment, "source", [(pk, each.source) for pk, each in texts.items()])
        _update(Segment, "gloss", [(pk, e.gloss) for pk, e in texts.items() if e.gloss])
        self._fill_outputs(texts)
        add_references(texts.items(), self.systems)

    def _fill_outputs(self, texts: dict[int, SegmentTexts]) -> None:
        """Fill in the existing outputs, all of which must be in the file, and add further
        outputs."""
        systems = {pk: name for name, pk in self.systems.items()}
        there = Output.objects.filter(segment__in=texts).order_by("segment", "system")
        written: list[tuple[int, str]] = []
        seen: set[tuple[int, str]] = set()
        for pk, segment, system in there.values_list("pk", "segment_id", "system_id"):
            each, name = texts[segment], systems[system]
            if name not in each.outputs:
                reason = f"the system {shortened(name)} has an output for this segment; add it."
                raise ImportProblem(each.file, each.row, f"system:{name}", reason)
            written.append((pk, each.outputs[name]))
            seen.add((segment, name))
        _update(Output, "text", written)
        fresh = [
            (segment, name, text)
            for segment, each in texts.items()
            for name, text in each.outputs.items()
            if (segment, name) not in seen
        ]
        add_systems(self.test_set, self.systems, (name for _, name, _ in fresh))
        copy_rows(
            Output,
            ["segment", "system", "text"],
            ((segment, self.systems[name], text) for segment, name, text in fresh),
        )
        self.n_new += len(fresh)

    def finish(self) -> None:
        """Raise ImportProblem for a missing segment, or an error outside of its text."""
        missing = [key for key, pk in self.segments.items() if pk not in self.rows]
        if missing:
            reason = (
                f"{len(missing):,} of the {len(self.segments):,} segments of the test set are not "
                f"in it, the first of them {shortened(min(missing))}. Segments are matched by key."
            )
            file = next((file for file, _ in self.rows.values()), "files")
            raise ImportProblem(file, None, "", reason)
        for segment, system, side, start, end, campaign, length in _rows(TOO_LONG, self.test_set):
            column = "source" if side == "source" else f"system:{system}"
            reason = (
                f"the text has {length:,} characters, but an error was marked from {start:,} to "
                f"{end:,} in the campaign {shortened(campaign)}. Is this the text that was judged?"
            )
            raise ImportProblem(*self.rows[segment], column, reason)


def _rows(statement: str, test_set: TestSet) -> Iterator[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(statement, [test_set.pk])
        yield from cursor.fetchall()


def _update(model: Any, field: str, rows: list[tuple[int, str]]) -> None:
    """Set a field of many rows, each to its own text."""
    if not rows:
        return
    table = connection.ops.quote_name(model._meta.db_table)
    statement = (
        f"UPDATE {table} SET {field} = given.text FROM (VALUES %s) AS given (id, text) "
        f"WHERE {table}.id = given.id"
    )
    with connection.cursor() as cursor:
        execute_values(cursor.cursor, statement, rows, page_size=len(rows))
