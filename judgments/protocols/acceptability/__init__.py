"""Acceptability: is the edited text an acceptable translation? Yes or no.

The second half of sentence editing: Callison-Burch et al. (2009), "Findings of the 2009 Workshop on
Statistical Machine Translation". The edits of another campaign, made without the source, are judged
beside the reference and what stands around it; the share of yes is a system's comprehensibility.
What needed no correction or could not be corrected is judged as the system wrote it, so that a
system does not gain by outputs that nobody understood.
"""

from dataclasses import dataclass
from functools import cached_property

from judgments.models import Campaign, Item, Outcome, PostEdit, Reference
from judgments.models.new_observations import Observations
from judgments.protocols.base import Dimension

from ..contract import CONTROLS, REFERENCE_IS_SHOWN, Protocol
from ..options import Options, choice
from ..rating import form as rating_form
from ..tables import RATINGS
from .presets import PRESETS

AROUND = 1  # sentences of the reference before and after


NO_CAMPAIGN = "There is none yet: create a campaign of sentence editing first"


def campaigns_with_edits(user) -> list[tuple[str, str]]:
    found = Campaign.objects.visible_to(user).filter(protocol="post_editing").order_by("name")
    return [(str(campaign.pk), campaign.name) for campaign in found] or [("", NO_CAMPAIGN)]


EDITS_OF = choice(
    "edits_of",
    "Edits of which campaign",
    campaigns_with_edits,
    "A campaign of sentence editing on the same texts. Its edits are taken when you plan who "
    "judges what; nobody judges edits of a translation that they edited themselves.",
)


class AcceptabilityForm(rating_form.RatingForm):
    """Yes or no. What the template shows is read when it is shown: an answer needs none of it."""

    def __init__(self, item: Item, dimensions, shown, **kwargs):
        super().__init__(dimensions, len(shown), **kwargs)
        self.item = item
        self.shown = shown

    @cached_property
    def text(self) -> str:
        """The edit, or the output itself where it was not edited; of a control its own text."""
        if self.shown[0].altered is not None:
            return self.shown[0].text
        edit = edit_of(self.item)
        edited = edit is not None and edit.outcome == Outcome.EDITED
        return edit.text if edit and edited else self.shown[0].text

    def model_texts(self, texts):
        return [self.text]

    def model_context(self):
        before, after = self.around
        said = [("The reference of the sentence before", before)] if before else []
        said += [("The reference of the sentence after", after)] if after else []
        return [(heading, "\n".join(lines)) for heading, lines in said]

    @cached_property
    def around(self) -> tuple[list[str], list[str]]:
        """The reference of the sentences before and after, of the same document."""
        segment = self.item.segment
        near = Reference.objects.filter(
            segment__document=segment.document_id,
            segment__position__gte=segment.position - AROUND,
            segment__position__lte=segment.position + AROUND,
        ).exclude(segment=segment)
        texts: dict[int, str] = {}
        rows = near.order_by("segment__position", "name")
        for position, text in rows.values_list("segment__position", "text"):
            texts.setdefault(position, text)
        before = [text for position, text in texts.items() if position < segment.position]
        after = [text for position, text in texts.items() if position > segment.position]
        return before, after


def edit_of(item: Item) -> PostEdit | None:
    """Return the edit that an item shows; judgments from a file have none."""
    return PostEdit.objects.filter(pk=item.part).first() if item.part.isdecimal() else None


@dataclass(frozen=True)
class AcceptabilityOptions(Options):
    unit: str = "edit"


class Acceptability(Protocol):
    slug = "acceptability"
    name = "Acceptability of edits"
    template = "judgments/protocols/acceptability.html"
    kinds = ("ratings",)
    presets = PRESETS
    reads = AcceptabilityOptions
    table = RATINGS

    @classmethod
    def option_fields(cls, preset):
        return (EDITS_OF,)

    @classmethod
    def problems(cls, preset, options, test_set):
        named = Campaign.objects.filter(pk=cls.reads.read(options).edits_of).first()
        if named is not None and test_set is not None and named.test_set_id != test_set.pk:
            return {"edits_of": f"That campaign is about other texts: {named.test_set.name}."}
        return {}

    def dimensions(self) -> tuple[Dimension, ...]:
        return self.preset.dimensions

    def form(self, item, shown, data=None, initial=None) -> AcceptabilityForm:
        return AcceptabilityForm(item, self.dimensions(), shown, data=data, initial=initial)

    def observations(self, item, shown, cleaned) -> Observations:
        return rating_form.observations(self.dimensions(), shown, cleaned)

    def initial(self, item, shown, judgment) -> dict:
        return rating_form.initial(self.dimensions(), shown, judgment)

    def no_controls(self) -> dict[str, str]:
        edits = "What is judged is an edit that a person made, not a text of the test set."
        found = dict.fromkeys(CONTROLS, edits) | {"references": REFERENCE_IS_SHOWN}
        del found["repeats"]
        return found

    def fit_for(self, annotator_id, tasks):
        """Return batches without an edit of a translation that the annotator edited too."""
        own = PostEdit.objects.filter(
            judgment__campaign=self.options.edits_of, judgment__annotator=annotator_id
        ).values("output")
        edited = Item.objects.filter(
            task__campaign=self.campaign.pk, task__is_unfinished=True, outputs__in=own
        )
        return tasks.exclude(pk__in=edited.values("task"))
