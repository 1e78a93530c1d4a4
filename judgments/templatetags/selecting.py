"""Which judgments a page's figures are of: the line that says so, the form that asks for others."""

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
    """Return the line and the form on pages whose figures are of a selection; else nothing."""
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
    """Return the address of the page with or without the annotators whom the owners excluded."""
    query = query.copy()
    query["annotators"] = "kept" if selection.annotators == "all" else "all"
    return query.urlencode()


@register.inclusion_tag("judgments/results/_selection_fields.html")
def selection_fields(selection: Selection) -> dict:
    """Return hidden fields, so that a form's page is of the same judgments."""
    return {"address": selection.address}


@register.simple_block_tag
def settings_fold(content: str, form: forms.Form, always: bool = False) -> str:
    """Return the form of a page's settings, which stands in the block, folded behind one line that
    says what is set. It is open where something is not valid; in wide windows style sheets show it
    without a fold, unless it folds ``always``, as long ones do."""
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
    """Return what the fields of a form are set to, as one line: first those that are not as usual,
    with their names, then the words of the others. The first choice of a field is the usual one."""
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
    """Return what a field is set to, in the words of its choices; of several how many there are
    besides the first."""
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
    """Return values and words of a field with choices, also of those in groups."""
    found: list[tuple[str, str]] = []
    for value, words in getattr(field, "choices", ()):
        if isinstance(words, (list, tuple)):
            found += [(str(each), str(of)) for each, of in words]
        else:
            found.append((str(value), str(words)))
    return found
