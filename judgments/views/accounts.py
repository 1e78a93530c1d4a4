"""Coming in by password."""

from django.contrib.auth.views import LoginView

from judgments.reading import greet


class SignIn(LoginView):
    redirect_authenticated_user = True

    def form_valid(self, form):
        return greet(super().form_valid(form), form.get_user())
