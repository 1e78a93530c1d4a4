"""The judgments of a page's figures: the line that describes them, and the form that changes
them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms, template
from django.utils.html import format_html
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from judgments.results.selection.selection import Selection

register = template.Library()


@register.inclusion_tag("judgments/results/_selection.html", takes_context=True)
def selected_judgments(context) -> dict:
    """Return the line and the form for pages whose figures are of a selection; otherwise
    nothing."""
    selection: Selection | None = context.get("selection")
    if selection is None:
        return {}
    # Django imports all tags when it starts, and judging pages need no analysis.
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
    """Return the query of the page with or without the annotators excluded by the owners."""
    query = query.copy()
    query["annotators"] = "kept" if selection.annotators == "all" else "all"
    return query.urlencode()


@register.inclusion_tag("judgments/results/_selection_fields.html")
def selection_fields(selection: Selection) -> dict:
    """Return hidden fields with the selection, so that a form's page shows the same judgments."""
    return {"address": selection.address}


@register.simple_block_tag
def settings_fold(content: str, form: forms.Form, always: bool = False) -> str:
    """Return the settings form of a page, the content of the block, folded under a line with the
    current settings. It is open if something is invalid; in wide windows style sheets show it
    unfolded, unless it folds ``always``, like long forms."""
    is_open = form.is_bound and bool(form.errors)
    classes = "settings-fold" if always else "settings-fold is-open-if-wide"
    return format_html(
        '<details class="{}"{}><summary><span>{}</span></summary>{}</details>',
        classes,
        " open" if is_open else "",
        what_is_set(form),
        content,
    )


def what_is_set(form: forms.Form) -> str:
    """Return the settings of a form as one line: first the unusual ones, with their labels, then
    the values of the others. The first choice of a field is the usual one."""
    named, usual = [], []
    for field in form.visible_fields():
        words = _words_of(field)
        first = next(iter(_choices_of(field.field)), ("", ""))
        if words and words == first[1]:
            usual.append(words)
        elif words:
            named.append(_("%(setting)s: %(value)s") % {"setting": field.label, "value": words})
    return " · ".join([*named, *usual]) or _("Settings")


def _words_of(field: forms.BoundField) -> str:
    """Return the value of a field as its choices name it; of several, the first and the number of
    others."""
    value = field.value()
    given = list(value) if isinstance(value, (list, tuple)) else [value]
    known = dict(_choices_of(field.field))
    words = [known.get(str(each), str(each)) for each in given if each not in (None, "", False)]
    if not words and "" in known and not isinstance(value, (list, tuple)):
        return known[""]
    if len(words) > 1:
        return _("%(first)s and %(n)s more") % {"first": words[0], "n": len(words) - 1}
    return words[0] if words else ""


def _choices_of(field: forms.Field) -> list[tuple[str, str]]:
    """Return values and labels of a field's choices, including those in groups."""
    found: list[tuple[str, str]] = []
    for value, words in getattr(field, "choices", ()):
        if isinstance(words, (list, tuple)):
            found += [(str(each), str(of)) for each, of in words]
        else:
            found.append((str(value), str(words)))
    return found
