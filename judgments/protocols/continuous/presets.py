"""Presets of the protocol `continuous`.

Continuous rating: Javorský, Macháček and Bojar (2022), "Continuous Rating as Reliable Human
Evaluation of Simultaneous Speech Translation". Its two scores: Macháček, Bojar and Dabre (2023),
"MT Metrics Correlate with Human Ratings of Simultaneous Speech Translation".
"""

from dataclasses import replace

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from ..base import Dimension, Preset, Scale

STEPS = (_n("Very bad"), _n("Rather bad"), _n("Rather good"), _n("Very good"))


def scale_of(steps: tuple[str, ...]) -> Scale:
    """Return means of 1, the worst step, to the last, the best, in thousandths."""
    anchors = ((len(steps), steps[-1]), (1, steps[0]))
    return Scale(1, len(steps), step=0.001, kind="interval", widget="slider", anchors=anchors)


# What is derived from the presses, and stored with them.
BY_TIME = Dimension(
    "by_time",
    _n("Rating by time"),
    _n("How good is the translation at this moment?"),
    scale_of(STEPS),
    provenance="The score CRi of Macháček et al. (2023): each press counts as long as it holds. "
    "The question and the words of the steps are ours.",
)
BY_PRESS = replace(
    BY_TIME,
    slug="by_press",
    name=_n("Mean of presses"),
    provenance="The score CR of IWSLT 2022 and of Macháček et al. (2023): each press counts "
    "the same.",
)

INSTRUCTIONS = """\
You hear or watch a recording, and read its translation as it appears.

1. Start the recording, and press a key or a button whenever your impression of the translation
   changes, and else every five to ten seconds: **1** is the worst, the last one the best.
2. Rate what you see at this moment: whether it says what is said, whether it comes in time, and
   whether it can be read.
3. You hear the recording once. Press **0** when you cannot follow for a while: nothing is rated
   until the next press. You may pause, but not go back.
"""

PRESETS: tuple[Preset, ...] = (
    Preset(
        "continuous-rating",
        "continuous",
        _n("Continuous rating"),
        _("A recording, its translation as it appears, and a key pressed again and again."),
        (BY_TIME, BY_PRESS),
        INSTRUCTIONS,
        options={
            "unit": "whole document",
            "show_source": False,  # it is heard
            "show_reference": False,
            "outputs_per_item": 1,
            "steps": list(STEPS),
        },
    ),
)
