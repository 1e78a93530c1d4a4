"""A file of judgments, and what is to be done with rows that cannot be read."""

from typing import Any

from django import forms

from judgments.files.problem import USUAL_LIMIT
from judgments.test_sets.forms import TableForm


class JudgmentsForm(TableForm):
    leave_out = forms.BooleanField(
        required=False,
        label="Leave out rows that cannot be read",
        help_text=f"Up to {USUAL_LIMIT:g} % of all rows. They are listed with the campaign, and "
        "the rest is imported.",
    )

    def __init__(self, *args: Any) -> None:
        super().__init__(*args, label="File of judgments")

    def chosen(self) -> dict[str, Any]:
        """Return the arguments of `import_judgments` that a valid form says."""
        leave_out = USUAL_LIMIT if self.cleaned_data["leave_out"] else None
        return {"source": self.cleaned_data["file"], "leave_out": leave_out}
