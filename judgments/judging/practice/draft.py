"""A tutorial item while a manager writes it."""

from __future__ import annotations

from typing import Any

from judgments.models import Campaign, Practice

from . import practice as tutorial
from .forms import ExpectedForm, PracticeTextsForm

REPLACED = (
    "Somebody saved other tutorial items while you were writing. What you wrote is shown here "
    "but was not saved. Look at what is saved now, and save again to replace it."
)


class PracticeDraft:
    """The forms of one item, and what becomes of all items when they are sent.

    rows: of the items that are stored. What is expected is asked of an item whose texts are stored;
    its questions are those of the screen of the texts that were sent.
    """

    def __init__(self, campaign: Campaign, rows: list[dict[str, Any]], number: int, data=None):
        self.campaign, self.rows, self.number, self.data = campaign, rows, number, data
        self.is_new = number > len(rows)
        self.is_removal = data is not None and "remove" in data and not self.is_new
        self.row: dict[str, Any] = {} if self.is_new else rows[number - 1]
        self.version = data.get("version", "") if data else tutorial.version_of(campaign)
        self.texts = PracticeTextsForm(
            campaign, self.row, initial={"place": number, "version": self.version}, data=data
        )
        self.expected: ExpectedForm | None = None
        if not self.is_new:
            self.expected = self.expected_form(self.row, data)

    def expected_form(self, row: dict[str, Any], data=None) -> ExpectedForm:
        texts = {key: value for key, value in row.items() if key != "expected"}
        item = Practice(campaign=self.campaign, position=0, **texts)
        screen = tutorial.practice_screen(self.campaign, item, 1, 1, None)
        return ExpectedForm(screen.form(), self.row.get("expected", {}), data)

    def is_valid(self) -> bool:
        """Return whether it can be stored; problems are at the fields."""
        if self.is_removal:
            return bool(self.version)
        if not self.texts.is_valid():
            return False
        row = self.texts.row()
        try:
            tutorial.read_row(self.campaign, row, 0)  # before a screen of it is made
            if self.expected is not None:
                self.expected = self.expected_form(row, self.data)
                if not self.expected.is_valid():
                    return False
                row |= {"expected": self.expected.found}
            tutorial.read_row(self.campaign, row, 0)
        except ValueError as problem:
            self.texts.add_error(None, str(problem))
            return False
        self.written = row
        return True

    def items(self) -> list[Practice]:
        """Return all items as they will be."""
        rows = list(self.rows)
        if not self.is_new:
            del rows[self.number - 1]
        if not self.is_removal:
            place = self.texts.cleaned_data["place"] or self.number
            self.number = min(place, len(rows) + 1)
            rows.insert(self.number - 1, self.written)
        return [
            Practice(campaign=self.campaign, position=position, **row)
            for position, row in enumerate(rows)
        ]

    def said(self) -> str:
        if self.is_removal:
            return "The tutorial item was removed."
        return "Saved. Now set the expected answer below." if self.is_new else "Saved."

    def next_page(self) -> tuple[Any, ...]:
        """Where it goes on: a new item's expected answers, or the list."""
        if self.is_new:
            return "campaign-practice-item", self.campaign.pk, self.number
        return "campaign-practice", self.campaign.pk

    def begin_again(self, version: str) -> None:
        """Show what was sent for the items that the campaign has now."""
        data = self.data.copy()
        data["version"] = version
        self.texts = PracticeTextsForm(self.campaign, self.row, initial={}, data=data)
        self.texts.is_valid()
        self.texts.add_error(None, REPLACED)
