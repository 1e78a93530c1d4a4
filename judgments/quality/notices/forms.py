"""Recipients of a campaign's notices."""

from django import forms
from django.core.validators import validate_email

from judgments.models import NoticeWay
from judgments.quality.notices import webhooks


class NoticeRuleForm(forms.Form):
    way = forms.ChoiceField(choices=NoticeWay.choices, label="By")
    address = forms.CharField(
        max_length=500,
        label="To",
        help_text="An email address, or the address of a webhook, which begins with https://.",
    )
    on_complete = forms.BooleanField(
        required=False, initial=True, label="When all items are judged"
    )
    on_flag = forms.BooleanField(
        required=False, initial=True, label="When an annotator fails a check or is flagged"
    )

    def clean(self):
        cleaned = super().clean() or {}
        address = cleaned.get("address")
        if not cleaned.get("on_complete") and not cleaned.get("on_flag"):
            self.add_error("on_complete", "Choose at least one event.")
        if address and cleaned.get("way") == NoticeWay.MAIL:
            try:
                validate_email(address)
            except forms.ValidationError:
                self.add_error("address", "This is not an email address.")
        elif address and cleaned.get("way") == NoticeWay.WEBHOOK:
            try:
                webhooks.target_of(address)
            except webhooks.WebhookRefused as problem:
                self.add_error("address", str(problem))
        return cleaned
