"""Forms that add people to a project."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone

from judgments.files.guest_list import MOST, Guest
from judgments.models import ProjectRole
from judgments.people.invitations.forms import SheetForm

from .links import MOST_LINKS

LONGEST_DAYS = 366


def pairs_field(pairs: list[str]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=[(pair, pair) for pair in pairs],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Only for these language pairs",
        help_text="If none is chosen: all, including those that join later.",
    )


def days_field(initial: int) -> forms.IntegerField:
    words = "Close the link after this many days"
    return forms.IntegerField(min_value=1, max_value=LONGEST_DAYS, initial=initial, label=words)


class ColleagueForm(forms.Form):
    """A link for a person who manages, watches or reads."""

    role = forms.ChoiceField(
        choices=[
            (ProjectRole.MANAGER, "manages the campaigns: plans, people, decisions, results"),
            (ProjectRole.WATCHER, "watches their progress, without any results"),
            (ProjectRole.READER, "reads their results"),
        ],
        initial=ProjectRole.READER,
        widget=forms.RadioSelect,
        label="Whoever follows the link",
    )
    email = forms.EmailField(
        required=False,
        max_length=254,
        label="Email the link to",
        help_text="Leave empty to pass on the link yourself.",
    )

    def __init__(self, pairs: list[str], *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.fields["pairs"] = pairs_field(pairs)
        self.fields["days"] = days_field(14)

    @property
    def guest(self) -> Guest:
        return Guest(email=self.cleaned_data["email"])

    @property
    def expires_at(self):
        return timezone.now() + timedelta(days=self.cleaned_data["days"])


class ProjectLinksForm(SheetForm):
    """Links for annotators: for the people of a list, or a number of links, for all pairs or
    each."""

    note: Any = None
    expires_at: Any = None

    def __init__(self, pairs: list[str], *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.known_pairs = pairs
        self.fields["guests_file"].help_text = (
            "Columns: name, e-mail (may be empty), alias and pairs (both optional; pairs such as "
            f"en-de en-cs, empty: all). At most {MOST:,} people. If any row is invalid, no links "
            "are created."
        )
        self.fields["for_each"] = forms.BooleanField(
            required=False, label="This many for each language pair below"
        )
        self.fields["pairs"] = pairs_field(pairs)
        self.fields["days"] = days_field(60)

    def clean(self):
        cleaned = super().clean()
        if not self.errors and len(self.people) > MOST_LINKS:
            raise forms.ValidationError(
                f"These are {len(self.people):,} links; at most {MOST_LINKS:,} can be "
                "created at once."
            )
        return cleaned

    @property
    def people(self) -> list[tuple[Guest, list[str]]]:
        """The people of a valid form, each with the pairs that they may work in."""
        chosen = self.cleaned_data["pairs"]
        if self.cleaned_data["for_each"] and not self.cleaned_data["guests_file"]:
            each = chosen or self.known_pairs
            return [(guest, [pair]) for pair in each for guest in self.guests]
        return [(guest, list(guest.pairs) or chosen) for guest in self.guests]

    @property
    def expires_at_moment(self):
        return timezone.now() + timedelta(days=self.cleaned_data["days"])
