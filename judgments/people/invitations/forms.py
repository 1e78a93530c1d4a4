"""Forms for many invitations at once."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms

from judgments.files.forms import FilesForm, OneFileField
from judgments.files.guest_list import MOST, Guest, GuestListProblems, read_guests
from judgments.models import Invitation, Role

SUBJECT = "Judging translations: {campaign}"
BODY = """Hello {name},

You are invited to judge translations in “{campaign}”. This link is only for you and needs no
password:

{link}

Open it when you have time. You can stop at any point and continue later.
"""


class SheetForm(FilesForm):
    """Links for the people of a list, or a number of links."""

    guests_file = OneFileField(
        required=False,
        label="A list of people (CSV)",
        help_text="Columns: name, e-mail (may be empty), alias (optional; the name in results). "
        f"At most {MOST:,} people. If any row is invalid, no links are created.",
    )
    n_links = forms.IntegerField(
        required=False, min_value=1, max_value=MOST, label="Or a number of links"
    )
    note = forms.CharField(required=False, max_length=200, label="A note for yourself")
    expires_at = forms.DateTimeField(
        required=False,
        label="Close them on",
        help_text="Date and time in UTC.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    guests: list[Guest]
    known_pairs: Sequence[str] = ()  # pairs that a list may name

    def clean(self):
        cleaned = super().clean()
        file, n_links = cleaned.get("guests_file"), cleaned.get("n_links")
        if self.errors:
            return cleaned
        if bool(file) == bool(n_links):
            raise forms.ValidationError("Either choose a list or enter a number of links.")
        if not file:
            self.guests = [Guest() for _ in range(n_links)]
            return cleaned
        try:
            self.guests = read_guests(file, self.known_pairs)
        except GuestListProblems as found:
            for problem in found.problems:
                self.add_error("guests_file", f"No links were created. {problem}")
        return cleaned


class MailForm(forms.Form):
    """The mail with a link, as edited before it is sent to everybody."""

    subject = forms.CharField(max_length=200, initial=SUBJECT, label="Subject")
    body = forms.CharField(
        max_length=10_000,
        initial=BODY,
        widget=forms.Textarea(attrs={"rows": 12}),
        label="Text",
        help_text="{name}, {campaign} and {link} are filled in for each person.",
    )

    def clean_body(self):
        body = self.cleaned_data["body"].replace("\r\n", "\n")
        if "{link}" not in body:
            raise forms.ValidationError(
                "Put {link} where the link should go. Without it, the email invites nobody."
            )
        return body


class InvitationForm(forms.ModelForm):
    # No link makes an owner, since links can be passed on.
    role = forms.ChoiceField(
        choices=[(Role.ANNOTATOR, "annotators"), (Role.RESEARCHER, "researchers")],
        label="People who follow the link become",
    )
    kind = forms.ChoiceField(
        choices=[
            ("shared", "shared: anyone who has it can join"),
            ("single", "single use: it closes after one person has joined"),
        ],
        initial="shared",
        widget=forms.RadioSelect,
        label="The link is",
    )
    max_uses = forms.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        label="Close a shared link after this many people",
    )

    class Meta:
        model = Invitation
        fields = ["role", "kind", "max_uses", "expires_at", "note"]
        labels = {"note": "A note for yourself", "expires_at": "Close it on"}
        help_texts = {"expires_at": "Date and time in UTC."}
        widgets = {
            "expires_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            )
        }

    def clean(self):
        cleaned = super().clean() or {}
        if cleaned.get("kind") == "single":
            if (cleaned.get("max_uses") or 1) > 1:
                self.add_error("max_uses", "A single-use link closes after one person.")
            cleaned["max_uses"] = 1
        return cleaned
