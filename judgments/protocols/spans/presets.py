"""Presets of the protocol `spans`: what may be marked, how severe it is, what it weighs.

ESA: Kocmi et al. (2024), "Error span annotation: a balanced approach for human evaluation of
machine translation"; ESA-AI: Zouhar et al. (2025), "AI-assisted human evaluation of machine
translation". MQM: Freitag et al. (2021), "Experts, errors, and context: a large-scale study of
human evaluation for machine translation". MQM-Core: the typology of the MQM council, themqm.org.
The instructions are in our words.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from judgments.stats.mqm import GOOGLE

from ..base import Dimension, Preset, Scale

# Marked for translation here, translated where they are shown.
ESA = Dimension(
    "esa",
    _n("Quality"),
    _n("How good is the translation, in meaning and in grammar? Mark its errors first."),
    Scale(
        0,
        100,
        kind="interval",
        widget="slider",
        anchors=(
            (100, _n("Perfect meaning and grammar")),
            (66, _n("Most meaning preserved and few grammar mistakes")),
            (33, _n("Some meaning preserved")),
            (0, _n("No meaning preserved")),
        ),
    ),
    provenance="The question in our words; the ticks of Kocmi et al. (2024).",
)


def tree(branches: dict[str, tuple[str, ...]]) -> list[str]:
    """Return {"Accuracy": ("Omission",)} → ["Accuracy/Omission"]; a branch without leaves is
    one."""
    return [
        f"{branch}/{leaf}" if leaf else branch
        for branch, leaves in branches.items()
        for leaf in leaves or ("",)
    ]


GOOGLE_TREE = tree(
    {
        _n("Accuracy"): (
            _n("Mistranslation"),
            _n("Omission"),
            _n("Addition"),
            _n("Source language fragment"),
            _n("Creative reinterpretation"),
        ),
        _n("Fluency"): (
            _n("Grammar"),
            _n("Spelling"),
            _n("Punctuation"),
            _n("Register"),
            _n("Inconsistency"),
            _n("Character encoding"),
        ),
        _n("Terminology"): (_n("Inappropriate for context"), _n("Inconsistent use")),
        _n("Style"): (_n("Unnatural or awkward"), _n("Bad sentence structure")),
        _n("Locale convention"): (
            _n("Date format"),
            _n("Time format"),
            _n("Currency format"),
            _n("Name format"),
            _n("Telephone format"),
            _n("Address format"),
        ),
        _n("Source issue"): (),
        _n("Other"): (),
    }
)
CORE_TREE = tree(
    {
        _n("Terminology"): (
            _n("Inconsistent with terminology resource"),
            _n("Inconsistent use of terminology"),
            _n("Wrong term"),
        ),
        _n("Accuracy"): (
            _n("Mistranslation"),
            _n("Overtranslation"),
            _n("Undertranslation"),
            _n("Addition"),
            _n("Omission"),
            _n("Do not translate"),
            _n("Untranslated"),
        ),
        _n("Linguistic conventions"): (
            _n("Grammar"),
            _n("Punctuation"),
            _n("Spelling"),
            _n("Unintelligible"),
            _n("Character encoding"),
            _n("Textual conventions"),
        ),
        _n("Style"): (
            _n("Organization style"),
            _n("Third-party style"),
            _n("Inconsistent with external reference"),
            _n("Language register"),
            _n("Awkward style"),
            _n("Unidiomatic style"),
            _n("Inconsistent style"),
        ),
        _n("Locale conventions"): (
            _n("Number format"),
            _n("Currency format"),
            _n("Measurement format"),
            _n("Time format"),
            _n("Date format"),
            _n("Address format"),
            _n("Telephone format"),
            _n("Shortcut key"),
        ),
        _n("Audience appropriateness"): (_n("Culture-specific reference"), _n("Offensive")),
        _n("Design and markup"): (
            _n("Layout"),
            _n("Markup tag"),
            _n("Truncation or text expansion"),
            _n("Missing text"),
            _n("Link or cross-reference"),
        ),
    }
)

SEVERITIES = """\
- **Minor**: style, grammar or choice of words could be better; the meaning comes through.
- **Major**: the meaning changes, or the place is very hard to understand."""
ESA_INSTRUCTIONS = f"""\
1. Read the source and the translation.
2. Mark each error in the translation, as short as it can be, and say how severe it is.
3. If something of the source is left out, mark **[MISSING]**.
4. Then set the slider: how good is the translation as a whole?

{SEVERITIES}

A text without errors needs no mark, only the slider."""
ESA_AI_INSTRUCTIONS = f"""\
A program has marked what it considers errors. It misses some, and some are not errors.

1. Read the source and the translation; keep, change or delete each suggestion.
2. Mark the errors that it missed, **[MISSING]** for what was left out.
3. Then set the slider: how good is the translation as a whole?

{SEVERITIES}"""
CESA_INSTRUCTIONS = f"""\
1. Read the source and the translations beside each other, and the instructions for the document,
   where there are any.
2. In each translation mark each error, as short as it can be, and say how severe it is. If
   something of the source is left out, mark **[MISSING]**; if the instructions for the document
   were not followed, **[Instructions fault]**.
3. Then set each slider: how good is the translation as a whole? Equal translations have equal
   scores. A score below 85 needs a mark that says what is wrong.

{SEVERITIES}

A text without errors needs no mark, only the slider."""
MQM_INSTRUCTIONS = f"""\
1. Read the source and the translation, in the context of the document.
2. Mark each error, as short as it can be. What was left out is marked in the source.
3. Choose its severity, then its category: the most specific one that fits.
4. If there are more than five errors, mark the five worst.

