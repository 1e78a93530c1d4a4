"""Which judgments a page's figures are of: the line that says so, the form that asks for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

if TYPE_CHECKING:
    from judgments.results.selection.selection import Selection

register = template.Library()


@register.inclusion_tag("judgments/results/_selection.html", takes_context=True)
def selected_judgments(context) -> dict:
    """The line and the form on pages whose figures are of a selection; else nothing."""
    selection: Selection | None = context.get("selection")
    if selection is None:
        return {}
    # Django imports all tags at its start, and judging needs no analysis.
    from judgments.results.selection.filters import named
    from judgments.results.selection.forms import SelectionForm

    request = context["request"]
    campaign = selection.campaign
    excluded = {*selection.excluded, *(user for user, _ in selection.decided.partly)}
    shown = {*selection.left_out, *(user for user, _ in selection.in_force.partly)} or excluded
    names = sorted(map(selection.alias, shown))
    form = SelectionForm(selection)
    return {
        "campaign": campaign,
        "selection": selection,
        "names": named(names),
        "switch": switched(selection, request.GET),
        "form": form,
        "others": [
            (key, value)
            for key, values in request.GET.lists()
            if key not in {*form.fields, "annotators", "page"}
            for value in values
        ],
        "reset": request.path,
    }


def switched(selection: Selection, query) -> str:
    """The address of the page with or without the annotators whom the owners excluded."""
    query = query.copy()
    query["annotators"] = "kept" if selection.annotators == "all" else "all"
    return query.urlencode()


@register.inclusion_tag("judgments/results/_selection_fields.html")
def selection_fields(selection: Selection) -> dict:
    """Hidden fields, so that a form's page is of the same judgments."""
    return {"address": selection.address}
