"""Who asks for a judging page: session, account, settings and membership in one statement.

Django reads the session, then the account that the session names, then a view its membership: three
ways to the database and back before any work. What a session says is sealed, so SQL cannot follow
it. So each process remembers of the sessions that Django has found good (the first request of each
goes its way) whose they are, and what the rows of session and account had in them. Then it asks for
everything at once. If session or account is not exactly as it was, or no longer there, or out of
date, nothing is taken from this, and Django finds out who it is as on any other page: signing out,
a new password and a closed account hold from the next request on, in every process.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.sessions.models import Session
from django.db.models import Subquery
from django.http import HttpRequest
from django.utils import timezone

from judgments.models import Membership
from judgments.models.prepared_queries import Prepared

from .left_out import LEFT_OUT

MOST_SESSIONS = 5000  # that a process remembers, about a kilobyte each


class SeenSession(NamedTuple):
    """A session that Django has found good. data: as it is stored; session: what that says."""

    account: int
    password: str
    data: str
    session: dict[str, Any]


_seen: dict[str, SeenSession] = {}

# What judging does without. Where one is asked for after all, Django reads it then.
UNREAD = (
    *("token", "joined_at", "link_used_at", "link_revoked_at", "link_is_passed_on"),
    *("external_ids", "invitation"),
    *("user__last_login", "user__date_joined"),
    *("user__first_name", "user__last_name", "user__email"),
    *("campaign__instructions", "campaign__created_at"),
    *(f"campaign__test_set__{name}" for name in ("note", "release", "created_at")),
)

members = Prepared(
    lambda key, now, user, campaign: (
        Membership.objects.select_related("user__reading_settings", "campaign__test_set")
        .defer(*UNREAD)
        .filter(user=user, campaign=campaign)
        .annotate(
            left_out=LEFT_OUT,
            session_data=Subquery(
                Session.objects.filter(session_key=key, expire_date__gt=now).values("session_data")
            ),
        )
    ),
    (str, datetime, int, int),
)


class ArrivalMiddleware:
    """Comes after the middleware of sessions and of accounts."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request: HttpRequest):
        response = self.get_response(request)
        remember(request)
        return response

    def process_view(self, request: HttpRequest, view, args, kwargs: dict[str, Any]) -> None:
        assert request.resolver_match is not None
        name = request.resolver_match.url_name or ""
        if name.startswith("judge") and "campaign_id" in kwargs:
            read_ahead(request, kwargs["campaign_id"])


def remember(request: HttpRequest) -> None:
    """Keep what Django has found out in this request, if it was all read and nothing changed."""
    session, user = request.session, vars(request).get("_cached_user")
    key, data = session.session_key, getattr(session, "data_read", None)
    if not key or data is None or session.modified or user is None or not user.pk:
        return
    if len(_seen) >= MOST_SESSIONS:
        _seen.clear()
    _seen[key] = SeenSession(user.pk, user.password, data, dict(session.items()))


def read_ahead(request: HttpRequest, campaign: int) -> None:
    """Let the request know its session, its account with its settings, and the membership."""
    session = request.session
    seen = _seen.get(session.session_key or "")
    if seen is None or hasattr(session, "_session_cache"):
        return
    found = members.first(session.session_key, timezone.now(), seen.account, campaign)
    if found is None or not found.user.is_active:
        return
    if (found.session_data, found.user.password) != (seen.data, seen.password):
        return
    session._session_cache = dict(seen.session)  # type: ignore[attr-defined]
    session.accessed = True
    request._cached_user = found.user  # type: ignore[attr-defined]
    found.user.membership_ahead = found


def read_membership(user, campaign: int) -> Membership | None:
    """The membership that came with the account, once: whoever asks again reads it again."""
    found = getattr(user, "membership_ahead", None)
    if found is None or found.campaign_id != campaign:
        return None
    user.membership_ahead = None
    return found
