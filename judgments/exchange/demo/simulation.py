"""Simulated annotators: their answers and times.

Each translation has a quality on the scale 1–5, the sum of effects of its system, its segment and
chance. An annotator sees that quality shifted by severity and with noise from a lack of care;
fluency follows the quality less closely than adequacy does. Annotators who do not read notice
nothing of an altered text.
"""

from dataclasses import dataclass

import numpy as np

from judgments.models import Alteration

# The mean quality of the invented systems. Their texts were written to match; those of the control
# are from phrase-based systems, each trained on one of the two documents.
SYSTEM_QUALITY = {"Harbor": 4.6, "Lantern": 3.9, "Meadow": 2.7, "Pebble": 1.6}
CONTROL = "Baseline"
CONTROL_QUALITY = 0.2  # below the scale, so that an answer is seldom above its lowest value
REFERENCE_QUALITY = 4.8  # of a hidden reference
DAMAGE = 1.6  # reduction of the quality by a planted phrase
CHECK_QUALITY = -9.0  # so far below the scale that the answer is always the lowest
SEGMENT_SPREAD = 0.35  # standard deviation of a segment's effect on all its translations
OUTPUT_SPREAD = 0.45  # and of the effect of a single translation
FLUENCY_SHIFT = {"Harbor": 0.1, "Lantern": -0.4, "Meadow": -0.7, "Pebble": 0.3, CONTROL: -0.2}
REFERENCE_SHIFT = 0.1
TIE_WIDTH = 0.5  # translations closer than this look equal


@dataclass(frozen=True)
class Annotator:
    alias: str
    severity: float  # subtracted from every quality
    noise: float  # standard deviation of an answer around the right one
    seconds: float  # median time for a screen
    reads: bool = True
    is_model: bool = False  # without stored active times


ANNOTATORS = (
    Annotator("Ada", 0.0, 0.35, 38),
    Annotator("Bela", 0.6, 0.45, 52),
    Annotator("Cleo", -0.4, 0.5, 31),
    Annotator("Dov", 0.2, 0.7, 44),
    Annotator("Esi", 0.3, 0.4, 61),
    Annotator("Finn", -0.2, 1.6, 12, reads=False),  # quick and careless
)

# Milder than people, and more consistent than the most careless.
MODEL = Annotator("Simulated model", -0.5, 0.8, 2, is_model=True)


def qualities(outputs, rng) -> dict[int, tuple[float, float]]:
    """Return (adequacy, fluency) of every output; `outputs` has (id, segment id, system name) rows.
    The random numbers for the control do not affect those for the others."""
    rng_of_control = rng.spawn(1)[0]
    # In the order of their ids: that of a set depends on their values.
    ids = sorted({row[1] for row in outputs})
    segments = {segment: rng.normal(0, SEGMENT_SPREAD) for segment in ids}
    found = {}
    for output, segment, system in outputs:
        mean = SYSTEM_QUALITY.get(system, CONTROL_QUALITY)
        own = rng_of_control if system == CONTROL else rng
        adequacy = mean + segments[segment] + own.normal(0, OUTPUT_SPREAD)
        fluency = adequacy + FLUENCY_SHIFT[system] + own.normal(0, 0.3)
        found[output] = (adequacy, fluency)
    return found


def seen(annotator: Annotator, row, quality) -> tuple[float, float]:
    """Return the (adequacy, fluency) of a shown text, a row of `ItemOutput`, as far as the
    annotator notices."""
    reference = (REFERENCE_QUALITY, REFERENCE_QUALITY + REFERENCE_SHIFT)
    adequacy, fluency = quality.get(row.output_id, reference)
    if row.altered is None or not annotator.reads:
        return adequacy, fluency
    if row.altered.rule in (Alteration.LOUD, Alteration.SILENT):
        return CHECK_QUALITY, CHECK_QUALITY
    return adequacy - DAMAGE, fluency - DAMAGE


def rating(annotator: Annotator, quality: float, rng) -> float:
    """Return a value from 1 to 5."""
    seen = quality - annotator.severity + rng.normal(0, annotator.noise)
    return float(np.clip(np.rint(seen), 1, 5))


def preference(annotator: Annotator, first: float, second: float, rng) -> int:
    """Return +1 if the first seems better, −1 if the second does, 0 if they seem equal."""
    difference = first - second + rng.normal(0, annotator.noise * np.sqrt(2))
    return 0 if abs(difference) < TIE_WIDTH else int(np.sign(difference))


def milliseconds(annotator: Annotator, rng) -> int:
    """Return active time for one screen: log-normal around the annotator's median."""
    return int(1000 * annotator.seconds * np.exp(rng.normal(0, 0.35)))
