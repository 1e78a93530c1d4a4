"""What two systems word differently: n-grams that one has, or gets right, more often."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import Count, Max
from django.utils.translation import gettext as _

from judgments.models import Output, Reference
from judgments.results.observations.observations import cached
from judgments.results.segments.links import to_segment
from judgments.web import plurals as counted
from judgments.web.sections import Lazy, Section
from judgments.web.tables import Column, Table, figure
from metrics.scorers.contrast import NgramContrast, ngram_contrast
from metrics.scorers.tokenizers import get_tokenizer
from metrics.scoring.languages import suggested_tokenizer

if TYPE_CHECKING:
    from judgments.results.compare.pair import PairPage

SHOWN = 10
EITHER = ("first", "second")


def section(page: PairPage) -> Section:
    """Return for the page of two systems; brought to it by the configuration of the app."""
    tables = [
        Lazy(f"compared-words-{side}", title_of(side), partial(words_table, page, side))
        for side in EITHER
    ]
    return Section(
        slug="compared-words",
        title=_("What they word differently"),
        sentence=lambda: lead(page),
        notes=lambda: notes(page),
        tables=tables,
        exists=lambda: page.exists() and page.selection.campaign.test_set.has_texts,
        folded=True,
    )


def title_of(side: str) -> str:
    if side == "first":
        return _("What the first says more often")
    return _("What the second says more often")


def contrast_of(page: PairPage) -> NgramContrast:
    """Return for the outputs that were judged of both, and all references of their segments."""
    return cached(
        page.selection,
        "compared_words",
        lambda observed: _contrast(page),
        systems=page.two.system_ids,
        dimension=page.two.dimension,
        references=_references_mark(page),
    )


def _references_mark(page: PairPage) -> list[Any]:
    """Return changes when references of the test set do."""
    test_set = page.selection.campaign.test_set
    known = Reference.objects.filter(segment__test_set=test_set).order_by()
    return list(known.aggregate(n=Count("pk"), last=Max("pk")).values())


def _contrast(page: PairPage) -> NgramContrast:
    two, test_set = page.two, page.selection.campaign.test_set
    ids = two.segment_ids.tolist()
    outputs = Output.objects.filter(segment__test_set=test_set, system__in=two.system_ids)
    rows = outputs.order_by().values_list("system_id", "segment_id", "text")
    texts = {(system, segment): text for system, segment, text in rows.iterator()}
    known: dict[str, dict[int, str]] = {}
    references = Reference.objects.filter(segment__test_set=test_set).order_by()
    for name, segment, text in references.values_list("name", "segment_id", "text").iterator():
        known.setdefault(name, {})[segment] = text
    encoder = get_tokenizer(suggested_tokenizer(test_set.target_language)).encoder
    encoded = [
        encoder.encode([texts.get((system, pk), "") for pk in ids]) for system in two.system_ids
    ]
    others = [encoder.encode([each.get(pk, "") for pk in ids]) for each in known.values()]
    return ngram_contrast(encoded[0], encoded[1], others, encoder.vocabulary())


def chosen(found: NgramContrast, side: str) -> list[int]:
    """Return the n-grams that tell a side apart most, without those that are only a part of another
    one with the same counts."""
    share = found.share if side == "first" else 1 - found.share
    example = getattr(found, f"example_{side}")
    order = np.lexsort((found.order, -share))
    listed: list[int] = []
    for i in order.tolist():
        if share[i] <= 0.5 or len(listed) == SHOWN:
            break
        if example[i] >= 0 and not any(_is_part(found, i, k) for k in listed):
            listed = [k for k in listed if not _is_part(found, k, i)] + [i]
    return listed


def _is_part(found: NgramContrast, part: int, whole: int) -> bool:
    same = found.first[part] == found.first[whole] and found.second[part] == found.second[whole]
    return bool(same) and f" {found.text[part]} " in f" {found.text[whole]} "


def words_table(page: PairPage, side: str) -> Table:
    """Return the n-grams of one side; each leads to a segment in which it has it."""
    found = contrast_of(page)
    names = page.called
    columns = [
        Column("words", _("Words"), "text"),
        Column("n_first", names[0], "count", _("How often it has them")),
        Column("n_second", names[1], "count", _("How often it has them")),
    ]
    matched = found.matched_first is not None and found.matched_second is not None
    if matched:
        columns += [
            Column("right_first", _("%(name)s, right") % {"name": names[0]}, "count"),
            Column("right_second", _("%(name)s, right") % {"name": names[1]}, "count"),
        ]
    columns.append(Column("share", _("Share of the first"), "number", "(a + 1)/(a + b + 2)"))
    rows, links = [], {}
    for place, i in enumerate(chosen(found, side)):
        row: list[object] = [found.text[i], int(found.first[i]), int(found.second[i])]
        if found.matched_first is not None and found.matched_second is not None:
            row += [int(found.matched_first[i]), int(found.matched_second[i])]
        rows.append([*row, float(found.share[i])])
        at = int(getattr(found, f"example_{side}")[i])
        system = page.two.system_ids[EITHER.index(side)]
        links[place, "words"] = to_segment(
            page.selection, int(page.two.segment_ids[at]), system=system
        )
    return Table(f"compared-words-{side}", title_of(side), tuple(columns), rows, "", links)


def lead(page: PairPage) -> str:
    """Return the n-gram that tells either apart most."""
    found = contrast_of(page)
    said = []
    for side, name in zip(EITHER, page.called, strict=True):
        spelled = (i for i in chosen(found, side) if any(map(str.isalpha, found.text[i])))
        first = next(spelled, None)
        if first is not None:
            ours, theirs = getattr(found, side)[first], getattr(found, _other(side))[first]
            said.append(
                _("%(name)s has “%(words)s” %(ours)s times, the other %(theirs)s.")
                % {
                    "name": name,
                    "words": found.text[first],
                    "ours": figure(float(ours), 0),
                    "theirs": figure(float(theirs), 0),
                }
            )
    return " ".join(said) or _("No words are more frequent in one of them.")


def _other(side: str) -> str:
    return EITHER[1 - EITHER.index(side)]


def notes(page: PairPage) -> list[str]:
    """Return how it was counted."""
    known = {"n": counted.segments(len(page.two.segment_ids))}
    if contrast_of(page).matched_first is None:
        return [
            _(
                "N-grams of one to four words in %(n)s, by the smoothed share (a + 1)/(a + b + 2) "
                "of a in the first and b in the second."
            )
            % known
        ]
    return [
        _(
            "N-grams of one to four words in %(n)s, by the smoothed share (a + 1)/(a + b + 2) of a "
            "in the first and b in the second that a reference of the segment has, too."
        )
        % known
    ]
