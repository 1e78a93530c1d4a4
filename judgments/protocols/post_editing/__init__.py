"""Post-editing: an annotator corrects an output. Sentence editing does it without the source.

Post-editing as in Snover et al. (2006), "A study of translation edit rate with targeted human
annotation"; sentence editing as in Callison-Burch et al. (2009), "Findings of the 2009 Workshop on
Statistical Machine Translation". What is stored is the edit; ratings are derived from it, so that
agreement and scores can be read as those of any rating.
"""

from dataclasses import dataclass

from judgments.models import Outcome
from judgments.models.new_observations import Edit, Observations
from judgments.protocols.base import Dimension

from ..contract import CHECKS, SCORED_PAGES, Protocol, ProtocolPage
from ..options import CONTEXT, SHOW_REFERENCE, SHOW_SOURCE, Options
from ..tables import RATINGS
from .form import EditForm
from .presets import PRESETS
from .words import share_kept


@dataclass(frozen=True)
class EditingOptions(Options):
    outcomes: tuple[str, ...] = ()
    """Which of `Outcome` are offered."""
    asks: str = "correct"

    FIXED = (*Options.FIXED, "outcomes", "asks")


class PostEditing(Protocol):
    slug = "post_editing"
    name = "Post-editing"
    template = "judgments/protocols/post_editing.html"
    kinds = ("ratings", "edits")
    asks_models = False
    presets = PRESETS
    reads = EditingOptions
    measures = ("seconds_per_word", "keystrokes_per_word")
    seconds_per_word = 2.0
    table = RATINGS
    pages = (ProtocolPage("edits", "Edits"), *SCORED_PAGES)

    options: EditingOptions

    @classmethod
    def option_fields(cls, preset):
        held_back = cls.reads.read(preset.options).held_back
        return () if held_back else (SHOW_SOURCE, SHOW_REFERENCE, CONTEXT)

    def dimensions(self) -> tuple[Dimension, ...]:
        return self.preset.dimensions

    def no_controls(self) -> dict[str, str]:
        reason = (
            "Annotators correct what they see, so a planted error would be corrected and not "
            "scored."
        )
        return super().no_controls() | dict.fromkeys(("degraded", *CHECKS), reason)

    def form(self, item, shown, data=None, initial=None) -> EditForm:
        return EditForm(
            [row.text for row in shown],
            outcomes=self.options.outcomes,
            asks=self.options.asks,
            language=self.campaign.test_set.target_language,
            data=data,
            initial=initial,
        )

    def observations(self, item, shown, cleaned) -> Observations:
        language = self.campaign.test_set.target_language
        asked = [dimension.slug for dimension in self.dimensions()]
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
            derived = derive(row.text, edit, language)
            ratings += [(row.output_id, slug, derived[slug]) for slug in asked if slug in derived]
        return Observations(ratings=tuple(ratings), edits=tuple(edits))

    def initial(self, item, shown, judgment) -> dict:
        edits = {edit.output_id: edit for edit in judgment.edits.all()}
        found: dict[str, object] = {}
        for place, row in enumerate(shown, 1):
            if edit := edits.get(row.output_id):
                unable = edit.outcome == Outcome.UNABLE
                found[f"output{place}-text"] = row.text if unable else edit.text
                found[f"output{place}-outcome"] = edit.outcome
                found[f"output{place}-keystrokes"] = edit.keystrokes
                found[f"output{place}-active_ms"] = edit.active_ms
        return found


def derive(text: str, edit: Edit, language: str) -> dict[str, float]:
    """Return the ratings that follow from an edit of a text, by dimension."""
    found = {
        "understood": float(edit.outcome != Outcome.UNABLE),
        "unedited": float(edit.outcome == Outcome.NO_CORRECTION),
    }
    if edit.outcome != Outcome.UNABLE:
        found["words_kept"] = share_kept(text, edit.text, language)
    return found
