"""Leanings of a judge that people do not have: order, length, its own family, low scores; and the
reliability of its answers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import Count
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from judgments.judges.conversation import OUTSIDE, WAS_CUT_OFF
from judgments.models import ErrorSpan, Judge, Output
from judgments.protocols import protocol_of
from judgments.protocols.kinds import KINDS
from judgments.results.observations.observations import SEED, Observed
from judgments.results.observations.tables import places
from judgments.stats.judge_bias import Leaning, difference, share, slope

from .rows import Beside, Verdicts

LOWEST = 0.2  # of a scale
IN_POINTS = ("length", "family")  # the other figures are shares


@dataclass(frozen=True)
class JudgeLeaning:
    """``found``: for the judge alone, or for the judge minus people, whose own figures then are
    ``judge`` and ``people``. ``about``: how it is computed."""

    slug: str
    title: str
    found: Leaning
    about: str
    judge: float = math.nan
    people: float = math.nan


def leanings(
    both: Beside, judge: Judge, observed: Observed, family: tuple[str, ...]
) -> Iterator[JudgeLeaning]:
    """Yield the leanings that the protocol and the stored data allow."""
    if both.rates:
        yield from of_low_scores(both)
    else:
        yield from of_order(both, in_pairs=protocol_of(judge.answers).in_pairs)
        yield of_two(
            "ties", _("Says that both are equal"), both, lambda v: v.value == 0,
            _("share of comparisons"),
        )  # fmt: skip
    yield of_length(both, observed)
    if family:
        yield of_family(both, family)
    yield from of_repeats(both)
    yield from of_answers(both, judge, observed)


def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


def of_two(slug: str, title: str, both: Beside, hits, about: str) -> JudgeLeaning:
    """Return the share of hits among the judge's verdicts, minus that among people's of the same
    items."""
    # An item that several people judged counts once, as for the judge.
    verdicts, values = [], []
    for each in (both.judge, both.people):
        _, mean, row = replace(each, value=hits(each).astype(np.float64)).means()
        verdicts.append(each.where(row))
        values.append(mean)
    own, theirs = verdicts
    shares = [float(mean.mean()) if len(mean) else math.nan for mean in values]
    found = difference(
        np.append(*values),
        np.append(np.ones(len(own), bool), np.zeros(len(theirs), bool)),
        both.clusters[np.append(own.segment, theirs.segment)],
        rng(),
    )
    return JudgeLeaning(slug, title, found, about, *shares)


def of_low_scores(both: Beside) -> Iterator[JudgeLeaning]:
    """Yield the share of low scores, if the scale has ends."""
    scale = both.scale
    if scale is None or scale.low is None or scale.high is None:
        return
    limit = scale.low + LOWEST * (scale.high - scale.low) + 1e-9
    yield of_two(
        "low", _("Gives the lowest scores"), both, lambda v: v.value <= limit,
        _("share of scores in the lowest fifth of the scale, up to %(limit)s")
        % {"limit": f"{limit:.4g}"},
    )  # fmt: skip


def of_order(both: Beside, *, in_pairs: bool) -> Iterator[JudgeLeaning]:
    """Yield leanings of comparisons: what changes with the order, and whether the first is
    preferred."""
    if in_pairs:
        for slug, title, same in (
            ("order", _("Says something else when the order is turned"), False),
            ("same-order", _("Says something else in the same order"), True),
        ):
            differs, clusters = differing(both, same_order=same)
            if len(differs):
                found = share(differs, np.ones(len(differs)), clusters, rng())
                yield JudgeLeaning(slug, title, found, _("share of pairs of its samples"))
    decided = [v.where(v.value != 0) for v in (both.samples, both.people)]
    first = [v.value == v.shown for v in decided]
    if len(first[0]):
        shares = [float(each.mean()) if len(each) else math.nan for each in first]
        found = share(first[0], np.ones(len(first[0])), both.clusters[decided[0].segment], rng())
        yield JudgeLeaning(
            "first", _("Prefers the one that stands first"), found,
            _("share of decided comparisons; .5 without a leaning"), *shares,
        )  # fmt: skip


def differing(both: Beside, *, same_order: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return whether two samples of an item differ, for all pairs with the same order, or with the
    other."""
    by_seat = samples_of(both.samples)
    differs, segments = [], []
    for one, other in itertools.combinations(sorted(by_seat), 2):
        a, b = common(by_seat[one], by_seat[other])
        fits = (a.shown == b.shown) == same_order
        differs.append((a.value != b.value)[fits])
        segments.append(a.segment[fits])
    if not differs:
        return np.zeros(0, bool), np.zeros(0, int)
    return np.concatenate(differs), both.clusters[np.concatenate(segments)]


def samples_of(samples: Verdicts) -> dict[int, Verdicts]:
    return {int(seat): samples.where(samples.rater == seat) for seat in np.unique(samples.rater)}


def common(one: Verdicts, other: Verdicts) -> tuple[Verdicts, Verdicts]:
    """Return both on the items that both have, in the same order."""
    _items, a, b = np.intersect1d(one.item, other.item, return_indices=True)
    return one.where(a), other.where(b)


def of_length(both: Beside, observed: Observed) -> JudgeLeaning:
    """Return how much more than people it gives to an output of twice the length."""
    lengths = lengths_of(observed)
    gap, rows = gaps(both)
    first, second = (
        np.log2(np.maximum(lengths[rows.segment, system], 1))
        for system in (rows.first, rows.second)
    )
    clusters = both.clusters[rows.segment]
    if both.rates:
        found = slope(gap, first, clusters, rng())
        about = _("points more than people for twice the characters")
    else:
        found = slope(gap, first - second, clusters, rng(), through_zero=True)
        about = _("verdicts from −1 to 1, more than people's for twice the characters")
    return JudgeLeaning("length", _("Favors long translations"), found, about)


