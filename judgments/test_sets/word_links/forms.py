"""Form to request word links from an aligner."""

from django import forms

from judgments.models import LinkPurpose
from judgments.test_sets.word_links.aligner import word_aligner


def _models():
    aligner = word_aligner()
    return [*aligner.models.items()] if aligner else []


def _methods():
    aligner = word_aligner()
    return [*aligner.methods.items()] if aligner else []


class LinkRunForm(forms.Form):
    purpose = forms.ChoiceField(choices=LinkPurpose.choices, widget=forms.HiddenInput)
    model = forms.ChoiceField(
        choices=_models,
        required=False,
        label="Model",
        help_text="The diagonal prior knows that words mostly keep their order; IBM 1 does not.",
    )
    method = forms.ChoiceField(
        choices=_methods,
        required=False,
        label="Both directions are combined by",
        help_text="The intersection has few links that are mostly right, the union many.",
    )
