"""Presets of the protocol `post_editing`.

Post-editing: Snover et al. (2006), "A study of translation edit rate with targeted human
annotation". Sentence editing: Callison-Burch et al. (2009), "Findings of the 2009 Workshop on
Statistical Machine Translation".
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from ..base import Dimension, Preset, Scale

# Derived from an edit, and stored with it. Researchers read these names; annotators are not asked
# for these values, and a slider's are not shown to them.
WORDS_KEPT = Dimension(
    "words_kept",
    _n("Words kept (%)"),
    _n("Correct the translation with as few changes as possible."),
    Scale(0, 100, kind="interval", widget="slider"),
    provenance="After Snover et al. (2006), in our words.",
)
UNDERSTOOD = Dimension(
    "understood",
    _n("Understood"),
    _n("Could you make out what is meant, and correct it?"),
    Scale(0, 1, kind="ordinal", widget="slider"),
    provenance="After Callison-Burch et al. (2009), in our words.",
)
UNEDITED = Dimension(
    "unedited",
    _n("Unedited"),
    _n("Did the text read well as it was?"),
    Scale(0, 1, kind="ordinal", widget="slider"),
    provenance="After Callison-Burch et al. (2009), in our words.",
)

PRESETS: tuple[Preset, ...] = (
    Preset(
        "post-editing",
        "post_editing",
        "Post-editing",
        _("Correct each translation with as few changes as possible."),
        (WORDS_KEPT,),
        instructions=(
            "Make each translation a correct one, with as few changes as possible.\n\n"
            "- Correct what is wrong: meaning, grammar, spelling, punctuation.\n"
            "- Keep what is right, even if you would have said it differently.\n"
            "- If nothing is wrong, say so."
        ),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
            "outcomes": ["edited", "no_correction"],
            "asks": "correct",
        },
    ),
    Preset(
        "sentence-editing",
        "post_editing",
        "Sentence editing",
        _("Make each text fluent, without seeing what it was translated from."),
        (UNDERSTOOD, UNEDITED),
        instructions=(
            "You see a text that was translated, and nothing else. Make it read as if it had been "
            "written by somebody who knows the language well.\n\n"
            "- Guess what is meant where you can, and say that.\n"
            "- If it reads well already, choose *No correction needed*.\n"
            "- If you cannot make out what is meant, choose *Unable to correct*."
        ),
        options={
            "held_back": ["source", "reference"],
            "outputs_per_item": 1,
            "outcomes": ["edited", "no_correction", "unable"],
            "asks": "make fluent",
        },
    ),
)
