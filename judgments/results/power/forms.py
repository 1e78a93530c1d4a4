"""What a reader of the Power page may choose, and the planner's questions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from judgments.models import Spending
from judgments.stats.elimination import pairs_to_share
from judgments.stats.power import required_comparisons, required_judgments
from judgments.stats.sequential import (
    FIRST_LOOK_ITEMS,
    MOST_LOOKS,
    stopping_plan,
)
from judgments.web import plurals as counted
from judgments.web.tables import Column, Table, figure

LOOKS = (
    Column("look", gettext_lazy("Look"), "count"),
    Column("items", gettext_lazy("Items"), "count"),
    Column("bound", gettext_lazy("A pair is decided where |Z| >"), "number"),
)


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
        label=gettext_lazy("Standard deviation of a difference"),
        help_text=gettext_lazy(
            "Between two systems on one item. This campaign's is filled in where it is "
            "known; 20 is usual for scores of 0 to 100."
        ),
    )
    effect = forms.FloatField(
        min_value=1e-9,
        max_value=1e9,
        label=gettext_lazy("Difference that matters"),
        help_text=gettext_lazy("The smallest difference of means that you do not want to miss."),
    )
    systems = forms.IntegerField(
        min_value=2,
        max_value=200,
        label=gettext_lazy("Systems"),
        help_text=gettext_lazy("Every pair is compared: the more systems, the stricter the tests."),
    )
    alpha = forms.FloatField(
        min_value=0.0001, max_value=0.2, initial=0.05, label=gettext_lazy("Error α, over all pairs")
    )
    power = forms.FloatField(
        min_value=0.5,
        max_value=0.99,
        initial=0.8,
        label=gettext_lazy("Power"),
        help_text=gettext_lazy("Chance of finding the difference if there is one."),
    )
    looks = forms.IntegerField(
        min_value=1,
        max_value=MOST_LOOKS,
        initial=1,
        label=gettext_lazy("Looks"),
        help_text=gettext_lazy(
            "How often you will look at the results before the end, the end included."
        ),
    )

    spending = forms.ChoiceField(
        choices=Spending.choices,
        initial=Spending.ONE_SIDED_FORM,
        required=False,
        label=gettext_lazy("How the error is spent over several looks"),
    )

    def plan(self) -> Plan:
        """Return the answer to valid input."""
        asked = self.cleaned_data
        n_pairs = int(pairs_to_share(asked["systems"]))
        options = {"alpha": asked["alpha"], "power": asked["power"]}
        alone = required_judgments(asked["effect"], asked["sd"], **options).n
        options["alpha"] = asked["alpha"] / n_pairs
        n = required_judgments(asked["effect"], asked["sd"], **options).n
        ratings = n * asked["systems"]
        known = {
            "items": counted.items(round(n)),
            "systems": f"{asked['systems']:,}",
            "ratings": counted.ratings(round(ratings)),
            "effect": figure(asked["effect"], 2),
            "power": f"{asked['power']:.0%}",
            "pairs": f"{n_pairs:,}",
        }
        lead = ngettext(
            "%(items)s, each judged of all %(systems)s systems by one annotator: %(ratings)s. They "
            "separate two systems that differ by %(effect)s with a chance of %(power)s.",
            "%(items)s, each judged of all %(systems)s systems by one annotator: %(ratings)s. They "
            "separate two systems that differ by %(effect)s with a chance of %(power)s, whichever "
            "of the %(pairs)s pairs they are.",
            n_pairs,
        )
        details = [
            _(
                "A second annotator on the same items adds less than new items do, and "
                "items of new documents add more than further items of the same ones."
            )
        ]
        if n_pairs > 1:
            details.insert(
                0,
                _("For one pair that was chosen beforehand: %(items)s.")
                % {"items": counted.items(round(alone))},
            )
        details.append(self._wins(options))
        return Plan(lead % known, tuple(details), self._looks(int(n), n_pairs))

    def _wins(self, options: dict[str, float]) -> str:
        n = required_comparisons(0.55, **options).n
        return _(
            "Comparisons instead of ratings: %(n)s of a pair, ties not counted, if "
            "the better system wins 55 %% of them."
        ) % {"n": f"{n:,.0f}"}

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
        note = _(
            "Bounds of the spending function %(label)s, α divided by the number of "
            "pairs. Z is the normal value of the p of a paired test. Fix the looks "
            "before the first. A system whose pairs are all decided needs no more "
            "judgments."
        ) % {"label": Spending(spending).label}
        return Table("looks", _("When to look, and when to stop"), LOOKS, rows, note)
