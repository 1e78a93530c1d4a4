"""Forms of notes that an annotator adds to a judgment."""

from django import forms
from django.utils.translation import gettext_lazy as _

from judgments.models import NoteKind

# In the annotator's language; the names of the reasons are those of `judgments.models.Reason`.
REASONS = [
    ("source", _("The source cannot be understood.")),
    ("misaligned", _("Source and translation do not belong together.")),
    ("language", _("A text is not in its language.")),
    ("topic", _("I do not know enough about the topic.")),
    ("offensive", _("The text is offensive.")),
    ("technical", _("The page does not work.")),
    ("other", _("Something else.")),
]


class NoteForm(forms.Form):
    kind = forms.ChoiceField(choices=NoteKind.choices, widget=forms.HiddenInput)
    reason = forms.ChoiceField(
        choices=REASONS,
        required=False,
        widget=forms.RadioSelect,
        label=_("What is wrong?"),
    )
    comment = forms.CharField(
        required=False,
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 3}),
        label=_("Comment"),
        help_text=_("The people who run the campaign read it."),
    )

    # The words that the note is about, as a script found them selected on the screen. place: number
    # of the translation, from 1.
    about_words = forms.BooleanField(
        required=False, initial=True, label=_("It is about these words:")
    )
    quote = forms.CharField(
        required=False,
        max_length=2000,
        strip=False,
        widget=forms.HiddenInput,
    )
    side = forms.ChoiceField(
        choices=[("source", "source"), ("target", "target")],
        required=False,
        widget=forms.HiddenInput,
    )
    place = forms.IntegerField(
        required=False, min_value=1, max_value=1000, widget=forms.HiddenInput
    )
    start = forms.IntegerField(
        required=False, min_value=0, max_value=10**9, widget=forms.HiddenInput
    )

    def clean(self):
        cleaned = super().clean() or {}
        # Browsers send a line break in a hidden field as two characters.
        quote = cleaned.get("quote", "").replace("\r\n", "\n")
        cleaned["quote"] = quote if cleaned.get("about_words") else ""
        if cleaned.get("quote") and not has_words(cleaned):
            self.add_error(None, _("The words that you chose are no longer there."))
        has_reason, has_comment = cleaned.get("reason"), cleaned.get("comment")
        if cleaned.get("kind") == NoteKind.SKIP and not has_reason and "reason" not in self.errors:
            self.add_error("reason", _("Say why you skip the item."))
        if cleaned.get("kind") == NoteKind.FLAG and not (has_reason or has_comment):
            self.add_error("comment", _("Choose a reason or write a comment."))
        if has_reason == "other" and not has_comment and "comment" not in self.errors:
            self.add_error("comment", _("Say in a comment what is wrong."))
        return cleaned


def has_words(cleaned: dict) -> bool:
    """Return whether the place of the quoted words is given."""
    has_place = cleaned.get("side") == "source" or cleaned.get("place")
    return bool(cleaned.get("side") and has_place and cleaned.get("start") is not None)


class ResolveForm(forms.Form):
    """Whether an owner wants to settle a note."""

    resolved = forms.ChoiceField(choices=[("yes", "resolved"), ("no", "open")])
