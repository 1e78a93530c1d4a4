"""Coming into one's own copy of the demo, without a name or a password."""

from functools import wraps

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from judgments.models import DemoCopy
from judgments.people.accounts.demo_copies import copy_of
from judgments.web import limits
from mteval_site.addresses import client_address

from . import copies, ending, tasks


def on_public_demo(view):
    """Elsewhere the address of a view does not exist, for anybody and any method."""

    @wraps(view)
    def wrapped(request, *args, **kwargs):
        if not settings.PUBLIC_DEMO:
            raise Http404("This is no public demo server.")
        return view(request, *args, **kwargs)

    return wrapped


class DeleteCopyForm(forms.Form):
    sure = forms.BooleanField(label="Delete my copy, with everything that I did in it.")


@on_public_demo
@require_POST
def demo_take(request):
    """Sign in to a copy of one's own; who has one goes there."""
    if request.user.is_authenticated:
        return redirect("home")
    try:
        copy = copies.take(browser_of(request), client_address(request))
    except (copies.Full, limits.Exceeded) as refused:
        if request.htmx:  # a page that waits; the front page says when there is one again
            return HttpResponseClientRedirect(reverse("home"))
        if isinstance(refused, limits.Exceeded):
            raise
        response = render(
            request, "judgments/exchange/demo_full.html", {"until": refused.until}, status=503
        )
        response["Retry-After"] = "600"
        return response
    tasks.ask()
    if copy is None:
        return HttpResponse(status=204) if request.htmx else redirect("demo-wait")
    enter(request, copy, copy.manager)
    return HttpResponseClientRedirect(reverse("home")) if request.htmx else redirect("home")


@require_safe
@on_public_demo
@never_cache
def demo_wait(request):
    """A page that asks again until a copy is ready."""
    if request.user.is_authenticated:
        return redirect("home")
    return render(request, "judgments/exchange/demo_wait.html")


@require_safe
@on_public_demo
@login_required
def demo_copy(request):
    """Show what the copy contains, which of its two people one is, and when it ends."""
    copy = own_copy(request)
    return render(request, "judgments/exchange/demo_copy.html", context_of(copy, DeleteCopyForm()))


@on_public_demo
@login_required
@require_POST
def demo_switch(request):
    """Continue as the other one of the two people of a copy."""
    copy = own_copy(request)
    other = copy.annotator if request.user == copy.manager else copy.manager
    if not other.is_active:  # an annotator can erase their account
        raise Http404("This account was erased.")
    enter(request, copy, other)
    return redirect("home")


@on_public_demo
@login_required
@require_POST
def demo_end(request):
    """Delete one's copy before its day is over."""
    copy = own_copy(request)
    form = DeleteCopyForm(request.POST)
    if not form.is_valid():
        context = context_of(copy, form)
        return render(request, "judgments/exchange/demo_copy.html", context, status=422)
    ending.close(copy)
    logout(request)
    tasks.ask()
    messages.success(request, "Your copy is being deleted.")
    return redirect("home")


def own_copy(request: HttpRequest) -> DemoCopy:
    copy = copy_of(request.user)
    if copy is None:
        raise Http404("This account has no copy of the demo.")
    return copy


def context_of(copy: DemoCopy, form: DeleteCopyForm) -> dict[str, object]:
    return {"copy": copy, "form": form, "project": copy.manager.projects.first()}


def browser_of(request: HttpRequest) -> str:
    """What tells this browser from others until it has signed in."""
    secret = request.META.get("CSRF_COOKIE", "")
    return salted_hmac("demo", secret, algorithm="sha256").hexdigest() if secret else ""


def enter(request: HttpRequest, copy: DemoCopy, user) -> None:
    """Sign in until the copy ends."""
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(copy.ends_at)
