"""The operators of the site."""

from django.core.exceptions import PermissionDenied


def require_operator(user) -> None:
    """Raise PermissionDenied unless the user is an operator: superusers are."""
    if not (user.is_active and user.is_superuser):
        raise PermissionDenied("Only operators of the site may see this.")
