"""Post-editing: an annotator corrects an output. Sentence editing does it without the source.

Post-editing as in Snover et al. (2006), "A study of translation edit rate with targeted human
annotation"; sentence editing as in Callison-Burch et al. (2009), "Findings of the 2009 Workshop on
Statistical Machine Translation". What is stored is the edit; ratings are derived from it, so that
agreement and scores can be read as those of any rating.
"""

from judgments.models import Outcome

from .base import Dimension, Edit, Observations, Preset
from .edit_form import EditForm
from .options import CONTEXT, SHOW_REFERENCE, SHOW_SOURCE, Option
from .presets import PRESETS
from .word_edits import share_kept

SLUG = "post_editing"
NAME = "Post-editing"
TEMPLATE = "judgments/protocols/post_editing.html"
ANALYSIS = "ratings"
OBSERVATIONS = ("ratings", "edits")


def options(preset: Preset) -> tuple[Option, ...]:
    return () if "held_back" in preset.options else (SHOW_SOURCE, SHOW_REFERENCE, CONTEXT)


def outputs_per_item(campaign) -> tuple[int, int]:
    return 1, int(campaign.options.get("outputs_per_item", 1))


def dimensions(campaign) -> tuple[Dimension, ...]:
    return PRESETS[campaign.preset].dimensions


def parts(campaign) -> tuple[str, ...]:
    return ("",)


def form(campaign, item, shown, data=None, initial=None) -> EditForm:
    preset = PRESETS[campaign.preset].options
    return EditForm(
        [row.output.text for row in shown],
        outcomes=preset["outcomes"],
        asks=preset["asks"],
        language=campaign.test_set.target_language,
        data=data,
        initial=initial,
    )


def observations(campaign, item, shown, cleaned) -> Observations:
    language = campaign.test_set.target_language
    asked = [dimension.slug for dimension in dimensions(campaign)]
    edits, ratings = [], []
    for place, row in enumerate(shown, 1):
        edit = Edit(
            row.output_id,
            cleaned[f"output{place}-outcome"],
            cleaned[f"output{place}-text"],
            cleaned[f"output{place}-keystrokes"],
            cleaned[f"output{place}-active_ms"],
        )
        edits.append(edit)
        derived = derive(row.output.text, edit, language)
        ratings += [(row.output_id, slug, derived[slug]) for slug in asked if slug in derived]
    return Observations(ratings=tuple(ratings), edits=tuple(edits))


def derive(text: str, edit: Edit, language: str) -> dict[str, float]:
    """The ratings that follow from an edit of a text, by dimension."""
    found = {
        "understood": float(edit.outcome != Outcome.UNABLE),
        "unedited": float(edit.outcome == Outcome.NO_CORRECTION),
    }
    if edit.outcome != Outcome.UNABLE:
        found["words_kept"] = share_kept(text, edit.text, language)
    return found


def initial(campaign, item, shown, judgment) -> dict:
    edits = {edit.output_id: edit for edit in judgment.edits.all()}
    found: dict[str, object] = {}
    for place, row in enumerate(shown, 1):
        if edit := edits.get(row.output_id):
            unable = edit.outcome == Outcome.UNABLE
            found[f"output{place}-text"] = row.output.text if unable else edit.text
            found[f"output{place}-outcome"] = edit.outcome
            found[f"output{place}-keystrokes"] = edit.keystrokes
            found[f"output{place}-active_ms"] = edit.active_ms
    return found
