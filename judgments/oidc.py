"""Signing in by OpenID Connect, if the operator has set it up. Nothing of django-allauth is
imported otherwise."""

from django.conf import settings


def is_connected(user) -> bool:
    """Whether the person signs in at the provider."""
    if not settings.OIDC_ISSUER:
        return False
    from allauth.socialaccount.models import SocialAccount

    return SocialAccount.objects.filter(user=user).exists()


def disconnect(user) -> None:
    """Forget who the person is at the provider."""
    if settings.OIDC_ISSUER:
        from allauth.socialaccount.models import SocialAccount

        SocialAccount.objects.filter(user=user).delete()
