"""A person's settings of the judging screen."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from judgments.models import ReadingSettings

TEXT_SIZES = (90, 100, 115, 130, 150)


class ReadingForm(forms.ModelForm):
    text_size = forms.TypedChoiceField(
        choices=[(size, f"{size} %") for size in TEXT_SIZES], coerce=int, label=_("Text size")
    )
    line_spacing = forms.ChoiceField(
        choices=[("", _("Normal")), ("wide", _("Wide")), ("wider", _("Very wide"))],
        required=False,
        label=_("Line spacing"),
    )
    typeface = forms.ChoiceField(
        choices=[
            ("", _("Same as the device")),
            ("legible", _("Atkinson Hyperlegible, with letters that are hard to confuse")),
        ],
        required=False,
        label=_("Typeface"),
        help_text=_("For Latin letters; other scripts keep their own font."),
    )
    contrast = forms.ChoiceField(
        choices=[("", _("Same as the device")), ("more", _("More contrast"))],
        required=False,
        label=_("Contrast"),
    )
    theme = forms.ChoiceField(
        choices=[
            ("auto", _("Same as the device")),
            ("light", _("Light")),
            ("dark", _("Dark")),
        ],
        label=_("Colors"),
    )
    span_unit = forms.ChoiceField(
        choices=[("word", _("Whole words")), ("character", _("Single characters"))],
        label=_("Errors are marked by"),
    )
    goes_on = forms.BooleanField(
        required=False,
        label=_("Continue automatically when only one answer is needed"),
        help_text=_(
            "One key answers and opens the next item, as in pairwise comparison; p goes back."
        ),
    )
    sentence_steps = forms.ChoiceField(
        choices=[
            ("", _("As set by the campaign")),
            ("on", _("Sentence by sentence")),
            ("off", _("The whole text at once")),
        ],
        required=False,
        label=_("Long texts are read"),
    )
    compared_texts = forms.ChoiceField(
        choices=[
            ("", _("As a table where they are long")),
            ("table", _("As a table, sentence by sentence")),
            ("list", _("One after the other")),
        ],
        required=False,
        label=_("Several translations are shown"),
    )
    reminds_of_breaks = forms.BooleanField(
        required=False, label=_("Remind me to take a break after 20 minutes of work")
    )
    language = forms.ChoiceField(
        choices=[("", _("Same as the browser")), *settings.LANGUAGES],
        required=False,
        label=_("Language of these pages"),
    )

    class Meta:
        model = ReadingSettings
        fields = [
            "text_size",
            "line_spacing",
            "typeface",
            "contrast",
            "theme",
            "span_unit",
            "goes_on",
            "sentence_steps",
            "compared_texts",
            "reminds_of_breaks",
            "language",
        ]


class ComparedTextsForm(forms.ModelForm):
    """The setting that the key of the judging screen changes."""

    class Meta:
        model = ReadingSettings
        fields = ["compared_texts"]


class WidthsForm(forms.ModelForm):
    """Widths set by dragging on the judging screen; empty: the site's default."""

    class Meta:
        model = ReadingSettings
        fields = ["source_pane", "source_column"]
