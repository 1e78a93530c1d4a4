"""What a reader of the Power page may choose, and the planner's questions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django import forms

from judgments.models import Spending
from judgments.pages.power import TEST_NAMES
from judgments.stats.elimination import pairs_to_share
from judgments.stats.power import required_comparisons, required_judgments
from judgments.stats.sequential import (
    FIRST_LOOK_ITEMS,
    MOST_LOOKS,
    stopping_plan,
)
from judgments.tables import Column, Table, figure

LOOKS = (
    Column("look", kind="count"),
    Column("items", kind="count"),
    Column("bound", "A pair is decided where |Z| >", "number"),
)


class PowerOptionsForm(forms.Form):
    """The test between two systems; what is not valid falls back to the first."""

    def __init__(self, tests: tuple[str, ...], *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.tests = tests
        self.fields["test"] = forms.ChoiceField(
            choices=[(test, TEST_NAMES[test]) for test in tests],
            required=False,
            label="Test between two systems",
        )

    def test_chosen(self) -> str:
        self.is_valid()  # what was not valid is not in cleaned_data
        return self.cleaned_data.get("test") or self.tests[0]


@dataclass(frozen=True)
class Plan:
    """What the planner answers: a sentence, more of them, and the looks if there are several."""

    lead: str
    details: tuple[str, ...]
    looks: Table | None


class PlannerForm(forms.Form):
    """How many items a campaign needs."""

    sd = forms.FloatField(
        min_value=1e-9,
        max_value=1e9,
        label="Standard deviation of a difference",
        help_text="Between two systems on one item. This campaign's is filled in where it is "
        "known; 20 is usual for scores of 0 to 100.",
    )
    effect = forms.FloatField(
        min_value=1e-9,
        max_value=1e9,
        label="Difference that matters",
        help_text="The smallest difference of means that you do not want to miss.",
    )
    systems = forms.IntegerField(
        min_value=2,
        max_value=200,
        label="Systems",
        help_text="Every pair is compared: the more systems, the stricter the tests.",
    )
    alpha = forms.FloatField(
        min_value=0.0001, max_value=0.2, initial=0.05, label="Error α, over all pairs"
    )
    power = forms.FloatField(
        min_value=0.5,
        max_value=0.99,
        initial=0.8,
        label="Power",
        help_text="Chance of finding the difference if there is one.",
    )
    looks = forms.IntegerField(
        min_value=1,
        max_value=MOST_LOOKS,
        initial=1,
        label="Looks",
        help_text="How often you will look at the results before the end, the end included.",
    )

    spending = forms.ChoiceField(
        choices=Spending.choices,
        initial=Spending.ONE_SIDED_FORM,
        required=False,
        label="How the error is spent over several looks",
    )

    def plan(self) -> Plan:
        """The answer to valid input."""
        asked = self.cleaned_data
        n_pairs = int(pairs_to_share(asked["systems"]))
        options = {"alpha": asked["alpha"], "power": asked["power"]}
        alone = required_judgments(asked["effect"], asked["sd"], **options).n
        options["alpha"] = asked["alpha"] / n_pairs
        n = required_judgments(asked["effect"], asked["sd"], **options).n
        ratings = n * asked["systems"]
        lead = (
            f"{n:,.0f} items, each judged of all {asked['systems']} systems by one annotator: "
            f"{ratings:,.0f} ratings. They separate two systems that differ by "
            f"{figure(asked['effect'], 2)} with a chance of {asked['power']:.0%}"
        )
        lead += f", whichever of the {n_pairs:,} pairs they are." if n_pairs > 1 else "."
        details = [
            "A second annotator on the same items adds less than new items do, and items of new "
            "documents add more than further items of the same ones."
        ]
        if n_pairs > 1:
            details.insert(0, f"For one pair that was chosen beforehand: {alone:,.0f} items.")
        details.append(self._wins(options))
        return Plan(lead, tuple(details), self._looks(int(n), n_pairs))

    def _wins(self, options: dict[str, float]) -> str:
        n = required_comparisons(0.55, **options).n
        return (
            f"Comparisons instead of ratings: {n:,.0f} of a pair, ties not counted, if the better "
            "system wins 55 % of them."
        )

    def _looks(self, n: int, n_pairs: int) -> Table | None:
        """When to look, and the bounds; None for one look or too few items."""
        wanted = self.cleaned_data["looks"]
        first = max(FIRST_LOOK_ITEMS, math.ceil(n / wanted))
        if wanted < 2 or n <= first:
            return None
        step = (n - first) / (wanted - 1)
        ends = sorted({round(first + step * k) for k in range(wanted)})
        spending = self.cleaned_data["spending"] or Spending.ONE_SIDED_FORM
        alpha = self.cleaned_data["alpha"]
        plan = stopping_plan(ends, n_pairs=n_pairs, alpha=alpha, spending=spending)
        rows = [
            (k, end, float(bound))
            for k, (end, bound) in enumerate(zip(ends, plan.bounds, strict=True), 1)
        ]
        note = (
            f"Bounds of the spending function {Spending(spending).label}, α divided by the number "
            "of pairs. Z is the normal value of the p of a paired test. Fix the looks before the "
            "first. A system whose pairs are all decided needs no more judgments."
        )
        return Table("looks", "When to look, and when to stop", LOOKS, rows, note)
