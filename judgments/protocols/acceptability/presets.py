"""Presets of the protocol `acceptability`.

Callison-Burch et al. (2009), "Findings of the 2009 Workshop on Statistical Machine Translation".
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from ..base import Dimension, Preset, Scale

ACCEPTABLE = Dimension(
    "acceptable",
    _n("Acceptable"),
    _n(
        "Does the edited text mean the same as the reference, and does it read well? It may say it "
        "in other words."
    ),
    Scale(0, 1, anchors=((1, _n("Yes")), (0, _n("No")))),
    provenance="After Callison-Burch et al. (2009), in our words.",
)

PRESETS: tuple[Preset, ...] = (
    Preset(
        "acceptability",
        "acceptability",
        "Acceptability of edits",
        _("Is a text that somebody corrected without the source an acceptable translation?"),
        (ACCEPTABLE,),
        instructions=(
            "Somebody made a translated text fluent without seeing what it was translated from. "
            "Compare it with the reference.\n\n"
            "- **Yes**: it means the same and reads well, even if it says it in other words.\n"
            "- **No**: it means something else, leaves out or adds something that matters, or "
            "cannot be understood."
        ),
        options={"held_back": ["source"], "show_reference": True, "outputs_per_item": 1},
    ),
)