{SEVERITIES}
- **Neutral**: you would say it differently, but it is not an error.

If hardly anything of the source is there, say that it is not a translation, and mark nothing else.
If there is nothing to mark, say that there are no errors."""
CORE_INSTRUCTIONS = f"""\
1. Read the source and the translation, in the context of the document.
2. Mark each error, as short as it can be. For what was left out mark **[MISSING]**, or its place in
   the source.
3. Choose its severity, then its category: the most specific one that fits.

{SEVERITIES}
- **Critical**: it can do harm, or makes the text useless.
- **Neutral**: you would say it differently, but it is not an error.

If there is nothing to mark, say that there are no errors."""

# (what an instruction says of the source, what it says where that is not shown)
UNSOURCED = (
    ("Read the source and the translation", "Read all that is shown"),
    ("Read the source and the translations beside each other", "Read all that is shown"),
    ("If\n   something of the source is left out", "If something is left out"),
    ("If something of the source is left out", "If something is left out"),
    (" What was left out is marked in the source.", ""),
    (", or its place in\n   the source.", "."),
    ("If hardly anything of the source is there", "If hardly anything of the meaning is there"),
)


def unsourced(instructions: str) -> str:
    for words, others in UNSOURCED:
        instructions = instructions.replace(words, others)
    return instructions


OWN_TREE = tree(
    {
        "Accuracy": ("Mistranslation", "Omission", "Addition"),
        "Fluency": (),
        "Terminology": (),
        "Style": (),
        "Other": (),
    }
)
TEXTS = {"show_source": True, "show_reference": False, "context": "document"}
ESA_OPTIONS = TEXTS | {
    "outputs_per_item": 1,
    "score": True,
    "weights": {"minor": 1, "major": 5},
    "categories": [],
    "sides": ["target", "missing"],
}
MQM_OPTIONS = TEXTS | {
    "outputs_per_item": 1,
    "score": False,
    "weights": GOOGLE,
    "categories": GOOGLE_TREE,
    "sides": ["target", "source"],
    "most_errors": 5,
    "non_translation": True,
}
CORE_OPTIONS = TEXTS | {
    "outputs_per_item": 1,
    "score": False,
    "weights": {"neutral": 0, "minor": 1, "major": 5, "critical": 25},
    "categories": CORE_TREE,
    "sides": ["target", "source", "missing"],
}

PRESETS: tuple[Preset, ...] = (
    Preset(
        "esa",
        "spans",
        "Error span annotation (ESA)",
        _("Mark the errors, minor or major, then set a slider from 0 to 100."),
        (ESA,),
        ESA_INSTRUCTIONS,
        ESA_OPTIONS,
        unsourced=unsourced(ESA_INSTRUCTIONS),
    ),
    Preset(
        "esa-ai",
        "spans",
        "Error span annotation with suggestions (ESA-AI)",
        _("As ESA, but a program has marked errors already: keep, change or delete them."),
        (ESA,),
        ESA_AI_INSTRUCTIONS,
        ESA_OPTIONS | {"prefilled": True},
        unsourced=unsourced(ESA_AI_INSTRUCTIONS),
    ),
    Preset(
        "contrastive-esa",
        "spans",
        "Contrastive error span annotation",
        _("As ESA, with two or more translations of a segment on one screen."),
        (ESA,),
        ESA_INSTRUCTIONS,
        ESA_OPTIONS | {"outputs_per_item": 2, "fewest_per_item": 2},
        unsourced=unsourced(ESA_INSTRUCTIONS),
    ),
    Preset(
        "cesa-wmt26",
        "spans",
        "Contrastive error span annotation, as at WMT26",
        _("As ESA, with several translations beside each other; a low score needs a marked error."),
        (ESA,),
        CESA_INSTRUCTIONS,
        ESA_OPTIONS
        | {
            "outputs_per_item": 3,
            "fewest_per_item": 2,
            "columns": True,
            "marks": ["Instructions fault"],
            "unmarked": "refuse",
            "unmarked_below": 85,
            "mark_by": "language",
            "relative_color": True,
            "hidden_progress": True,
        },
        unsourced=unsourced(CESA_INSTRUCTIONS),
    ),
    Preset(
        "mqm",
        "spans",
        "MQM, Google's categories",
        _("Mark up to five errors with category and severity; the score is computed from weights."),
        (),
        MQM_INSTRUCTIONS,
        MQM_OPTIONS,
        unsourced=unsourced(MQM_INSTRUCTIONS),
    ),
    Preset(
        "mqm-core",
        "spans",
        "MQM-Core",
        _("Mark errors with the seven dimensions of the MQM-Core typology and four severities."),
        (),
        CORE_INSTRUCTIONS,
        CORE_OPTIONS,
        unsourced=unsourced(CORE_INSTRUCTIONS),
    ),
    Preset(
        "custom-errors",
        "spans",
        "Errors of your own categories",
        _("Mark errors with categories, severities and weights of your own."),
        (),
        CORE_INSTRUCTIONS,
        CORE_OPTIONS
        | {
            "own_tree": True,
            "weights": {"minor": 1, "major": 5},
            "categories": OWN_TREE,
        },
        unsourced=unsourced(CORE_INSTRUCTIONS),
    ),
)

# Whoever imports adds what the release has: severities with their weights, categories, and whether
# a score from 0 to 100 came with the errors.
RELEASED_ERRORS = Preset(
    "released-errors",
    "spans",
    "Errors of a release",
    "Errors as a release has them, with its severities and categories.",
    (),
    options={
        "released": True,
        "outputs_per_item": 1,
        "sides": ["target", "source", "missing"],
        "weights": {"neutral": 0, "minor": 1, "major": 5},
    },
)
