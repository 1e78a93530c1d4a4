"""Which systems the judgments separate, and what it takes to separate the others."""

import math

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_GET

from judgments.results.power.forms import PlannerForm, PowerOptionsForm
from judgments.results.selection import from_address

from . import figures, page


@login_required
@require_GET
def power(request, campaign_id):
    parameters = ("test", *PlannerForm.base_fields)
    selection = from_address.selected(request, campaign_id, parameters)
    options = PowerOptionsForm(figures.tests_of(selection.campaign), request.GET)
    test = options.test_chosen()
    found = page.reports_of(selection, test)
    asks = "effect" in request.GET
    planner = PlannerForm(request.GET if asks else None, initial=_usual(found))
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "power",
        "form": PowerOptionsForm(options.tests, initial={"test": test}),
        "sections": page.sections(selection, test),
        "empty": not any(report.pairs for report in found),
        "planner": planner,
        "asks": asks,
        "plan": planner.plan() if asks and planner.is_valid() else None,
        "test": test,
    }
    return render(request, "judgments/results/power.html", context)


def _usual(found):
    """What the planner starts from: the campaign's own spread and number of systems."""
    first = found[0]
    sd = first.typical_sd
    spread = 20.0 if math.isnan(sd) or not sd else float(f"{sd:.3g}")
    return {"sd": spread, "effect": float(f"{spread / 10:.3g}"), "systems": max(first.n_systems, 2)}
