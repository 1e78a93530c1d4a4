"""Judging on trial, without an account. Nothing is stored, neither here nor in the browser."""

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from judgments.judging.trial import lines, presets, trial_screen
from judgments.models.corpus import direction

from ..views import instructions_in, screen_context, whole_number


@require_safe
def trial(request):
    """Return all that can be tried."""
    return render(request, "judgments/judging/trial/list.html", {"presets": presets()})


@never_cache
@require_http_methods(["GET", "POST"])
def trial_item(request, number):
    """Return the judging screen of one preset. POST: what the answer would have stored, in
    words."""
    screen = screen_of(number)
    is_answer = request.method == "POST"
    form = screen.form(request.POST if is_answer else None)
    if is_answer and form.is_valid():
        said = screen.protocol.observations(screen.item, screen.shown, form.cleaned_data)
        context = {
            "screen": screen,
            "campaign": screen.campaign,
            "lines": lines(screen, said),
            "seconds": (whole_number(request.POST.get("active_ms")) or 0) // 1000,
            "next": number + 1 if number < screen.work.n_items else None,
        }
        return render(request, "judgments/judging/trial/stored.html", context)
    problem = "incomplete" if is_answer else ""
    context = screen_context(screen, form, reverse("trial"), problem=problem)
    context |= {"is_practice": True, "preset": screen.protocol.preset}
    status = 400 if is_answer else 200
    return render(request, "judgments/judging/trial/item.html", context, status=status)


@require_safe
def trial_instructions(request, number):
    """Return the instructions that come with the preset; the screen opens them at its side."""
    screen = screen_of(number)
    language, text = instructions_in(screen.campaign, get_language() or "en")
    context = {
        "campaign": screen.campaign,
        "screen": screen,
        "text": text,
        "text_language": language,
        "text_direction": direction(language),
        "dimensions": screen.protocol.dimensions(),
        "summary": screen.protocol.preset.summary,
    }
    return render(request, "judgments/judging/trial/instructions.html", context)


def screen_of(number: int):
    screen = trial_screen(number, timezone.now())
    if screen is None:
        raise Http404("There is no such screen to try.")
    return screen
