"""Sources of alignment links of outputs and references, and the number of crossing pairs."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from judgments.models import (
    AlignerRun,
    AlignmentLink,
    JobStatus,
    LinkPurpose,
    Output,
    OutputLinks,
    TestSet,
)
from judgments.protocols import protocol_of
from judgments.results.links.figures import drawn_links, linked_texts
from judgments.results.selection.selection import Selection
from judgments.stats.crossings import crossings
from judgments.web.cache import code_mark, get_or_compute
from metrics.lessons.phrase_tables.sides import TranslationSide, sides_of
from metrics.lessons.phrase_tables.storage import from_data
from metrics.models import LinkedTexts
from metrics.scoring.texts import texts_mark

ORIGINS = {
    "people": gettext_noop("people of this campaign drew"),
    "aligner": gettext_noop("the aligner of this campaign drew"),
    "texts": gettext_noop("the aligner drew for the test set's phrases and terms"),
}
# Which of a campaign's runs is used, and its method if there are several.
PURPOSES = (LinkPurpose.COMPARISON, LinkPurpose.READING, LinkPurpose.PROPOSAL)
METHOD = "diagonal grow-diag-final-and"


@dataclass(frozen=True, eq=False)
class CrossedLinks:
    """Crossings in T translations and N segments: ``n_crossing`` pairs of links out of ``n_pairs``,
    (T, N) each. ``origin``: a key of ORIGINS; ``is_stale``: whether a text has changed since."""

    origin: str
    sides: tuple[TranslationSide, ...]
    segment_ids: np.ndarray
    n_crossing: np.ndarray
    n_pairs: np.ndarray
    is_stale: bool = False

    @property
    def shares(self) -> np.ndarray:
        """Share of crossing pairs, (T, N); NaN for a text without a pair."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.n_crossing / self.n_pairs


def has_links(selection: Selection) -> bool:
    """Return whether links of a campaign's outputs exist, without reading them."""
    if links_mark(selection):
        return True
    campaign = selection.campaign
    drawn = AlignmentLink.objects.filter(judgment__item__task__campaign=campaign)
    return "links" in protocol_of(campaign).kinds and drawn.exists()


def links_mark(selection: Selection) -> str:
    """Return a mark that changes whenever an aligner links words of these texts; empty without
    links. One query."""
    runs = _runs(selection).order_by().values_list("pk", "moved_at")
    texts = LinkedTexts.objects.filter(
        test_set=selection.campaign.test_set_id, linked_at__isnull=False
    )
    made = runs.union(texts.order_by().values_list("pk", "linked_at"))
    return " ".join(sorted(f"{pk} {at}" for pk, at in made))


def links_of_campaign(selection: Selection) -> CrossedLinks | None:
    """Return the links of a campaign's outputs: those drawn by its people, or its aligner, or for
    the phrases of the test set; None without any."""
    return (
        _of_people(selection)
        or _of_aligner(selection)
        or links_of_test_set(selection.campaign.test_set)
    )


def links_of_test_set(test_set: TestSet) -> CrossedLinks | None:
    """Return the links of all outputs and references, as made for the page of phrases; None without
    them, or if segments were added or deleted since."""
    linked = (
        LinkedTexts.objects.filter(test_set=test_set, linked_at__isnull=False)
        .defer("data", "moses")
        .first()
    )
    segments = list(test_set.segments.order_by("position").values_list("pk", flat=True))
    if linked is None or linked.n_segments != len(segments):
        return None
    sides, stale = tuple(sides_of(linked)), linked.texts_mark != texts_mark(test_set)

    def compute() -> tuple[np.ndarray, np.ndarray]:
        found = from_data(LinkedTexts.objects.values_list("data", flat=True).get(pk=linked.pk))
        texts = found.sides
        n = len(sides) * linked.n_segments
        of_text = texts.target.segments[texts.target_places]
        counted = crossings(of_text, texts.source_places, texts.target_places, n)
        shape = len(sides), linked.n_segments
        return counted.n_crossing.reshape(shape), counted.n_pairs.reshape(shape)

    assert linked.linked_at
    key = f"crossings {code_mark()} {linked.pk} {linked.linked_at.isoformat()}"
    n_crossing, n_pairs = get_or_compute(
        sha256(key.encode()).hexdigest(), compute, group=-test_set.pk
    )
    return CrossedLinks("texts", sides, np.array(segments), n_crossing, n_pairs, stale)


def _of_people(selection: Selection) -> CrossedLinks | None:
    """Return people's links: a text linked by several people counts with the pairs of all of
    them."""
    drawn = drawn_links(selection)
    texts = [row for row in linked_texts(selection) if (row.judgment, row.output) in drawn]
    links = [
        (row.output, np.array(list(drawn[row.judgment, row.output]), np.int32).reshape(-1, 2))
        for row in texts
    ]
    return _crossed("people", selection.campaign.test_set, links)


def _of_aligner(selection: Selection) -> CrossedLinks | None:
    runs = {run.purpose: run for run in _runs(selection)}
    run = next((runs[purpose] for purpose in PURPOSES if purpose in runs), None)
    if run is None:
        return None
    rows = OutputLinks.objects.filter(run=run, altered=None)
    methods = sorted(set(rows.order_by().values_list("method", flat=True).distinct()))
    method = METHOD if METHOD in methods else next(iter(methods), "")
    written = rows.filter(method=method).values_list("output_id", "links")
    links = [(output, ends_of(text)) for output, text in written.iterator()]
    return _crossed("aligner", selection.campaign.test_set, links)


def ends_of(written: str) -> np.ndarray:
    """Return the links of one text, `0-0 1-2`, as word positions (L, 2)."""
    return np.array(written.replace("-", " ").split(), np.int32).reshape(-1, 2)


def _runs(selection: Selection) -> QuerySet[AlignerRun]:
    return AlignerRun.objects.filter(campaign=selection.campaign, status=JobStatus.DONE)


def _crossed(
    origin: str, test_set: TestSet, links: Sequence[tuple[int, np.ndarray]]
) -> CrossedLinks | None:
    """Return the crossings of ``links``: for each linked text its output and the ends of its links,
    (L, 2)."""
    lengths = [len(pairs) for _output, pairs in links]
    if not any(lengths):
        return None
    sources, targets = np.concatenate([pairs for _output, pairs in links]).T
    texts = np.repeat(np.arange(len(links)), lengths)
    segments = list(test_set.segments.order_by("position").values_list("pk", flat=True))
    systems = list(test_set.systems.values_list("pk", "name"))
    row = {pk: i for i, (pk, _name) in enumerate(systems)}
    place = {pk: i for i, pk in enumerate(segments)}
    outputs = Output.objects.filter(segment__test_set=test_set)
    where = {pk: (row[s], place[g]) for pk, s, g in outputs.values_list("pk", "system", "segment")}
    counted = crossings(texts, sources, targets, len(links))
    at = tuple(np.array([where[output] for output, _pairs in links]).T)
    n_crossing, n_pairs = np.zeros((2, len(systems), len(segments)), np.int64)
    np.add.at(n_crossing, at, counted.n_crossing)
    np.add.at(n_pairs, at, counted.n_pairs)
    sides = tuple(TranslationSide(name, "system", pk) for pk, name in systems)
    return CrossedLinks(origin, sides, np.array(segments), n_crossing, n_pairs)
