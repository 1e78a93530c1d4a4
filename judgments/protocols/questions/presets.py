"""Presets of the protocol `questions`.

Comprehension tests: Scarton and Specia (2016), "A reading comprehension corpus for machine
translation evaluation".
"""

from django.utils.translation import gettext_lazy as _

from ..base import Preset

PRESETS: tuple[Preset, ...] = (
    Preset(
        "comprehension",
        "questions",
        "Comprehension questions",
        _("Read a translated text, and answer questions about it from that text alone."),
        (),
        instructions=(
            "You see a text that was translated, and questions about it.\n\n"
            "- Answer from the text alone, not from what you know or guess about the topic.\n"
            "- If the text does not tell, or tells it so badly that you cannot be sure, say so. "
            "That is an answer.\n"
            "- Answer open questions in a few words."
        ),
        options={"held_back": ["source", "reference"]},
    ),
)