def lengths_of(observed: Observed) -> np.ndarray:
    """Return characters of outputs, (segments, systems) by code; 0 if there is none."""
    found = np.zeros((len(observed.segment_ids), len(observed.system_ids)))
    rows = Output.objects.filter(system__in=observed.system_ids.tolist())
    columns = np.array(
        list(rows.values_list("segment", "system", Length("text"))), np.int64
    ).reshape(-1, 3)
    segment = places(columns[:, 0], observed.segment_ids)
    system = places(columns[:, 1], observed.system_ids)
    known = (segment >= 0) & (system >= 0)
    found[segment[known], system[known]] = columns[known, 2]
    return found


def gaps(both: Beside) -> tuple[np.ndarray, Verdicts]:
    """Return for each item the judge's mean minus people's, and a row of each."""
    items, theirs, row = both.people.means()
    own_items, own, _ = both.samples.means()
    _, a, b = np.intersect1d(items, own_items, return_indices=True)
    return own[b] - theirs[a], both.people.where(row[a])


def of_family(both: Beside, family: tuple[str, ...]) -> JudgeLeaning:
    """Return how much more than people it gives to systems of its family than to others."""
    gap, rows = gaps(both)
    inside = np.isin(both.systems, list(family))
    clusters = both.clusters[rows.segment]
    names = ", ".join(sorted(family))
    title = _("Favors its own family")
    if both.rates:
        found = difference(gap, inside[rows.first], clusters, rng())
        about = _("points more than people for %(names)s than for the others")
        return JudgeLeaning("family", title, found, about % {"names": names})
    one = inside[rows.first] != inside[rows.second]
    turned = np.where(inside[rows.first], 1, -1)
    found = share((turned * gap)[one], np.ones(one.sum()), clusters[one], rng())
    about = _("verdicts from −1 to 1, more than people's, for %(names)s against the others")
    return JudgeLeaning("family", title, found, about % {"names": names})


def of_repeats(both: Beside) -> Iterator[JudgeLeaning]:
    """Yield, for scores that were requested several times, how often they are the same."""
    by_seat = samples_of(both.samples)
    if not both.rates or len(by_seat) < 2:
        return
    pairs = [common(by_seat[a], by_seat[b]) for a, b in itertools.combinations(sorted(by_seat), 2)]
    apart = np.concatenate([abs(a.value - b.value) for a, b in pairs])
    clusters = both.clusters[np.concatenate([a.segment for a, _ in pairs])]
    for slug, title, most in (
        ("same", _("Gives the same score again"), 0),
        ("near", _("Gives a score within one point again"), 1),
    ):
        found = share(apart <= most + 1e-9, np.ones(len(apart)), clusters, rng())
        yield JudgeLeaning(slug, title, found, _("share of pairs of its samples"))


def is_unfit(problem: str) -> bool:
    """Return whether an answer did not fit: the problem is in its content."""
    return bool(problem) and problem != WAS_CUT_OFF and not problem.startswith(OUTSIDE)


def of_answers(both: Beside, judge: Judge, observed: Observed) -> Iterator[JudgeLeaning]:
    """Yield leanings of all requests: answers that did not fit the question, and errors that occur
    nowhere in the texts."""
    rows = list(
        judge.raw_answers.order_by("item").values_list(
            "item", "item__segment", "judgment", "is_last", "n_unplaced", "problem"
        )
    )
    if not rows:
        return
    given_up, repaired, unplaced, segments = [], [], [], []
    for _item, group in itertools.groupby(rows, key=lambda row: row[0]):
        answers = list(group)
        _items, of, judgments, ends, lost, problems = zip(*answers, strict=True)
        is_answered = any(judgments)
        if not any(ends) or (not is_answered and not is_unfit(problems[-1])):
            continue  # the endpoint failed, not the model
        given_up.append(not is_answered)
        repaired.append(is_answered and any(map(is_unfit, problems)))
        unplaced.append(sum(lost))
        segments.append(of[0])
    where = places(np.array(segments, np.int64), observed.segment_ids)
    kept = where >= 0
    clusters, ones = both.clusters[where[kept]], np.ones(kept.sum())
    asked = _("share of all items that it was asked about, in whatever documents")
    found = share(np.array(given_up)[kept], ones, clusters, rng())
    yield JudgeLeaning("unfit", _("Never gives an answer that fits"), found, asked)
    found = share(np.array(repaired)[kept], ones, clusters, rng())
    yield JudgeLeaning("repaired", _("Gives an answer that fits only after a repair"), found, asked)
    if ErrorSpan in {KINDS[kind].model for kind in protocol_of(judge.answers).kinds}:
        placed = dict(
            ErrorSpan.objects.filter(judgment__campaign=judge.answers_id)
            .order_by()
            .values_list("judgment__item__segment")
            .annotate(Count("pk"))
        )
        nowhere = np.bincount(where[kept], weights=np.array(unplaced)[kept])
        at = np.flatnonzero(np.bincount(where[kept]))
        n = np.array([placed.get(int(pk), 0) for pk in observed.segment_ids[at]])
        found = share(nowhere[at], nowhere[at] + n, both.clusters[at], rng())
        about = _("share of the errors that it named")
        yield JudgeLeaning("unplaced", _("Names errors that occur nowhere"), found, about)
