"""Wording, scales and visibility of the presets, as data.

Adequacy and fluency: LDC (2005), "Linguistic data annotation specification: assessment of fluency
and adequacy in translations", as used by Koehn and Monz (2006), "Manual and automatic evaluation of
machine translation between European languages". Direct assessment: Graham et al. (2013),
"Continuous measurement scales in human evaluation of machine translation". Ranking: Callison-Burch
et al. (2007), "(Meta-) evaluation of machine translation".
"""

from .base import Dimension, Preset, Scale

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

PRESETS = {
    preset.slug: preset
    for preset in (
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
        Preset(
            "pairwise",
            "pairwise",
            "Pairwise comparison",
            "Two translations side by side: one is better, or both are equal.",
            (),
            options={"show_source": True, "show_reference": True},
        ),
        Preset(
            "relative-ranking",
            "ranking",
            "Relative ranking",
            "Up to five translations at once, ranked from the best to the worst; ties are allowed.",
            (),
            options={
                "show_source": True,
                "show_reference": True,
                "outputs_per_item": 5,
            },
        ),
    )
}
