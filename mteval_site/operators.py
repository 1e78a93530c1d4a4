"""Who runs the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied

if TYPE_CHECKING:
    pass


def require_operator(user) -> None:
    """Raise PermissionDenied unless the user runs the site: superusers do."""
    if not (user.is_active and user.is_superuser):
        raise PermissionDenied("Only operators of the site may see this.")
