"""The quality of one annotator's work, from their own rows alone: asked while they work."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from judgments.files.words import n_words
from judgments.models import (
    Campaign,
    Judgment,
    Membership,
    Preference,
    Rating,
    Segment,
    System,
    kind_of_output,
)
from judgments.protocols import protocol_of
from judgments.quality.control_items.figures import control_facts
from judgments.quality.rules.figures import AnnotatorQuality, quality_of
from judgments.results.observations.observations import KINDS, Observed, dimensions_of
from judgments.results.observations.rows import Rows

RATING = ("id", "judgment", "item", "segment", "system", "dimension", "value", "kind", "copy")
PREFERENCE = ("id", "judgment", "item", "segment", "first", "second", "label", "kind")


def quality_of_one(membership: Membership) -> AnnotatorQuality | None:
    """As `quality` has it of the first dimension, but for what only a comparison with the others
    gives; None where nothing was judged. Takes the time of their judgments, not of all."""
    campaign, user = membership.campaign, membership.user_id
    observed = _observed(campaign, user, membership.alias)
    if not len(observed.rows):
        return None
    dimensions = dimensions_of(campaign)
    slug = dimensions[0].slug if dimensions else None
    times = _times(campaign, user, observed)
    facts = control_facts(campaign, user)
    return quality_of(observed, times, slug, math.nan, facts).annotators[0]


def _current(campaign: Campaign, user: int) -> list[int]:
    """Return the ids of the annotator's judgments that count. What hangs on them is asked for by
    these ids: a join of everything has no good plan while the database knows little of its
    tables."""
    own = Judgment.objects.filter(campaign=campaign, annotator=user).current()
    return list(own.order_by("pk").values_list("pk", flat=True))


def _observed(campaign: Campaign, user: int, alias: str) -> Observed:
    """Return the ratings and preferences of one annotator."""
    protocol = protocol_of(campaign)
    dimensions = protocol.dimensions()
    own = _current(campaign, user)
    ratings = Rating.objects.filter(judgment__in=own).order_by("pk")
    ratings = ratings.filter(dimension__in=[d.slug for d in dimensions])
    rated = list(
        ratings.annotate(kind=kind_of_output("judgment__item", "output")).values_list(
            *("pk", "judgment", "judgment__item", "output__segment", "output__system"),
            *("dimension", "value", "kind", "is_copy"),
        )
    )
    asked = own if "preferences" in protocol.kinds else []  # no statement where there are none
    preferences = Preference.objects.filter(judgment__in=asked).order_by("pk")
    kind = kind_of_output("judgment__item", "output_a", "output_b")
    compared = list(
        preferences.annotate(kind=kind).values_list(
            *("pk", "judgment", "judgment__item", "output_a__segment"),
            *("output_a__system", "output_b__system", "value", "kind"),
        )
    )
    systems = System.objects.filter(test_set=campaign.test_set_id).order_by("name")
    names = list(systems.values_list("pk", "name"))
    segments = sorted({row[3] for row in rated + compared})
    codes: dict[str, Any] = {
        "segment": {pk: place for place, pk in enumerate(segments)},
        "dimension": {each.slug: place for place, each in enumerate(dimensions)},
        "kind": {name: place for place, name in enumerate(KINDS)},
    }
    place_of = {pk: place for place, (pk, _) in enumerate(names)}
    codes |= dict.fromkeys(("system", "first", "second"), place_of)
    return Observed(
        rates=protocol.rates and bool(dimensions),
        ranks=protocol.ranks,
        dimensions=dimensions,
        annotators=np.array([alias], object),
        annotator_ids=np.array([user]),
        system_ids=np.array([pk for pk, _ in names], np.int64),
        system_names=np.array([name for _, name in names], object),
        segment_ids=np.array(segments, np.int64),
        segment_keys=np.array(segments, object),
        document_ids=np.zeros(len(segments), np.int64),
        judgments=Rows({"judgment": np.zeros(0, np.int64)}),
        ratings=_rows(RATING, rated, codes),
        preferences=_rows(PREFERENCE, compared, codes),
        fingerprint="",
    )


def _rows(names: tuple[str, ...], found: list[tuple], codes: dict[str, Any]) -> Rows:
    columns = dict(zip(names, zip(*found, strict=True), strict=True)) if found else {}
    arrays = {
        name: np.array(
            [codes[name][v] for v in columns.get(name, ())]
            if name in codes
            else columns.get(name, ()),
            np.float64 if name == "value" else np.int64,
        )
        for name in names
    }
    return Rows(arrays | {"annotator": np.zeros(len(found), np.int64)})


def _times(campaign: Campaign, user: int, observed: Observed) -> Rows:
    """As `judgments.results.observations.times` has them."""
    judgments = Judgment.objects.filter(campaign=campaign, annotator=user, superseded_by=None)
    rows = judgments.order_by("pk").values_list(
        "pk", "item__segment", "started_at", "submitted_at", "active_ms"
    )
    found = list(rows)
    language = campaign.test_set.source_language
    sources = Segment.objects.filter(pk__in={row[1] for row in found})
    words = {
        pk: n_words(source, language) if campaign.test_set.has_texts else math.nan
        for pk, source in sources.values_list("pk", "source")
    }

    def seconds(moments: list) -> np.ndarray:
        return np.array([math.nan if at is None else at.timestamp() for at in moments])

    return Rows(
        {
            "judgment": np.array([row[0] for row in found], np.int64),
            "annotator": np.full(len(found), user, np.int64),
            "words": np.array([words[row[1]] for row in found], np.float64),
            "started": seconds([row[2] for row in found]),
            "submitted": seconds([row[3] for row in found]),
            "seconds": np.array(
                [math.nan if row[4] is None else row[4] / 1000 for row in found], np.float64
            ),
        }
    )
