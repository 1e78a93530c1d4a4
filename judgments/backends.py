"""Signing in with a password, as Django does it; the account is read with a prepared statement."""

from django.contrib.auth import backends, get_user_model

from judgments.prepared_queries import Prepared

LONGEST_NAME = 150  # of an account


def attempted_name(request, credentials=None) -> str:
    """Under which name a failed sign-in is counted: no longer than an account's can be, because
    the table of failures has no room for whatever somebody sends."""
    sent = (credentials or {}).get("username") or request.POST.get("username") or ""
    return sent[:LONGEST_NAME]


accounts = Prepared(lambda key: get_user_model()._default_manager.filter(pk=key))


class ModelBackend(backends.ModelBackend):
    def get_user(self, user_id):
        user = accounts.first(user_id)
        return user if user and self.user_can_authenticate(user) else None
