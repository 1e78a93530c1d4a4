"""Filter of the log's acts."""

import datetime

from django import forms
from django.utils import timezone

from judgments.models import Role
from judgments.models.audit import ActQuerySet
from judgments.web.audit.words import in_words

ANNOTATORS = ":annotators"  # there may be thousands of annotators; no account can have this name


class LogForm(forms.Form):
    """One person, one act, one day; fields that are empty, or invalid, filter nothing."""

    person = forms.ChoiceField(required=False)
    act = forms.ChoiceField(required=False)
    day = forms.DateField(required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def __init__(self, acts: ActQuerySet, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.acts = acts
        others = acts.exclude(role=Role.ANNOTATOR).order_by("account")
        people = others.values_list("account", flat=True).distinct()
        names = acts.order_by("act").values_list("act", flat=True).distinct()
        self.fields["person"].choices = [  # type: ignore[attr-defined]
            *(("", "everybody"), (ANNOTATORS, "annotators")),
            *((name, name) for name in people),
        ]
        self.fields["act"].choices = [  # type: ignore[attr-defined]
            ("", "all acts"),
            *sorted(((name, in_words(name)) for name in names), key=lambda pair: pair[1]),
        ]

    def found(self) -> ActQuerySet:
        """Return the requested acts, newest first."""
        self.is_valid()  # invalid fields are not in cleaned_data
        chosen = self.cleaned_data
        acts = self.acts
        if chosen.get("person") == ANNOTATORS:
            acts = acts.filter(role=Role.ANNOTATOR)
        elif chosen.get("person"):
            acts = acts.filter(account=chosen["person"])
        if chosen.get("act"):
            acts = acts.filter(act=chosen["act"])
        if day := chosen.get("day"):
            start = datetime.datetime.combine(day, datetime.time(), timezone.get_current_timezone())
            acts = acts.filter(at__gte=start)
            if day < datetime.date.max:
                acts = acts.filter(at__lt=start + datetime.timedelta(days=1))
        return acts
