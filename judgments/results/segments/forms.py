"""Forms for the list of segments and its order; and for flagging a segment."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.results.observations.observations import dimensions_of
from judgments.results.observations.outside_scores import OutsideScores
from judgments.results.segments.figures import (
    CLASH,
    DISAGREEMENT,
    HIGHEST,
    LOWEST,
    METRIC,
    POSITION,
    SegmentsAsked,
    can_disagree,
    has_scores,
    marked_errors,
    with_parents,
)
from judgments.results.selection.selection import Selection
from judgments.stats.mqm import normalized

SHOW_CHOICES = [
    ("", gettext_lazy("All")),
    ("flagged", gettext_lazy("Flagged by the team")),
    ("shared", gettext_lazy("Judged by two or more")),
]
SORTS = {
    POSITION: gettext_lazy("As in the test set"),
    LOWEST: gettext_lazy("Human score, lowest first"),
    HIGHEST: gettext_lazy("Human score, highest first"),
    DISAGREEMENT: gettext_lazy("Disagreement of annotators, largest first"),
}


# Behind the others, until they are used.
NARROWING = ("by", "low", "high", "severity", "category")


class SegmentsForm(forms.Form):
    """The request in an address; invalid parts are reported and ignored."""

    sort = forms.ChoiceField(required=False, label=gettext_lazy("Order"))
    dimension = forms.ChoiceField(required=False, label=gettext_lazy("Question"))
    by = forms.ChoiceField(required=False, label=gettext_lazy("Rated by"))
    low = forms.FloatField(required=False, label=gettext_lazy("Score, at least"))
    high = forms.FloatField(required=False, label=gettext_lazy("Score, at most"))
    severity = forms.ChoiceField(required=False, label=gettext_lazy("Severity"))
    category = forms.ChoiceField(required=False, label=gettext_lazy("Error category"))
    show = forms.ChoiceField(required=False, choices=SHOW_CHOICES, label=gettext_lazy("Show"))

    def __init__(self, selection: Selection, columns: Sequence[OutsideScores], query: QueryDict):
        asked = {name: str(query[name]) for name in self.base_fields if query.get(name)}
        for name in ("severity", "category"):
            asked[name] = normalized(asked.get(name, ""))
        super().__init__(asked, auto_id="segments_%s")
        self._sorts(selection, columns)
        dimensions = dimensions_of(selection.campaign)
        self.first_dimension = dimensions[0].slug if dimensions else ""
        if len(dimensions) > 1:
            self._offer("dimension", [(d.slug, str(_(d.name))) for d in dimensions])
        else:
            self._offer("dimension", [(d.slug, d.name) for d in dimensions], hidden=True)
        self._offer(
            "by", [(alias, alias) for alias in sorted(selection.aliases.values())], _("all")
        )
        errors = marked_errors(selection)
        if errors is None:
            del self.fields["severity"], self.fields["category"]
        else:
            self._offer("severity", [(each, each) for each in errors.severities if each], _("any"))
            categories = with_parents(errors.categories)
            self._offer("category", [(each, each) for each in categories], _("any"))
        if not dimensions:
            del self.fields["low"], self.fields["high"]

    def _sorts(self, selection: Selection, columns: Sequence[OutsideScores]) -> None:
        own = list(SORTS.items())
        if not has_scores(selection):
            own = [each for each in own if each[0] not in (LOWEST, HIGHEST)]
        if not can_disagree(selection):
            own = [each for each in own if each[0] != DISAGREEMENT]
            self._offer("show", [each for each in SHOW_CHOICES if each[0] != "shared"])
        metrics = [(METRIC + column.slug, column.title) for column in columns]
        clashes = [
            (CLASH + column.slug, _("Distance from %(metric)s") % {"metric": column.title})
            for column in columns
        ]
        choices: list = list(own)
        if metrics:
            choices.append((_("By a metric, worst first"), metrics))
            if has_scores(selection):
                choices.append(
                    (_("By the distance of a metric from people, largest first"), clashes)
                )
        self._offer("sort", choices)

    def _offer(self, name: str, choices: list, none: str = "", hidden: bool = False) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", none), *choices] if none or hidden else choices
        if hidden:
            field.widget = forms.HiddenInput()

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [each for each in self.visible_fields() if each.name not in NARROWING]

    @property
    def narrowing_fields(self) -> list[forms.BoundField]:
        return [each for each in self.visible_fields() if each.name in NARROWING]

    @property
    def is_narrowed(self) -> bool:
        """Whether the list is narrowed, even by invalid fields, which are shown with their
        errors."""
        return any(self.data.get(name) for name in NARROWING)

    @property
    def asked(self) -> SegmentsAsked:
        self.is_valid()  # invalid fields are not in cleaned_data
        found = self.cleaned_data
        return SegmentsAsked(
            sort=found.get("sort") or POSITION,
            dimension=found.get("dimension") or "",
            by=found.get("by") or "",
            low=found.get("low"),
            high=found.get("high"),
            severity=found.get("severity") or "",
            category=found.get("category") or "",
            flagged=found.get("show") == "flagged",
            shared=found.get("show") == "shared",
        )

    @property
    def address(self) -> list[tuple[str, str]]:
        """The parts of a query string for the same request."""
        self.is_valid()
        parts = [(name, self.cleaned_data.get(name)) for name in self.fields]
        texts = [(name, "" if value is None else _text(value)) for name, value in parts]
        usual = {("sort", POSITION), ("dimension", self.first_dimension)}
        return [each for each in texts if each[1] and each not in usual]


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


class SegmentMarkForm(forms.Form):
    is_flagged = forms.BooleanField(required=False, label=gettext_lazy("Flag it: look at this"))
    comment = forms.CharField(
        required=False,
        max_length=2000,
        strip=True,
        widget=forms.Textarea(attrs={"rows": 2}),
        label=gettext_lazy("Comment"),
        help_text=gettext_lazy("Owners and researchers of the campaign read it."),
    )

    def clean(self):
        found = super().clean() or {}
        if self.was_flagged is False and not (found.get("is_flagged") or found.get("comment")):
            raise forms.ValidationError(_("Flag the segment, or write a comment."))
        return found

    def __init__(self, *args, was_flagged: bool = False, **kwargs):
        super().__init__(*args, **kwargs)
        self.was_flagged = was_flagged
