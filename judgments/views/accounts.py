"""Coming in by password."""

from django.conf import settings
from django.contrib.auth.views import LoginView
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_http_methods

from judgments.reading import greet


@method_decorator(require_http_methods(["GET", "HEAD", "POST"]), name="dispatch")
class SignIn(LoginView):
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs):
        provider = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
        return super().get_context_data(**kwargs) | {"provider": provider}

    def form_valid(self, form):
        return greet(super().form_valid(form), form.get_user())
