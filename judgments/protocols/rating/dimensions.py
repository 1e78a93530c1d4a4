"""Questions of the presets of the protocol `rating`; `presets` names the sources."""

from dataclasses import replace

from django.utils.translation import gettext_noop as _n

from ..base import Dimension, Scale

ADEQUACY = Dimension(
    "adequacy",
    _n("Adequacy"),
    _n(
        "How much of the meaning expressed in the reference translation is also expressed in the "
        "translation?"
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
        "How much of the meaning expressed in the source text is also expressed in the translation?"
    ),
    provenance="LDC (2005), which says “in the hypothesis translation”: here it is called what the "
    "screen calls it. LDC asks about the reference, and so it stays where a reference is shown; "
    "where only the source is, the question is about that, in our words.",
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
