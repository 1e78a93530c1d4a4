"""Which suggestions a campaign's screens show: the control arm, planted and withheld suggestions.

Drawn once, when the suggestions come in, from a seed that nobody who judges can know and that is
kept, so that the draw can be made again. Everybody who judges an output sees the same. Systems are
treated alike: a segment's outputs are all in the same arm, and false and withheld suggestions are
as frequent in each system, so that systems can be compared. False suggestions are placed in the
control arm too, where nobody sees them: how often their places are marked there says how often
they are errors after all.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from django.utils.crypto import salted_hmac

from judgments.files.words import UNSPACED
from judgments.models import Campaign, Output, PrefilledSpan, Segment, UnaidedSegment
from judgments.models.chains import record
from judgments.protocols.spans.marking import Marking

MOST_WORDS, MOST_CHARACTERS = 5, 15  # of a false suggestion, the second where words have no spaces
ROWS_AT_ONCE = 2_000
UNAIDED, WITHHELD, PLANTED = 1, 2, 3  # the streams of a seed


class SuggestionShape(NamedTuple):
    """A suggestion whose length and kind a false one takes, so that it looks like one of them."""

    words: int
    severity: str
    category: str


def seed_of(campaign: Campaign) -> int:
    """Not to be known from the campaign's number alone."""
    digest = salted_hmac("judgments.suggestion-arms", str(campaign.pk)).hexdigest()
    return int(digest[:8], 16) % 2**31


def draw(campaign: Campaign, marking: Marking, seed: int) -> None:
    """Draw all anew for the suggestions that are there. The campaign is locked."""
    UnaidedSegment.objects.filter(campaign=campaign).delete()
    if not (marking.unaided or marking.planted or marking.withheld):
        return
    segments = drawn_segments(campaign, marking, np.random.default_rng([seed, UNAIDED]))
    UnaidedSegment.objects.bulk_create(
        (UnaidedSegment(campaign=campaign, segment_id=pk) for pk in segments),
        batch_size=ROWS_AT_ONCE,
    )
    unaided = UnaidedSegment.objects.filter(campaign=campaign).values("segment")
    real = PrefilledSpan.objects.filter(campaign=campaign)
    withheld = drawn_suggestions(
        real.exclude(output__segment__in=unaided),
        marking.withheld,
        np.random.default_rng([seed, WITHHELD]),
    )
    # Before any is marked as not shown: an example is any suggestion.
    false = list(false_suggestions(campaign, marking, np.random.default_rng([seed, PLANTED])))
    PrefilledSpan.objects.bulk_create(false, batch_size=ROWS_AT_ONCE)
    real.filter(pk__in=withheld).update(is_shown=False)
    real.filter(output__segment__in=unaided).update(is_shown=False)
    record.note(campaign.pk, "suggestions drawn", "unaided", "suggestion")


def drawn_counts(campaign: Campaign) -> dict[str, int]:
    """Return how many segments show no suggestions, how many false ones are shown, and how many
    real ones are withheld on the screens of the others."""
    spans = PrefilledSpan.objects.filter(campaign=campaign)
    unaided = UnaidedSegment.objects.filter(campaign=campaign)
    withheld = spans.filter(is_planted=False, is_shown=False)
    return {
        "unaided": unaided.count(),
        "planted": spans.filter(is_planted=True, is_shown=True).count(),
        "withheld": withheld.exclude(output__segment__in=unaided.values("segment")).count(),
    }


def drawn_segments(campaign: Campaign, marking: Marking, rng: np.random.Generator) -> list[int]:
    """Return the segments of the control arm, whole documents where these are drawn."""
    rows = Segment.objects.filter(test_set=campaign.test_set_id).order_by("position")
    unit = "document_id" if marking.unaided_by == "document" else "pk"
    of_unit: defaultdict[int, list[int]] = defaultdict(list)
    for pk, key in rows.values_list("pk", unit):
        of_unit[key].append(pk)
    chosen = _some(list(of_unit), marking.unaided, rng)
    return sorted(pk for key in chosen for pk in of_unit[key])


