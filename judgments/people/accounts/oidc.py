"""Signing in by OpenID Connect, if the operator has set it up. Nothing of django-allauth is
imported otherwise."""

from collections.abc import Iterable

from django.conf import settings


def connected(users: Iterable[int]) -> set[int]:
    """Return those of some accounts, by their numbers, who sign in at the provider. One
    statement."""
    if not settings.OIDC_ISSUER:
        return set()
    from allauth.socialaccount.models import SocialAccount

    return set(SocialAccount.objects.filter(user__in=users).values_list("user", flat=True))


def disconnect(user) -> None:
    """Forget who the person is at the provider."""
    if settings.OIDC_ISSUER:
        from allauth.socialaccount.models import SocialAccount

        SocialAccount.objects.filter(user=user).delete()
