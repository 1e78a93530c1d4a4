"""Presets of the protocol `alignment`.

Sure and possible links: Och and Ney (2003), "A systematic comparison of various statistical
alignment models".
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from ..base import Preset

INSTRUCTIONS = """\
Link each word of the source to the words of the translation that say the same.

1. Choose a word of the source, then the words of the translation that correspond to it. Choosing a
   word again makes the link **possible**, and a third time removes it.
2. A link is **sure** when the two words translate each other in any text; **possible** when they
   only correspond here: in idioms, free renderings, or for words that one of the languages does
   not need.
3. One word may have several links. A word that corresponds to nothing stays without one.
"""

PRESETS: tuple[Preset, ...] = (
    Preset(
        "word-alignment",
        "alignment",
        _n("Word alignment"),
        _("Link the words of the source to the words of the translation, surely or possibly."),
        (),
        INSTRUCTIONS,
        options={
            "show_source": False,  # its words are on the screen anyway
            "show_reference": False,
            "outputs_per_item": 1,
            "tokenization": "words",
            "possible_links": True,
        },
    ),
)
