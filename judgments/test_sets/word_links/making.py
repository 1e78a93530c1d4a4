"""Making the links of a run: of every text that it is for, stored according to its purpose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from judgments.files.copying import copy_rows
from judgments.files.rows import lock
from judgments.models import (
    AlignerRun,
    AlteredOutput,
    Campaign,
    ItemOutput,
    JobStatus,
    LinkPurpose,
    Output,
    OutputLinks,
    Reference,
)
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.protocols.tokens import words_of
from judgments.test_sets.word_links.prefilled_links import ProposedLinks

from .aligner import Link, TrainedAligner, WordAligner
from .hints import common_words, hinted_words
from .linker import PairLinks, TextLinker
from .screen import digest_of

AT_ONCE = 200  # pairs of texts between two signs of life

Pair = tuple[str, str]


@dataclass(frozen=True)
class LinkedOutput:
    """An output, or the text that a control item shows instead, with its pair of texts."""

    output: int
    altered: int | None
    texts: Pair


def make(run: AlignerRun, aligner: WordAligner) -> None:
    """Make the links of a run. Raise Frozen if people have begun meanwhile."""
    makers = {
        LinkPurpose.PROPOSAL: make_proposal,
        LinkPurpose.READING: make_reading,
        LinkPurpose.COMPARISON: make_comparison,
    }
    makers[LinkPurpose(run.purpose)](Maker(run, aligner))


class Maker:
    """Trains on all texts of a campaign, and links the texts of a run."""

    def __init__(self, run: AlignerRun, aligner: WordAligner) -> None:
        self.run, self.aligner = run, aligner
        self.campaign: Campaign = run.campaign
        self.options = AlignmentOptions.of(self.campaign)
        self.linker = TextLinker(self.campaign.test_set, self.options.tokenization)
        self.outputs = list(outputs_of(self.campaign))
        self.references = list(reference_pairs(self.campaign))
        self.pairs = distinct([*(each.texts for each in self.outputs), *self.references])

    def train(self, model: str) -> TrainedAligner:
        trained = self.linker.train(self.aligner, self.pairs, model)
        self.run.n_pairs, self.run.n_given = trained.n_pairs, trained.n_given
        return trained

    def expect(self, n_texts: int) -> None:
        self.run.n_texts = n_texts
        self._tell()

    def link(
        self, trained: TrainedAligner, pairs: Sequence[Pair], method: str
    ) -> dict[Pair, PairLinks]:
        """Return the links of pairs; note the progress after each chunk."""
        found: dict[Pair, PairLinks] = {}
        for start in range(0, len(pairs), AT_ONCE):
            some = pairs[start : start + AT_ONCE]
            found |= zip(some, self.linker.link(trained, some, method), strict=True)
            self.run.n_done += len(some)
            self._tell()
        return found

    def cut(self, found: Iterable[PairLinks]) -> None:
        self.run.n_cut = sum(each.n_cut for each in found)
        self._tell()

    def _tell(self) -> None:
        fields = ("n_pairs", "n_given", "n_cut", "n_texts", "n_done")
        known = {name: getattr(self.run, name) for name in fields}
        own = AlignerRun.objects.filter(pk=self.run.pk, turn=self.run.turn)
        own.update(**known, moved_at=timezone.now())


def make_proposal(maker: Maker) -> None:
    """Store links that annotators start from: those that both directions link are sure."""
    run, campaign = maker.run, maker.campaign
    outputs = [each for each in maker.outputs if each.altered is None]
    pairs = distinct(each.texts for each in outputs)
    maker.expect(2 * len(pairs))
    trained = maker.train(run.model)
    found = maker.link(trained, pairs, run.method)
    sure = maker.link(trained, pairs, "intersection")
    maker.cut(found.values())
    every_sure = not maker.options.possible_links

    def records() -> Iterator[tuple]:
        for each in outputs:
            both = set(sure[each.texts].links)
            for link in found[each.texts].links:
                yield campaign.pk, each.output, *link, every_sure or link in both

    with transaction.atomic():
        rows = ProposedLinks(lock(ProposedLinks, campaign), replace=True)
        if not is_wanted(run):
            return
        rows.clear()
        copy_rows(ProposedLinks.model, ProposedLinks.fields, records())


def make_reading(maker: Maker) -> None:
    """Store links and hints for annotators, of every text that any screen may show."""
    run = maker.run
    maker.expect(2 * len(maker.pairs))
    trained = maker.train(run.model)
    found = maker.link(trained, maker.pairs, run.method)
    both = maker.link(trained, maker.pairs, "intersection")
    shown = {each.texts for each in maker.outputs}
    maker.cut(found[pair] for pair in shown)
    hints = hints_of(maker, both)
    store(
        run,
        [
            row_of(run, each, run.method, found[each.texts].links, hint)
            for each, hint in zip(maker.outputs, hints, strict=True)
        ],
    )


def hints_of(maker: Maker, both: Mapping[Pair, PairLinks]) -> list[list[int]]:
    """Return for each output the places of the source words without a counterpart."""
    originals = {each.output: each.texts for each in maker.outputs if each.altered is None}
    n_of = Counter([*originals.values(), *maker.references])
    of_source: dict[str, list[Pair]] = {}
    for pair in n_of:
        of_source.setdefault(pair[0], []).append(pair)
    words = {source: words_of(source, maker.options.tokenization) for source in of_source}
    common = common_words(words.values())
    found = []
    for each in maker.outputs:
        source, linked, own = each.texts[0], both[each.texts], originals[each.output]
        # A damaged copy is compared with the same others as its original: otherwise hints would
        # reveal it.
        others = [
            both[other].support
            for other in of_source[source]
            if other != each.texts and n_of[other] > (other == own)
        ]
        places = {i for i, _ in linked.links}
        found.append(hinted_words(words[source], linked.support, places, others, common))
    return found


def make_comparison(maker: Maker) -> None:
    """Store links by every model and method, of the texts that people linked."""
    run = maker.run
    judged = ItemOutput.objects.filter(
        item__task__campaign=maker.campaign, item__is_judged=True, altered=None
    )
    wanted = set(judged.values_list("output_id", flat=True))
    outputs = [each for each in maker.outputs if each.altered is None and each.output in wanted]
    pairs = distinct(each.texts for each in outputs)
    aligner = maker.aligner
    methods = [(model, method) for model in aligner.models for method in aligner.methods]
    maker.expect(len(methods) * len(pairs))
    rows: list[OutputLinks] = []
    trained = {model: maker.train(model) for model in aligner.models}
    for model, method in methods:
        found = maker.link(trained[model], pairs, method)
        name = f"{model} {method}"
        rows += [row_of(run, each, name, found[each.texts].links) for each in outputs]
        maker.cut(found.values())
    store(run, rows)


def row_of(
    run: AlignerRun,
    each: LinkedOutput,
    method: str,
    links: Iterable[Link],
    hints: Iterable[int] = (),
) -> OutputLinks:
    return OutputLinks(
        run=run,
        output_id=each.output,
        altered_id=each.altered,
        method=method,
        links=" ".join(f"{i}-{j}" for i, j in links),
        hints=" ".join(map(str, hints)),
        digest=digest_of(*each.texts),
    )


@transaction.atomic
def store(run: AlignerRun, rows: Sequence[OutputLinks]) -> None:
    """Store rows instead of those of the run, unless it was requested again meanwhile."""
    if not is_wanted(run):
        return
    # A plan may have been discarded meanwhile.
    altered = set(
        AlteredOutput.objects.filter(campaign=run.campaign_id).values_list("pk", flat=True)
    )
    OutputLinks.objects.filter(run=run).delete()
    OutputLinks.objects.bulk_create(
        (row for row in rows if row.altered_id is None or row.altered_id in altered),
        batch_size=1000,
    )


def is_wanted(run: AlignerRun) -> bool:
    """Return whether the run was not requested again meanwhile, and cannot be until the transaction
    ends."""
    own = AlignerRun.objects.select_for_update(of=("self",)).filter(pk=run.pk)
    return any((each.status, each.turn) == (JobStatus.RUNNING, run.turn) for each in own)


def outputs_of(campaign: Campaign) -> Iterator[LinkedOutput]:
    """Yield every output of the test set, and every text that a control item shows instead of
    one."""
    outputs = Output.objects.filter(segment__test_set=campaign.test_set_id).order_by("pk")
    for pk, *texts in outputs.values_list("pk", "segment__source", "text").iterator():
        yield LinkedOutput(pk, None, (texts[0], texts[1]))
    altered = AlteredOutput.objects.filter(campaign=campaign).order_by("pk")
    columns = ("pk", "output_id", "output__segment__source", "text")
    for pk, output, *texts in altered.values_list(*columns).iterator():
        yield LinkedOutput(output, pk, (texts[0], texts[1]))


def reference_pairs(campaign: Campaign) -> Iterator[Pair]:
    rows = Reference.objects.filter(segment__test_set=campaign.test_set_id).order_by("pk")
    yield from rows.values_list("segment__source", "text").iterator()


def distinct(pairs: Iterable[Pair]) -> list[Pair]:
    return list(dict.fromkeys(pairs))
