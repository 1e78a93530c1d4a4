"""Word links of a campaign of `alignment`: how many, how sure, and how far people agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from judgments.models import AlignmentLink, ItemOutput, Kind, PrefilledLink, kind_of_output
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.results.observations.observations import RESAMPLES, SEED, Observed, cached
from judgments.results.observations.units import MIN_DOCUMENTS
from judgments.results.selection.selection import Selection
from judgments.stats.alignment import LinkAgreement, Links, link_agreement

FATES = ("kept", "changed", "removed", "own")


class Linked(NamedTuple):
    """One judgment of one output."""

    judgment: int
    annotator: int
    output: int
    segment: int
    document: int


@dataclass(frozen=True)
class Linker:
    """What one annotator linked. Of links that were proposed, ``kept`` are as they were,
    ``changed`` are possible instead of sure or sure instead of possible, ``removed`` are gone;
    ``own`` were added to a proposal."""

    annotator: str
    n_judgments: int
    n_links: int
    n_sure: int
    n_without: int  # judgments that say that no words correspond
    kept: int
    changed: int
    removed: int
    own: int


@dataclass(frozen=True)
class LinksReport:
    """``every``: agreement over all pairs of annotators, and ``pairs`` of them; ``first`` and
    ``second`` of a pair index ``linkers``. ``resampled``: "documents" or "segments"."""

    linkers: tuple[Linker, ...]
    every: LinkAgreement
    pairs: tuple[LinkAgreement, ...]
    resampled: str
    n_judgments: int
    n_links: int
    n_proposed: int
    tokenization: str
    seed: int


def word_links(selection: Selection) -> LinksReport:
    """Return for regular items: who judged a text again agrees with nobody but themselves."""
    return cached(selection, "word_links", lambda observed: links_report(selection, observed))


def links_report(selection: Selection, observed: Observed) -> LinksReport:
    judged = linked_texts(selection)
    drawn = drawn_links(selection)
    names = {row.annotator: selection.aliases.get(row.annotator, "") for row in judged}
    users = sorted(names, key=lambda user: (names[user], user))
    code = {user: i for i, user in enumerate(users)}
    rows = [
        (k, *ends, sure)
        for k, row in enumerate(judged)
        for ends, sure in drawn.get((row.judgment, row.output), {}).items()
    ]
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    clusters, resampled = clusters_of(judged)
    every, pairs = link_agreement(
        [row.output for row in judged],
        [code[row.annotator] for row in judged],
        Links(*columns),
        clusters=clusters,
        rng=np.random.default_rng(SEED),
        resamples=RESAMPLES,
    )
    return LinksReport(
        linkers=_linkers(proposed_links(selection), {u: names[u] for u in users}, judged, drawn),
        every=every,
        pairs=pairs,
        resampled=resampled,
        n_judgments=len(judged),
        n_links=len(rows),
        n_proposed=PrefilledLink.objects.filter(campaign=selection.campaign).count(),
        tokenization=AlignmentOptions.of(selection.campaign).tokenization,
        seed=SEED,
    )


def linked_texts(selection: Selection) -> list[Linked]:
    """Return current judgments of regular items with the output that was shown, in the order in
    which they were stored, without annotators who are left out; of one person's two on a text the
    last."""
    shown = selection.rows_of(
        ItemOutput.objects.annotate(kind=kind_of_output("item", "output")).filter(
            position=0, kind=Kind.REGULAR
        ),
        judgment="item__judgments",
        everyone=True,
    )
    rows = shown.order_by("item__judgments").values_list(
        "item__judgments",
        "item__judgments__annotator_id",
        "output_id",
        "output__segment_id",
        "output__segment__document_id",
    )
    found = (Linked(*row) for row in rows.iterator())
    removed = selection.removed_outputs if selection.in_force.has_items else ()
    last = {
        (row.annotator, row.output): row
        for row in found
        if selection.counts(row.annotator) and row.output not in removed
    }
    return sorted(last.values())


def drawn_links(selection: Selection) -> dict[tuple[int, int], dict[tuple[int, int], bool]]:
    """By judgment and output, the links (source word, target word) and whether they are sure."""
    found: dict[tuple[int, int], dict[tuple[int, int], bool]] = {}
    rows = selection.rows_of(AlignmentLink.objects.filter(is_copy=False).order_by("pk"))
    for judgment, output, source, target, sure in rows.values_list(
        "judgment_id", "output_id", "source_token", "target_token", "is_sure"
    ).iterator():
        found.setdefault((judgment, output), {})[source, target] = sure
    return found


def proposed_links(selection: Selection) -> dict[int, dict[tuple[int, int], bool]]:
    """By output, the links that a program proposed."""
    found: dict[int, dict[tuple[int, int], bool]] = {}
    rows = PrefilledLink.objects.filter(campaign=selection.campaign).order_by("pk")
    for output, source, target, sure in rows.values_list(
        "output_id", "source_token", "target_token", "is_sure"
    ).iterator():
        found.setdefault(output, {})[source, target] = sure
    return found


def clusters_of(judged: list[Linked]) -> tuple[list[int], str]:
    """Return what is resampled, by judgment: documents, or segments where these are few; and its
    name."""
    documents = {row.document for row in judged}
    if MIN_DOCUMENTS <= len(documents) < len({row.segment for row in judged}):
        return [row.document for row in judged], "documents"
    return [row.segment for row in judged], "segments"


def _linkers(proposed, aliases, judged, drawn) -> tuple[Linker, ...]:
    counts: dict[int, Counter[str]] = {user: Counter() for user in aliases}
    for row in judged:
        links = drawn.get((row.judgment, row.output), {})
        count = counts[row.annotator]
        count["n_judgments"] += 1
        count["n_links"] += len(links)
        count["n_sure"] += sum(links.values())
        count["n_without"] += not links
        if row.output in proposed:
            count.update(fates(proposed[row.output], links))
    names = ("n_judgments", "n_links", "n_sure", "n_without", *FATES)
    return tuple(
        Linker(alias, **{name: counts[user][name] for name in names})
        for user, alias in aliases.items()
    )


def fates(
    proposed: dict[tuple[int, int], bool], links: dict[tuple[int, int], bool]
) -> Iterator[str]:
    """Yield what became of each proposed link, and which are the annotator's own."""
    for ends, sure in proposed.items():
        if ends not in links:
            yield "removed"
        else:
            yield "kept" if links[ends] == sure else "changed"
    yield from ("own" for ends in links if ends not in proposed)
