"""The page that translates a sentence by hierarchical rules."""

from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from metrics.lessons.transducers.rule_examples import RULE_EXAMPLES
from metrics.lessons.transducers.rule_forms import RulesForm
from metrics.lessons.transducers.rule_steps import rule_steps
from metrics.lessons.transducers.rules_page import network_steps, whole_steps


@require_safe
def hierarchical_rules(request):
    """Show the page to everybody: it has none of the site's data, and the form limits its cost."""
    form = RulesForm(request.GET)
    context = {"form": form, "examples": RULE_EXAMPLES, "changed": bool(set(request.GET))}
    if form.is_valid():
        try:
            steps = rule_steps(form.exercise())
        except ValueError as error:
            form.add_error("rules", _("Too much to draw: %(problem)s") % {"problem": error})
        else:
            networks, n_more = network_steps(steps)
            context |= {
                "steps": steps,
                "networks": networks,
                "n_more": n_more,
                "whole": whole_steps(steps),
                "model": steps.language_model,
            }
    return render(request, "metrics/rules.html", context)
