"""Presets of the protocol `rating`.

Adequacy and fluency: LDC (2005), "Linguistic data annotation specification: assessment of fluency
and adequacy in translations", as used by Koehn and Monz (2006), "Manual and automatic evaluation of
machine translation between European languages". Direct assessment: Graham et al. (2013),
"Continuous measurement scales in human evaluation of machine translation". DA+SQM: Kocmi et al.
(2022), "Findings of the 2022 Conference on Machine Translation (WMT22)", also for the score of a
document after those of its segments. XSTS: Licht et al. (2022), "Consistent human evaluation of
machine translation across language pairs"; the anchors are in our words. XSTS+R+P: Omnilingual MT
Team (2026), "Omnilingual MT: machine translation for 1,600 languages", appendix B.1, as Pearmut
adapts it.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from ..base import Preset
from .dimensions import (
    ADEQUACY,
    CORRECT,
    DIRECT,
    DIRECT_OF_DOCUMENT,
    DIRECT_OF_EACH,
    DIRECT_TO_REFERENCE,
    FLUENCY,
    SQM,
    SQM_OF_DOCUMENT,
    XSTS,
    XSTS_RP,
)
from .instructions import CORRECT_INSTRUCTIONS, XSTS_RP_INSTRUCTIONS

PRESETS: tuple[Preset, ...] = (
    Preset(
        "adequacy-fluency",
        "rating",
        "Adequacy and fluency",
        _(
            "Two five-point questions for each translation: how much of the meaning is there, and "
            "how well it reads."
        ),
        (ADEQUACY, FLUENCY),
        options={
            "show_source": True,
            "show_reference": True,
            "outputs_per_item": 5,
        },
    ),
    Preset(
        "direct-assessment",
        "rating",
        "Direct assessment",
        _("One slider from 0 to 100 for each translation; the number is not shown."),
        (DIRECT,),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
        sketch="slider",
        crowd=True,
    ),
    Preset(
        "direct-assessment-reference",
        "rating",
        "Direct assessment against the reference",
        _(
            "One slider from 0 to 100 for each translation, beside the reference and without the "
            "source: for people who know only the target language."
        ),
        (DIRECT_TO_REFERENCE,),
        instructions="Compare each translation with the text that is shown beside it, and set the "
        "slider.",
        options={
            "show_source": False,
            "show_reference": True,
            "outputs_per_item": 1,
        },
        sketch="slider",
        crowd=True,
    ),
    Preset(
        "document-assessment",
        "rating",
        _n("Direct assessment of documents"),
        _("A whole document and one slider from 0 to 100 for it; the number is not shown."),
        (DIRECT_OF_DOCUMENT,),
        options={
            "unit": "whole document",
            # Its texts are next to the translation, paragraph by paragraph.
            "show_source": False,
            "show_reference": False,
            "source_document": True,
            "reference_document": False,
            "outputs_per_item": 1,
        },
        sketch="slider",
    ),
    Preset(
        "contrastive-da",
        "rating",
        "Contrastive direct assessment",
        _(
            "Two translations side by side with a slider from 0 to 100 each; differences are "
            "underlined, the numbers are not shown."
        ),
        (DIRECT_OF_EACH,),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 2,
            "fewest_per_item": 2,
            "side_by_side": True,
            "highlight": True,
        },
        sketch="pair-sliders",
    ),
    Preset(
        "da-sqm",
        "rating",
        "Direct assessment with labelled ticks (DA+SQM)",
        _("One slider for each translation with seven ticks, some labelled; any position counts."),
        (SQM,),
        options={
            "context": "document",
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
        sketch="slider",
    ),
    Preset(
        "da-sqm-document",
        "rating",
        _n("DA+SQM with a score of the document"),
        _(
            "The same slider for each segment, and once more for the whole document after its last "
            "segment."
        ),
        (SQM, SQM_OF_DOCUMENT),
        options={
            "context": "document",
            "of_document": "sqm_document",
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
        sketch="slider",
    ),
    Preset(
        "xsts",
        "rating",
        "Cross-lingual similarity (XSTS)",
        _("One five-point question for each translation: how much of the meaning is the same."),
        (XSTS,),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
    ),
    Preset(
        "xsts-rp",
        "rating",
        _n("XSTS with register and paragraph (XSTS+R+P)"),
        _(
            "One five-point question for each translation, read in its paragraph: how much of the "
            "meaning and of the register is the same."
        ),
        (XSTS_RP,),
        instructions=XSTS_RP_INSTRUCTIONS,
        unsourced=XSTS_RP_INSTRUCTIONS.replace(
            "Read the source paragraph and its translation, compare them",
            "Read all that is shown, compare it",
        ),
        options={
            "context": "document",
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
    ),
    Preset(
        "correct-or-not",
        "rating",
        _n("Correct or not"),
        _("One question for each translation: is it correct? The share of yes is the score."),
        (CORRECT,),
        instructions=CORRECT_INSTRUCTIONS,
        unsourced=CORRECT_INSTRUCTIONS.replace(
            "what the source says", "what the text beside it says"
        ),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
        crowd=True,
    ),
    Preset(
        "custom-rating",
        "rating",
        "Ratings of your own",
        _("Any number of questions with a scale of your own for each."),
        (),
        options={
            "show_source": True,
            "show_reference": True,
            "outputs_per_item": 5,
        },
    ),
)
