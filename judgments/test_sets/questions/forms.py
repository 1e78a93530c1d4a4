"""Forms for a campaign's material: questions, and edits to judge."""

from django import forms

from judgments.files import questions as rules
from judgments.files.forms import FilesForm, OneFileField
from judgments.models import Level, Question

FIELDS = {"question": "text", "choices": "choices", "right": "right"}


class QuestionsFileForm(FilesForm):
    file = OneFileField(
        label="A table of questions",
        help_text="A .tsv, .csv or .jsonl with the columns document, level (1, 2 or 3) and "
        "question; choices and right may contain several, separated by |.",
    )
    replace = forms.BooleanField(required=False, label="Replace the existing questions")


class LinesField(forms.CharField):
    """One entry per line, at most as many as the rules allow; cleans to a list."""

    widget = forms.Textarea

    def __init__(self, **kwargs):
        # A line end has two characters.
        longest = rules.MOST_RIGHT * (rules.LONGEST_ANSWER + 2)
        super().__init__(max_length=longest, **kwargs)

    def prepare_value(self, value):
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value):
        return [line.strip() for line in super().clean(value).splitlines() if line.strip()]


class QuestionForm(forms.ModelForm):
    """One question. Without choices it is an open one."""

    text = forms.CharField(
        max_length=rules.LONGEST_QUESTION,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Question",
        help_text="In the language of the translations.",
    )
    level = forms.TypedChoiceField(choices=Level.choices, coerce=int, label="Level")
    choices = LinesField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Choices",
        help_text="One per line; none for an open question. “The text does not say” is always "
        "offered too.",
    )
    right = LinesField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Right answers",
        help_text="One per line, as in the choices. For an open question: the accepted answers, "
        "ignoring case and punctuation; leave empty if people grade the answers.",
    )
    untold = forms.BooleanField(
        required=False, label="The source does not say: “The text does not say” is right"
    )

    class Meta:
        model = Question
        fields = ["document", "level", "text", "choices", "right"]

    def __init__(self, campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.instance.campaign = campaign
        self.fields["document"] = forms.ModelChoiceField(
            campaign.test_set.documents.all(), label="Document", empty_label=None
        )
        right = self.instance.right
        self.initial["right"] = [answer for answer in right if answer]
        self.initial["untold"] = "" in right

    def clean(self):
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        if cleaned["untold"]:
            cleaned["right"] = [*cleaned["right"], ""]
        fault = rules.fault_of(cleaned["text"], cleaned["choices"], cleaned["right"])
        if fault:
            column, reason = fault
            self.add_error(FIELDS[column], reason[0].upper() + reason[1:])
            return cleaned
        same = self.instance.campaign.questions.filter(
            document=cleaned["document"], text=cleaned["text"]
        ).exclude(pk=self.instance.pk)
        if same.exists():
            self.add_error("text", "The document already has this question.")
        return cleaned
