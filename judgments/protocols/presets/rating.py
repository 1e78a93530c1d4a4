"""Presets of the protocol `rating`.

Adequacy and fluency: LDC (2005), "Linguistic data annotation specification: assessment of fluency
and adequacy in translations", as used by Koehn and Monz (2006), "Manual and automatic evaluation of
machine translation between European languages". Direct assessment: Graham et al. (2013),
"Continuous measurement scales in human evaluation of machine translation". DA+SQM: Kocmi et al.
(2022), "Findings of the 2022 Conference on Machine Translation (WMT22)". XSTS: Licht et al. (2022),
"Consistent human evaluation of machine translation across language pairs"; the anchors are in our
words.
"""

from dataclasses import replace

from ..base import Dimension, Preset, Scale

ADEQUACY = Dimension(
    "adequacy",
    "Adequacy",
    "How much of the meaning expressed in the reference translation is also expressed in the "
    "hypothesis translation?",
    Scale(1, 5, anchors=((5, "All"), (4, "Most"), (3, "Much"), (2, "Little"), (1, "None"))),
)
FLUENCY = Dimension(
    "fluency",
    "Fluency",
    "How do you judge the fluency of this translation?",
    Scale(
        1,
        5,
        anchors=(
            (5, "Flawless {language}"),
            (4, "Good {language}"),
            (3, "Non-native {language}"),
            (2, "Disfluent {language}"),
            (1, "Incomprehensible"),
        ),
    ),
)
DIRECT = Dimension(
    "da",
    "Direct assessment",
    "How accurately does the above candidate text convey the original semantics of the source "
    "text?",
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=((100, "Perfectly"), (0, "Not at all")),
    ),
)
DIRECT_OF_EACH = replace(
    DIRECT,
    question="How accurately does each candidate text convey the original semantics of the source "
    "text?",
)
DIRECT_TO_REFERENCE = Dimension(
    "da",
    "Direct assessment",
    "How far do you agree? The translation adequately expresses the meaning of the reference.",
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=((100, "Agree completely"), (0, "Disagree completely")),
    ),
)
SQM = Dimension(
    "sqm",
    "Quality",
    "How good is the translation, in meaning and in grammar?",
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=(
            (100, "Perfect meaning and grammar"),
            (83, ""),
            (67, "Most meaning preserved and few grammar mistakes"),
            (50, ""),
            (33, "Some meaning preserved"),
            (17, ""),
            (0, "Nonsense/No meaning preserved"),
        ),
    ),
)
XSTS = Dimension(
    "xsts",
    "Same meaning",
    "How close are source and translation in meaning? How well it reads does not count.",
    Scale(
        1,
        5,
        anchors=(
            (5, "The same in meaning, style and register"),
            (4, "The same meaning, said in another way"),
            (3, "Mostly the same; some unimportant detail differs"),
            (2, "Some details in common, something important differs"),
            (1, "Hardly anything in common"),
        ),
    ),
)

PRESETS: tuple[Preset, ...] = (
    Preset(
        "adequacy-fluency",
        "rating",
        "Adequacy and fluency",
        "Two five-point questions for each translation: how much of the meaning is there, and "
        "how well it reads.",
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
        "One slider from 0 to 100 for each translation; the number is not shown.",
        (DIRECT,),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
        sketch="slider",
    ),
    Preset(
        "direct-assessment-reference",
        "rating",
        "Direct assessment against the reference",
        "One slider from 0 to 100 for each translation, beside the reference and without the "
        "source: for people who know the target language only.",
        (DIRECT_TO_REFERENCE,),
        options={
            "show_source": False,
            "show_reference": True,
            "outputs_per_item": 1,
        },
        sketch="slider",
    ),
    Preset(
        "contrastive-da",
        "rating",
        "Contrastive direct assessment",
        "Two translations side by side with a slider from 0 to 100 each; where they differ is "
        "underlined, the numbers are not shown.",
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
        "One slider for each translation with seven ticks, some in words; any place counts.",
        (SQM,),
        options={
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
        "One five-point question for each translation: how much of the meaning is the same.",
        (XSTS,),
        options={
            "show_source": True,
            "show_reference": False,
            "outputs_per_item": 1,
        },
    ),
    Preset(
        "custom-rating",
        "rating",
        "Ratings of your own",
        "Any number of questions with a scale of your own for each.",
        (),
        options={
            "show_source": True,
            "show_reference": True,
            "outputs_per_item": 5,
        },
    ),
)
