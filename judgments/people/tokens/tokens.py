"""Making and finding the tokens of programs."""

import hashlib
import secrets
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from judgments.models import ApiToken

PREFIX = "mteval_"
MOST_TOKENS = 20  # of one person


def digest_of(token: str) -> str:
    """Without salt or stretching: 256 random bits cannot be guessed from their digest."""
    return hashlib.sha256(token.encode()).hexdigest()


def create(user, name: str, scope: str, days: int) -> tuple[ApiToken, str]:
    """Return the stored token, and its text, which nobody sees again."""
    text = PREFIX + secrets.token_urlsafe(32)
    expires_at = timezone.now() + timedelta(days=days)
    token = ApiToken.objects.create(
        user=user, name=name, scope=scope, digest=digest_of(text), expires_at=expires_at
    )
    return token, text


def find(text: str) -> ApiToken | None:
    """Return the token that still opens something; notes that it was used, to the minute."""
    now = timezone.now()
    live = ApiToken.objects.select_related("user").filter(expires_at__gt=now, user__is_active=True)
    token = live.filter(digest=digest_of(text)).first()
    if token and (token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1)):
        stale = Q(last_used_at=None) | Q(last_used_at=token.last_used_at)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token
