"""Sign-in with a password, and to the demo without one."""

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.views import LoginView
from django.http import Http404
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods, require_POST

from judgments.people.reading.settings import greet


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignIn(LoginView):
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs):
        provider = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
        return super().get_context_data(**kwargs) | {"provider": provider}

    def form_valid(self, form):
        return greet(super().form_valid(form), form.get_user())


@require_POST
def demo_enter(request):
    """Sign in as one of the demo's people if the demo sign-in is open."""
    from judgments.people.accounts import demo_sign_in as demo

    user = demo.person(request, request.POST.get("name", ""))
    if user is None:
        raise Http404("There is no such demo account.")
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return greet(redirect("home"), user)
