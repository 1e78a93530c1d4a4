"""The page that translates a sentence by composing machines."""

from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from metrics.lessons.transducers.forms import TransducersForm
from metrics.lessons.transducers.page import source_steps, target_steps
from metrics.lessons.transducers.steps import source_side, target_side


@require_safe
def transducers(request):
    """Open to everybody: nothing of the site's data is in it, and the form bounds what it costs."""
    form = TransducersForm(request.GET)
    context = {"form": form, "changed": bool(request.GET)}
    if form.is_valid():
        context |= shown(form)
    return render(request, "metrics/transducers.html", context)


def shown(form: TransducersForm) -> dict[str, object]:
    """Return the steps of a valid form; the form is told if there is too much of them."""
    exercise = form.exercise()
    source = source_side(exercise)
    steps, model = source_steps(source), None
    if source.v.finals:
        try:
            target = target_side(exercise, source)
        except ValueError as error:
            too_large = _("%(problem)s Try a shorter sentence or fewer rows.")
            form.add_error(None, too_large % {"problem": error})
        else:
            steps += target_steps(target)
            model = target.language_model
    return {"source": source, "missing": source.missing, "steps": steps, "model": model}
