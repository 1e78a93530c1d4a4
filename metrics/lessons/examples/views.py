"""Worked examples of publications, to be edited: pages for everybody, without an account."""

from typing import Any

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judgments.web import guide
from metrics.lessons.examples import EXAMPLES, ExampleCase, WorkedExample, by_topic, example_of
from metrics.lessons.examples.comparison import compare
from metrics.lessons.examples.errata import sources
from metrics.lessons.examples.forms import ExampleForm
from metrics.scorers import SCORERS

GUIDE = "guide/worked-examples.html"


@require_safe
def examples(request):
    topics = [(topic, found) for topic, found in by_topic().items()]
    context = {"topics": topics, "sources": sorted(sources()), "guide": GUIDE}
    return render(request, "metrics/examples.html", context)


@require_safe
def example(request, slug, case=None):
    """Return an example with the values of the address, and those of a case where it says
    nothing."""
    found = example_of(slug)
    if found is None:
        raise Http404("There is no such example.")
    chosen = found.case(case) if case else found.cases[0]
    if chosen is None:
        raise Http404("The example has no such case.")
    form = ExampleForm(found, chosen, request.GET)
    context = {
        "example": found,
        "case": chosen,
        "form": form,
        "guides": [(place, title) for place, title in guide.titles() if place in places_of(found)],
        "scorers": [(slug, SCORERS[slug].name) for slug in found.metrics],
        **neighbors(found),
        **computed(found, chosen, form),
    }
    return render(request, "metrics/example.html", context)


def places_of(found: WorkedExample) -> set[str]:
    """Return the places of its guides in the documentation."""
    return {f"guide/{slug}.html" for slug in found.guides}


def computed(found: WorkedExample, case: ExampleCase, form: ExampleForm) -> dict[str, Any]:
    """Return the figures, where the values are such that there are any."""
    if not form.is_valid():
        return {}
    try:
        result = found.compute(form.cleaned_data)
    except ValueError as error:
        form.add_error(None, str(error))
        return {}
    changed = form.changed_values
    compared = compare(case, result, changed=changed)
    return {"result": result, "compared": compared, "changed": changed}


def neighbors(found: WorkedExample) -> dict[str, WorkedExample | None]:
    """Return the examples before and after, in the order of the page."""
    every = list(EXAMPLES.values())
    place = every.index(found)
    return {
        "previous": every[place - 1] if place else None,
        "next": every[place + 1] if place + 1 < len(every) else None,
    }
