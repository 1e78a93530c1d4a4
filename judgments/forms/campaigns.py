"""Forms with which managers set up and run campaigns."""

import re

from django import forms
from django.contrib.auth import get_user_model

from judgments.models import Campaign, Invitation, Role, Status, TestSet
from judgments.protocols import PRESETS

# Names as long as a rating can store; bounds of six digits, as in files.
DIMENSION_LINE = re.compile(
    r"(?P<slug>[a-z][a-z0-9_]{0,39})\s*:\s*(?P<low>[0-9]{1,6})\s*-\s*(?P<high>[0-9]{1,6})"
)
MOST_DIMENSIONS = 20  # on a screen of five translations these are a hundred questions


class CampaignForm(forms.ModelForm):
    """Name, texts, what is asked, and what annotators may see."""

    preset = forms.ChoiceField(
        choices=[(p.slug, f"{p.name}. {p.summary}") for p in PRESETS.values()],
        widget=forms.RadioSelect,
        label="What annotators are asked",
        initial="adequacy-fluency",
    )
    dimensions = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 3}),
        required=False,
        label="Questions of your own",
        help_text="Only for “Ratings of your own”: one a line, such as “adequacy: 1-5” or "
        "“believability: 0-100”. A range wider than ten becomes a slider.",
    )
    show_source = forms.BooleanField(required=False, initial=True, label="Show the source text")
    show_reference = forms.BooleanField(
        required=False,
        initial=True,
        label="Show a reference translation",
        help_text="A reference steers people towards its own wording, and cannot be rated itself.",
    )
    separate_passes = forms.BooleanField(
        required=False,
        label="Ask each question in a pass of its own",
        help_text="Fluency first, without the source; then adequacy. Takes longer, and keeps the "
        "two answers apart.",
    )
    outputs_per_item = forms.IntegerField(
        min_value=1,
        max_value=5,
        required=False,
        label="Translations on one screen, at most",
        help_text="Empty: one in direct assessment, otherwise five. A comparison always shows two.",
    )
    instructions_text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 8}),
        required=False,
        label="Instructions for annotators",
        help_text="Markdown. They open at the side of the judging screen.",
    )

    class Meta:
        model = Campaign
        fields = ["name", "test_set"]

    def __init__(self, user, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["test_set"] = forms.ModelChoiceField(
            TestSet.objects.visible_to(user), empty_label=None, label="Test set"
        )

    def clean_dimensions(self):
        """Lines of `slug: low-high` → the campaign's own dimensions."""
        found: list[dict] = []
        for number, line in enumerate(self.cleaned_data["dimensions"].splitlines(), 1):
            if not line.strip():
                continue
            match = DIMENSION_LINE.fullmatch(line.strip().lower())
            if not match or int(match["low"]) >= int(match["high"]):
                raise forms.ValidationError(
                    f"Line {number}: write a name, a colon and a range, such as “adequacy: 1-5”."
                )
            if match["slug"] in {row["slug"] for row in found}:
                raise forms.ValidationError(f"Line {number}: “{match['slug']}” is there twice.")
            if len(found) == MOST_DIMENSIONS:
                raise forms.ValidationError(f"Ask at most {MOST_DIMENSIONS} questions.")
            found.append(
                {"slug": match["slug"], "low": int(match["low"]), "high": int(match["high"])}
            )
        return found

    def clean(self):
        cleaned = super().clean() or {}
        if cleaned.get("preset") == "custom-rating" and cleaned.get("dimensions") == []:
            self.add_error("dimensions", "Name at least one question, such as “adequacy: 1-5”.")
        return cleaned

    def save(self, commit=True):
        data = self.cleaned_data
        campaign = self.instance
        campaign.preset = data["preset"]
        campaign.protocol = PRESETS[data["preset"]].protocol
        campaign.options = {
            "show_source": data["show_source"],
            "show_reference": data["show_reference"],
            "separate_passes": data["separate_passes"],
            "outputs_per_item": data["outputs_per_item"]
            or PRESETS[data["preset"]].options.get("outputs_per_item", 5),
        }
        if data["preset"] == "custom-rating":
            campaign.options["dimensions"] = data["dimensions"]
        text = data["instructions_text"] or PRESETS[data["preset"]].instructions
        campaign.instructions = {"en": text} if text else {}
        return super().save(commit)


class InstructionsForm(forms.Form):
    text = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 14}),
        required=False,
        label="Instructions for annotators",
        help_text="Markdown. A change counts up the guideline version that judgments carry.",
    )


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Status.choices)


class InvitationForm(forms.ModelForm):
    # A link makes nobody an owner: it can be passed on.
    role = forms.ChoiceField(
        choices=[(Role.ANNOTATOR, "annotators"), (Role.RESEARCHER, "researchers")],
        label="Those who follow the link become",
    )
    max_uses = forms.IntegerField(
        min_value=1, required=False, label="Close it after this many people"
    )

    class Meta:
        model = Invitation
        fields = ["role", "note", "max_uses", "expires_at"]
        labels = {"note": "A note for yourself", "expires_at": "Close it on"}
        help_texts = {"expires_at": "Date and time in UTC."}
        widgets = {
            "expires_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            )
        }


class MemberForm(forms.Form):
    """An existing account becomes a member, or a member changes role."""

    username = forms.CharField(max_length=150, label="User name")
    role = forms.ChoiceField(choices=Role.choices, initial=Role.RESEARCHER, label="Role")

    def clean_username(self):
        name = self.cleaned_data["username"]
        self.user = get_user_model().objects.filter(username=name, is_active=True).first()
        if self.user is None:
            raise forms.ValidationError(
                f"There is no account “{name}”. Send an invitation link instead."
            )
        return name


class DesignForm(forms.Form):
    """Who judges what: the size of a batch, how many people judge each item, and the seed."""

    batch_size = forms.IntegerField(
        min_value=1,
        max_value=1000,
        initial=30,
        label="Items in a batch, at most",
        help_text="A batch is what one person takes at a time; documents stay whole where they "
        "fit. An hour of work is about 40 items with five translations.",
    )
    seats = forms.IntegerField(
        min_value=1,
        max_value=100,
        initial=1,
        label="People who judge each item",
        help_text="More people on one item show how far they agree; more items with one person "
        "each tell systems apart with less work. Two people on a part of the items is a fair mix.",
    )
    screens_per_segment = forms.IntegerField(
        min_value=1,
        required=False,
        label="Comparisons of each segment",
        help_text="Pairwise campaigns only. Empty: every pair of systems.",
    )
    seed = forms.IntegerField(
        min_value=0,
        initial=1,
        label="Seed of the random order",
        help_text="The same seed and texts give the same plan.",
    )
