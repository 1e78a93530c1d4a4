"""Settings of a rehearsal: the number of people of each kind, and the true values."""

from django import forms

from judgments.models import Campaign
from judgments.plans.settings import PlanSettings

from .figures import RehearsalAsked

MOST_PEOPLE = 100
FEWEST_CAREFUL = 2


def how_many(label: str, help_text: str = "", least: int = 0) -> forms.IntegerField:
    """Return a field for a number of people."""
    return forms.IntegerField(
        min_value=least, max_value=MOST_PEOPLE, label=label, help_text=help_text
    )


def per_cent(label: str, help_text: str, most: float) -> forms.FloatField:
    """Return a field for a share of the scale, in percent."""
    return forms.FloatField(min_value=0, max_value=most, label=label, help_text=help_text)


class RehearsalForm(forms.Form):
    careful = how_many("Careful people", "They read, and answer as well as people do.", 1)
    random = how_many("People who answer at random")
    lazy = how_many("Lazy people", "They give the middle of the scale to everything.")
    fast = how_many(
        "Fast people", "They read every other screen, in a tenth of the time, and guess the rest."
    )
    spread = per_cent(
        "From the best to the worst system, in % of the scale",
        "How far apart the systems really are; the others lie between them, at equal distances.",
        50,
    )
    noise = per_cent(
        "How much careful people waver, in % of the scale",
        "The standard deviation of what one of them says of the same translation.",
        30,
    )
    seed = forms.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        label="Seed",
        help_text="The same seed and plan give the same rehearsal.",
    )

    def asked(self) -> RehearsalAsked:
        """Return the settings from valid input."""
        return RehearsalAsked(**self.cleaned_data)


def usual(campaign: Campaign) -> RehearsalAsked:
    """Return the initial settings: for the number of people that the plan expects, one of each
    careless kind, and at least two careful ones."""
    expected = PlanSettings.read(campaign.plan).annotators
    return RehearsalAsked(careful=min(MOST_PEOPLE, max(FEWEST_CAREFUL, expected - 3)))
