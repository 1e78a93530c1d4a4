"""A person's own settings of the judging screen."""

from django.contrib.auth.decorators import login_required
from django.forms import ModelForm
from django.http import HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from judgments.models import ReadingSettings
from judgments.people.reading.forms import ComparedTextsForm, ReadingForm, WidthsForm
from judgments.people.reading.own_keys import OwnKeysForm
from judgments.people.reading.settings import reading_of, remember_language


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def reading_settings(request):
    """They hold on all devices; afterwards one goes back to where one was."""
    following = way_back(request)
    data = request.POST if request.method == "POST" else None
    form = ReadingForm(data, instance=reading_of(request))
    if request.method == "POST" and form.is_valid():
        form.save()
        return remember_language(redirect(following), form.cleaned_data["language"])
    context = {"form": form, "next": following}
    status = 422 if form.errors else 200
    return render(request, "judgments/judging/settings.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def own_keys(request):
    """Return the letters of the judging screen, for oneself."""
    following = way_back(request)
    stored = reading_of(request)
    data = request.POST if request.method == "POST" and "reset" not in request.POST else None
    form = OwnKeysForm(data, stored=stored.own_keys)
    if request.method == "POST" and (data is None or form.is_valid()):
        keys = "" if data is None else form.own_keys
        ReadingSettings.objects.update_or_create(user=request.user, defaults={"own_keys": keys})
        return redirect(following)
    context = {"form": form, "next": following}
    status = 422 if form.errors else 200
    return render(request, "judgments/judging/own_keys.html", context, status=status)


def way_back(request) -> str:
    """Where one came from, if that is a path of this site; else home."""
    following = request.POST.get("next") or request.GET.get("next") or ""
    host = {request.get_host()}
    # Of paths alone: `redirect` would take a word for the name of an address.
    is_path = following.startswith("/")
    if not is_path or not url_has_allowed_host_and_scheme(following, host, request.is_secure()):
        return resolve_url("home")
    return following


@never_cache
@login_required
@require_POST
def compared_texts(request):
    """Return the key of the judging screen: table or list, from now on and on all devices."""
    return saved(request, ComparedTextsForm(request.POST, instance=reading_of(request)))


@never_cache
@login_required
@require_POST
def column_widths(request):
    """Return how wide the source was dragged on the judging screen, for all devices."""
    return saved(request, WidthsForm(request.POST, instance=reading_of(request)))


def saved(request, form: ModelForm) -> HttpResponse:
    """Save what a script of the judging screen sends, and say that it is done or cannot be. Nothing
    else of the settings is written, since two scripts may send at once."""
    if not form.is_valid():
        return HttpResponse(status=422)
    sent = {name: value for name, value in form.cleaned_data.items() if name in form.data}
    ReadingSettings.objects.update_or_create(user=request.user, defaults=sent)
    return HttpResponse(status=204)
