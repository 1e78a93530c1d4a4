"""Screens that hold more, or something else, than the outputs of one segment: whole documents with
questions, and edits of outputs."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from django.db.models.functions import MD5

from judgments.models import Decision, Output, PostEdit
from judgments.protocols import protocol_of

from .layout import PlannedScreen


def outputs_by_document(
    campaign, systems: Collection[int] | None
) -> Iterator[tuple[int, list[tuple[int, int, int, int]]]]:
    """Yield each document with its outputs, in the order of the texts: (document, segment, output,
    system). systems: only these, or None."""
    outputs = Output.objects.filter(
        system__test_set=campaign.test_set_id, system__copies_reference=""
    )
    if systems is not None:
        outputs = outputs.filter(system__in=systems)
    rows = outputs.order_by("segment__document__position", "segment__position", "system_id")
    columns = rows.values_list("segment__document_id", "segment_id", "pk", "system_id")
    for document, group in groupby(columns.iterator(), key=lambda row: row[0]):
        yield document, list(group)


Versions = dict[int, PlannedScreen]  # of one document: the screen of each system


def n_questions(campaign) -> Counter:
    """Return how many questions are asked about each document, by its id."""
    return Counter(campaign.questions.values_list("document_id", flat=True))


def documents_with_questions(
    campaign, systems: Collection[int] | None
) -> tuple[dict[int, Versions], int, int]:
    """Return {document: its versions}, and how many segments are in them and in no version. Raises
    ValueError where there is nothing to ask."""
    asked = n_questions(campaign)
    if not asked:
        raise ValueError("There are no questions yet: add them under Questions first.")
    whole, n_segments, n_skipped = versions_of_documents(campaign, systems, asked)
    if not whole:
        raise ValueError("No document with questions was translated as a whole by any system.")
    return whole, n_segments, n_skipped


def versions_of_documents(
    campaign, systems: Collection[int] | None, only: Collection[int] | None = None
) -> tuple[dict[int, Versions], int, int]:
    """Return {document: its versions} by the systems that translated all of it, in the order of the
    texts, and how many segments are in them and in no version. only: these documents, or None."""
    n_segments = n_skipped = 0
    whole: dict[int, Versions] = {}
    for document, here in outputs_by_document(campaign, systems):
        segments = dict.fromkeys(row[1] for row in here)
        found = of_document(here, len(segments)) if only is None or document in only else {}
        if found:
            whole[document] = found
            n_segments += len(segments)
        else:
            n_skipped += len(segments)
    return whole, n_segments, n_skipped


def whole_versions(
    campaign, systems: Collection[int] | None
) -> tuple[dict[int, Versions], int, int]:
    """Return the same of all documents. Raise ValueError where no document is whole."""
    found = versions_of_documents(campaign, systems)
    if not found[0]:
        raise ValueError("No document was translated as a whole by any system.")
    return found


def of_document(
    rows: Sequence[tuple[int, int, int, int]], n_segments: int
) -> dict[int, PlannedScreen]:
    """Return the screen of each system that has an output for every segment.

    rows: (document, segment, output, system) in the order of the text.
    """
    by_system: dict[int, list[tuple[int, int]]] = {}
    for _, _, output, system in rows:
        by_system.setdefault(system, []).append((output, system))
    return {
        system: PlannedScreen(rows[0][1], tuple(outputs))
        for system, outputs in by_system.items()
        if len(outputs) == n_segments
    }


def edits_of_documents(
    campaign, systems: Collection[int] | None, rng
) -> tuple[dict[int, list[PlannedScreen]], int, int]:
    """Return {document: the screens of its edits}, and how many segments have edits and have none.

    Those that the campaign's option `edits_of` names: the current edits of that campaign, without
    those of annotators who were left out. Identical outputs were edited once, and their edit is
    judged once. Raise ValueError where there is nothing to judge.
    """
    rows = edits_to_judge(campaign)
    if systems is not None:
        rows = rows.filter(output__system__in=systems)
    columns = ("output__segment__document_id", "output__segment_id", "judgment_id")
    found = list(
        rows.annotate(before=MD5("output__text")).values_list(
            *columns, "before", "output_id", "output__system_id", "pk"
        )
    )
    if not found:
        raise ValueError("The campaign whose edits are to be judged has no edits yet.")
    # {document: {(segment, judgment, text before): rows}}
    grouped: dict[int, dict[tuple[int, int, str], list[tuple[int, int, int]]]] = {}
    for document, segment, judgment, before, *row in found:
        of_text = grouped.setdefault(document, {}).setdefault((segment, judgment, before), [])
        of_text.append(tuple(row))
    screens = {}
    for document, groups in grouped.items():
        keys = list(groups)
        place = {segment: i for i, segment in enumerate(dict.fromkeys(key[0] for key in keys))}
        # Segment by segment; within a segment in random order.
        shuffled = sorted((keys[i] for i in rng.permutation(len(keys))), key=lambda k: place[k[0]])
        screens[document] = [edit_screen(key[0], groups[key]) for key in shuffled]
    n_segments = len({row[1] for row in found})
    return screens, n_segments, campaign.test_set.segments.count() - n_segments


def edit_screen(segment: int, rows: Sequence[tuple[int, int, int]]) -> PlannedScreen:
    """rows: (output, system, edit) of the same edit; it is known by the first one's id."""
    outputs = tuple((output, system) for output, system, _ in rows)
    return PlannedScreen(segment, outputs, part=str(min(edit for *_, edit in rows)))


def edits_to_judge(campaign):
    """Return the edits of another campaign on the same texts, in the order of the test set. A copy,
    which was made for an identical output, counts as one: it is another system's."""
    named = protocol_of(campaign).options.edits_of
    decisions = Decision.objects.filter(campaign=named, dimension="").latest_of_each()
    left_out = [decision.annotator_id for decision in decisions if decision.excluded]
    return (
        PostEdit.objects.filter(
            judgment__campaign=named,
            judgment__superseded_by=None,
            output__system__test_set=campaign.test_set_id,
        )
        .exclude(judgment__annotator__in=left_out)
        .order_by("output__segment__document__position", "output__segment__position", "pk")
    )
