"""Recording that a published figure is the publication's own fault, or that it is not."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import Campaign, KnownFault
from judgments.web.widgets import ShortSelect

from ..selection.selection import Selection
from .figures import FAULT, OTHER, recomputed

MOST_LISTED = 500


class FaultForm(forms.Form):
    """Figures that differ, and those whose fault is known: which of them, and why."""

    figure = forms.ChoiceField(label=gettext_lazy("Figure"), widget=ShortSelect)
    reason = forms.CharField(
        max_length=KnownFault._meta.get_field("reason").max_length,
        widget=forms.Textarea(attrs={"rows": 3}),
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy(
            "What is wrong in the publication, or why it is not a fault after all. It stays with "
            "the figure, on this page and in exports."
        ),
    )

    def __init__(self, campaign: Campaign, *args, **kwargs):
        super().__init__(*args, **kwargs)
        rows = [r for r in recomputed(Selection.of(campaign)) if r.verdict in (OTHER, FAULT)]
        # By its number and our own figure: one that has changed meanwhile is not recorded.
        self.rows = {f"{row.row} {row.own}": row for row in rows[:MOST_LISTED]}
        self.fields["figure"].choices = [  # type: ignore[attr-defined]
            (
                key,
                (_("Withdraw: %(what)s") if row.verdict == FAULT else "%(what)s")
                % {
                    "what": _("%(figure)s: %(published)s published, %(own)s here")
                    % {
                        "figure": " ".join(filter(None, (row.figure, row.dimension, row.of))),
                        "published": row.published,
                        "own": row.own,
                    }
                },
            )
            for key, row in self.rows.items()
        ]

    def fault(self, by) -> KnownFault:
        """Return what a valid form decides, not saved yet."""
        row = self.rows[self.cleaned_data["figure"]]
        return KnownFault(
            figure_id=row.row,
            own=row.own,
            withdrawn=row.verdict == FAULT,
            reason=self.cleaned_data["reason"],
            decided_by=by,
        )