def drawn_suggestions(suggestions, percent: int, rng: np.random.Generator) -> list[int]:
    """So many suggestions of each system."""
    by_system: defaultdict[int, list[int]] = defaultdict(list)
    order = ("output__system", "output__segment__position", "start", "end", "side", "category")
    for pk, system in suggestions.order_by(*order).values_list("pk", "output__system"):
        by_system[system].append(pk)
    return [pk for pks in by_system.values() for pk in _some(pks, percent, rng)]


def _some(members: Sequence[int], percent: int, rng: np.random.Generator) -> list[int]:
    """Return a share of them, at least one of several."""
    if not percent or len(members) < 2:
        return []
    n = max(1, round(len(members) * percent / 100))
    return [members[i] for i in sorted(rng.choice(len(members), n, replace=False).tolist())]


def false_suggestions(
    campaign: Campaign, marking: Marking, rng: np.random.Generator
) -> Iterator[PrefilledSpan]:
    """In so many outputs of each system one, where nothing is suggested."""
    if not marking.planted:
        return
    is_spaced = campaign.test_set.target_language.split("-")[0].lower() not in UNSPACED
    most = MOST_WORDS if is_spaced else MOST_CHARACTERS
    taken: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    examples = []
    real = PrefilledSpan.objects.filter(campaign=campaign).order_by(
        "output__segment__position", "output__system", "start", "end"
    )
    columns = ("output", "side", "start", "end", "severity", "category", "output__text")
    rows = real.values_list(*columns).iterator(ROWS_AT_ONCE)
    for output, side, start, end, severity, category, text in rows:
        is_in_text = side == "target"
        taken[output].append((start, end) if is_in_text else (0, 0))
        if is_in_text:
            n = min(max(len(words_of(text[start:end], is_spaced)), 1), most)
            examples.append(SuggestionShape(n, severity, category))
    for system in campaign.test_set.systems.order_by("name"):
        outputs = Output.objects.filter(system=system).order_by("segment__position")
        texts = {
            pk: text
            for pk, text in outputs.values_list("pk", "text")
            if len(taken[pk]) < marking.most and text
        }
        for pk in _some(list(texts), marking.planted, rng):
            example = examples[rng.integers(len(examples))] if examples else None
            example = example or SuggestionShape(1, marking.severities[0], "")
            place = false_place(texts[pk], taken[pk], example.words, is_spaced, rng)
            if place is not None:
                start, end = place
                yield PrefilledSpan(
                    campaign=campaign,
                    output_id=pk,
                    start=start,
                    end=end,
                    severity=example.severity,
                    category=example.category,
                    is_planted=True,
                )


def false_place(
    text: str,
    taken: Sequence[tuple[int, int]],
    n_words: int,
    is_spaced: bool,
    rng: np.random.Generator,
) -> tuple[int, int] | None:
    """Return a place of so many words, or of fewer, that overlaps none of the taken ones; or
    None."""
    words = words_of(text, is_spaced)
    for n in range(min(n_words, len(words)), 0, -1):
        places = [(words[i][0], words[i + n - 1][1]) for i in range(len(words) - n + 1)]
        free = [
            (start, end)
            for start, end in places
            if not any(start < last and first < end for first, last in taken)
        ]
        if free:
            return free[rng.integers(len(free))]
    return None


def words_of(text: str, is_spaced: bool) -> list[tuple[int, int]]:
    """Where its words are, without signs around them; where no spaces stand between words, its
    characters, each with the marks that belong to it."""
    if is_spaced:
        whole = (trimmed(text, *each.span()) for each in re.finditer(r"\S+", text))
        return [(start, end) for start, end in whole if start < end]
    found: list[tuple[int, int]] = []
    for at, character in enumerate(text):
        if unicodedata.combining(character) or unicodedata.category(character)[0] == "M":
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + 1)
        elif character.isalnum():
            found.append((at, at + 1))
    return found


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch without the signs at its ends."""
    while start < end and unicodedata.category(text[start])[0] in "PS":
        start += 1
    while start < end and unicodedata.category(text[end - 1])[0] in "PS":
        end -= 1
    return start, end
