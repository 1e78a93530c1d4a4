"""People's links compared with an aligner's, for the texts that it was asked to compare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from judgments.models import AlignerRun, JobStatus, LinkPurpose, OutputLinks
from judgments.results.links.figures import Linked, clusters_of, drawn_links, linked_texts
from judgments.results.observations.observations import RESAMPLES, SEED, cached
from judgments.results.selection.selection import Selection
from judgments.stats.alignment import GoldError, gold_error
from judgments.test_sets.word_links.aligner import word_aligner

Ends = set[tuple[int, int]]


@dataclass(frozen=True)
class AlignerMethod:
    """A way to link words: `slug` of model and method, and their names."""

    slug: str
    model: str
    method: str


@dataclass(frozen=True)
class AlignerReport:
    """``methods``: slugs, see `method_of`; ``annotators`` by their names in the campaign.
    ``every``: for each method the error against all of them; ``each``: for each method that against
    each annotator, in order.

    ``n_without``: judgments of texts added after the aligner was asked, or whose links it made from
    other texts. ``n_pairs`` of ``n_given``: the pairs from which it learned. ``resampled``: as
    elsewhere.
    """

    methods: tuple[str, ...]
    annotators: tuple[str, ...]
    every: tuple[GoldError, ...]
    each: tuple[tuple[GoldError, ...], ...]
    n_without: int
    n_pairs: int
    n_given: int
    n_cut: int
    resampled: str
    resamples: int
    seed: int


# For campaigns that did not ask an aligner: their files have a header and no rows.
NOTHING = AlignerReport((), (), (), (), 0, 0, 0, 0, "segments", RESAMPLES, SEED)


def comparison_run(selection: Selection) -> AlignerRun | None:
    """Return the campaign's finished run for comparison."""
    return AlignerRun.objects.filter(
        campaign=selection.campaign, purpose=LinkPurpose.COMPARISON, status=JobStatus.DONE
    ).first()


def aligner_report(selection: Selection) -> AlignerReport | None:
    """Return the report; None as long as the aligner was not asked, or has not finished."""
    run = comparison_run(selection)
    if run is None:
        return None
    return cached(
        selection,
        "aligner_links",
        lambda observed: _report(selection, run),
        run=f"{run.pk} {run.moved_at.isoformat()}",
    )


def _report(selection: Selection, run: AlignerRun) -> AlignerReport:
    judged, drawn = linked_texts(selection), drawn_links(selection)
    found = links_by_method(run)
    known = [row for row in judged if all(row.output in links for links in found.values())]
    units, resampled = clusters_of(known)
    aliases = {row.annotator: selection.aliases.get(row.annotator, "") for row in known}
    users = sorted(aliases, key=lambda user: (aliases[user], user))
    mine = {user: [k for k, row in enumerate(known) if row.annotator == user] for user in users}
    every, each = [], []
    for links in found.values():
        counts = np.array([_counts(row, drawn, links) for row in known]).reshape(-1, 5)
        every.append(_error(counts, units))
        each.append(tuple(_error(counts[rows], [units[k] for k in rows]) for rows in mine.values()))
    return AlignerReport(
        methods=tuple(found),
        annotators=tuple(aliases[user] for user in users),
        every=tuple(every),
        each=tuple(each),
        n_without=len(judged) - len(known),
        n_pairs=run.n_pairs,
        n_given=run.n_given,
        n_cut=run.n_cut,
        resampled=resampled,
        resamples=RESAMPLES,
        seed=SEED,
    )


def _error(counts: np.ndarray, units: list[int]) -> GoldError:
    return gold_error(counts, units, rng=np.random.default_rng(SEED), resamples=RESAMPLES)


def _counts(
    row: Linked,
    drawn: Mapping[tuple[int, int], Mapping[tuple[int, int], bool]],
    links: Mapping[int, Ends],
) -> tuple[int, ...]:
    """Return |A|, |S|, |P|, |A∩S|, |A∩P| of one judgment."""
    ours, theirs = links[row.output], drawn.get((row.judgment, row.output), {})
    sure = {ends for ends, is_sure in theirs.items() if is_sure}
    return len(ours), len(sure), len(theirs), len(ours & sure), len(ours & theirs.keys())


def links_by_method(run: AlignerRun) -> dict[str, dict[int, Ends]]:
    """Return {method: {output: links}}, in the order of the aligner's models and methods."""
    found: dict[str, dict[int, Ends]] = {}
    rows = OutputLinks.objects.filter(run=run).order_by("pk")
    for method, output, written in rows.values_list("method", "output_id", "links").iterator():
        pairs = (pair.split("-") for pair in written.split())
        found.setdefault(method, {})[output] = {(int(i), int(j)) for i, j in pairs}
    return found


def method_of(slug: str) -> AlignerMethod:
    model, method = slug.split(" ", 1)
    aligner = word_aligner()
    models = dict(aligner.models) if aligner else {}
    methods = dict(aligner.methods) if aligner else {}
    return AlignerMethod(slug, str(models.get(model, model)), str(methods.get(method, method)))
