"""Sign-in by OpenID Connect, if the operator has set it up. Otherwise nothing of django-allauth is
imported."""

from collections.abc import Iterable

from django.conf import settings


def connected(users: Iterable[int]) -> set[int]:
    """Return the ids of those of the users who sign in at the provider, in one statement."""
    if not settings.OIDC_ISSUER:
        return set()
    from allauth.socialaccount.models import SocialAccount

    return set(SocialAccount.objects.filter(user__in=users).values_list("user", flat=True))


def disconnect(user) -> None:
    """Delete the person's connection with the provider."""
    if settings.OIDC_ISSUER:
        from allauth.socialaccount.models import SocialAccount

        SocialAccount.objects.filter(user=user).delete()
