"""Forms around the work: questions for annotators before it, and what managers set for that."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.conf import settings
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from judgments.files.languages import language_name
from judgments.models import Campaign, Membership, Payment
from judgments.models.corpus import direction
from judgments.people.staffing.pay import payable
from judgments.people.staffing.question_forms import PersonQuestions, initial_of
from judgments.people.staffing.settings import (
    LONGEST_WARNING,
    MINUTE,
    MOST_BATCHES,
    MOST_ITEMS,
    MOST_PAY,
    PIECES,
    PersonQuestion,
    Staffing,
    read,
    staffing_of,
)
from judgments.web.widgets import MarkdownField

LONGEST_ANSWER = 500
LARGEST_ANSWER = 1e9


class QuestionnaireForm(forms.Form):
    """A campaign's questions about the person; field names are prefixed with "about-"."""

    def __init__(self, questions: tuple[PersonQuestion, ...], language: str, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.questions = questions
        for question in questions:
            field = field_of(question)
            # The manager's text, which may run in the other direction than the page.
            field.label = format_html("<bdi>{}</bdi>", question.label(language))
            field.required = question.required
            self.fields[f"about-{question.name}"] = field

    def answers(self) -> dict[str, Any]:
        """Return the answers by the names of the questions, without empty ones."""
        found = {q.name: self.cleaned_data[f"about-{q.name}"] for q in self.questions}
        return {name: value for name, value in found.items() if value not in ("", None)}


def field_of(question: PersonQuestion) -> forms.Field:
    if question.kind == "choice":
        choices = [("", "–"), *((each, each) for each in question.choices)]
        return forms.ChoiceField(choices=choices)
    if question.kind == "yes-no":
        return forms.ChoiceField(
            choices=[("yes", _("Yes")), ("no", _("No"))], widget=forms.RadioSelect
        )
    if question.kind == "number":
        return forms.FloatField(min_value=-LARGEST_ANSWER, max_value=LARGEST_ANSWER)
    return forms.CharField(max_length=LONGEST_ANSWER)


class StaffingPartForm(forms.Form):
    """A form for some parts of `judgments.people.staffing.settings`; `part()` returns its
    values."""

    def part(self) -> dict[str, Any]:
        raise NotImplementedError

    def clean(self):
        cleaned = super().clean()
        if not self.errors:
            try:
                read(self.part())
            except ValueError as problem:
                raise forms.ValidationError(str(problem)) from None
        return cleaned


class ConsentForm(StaffingPartForm):
    """The consent in each language of the annotators' pages and each in which it is written, and
    the questionnaire."""

    consent = MarkdownField(
        widget=forms.Textarea(attrs={"rows": 10}),
        label="Consent",
        help_text="Markdown, in English. Annotators must accept it before their first item. "
        "Leave empty to skip. Changing the text creates a new version that everybody "
        "must accept.",
    )

    def __init__(self, staffing: Staffing, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["consent"].initial = staffing.consent.get("en", "")
        names = {code: f"{language_name(code)} ({name})" for code, name in settings.LANGUAGES}
        # A campaign file may hold the consent in further languages.
        for code in dict.fromkeys((*names, *staffing.consent)):
            if code == "en":
                continue
            self.fields[f"consent_{code}"] = MarkdownField(
                widget=forms.Textarea(attrs={"rows": 4, "lang": code, "dir": direction(code)}),
                label=f"Consent in {names.get(code) or language_name(code)}",
                initial=staffing.consent.get(code, ""),
            )
        self.questions: Any = PersonQuestions(
            self.data if self.is_bound else None,
            prefix="question",
            initial=[initial_of(each) for each in staffing.questions],
        )

    @property
    def translations(self) -> list[forms.BoundField]:
        """The fields of the consent in other languages."""
        return [self[name] for name in self.fields if name.startswith("consent_")]

    def clean(self):
        if not self.questions.is_valid():
            raise forms.ValidationError(
                "One of the questions has an error, which is shown with it."
            )
        cleaned = super().clean()
        others = [n for n in self.fields if n.startswith("consent_") and self.cleaned_data.get(n)]
        if others and not self.cleaned_data.get("consent"):
            self.add_error("consent", "Also write it in English: other languages fall back to it.")
        return cleaned

    def part(self) -> dict[str, Any]:
        texts = {
            name.partition("_")[2] or "en": text
            for name, text in self.cleaned_data.items()
            if name.startswith("consent") and text
        }
        return {"consent": {"texts": texts}, "questions": self.questions.rows()}


class CompletionForm(StaffingPartForm):
    """How much one person may do, what they get at the end, and how people are named."""

    batches = forms.IntegerField(
        min_value=1,
        max_value=MOST_BATCHES,
        required=False,
        label="Batches that one person may take",
        help_text="Leave empty for no limit. People from Prolific or MTurk are paid for a fixed "
        "amount of work: enter 1.",
    )
    items = forms.IntegerField(
        min_value=1,
        max_value=MOST_ITEMS,
        required=False,
        label="Items that one person may judge, at most",
        help_text="Nobody is given a batch that would exceed it. Leave empty for no limit.",
    )
    domain_items = forms.IntegerField(
        min_value=1,
        max_value=MOST_ITEMS,
        required=False,
        label="Of these, items of one domain, at most",
        help_text="For texts whose documents have a domain. Leave empty for no limit.",
    )
    pass_code = forms.CharField(
        required=False,
        max_length=64,
        label="Completion code",
        help_text=(
            "Shown once somebody has judged everything that they may judge, and never before."
        ),
    )
    fail_code = forms.CharField(
        required=False,
        max_length=64,
        label="Completion code for people who are left out",
        help_text="Shown instead to annotators who are left out of the results by a decision, or "
        "who fail the quality control rule. If empty, they see no code, only who to "
        "contact.",
    )
    redirect = forms.CharField(
        required=False,
        max_length=500,
        label="Where to return with the code",
        help_text="An https address that contains {code}; it becomes a button. Prolific: "
        "https://app.prolific.com/submissions/complete?cc={code}",
    )
    prolific_study = forms.CharField(
        required=False,
        max_length=24,
        label="Prolific study ID",
        help_text="From the address of the study's page. With it, the page Pay can approve and "
        "pay people at Prolific, if the operator of this site has set that up.",
    )
    typed_names = forms.BooleanField(
        required=False,
        label="People may choose their own name",
        help_text="Otherwise the site makes up a pseudonym for everybody who joins.",
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        staffing = staffing_of(campaign)
        for name, field in self.fields.items():
            field.initial = getattr(staffing, name)

    def part(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "batches": data["batches"],
            "items": data["items"],
            "domain_items": data["domain_items"],
            "codes": {"pass": data["pass_code"], "fail": data["fail_code"]},
            "redirect": data["redirect"],
            "prolific_study": data["prolific_study"],
            "typed_names": data["typed_names"],
        }


def moment_field(label: str, words: str) -> forms.DateTimeField:
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MINUTE)
    return forms.DateTimeField(required=False, label=label, help_text=words, widget=widget)


def warning_field(label: str) -> forms.IntegerField:
    return forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_WARNING,
        label=label,
        help_text="Days before the deadline. Leave empty for none.",
    )


class DatesForm(StaffingPartForm):
    """Dates between which people can judge."""

    start = moment_field("Start", "If empty, as soon as you open the campaign.")
    deadline = moment_field("Deadline", "If empty, until you close the campaign.")
    first_reminder = warning_field("Reminder")
    last_reminder = warning_field("Another reminder")

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        dates = staffing_of(campaign).dates
        reminders = (*dates.reminders, None, None)
        found = (dates.start, dates.deadline, *reminders)
        for field, value in zip(self.fields.values(), found, strict=False):
            field.initial = value

    def part(self) -> dict[str, Any]:
        data = self.cleaned_data
        moments = {
            name: data[name].strftime(MINUTE) for name in ("start", "deadline") if data[name]
        }
        days = [data[name] for name in ("first_reminder", "last_reminder") if data[name]]
        return {"dates": moments | {"reminders": days}}


class MoreTimeForm(forms.Form):
    days = forms.IntegerField(min_value=1, max_value=365, initial=7, label="Days to add")


class PayForm(StaffingPartForm):
    """The pay, and the promised hourly wage."""

    amount = forms.CharField(
        required=False,
        max_length=20,
        label="Amount",
        help_text="Such as 12.50. Leave empty for no pay.",
    )
    currency = forms.CharField(required=False, max_length=10, label="Currency")
    per = forms.ChoiceField(
        choices=[(piece, f"for each {piece}") for piece in PIECES], label="It is paid"
    )
    promised = forms.CharField(
        required=False,
        max_length=20,
        label="Promised hourly wage",
        help_text=(
            "A warning appears if the median of what people really earn per hour is below this."
        ),
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.has_payments = Payment.objects.filter(membership__campaign=campaign).exists()
        self.settled = staffing_of(campaign).pay
        planned = campaign.plan.get("pay_per_hour")
        if self.settled:
            for name, field in self.fields.items():
                field.initial = getattr(self.settled, name)
        elif planned is not None:  # so that it is entered only once
            currency = campaign.plan.get("currency", "EUR")
            self.initial.update(amount=f"{planned:g}", currency=currency, per="hour")
            words = f" The plan assumes {planned:g} {currency} an hour."
            self.fields["amount"].help_text += words

    def clean_currency(self) -> str:
        currency = self.cleaned_data["currency"]
        if self.has_payments and self.settled and currency != self.settled.currency:
            raise forms.ValidationError(
                f"Sums have already been approved in {self.settled.currency}."
            )
        return currency

    def clean_amount(self) -> str:
        amount = self.cleaned_data["amount"]
        if self.has_payments and self.settled and not amount:  # which would forget the currency
            raise forms.ValidationError("Sums have already been approved; enter 0 for no more pay.")
        return amount

    def part(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {"pay": data if data["amount"] else {}}


class PaymentForm(forms.Form):
    """The members of a campaign to approve or mark as paid."""

    act = forms.ChoiceField(choices=[("approve", "Approve"), ("paid", "Paid")])
    people = forms.ModelMultipleChoiceField(
        Membership.objects.none(), error_messages={"required": "Tick at least one annotator."}
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people: Any = self.fields["people"]
        people.queryset = payable(campaign)


class BonusForm(forms.Form):
    member = forms.ModelChoiceField(Membership.objects.none(), label="Annotator")
    sum = forms.DecimalField(
        min_value=Decimal("0.01"), max_value=MOST_PAY, decimal_places=2, label="Bonus"
    )
    reason = forms.CharField(max_length=200, label="What for")

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members: Any = self.fields["member"]
        members.queryset = payable(campaign).order_by("alias")
        members.label_from_instance = lambda member: member.alias
