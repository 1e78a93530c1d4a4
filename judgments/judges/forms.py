"""A manager's settings of a judge, and the agreement to its price."""

from __future__ import annotations

from decimal import Decimal

from django import forms

from judgments.models import Campaign, Judge

from . import endpoints
from .prompts import PROMPTS

RARE = ("family", "temperature", "seed", "requests_a_minute", "tokens_a_minute", "at_once")


class JudgeForm(forms.ModelForm):
    """segments: how many are judged; empty for all."""

    endpoint = forms.ChoiceField(help_text="The operator of this site lists them.")
    prompt = forms.ChoiceField(
        help_text=(
            "Its text is shown before anything is sent. Published prompts are in our own words."
        )
    )
    segments = forms.IntegerField(
        required=False, min_value=1, max_value=10_000_000, label="Segments",
        help_text="Drawn by document. If empty, everything that people may be asked to judge.",
    )  # fmt: skip

    class Meta:
        model = Judge
        fields = [
            "name", "endpoint", "model", "prompt", "samples", "price_in", "price_out", "currency",
            "budget", "family", "temperature", "seed", "requests_a_minute", "tokens_a_minute",
            "at_once",
        ]  # fmt: skip
        labels = {
            "seed": "Seed",
            "samples": "Answers for each item",
            "price_in": "Price per million input tokens",
            "price_out": "Price per million output tokens",
            "budget": "Maximum cost",
            "requests_a_minute": "Maximum requests per minute",
            "tokens_a_minute": "Maximum tokens per minute",
            "at_once": "Simultaneous requests",
            "family": "Family",
        }
        help_texts = {
            "name": "As shown in results.",
            "model": "The name that the endpoint uses, with its version if it has one.",
            "family": "Such as GPT or Gemma. Systems of the same family are examined separately.",
            "temperature": "0 for the most likely answer.",
            "seed": "For endpoints that accept one. Each further answer to an item has the next.",
            "samples": "Two answers to a pair are asked for in both orders. Several answers show "
            "how consistent the model is.",
            "price_in": "0 for a model that costs nothing.",
        }

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.instance.campaign = campaign
        self.order_fields(["name", "endpoint", "model", "prompt", "segments"])
        fields = self.fields
        fields["endpoint"].choices = [(name, name) for name in endpoints.names()]  # type: ignore[attr-defined]
        fields["prompt"].choices = [(p.slug, p.name) for p in PROMPTS.values()]  # type: ignore[attr-defined]

    @property
    def usual(self) -> list[forms.BoundField]:
        """The settings that every judge needs."""
        return [field for field in self if field.name not in RARE]

    @property
    def rare(self) -> list[forms.BoundField]:
        return [field for field in self if field.name in RARE]

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        if Judge.objects.filter(campaign=self.instance.campaign, name=name).exists():
            raise forms.ValidationError("This campaign already has a judge with this name.")
        return name

    def clean_currency(self) -> str:
        currency = self.cleaned_data["currency"].upper()
        if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
            raise forms.ValidationError("Three letters, such as EUR.")
        return currency

    def clean(self):
        cleaned = super().clean() or {}
        self.instance.prompt_hash = PROMPTS[cleaned["prompt"]].hash if "prompt" in cleaned else ""
        return cleaned


class AgreedForm(forms.Form):
    """The price shown next to the button."""

    price = forms.DecimalField(min_value=Decimal(0), max_digits=12, decimal_places=4)


class LeavingForm(forms.Form):
    may_leave = forms.BooleanField(required=False)
