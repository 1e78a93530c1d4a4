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

from dataclasses import replace

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from ..base import Dimension, Preset, Scale

ADEQUACY = Dimension(
    "adequacy",
    _n("Adequacy"),
    _n(
        "How much of the meaning expressed in the reference translation is also expressed in the "
        "hypothesis translation?"
    ),
    Scale(
        1,
        5,
        anchors=(
            (5, _n("All")),
            (4, _n("Most")),
            (3, _n("Much")),
            (2, _n("Little")),
            (1, _n("None")),
        ),
    ),
    of_source=_n(
        "How much of the meaning expressed in the source text is also expressed in the hypothesis "
        "translation?"
    ),
    provenance="LDC (2005), which asks about the reference, and so it stays where a reference is "
    "shown; where only the source is, the question is about that, in our words.",
)
FLUENCY = Dimension(
    "fluency",
    _n("Fluency"),
    _n("How do you judge the fluency of this translation?"),
    Scale(
        1,
        5,
        anchors=(
            (5, _n("Flawless {language}")),
            (4, _n("Good {language}")),
            (3, _n("Non-native {language}")),
            (2, _n("Disfluent {language}")),
            (1, _n("Incomprehensible")),
        ),
    ),
    provenance="LDC (2005).",
)
DIRECT = Dimension(
    "da",
    _n("Direct assessment"),
    _n("How accurately does the candidate text convey the original semantics of the source text?"),
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=((100, _n("Perfectly")), (0, _n("Not at all"))),
    ),
    of_reference=_n(
        "How accurately does the candidate text convey the original semantics of the reference "
        "text?"
    ),
    provenance="Appraise, which says “the above candidate text”: here the question stands above "
    "the text. Where only a reference is shown it is about that, in our words.",
)
DIRECT_OF_DOCUMENT = replace(
    DIRECT,
    question=_n("How accurately does the whole document convey the semantics of its source?"),
    of_reference=_n(
        "How accurately does the whole document convey the semantics of its reference?"
    ),
    provenance="After Appraise, in our words.",
)
DIRECT_OF_EACH = replace(
    DIRECT,
    question=_n(
        "How accurately does each candidate text convey the original semantics of the source text?"
    ),
    of_reference=_n(
        "How accurately does each candidate text convey the original semantics of the reference "
        "text?"
    ),
    provenance="After Appraise, in our words.",
)
DIRECT_TO_REFERENCE = Dimension(
    "da",
    _n("Direct assessment"),
    _n("How far do you agree? The translation adequately expresses the meaning of the reference."),
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=((100, _n("Agree completely")), (0, _n("Disagree completely"))),
    ),
    of_source=_n(
        "How far do you agree? The translation adequately expresses the meaning of the source."
    ),
    provenance="After Graham et al. (2013): “The black text adequately expresses the meaning of "
    "the gray text”; here the texts are named, not colored, and it is the source where only that "
    "is shown.",
)
SQM = Dimension(
    "sqm",
    _n("Quality"),
    _n("How good is the translation, in meaning and in grammar?"),
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=(
            (100, _n("Perfect meaning and grammar")),
            (83, ""),
            (67, _n("Most meaning preserved and few grammar mistakes")),
            (50, ""),
            (33, _n("Some meaning preserved")),
            (17, ""),
            (0, _n("Nonsense/No meaning preserved")),
        ),
    ),
    provenance="The question in our words; the ticks of Kocmi et al. (2022).",
)
SQM_OF_DOCUMENT = replace(
    SQM,
    slug="sqm_document",
    name=_n("The whole document"),
    question=_n("How good is the translation of the whole document, in meaning and in grammar?"),
    provenance="The question in our words; the ticks of Kocmi et al. (2022), as for segments.",
)
XSTS = Dimension(
    "xsts",
    _n("Same meaning"),
    _n("How close are source and translation in meaning? How well it reads does not count."),
    Scale(
        1,
        5,
        anchors=(
            (5, _n("The same in meaning, style and register")),
            (4, _n("The same meaning in other words")),
            (3, _n("Mostly the same; some unimportant detail differs")),
            (2, _n("Some details in common, something important differs")),
            (1, _n("Hardly anything in common")),
        ),
    ),
    of_reference=_n(
        "How close are reference and translation in meaning? How well it reads does not count."
    ),
    provenance="After Licht et al. (2022), in our words; where only a reference is shown, of that.",
)
XSTS_RP = Dimension(
    "xsts_rp",
    _n("Same meaning and register"),
    _n(
        "How close are source and translation in meaning and register, read in their paragraph? "
        "Slips in spelling, grammar and punctuation that do not hinder understanding do not count."
    ),
    Scale(
        1,
        5,
        anchors=(
            (5, _n("The same in meaning and in how it is said: nuance, style, formality")),
            (4, _n("A paraphrase: nearly the same, only the way of saying it differs a little")),
            (
                3,
                _n("Mostly the same; unimportant details differ, nothing conflicts"),
            ),
            (2, _n("Something important differs or is missing, or the register is plainly wrong")),
            (1, _n("Hardly anything in common, or cannot be understood")),
        ),
    ),
    of_reference=_n(
        "How close are reference and translation in meaning and register, read in their paragraph? "
        "Slips in spelling, grammar and punctuation that do not hinder understanding do not count."
    ),
    provenance="After Omnilingual MT Team (2026), in our words: R is for register, P for "
    "paragraph. One score, as there: a plainly wrong register gets 2 at most.",
)
CORRECT = Dimension(
    "correct",
    _n("Correct"),
    _n("Is this a correct translation of the source?"),
    Scale(0, 1, anchors=((1, _n("Correct")), (0, _n("Not correct")))),
    of_reference=_n("Is this a correct translation, going by the reference?"),
    provenance="In our words; the yes or no of Callison-Burch et al. (2009), who ask it of edits.",
)

XSTS_RP_INSTRUCTIONS = (
    "Read the source paragraph and its translation, compare them sentence by sentence, and "
    "score each sentence as part of its paragraph.\n\n"
    "- **Meaning**: what is said, to whom, about whom, in which amounts and at what time.\n"
    "- **Register**: how formal it is, how it addresses people, its style and variety. If "
    "the register is so wrong that it would be a blunder, give 2 at most.\n"
    "- **Paragraph**: names, pronouns, tenses and forms of address must fit what stands "
    "before and after. A translation that mixes registers or varieties gets 3 at most.\n"
    "- Text that was left untranslated, or that nobody can understand, gets 1.\n"
    "- Slips in spelling, grammar, capital letters and punctuation do not count, unless "
    "they hinder understanding."
)
CORRECT_INSTRUCTIONS = (
    "- **Correct**: it says what the source says and can be read without stumbling, even "
    "if you would have said it in other words.\n"
    "- **Not correct**: it says something else, leaves out or adds something that matters, "
    "or has a mistake that a reader would notice.\n\n"
    "If you cannot decide, ask whether you would send it out as it is."
)

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
            # Its texts stand beside the translation, paragraph by paragraph.
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
