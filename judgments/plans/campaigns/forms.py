"""Forms with which managers set up and run campaigns."""

from django import forms
from django.conf import settings

from judgments.files.languages import language_name
from judgments.models import Campaign, Status, TestSet
from judgments.models.corpus import direction
from judgments.protocols import PROTOCOLS
from judgments.web.widgets import MarkdownField


class CampaignForm(forms.ModelForm):
    """Name, texts, the options of the preset, and instructions.

    The fields between texts and instructions are those that the preset's protocol names; see
    `judgments.protocols.options`.
    """

    instructions_text = MarkdownField(
        widget=forms.Textarea(attrs={"rows": 8}),
        label="Instructions for annotators",
        help_text="Markdown. They open at the side of the judging screen.",
    )

    class Meta:
        model = Campaign
        fields = ["name", "test_set"]

    def __init__(self, user, preset, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.preset = preset
        self.protocol = PROTOCOLS[preset.protocol]
        self.options = self.protocol.every_option(preset)
        named = self.protocol.reads.read(preset.options)
        self.fields["test_set"] = forms.ModelChoiceField(
            TestSet.objects.visible_to(user), empty_label=None, label="Test set"
        )
        for option in self.options:
            self.fields[option.slug] = option.field(user)
            self.initial.setdefault(option.slug, option.initial(named))
        self.initial.setdefault("instructions_text", preset.instructions)
        self.order_fields(["name", "test_set", *(o.slug for o in self.options)])

    def clean(self):
        cleaned = super().clean() or {}
        if not self.errors:
            found = self.protocol.problems(self.preset, self.chosen_options(), cleaned["test_set"])
            for slug, words in found.items():
                self.add_error(slug, words)
        return cleaned

    def chosen_options(self):
        """Return the preset's options with what the manager chose."""
        return self.preset.options | {o.slug: self.cleaned_data[o.slug] for o in self.options}

    def save(self, commit=True):
        campaign = self.instance
        campaign.preset = self.preset.slug
        campaign.protocol = self.preset.protocol
        campaign.options = self.chosen_options()
        text = self.cleaned_data["instructions_text"]
        if text.split() == self.preset.instructions.split():
            # Left as they stood in the form, they are those for the texts that were chosen.
            text = self.protocol(campaign).instructions()
        campaign.instructions = {"en": text} if text else {}
        return super().save(commit)


NO_VERSION = "Reload this page: the form does not say which version you changed."


class InstructionsForm(forms.Form):
    """Markdown in each language of the annotators' pages; English is what others fall back to.

    The form carries the version that it was made from, and each field the text that it had then.
    `clashes`: (language, its code, text) of what is stored otherwise, where somebody has saved.
    """

    version = forms.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        widget=forms.HiddenInput,
        error_messages={
            "required": NO_VERSION,
            "invalid": NO_VERSION,
        },
    )
    text = MarkdownField(
        show_hidden_initial=True,
        widget=forms.Textarea(attrs={"rows": 14}),
        label="Instructions for annotators",
        help_text="Markdown, in English; also shown to annotators whose language has no text of "
        "its own. Every change increases the guideline version recorded with judgments.",
    )

    def __init__(self, campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        instructions = campaign.instructions
        self.clashes: list[tuple[str, str, str]] = []
        self.fields["version"].initial = campaign.guideline_version
        self.fields["text"].initial = instructions.get("en", "")
        for code, name in settings.LANGUAGES[1:]:
            self.fields[f"text_{code}"] = MarkdownField(
                widget=forms.Textarea(
                    attrs={"rows": 6, "lang": code, "dir": direction(code)},
                ),
                label=f"In {language_name(code)} ({name})",
                initial=instructions.get(code, ""),
                show_hidden_initial=True,
            )

    def languages(self) -> list[tuple[forms.BoundField, str, bool]]:
        """Return for the template: the fields of the languages other than English, their names, and
        whether a text is written; those that have one come first."""
        found = [
            (self[f"text_{code}"], language_name(code), bool(self[f"text_{code}"].value()))
            for code, _name in settings.LANGUAGES[1:]
        ]
        return sorted(found, key=lambda each: not each[2])

    def instructions(self) -> dict[str, str]:
        """By language; those without a text are left out."""
        return {code: text for code, name in self.names() if (text := self.cleaned_data[name])}

    def names(self) -> list[tuple[str, str]]:
        """Return each language and the field of its text."""
        others = [(code, f"text_{code}") for code, _name in settings.LANGUAGES[1:]]
        return [("en", "text"), *others]

    def beside(self, campaign: Campaign) -> "InstructionsForm":
        """Return this valid form over what somebody has saved meanwhile: the texts that were
        changed here as they were sent, all others as they are stored."""
        data: dict[str, str | int] = {"version": campaign.guideline_version}
        clashes = []
        for code, name in self.names():
            stored = campaign.instructions.get(code, "")
            data[name] = self.cleaned_data[name] if name in self.changed_data else stored
            data[self.add_initial_prefix(name)] = stored
            if data[name] != stored:
                clashes.append((language_name(code), code, stored))
        form = InstructionsForm(campaign, data)
        form.clashes = clashes
        return form


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Status.choices)
