"""The language of a page."""

from django.middleware.locale import LocaleMiddleware
from django.utils import translation

# Names of the addresses of annotators' pages. All others are in English, numbers included.
TRANSLATED = {
    "home",
    "accessibility",
    "trial",
    "trial-item",
    "trial-instructions",
    "login",
    "logout",
    "join",
    "project-join",
    "return",
    "welcome",
    "reading-settings",
    "own-keys",
    "account",
    "my-data",
    "my-data-erase",
    "password-change",
    "password-reset",
    "password-reset-sent",
    "password-reset-confirm",
    "oidc-start",
    "oidc-return",
    "oidc-connect",
}


class AnnotatorLocaleMiddleware(LocaleMiddleware):
    """The language of the browser, or of a cookie, on the pages of annotators."""

    def process_request(self, request):
        translation.activate("en")
        request.LANGUAGE_CODE = "en"

    def process_view(self, request, view, args, kwargs):
        name = request.resolver_match.url_name or ""
        if name not in TRANSLATED and name.split("-")[0] != "judge":
            return
        if name == "home" and request.user.is_staff:
            return  # their campaigns are in English
        super().process_request(request)
