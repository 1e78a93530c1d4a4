"""Word links and hints on a judging screen, and the record of shown hints.

Fast: every screen of a campaign that shows links calls this, and no other screen does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.crypto import salted_hmac

from judgments.models import (
    Item,
    ItemOutput,
    JobStatus,
    Judgment,
    LinkPurpose,
    OutputLinks,
    ShownHints,
)
from judgments.models.prepared_queries import Prepared
from judgments.protocols import Protocol
from judgments.protocols.tokens import tokens

links_on_item = Prepared(
    lambda campaign, item: OutputLinks.objects.filter(
        run__campaign=campaign,
        run__purpose=LinkPurpose.READING,
        run__status=JobStatus.DONE,
        output__in=ItemOutput.objects.filter(item=item).values("output"),
    ).order_by("pk"),
    related=["run", "output", "output__segment"],
)


@dataclass(frozen=True)
class PlaceLinks:
    """Links of one text. `data`: for the script: words of the source, words of the text and links;
    empty if none are shown. `hints`: words of the source, None if no hints are shown at all;
    `hint_places`: their places, `12-17 30-34`."""

    data: str = ""
    hints: tuple[str, ...] | None = None
    hint_places: str = ""


@dataclass(frozen=True)
class ScreenLinks:
    """Links by place on the screen. `mark` identifies the run of the hints; empty without hints."""

    places: Mapping[int, PlaceLinks] = field(default_factory=dict)
    mark: str = ""


def links_of(protocol: Protocol, item: Item, shown: Sequence[ItemOutput]) -> ScreenLinks | None:
    """Return the links on the screen of an item; None if the campaign shows none, if the source is
    hidden, and as long as any text of the campaign may lack its links."""
    options = protocol.options
    if not (options.word_links or options.omission_hints) or protocol.given is not None:
        return None
    if item.pk is None or not protocol.gives_source(item):
        return None
    rows = _rows(protocol, item)
    places, mark = {}, ""
    for place, each in enumerate(shown, 1):
        row = rows.get((each.output_id, each.altered_id))
        if row is None:
            continue
        source = row.output.segment.source
        if row.digest != digest_of(source, each.text):
            continue
        hints = _hints(source, row) if options.omission_hints else None
        places[place] = PlaceLinks(
            _data(source, each.text, row.links) if options.word_links else "",
            None if hints is None else tuple(source[start:end] for start, end in hints),
            _written(hints or ()),
        )
        mark = mark_of(row.run_id, row.run.moved_at) if options.omission_hints else ""
    return ScreenLinks(places, mark)


def _rows(protocol: Protocol, item: Item) -> dict[tuple[int, int | None], OutputLinks]:
    found = links_on_item(protocol.campaign.pk, item.pk)
    return {(row.output_id, row.altered_id): row for row in found}


def record_hints(
    protocol: Protocol, judgment: Judgment, item: Item, rows: Sequence[ItemOutput], mark: str
) -> None:
    """Store which hints the judged screen showed, for all outputs of the judgment.

    mark: as returned by the screen; hints of another run were not on it.
    """
    if not protocol.options.omission_hints or not mark:
        return
    stored = _rows(protocol, item)
    found = []
    for each in rows:
        row = stored.get((each.output_id, each.altered_id))
        if row is None or mark != mark_of(row.run_id, row.run.moved_at):
            continue
        source = row.output.segment.source
        if row.digest != digest_of(source, each.text):
            continue
        places = _written(_hints(source, row))
        found.append(ShownHints(judgment=judgment, output_id=each.output_id, places=places))
    ShownHints.objects.bulk_create(found)


def mark_of(run: int, moved_at) -> str:
    """Return an identifier of a run's results, without its number."""
    return salted_hmac("judgments.links", f"{run} {moved_at.timestamp()}").hexdigest()[:12]


def digest_of(source: str, target: str) -> str:
    """Return a digest of a pair of texts."""
    return hashlib.sha256(f"{source}\0{target}".encode()).hexdigest()[:16]


def _hints(source: str, row: OutputLinks) -> list[tuple[int, int]]:
    places = tokens(source)
    return [places[int(place)] for place in row.hints.split()]


def _written(places: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{start}-{end}" for start, end in places)


def _data(source: str, target: str, links: str) -> str:
    """Return `0 3 1 4|0 5|0-0 1-0`: for each word the gap before it and its length, in code
    points."""
    return "|".join((_words(source), _words(target), links))


def _words(text: str) -> str:
    found, end = [], 0
    for start, stop in tokens(text):
        found += [start - end, stop - start]
        end = stop
    return " ".join(map(str, found))
