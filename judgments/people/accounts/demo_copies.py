"""What pages of a public demo server say of the copies of the demo."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from judgments.models import DemoCopy


@dataclass(frozen=True)
class DemoStanding:
    """On a public demo server: the copy of whoever is signed in, if they have one."""

    copy: DemoCopy | None
    is_manager: bool
    hours: int

    @property
    def may_switch(self) -> bool:
        """Whether there is the other one of the visitor's two people: an annotator can erase
        their account."""
        return self.copy is not None and (not self.is_manager or self.copy.annotator.is_active)


def copy_of(user: Any) -> DemoCopy | None:
    """The running copy of an account."""
    if not settings.PUBLIC_DEMO or user is None or not user.is_authenticated:
        return None
    found = DemoCopy.objects.running().with_account(user)
    return found.select_related("manager", "annotator").first()


def is_kept_whole(user: Any) -> bool:
    """Return whether what this account manages is a copy of the demo, which is deleted as a whole:
    parts that left before would leave traces."""
    return settings.PUBLIC_DEMO and not user.is_staff


def full_until() -> datetime | None:
    """When the first copy ends, where all copies are taken; None while there are more to have."""
    running = DemoCopy.objects.running().order_by("ends_at")
    ends = list(running.values_list("ends_at", flat=True)[: settings.PUBLIC_DEMO_COPIES])
    return ends[0] if ends and len(ends) == settings.PUBLIC_DEMO_COPIES else None


def standing(request: HttpRequest) -> DemoStanding:
    user = getattr(request, "user", None)
    copy = copy_of(user)
    is_manager = copy is not None and copy.manager_id == user.pk  # type: ignore[union-attr]
    return DemoStanding(copy, is_manager, settings.PUBLIC_DEMO_HOURS)


def context(request: HttpRequest) -> dict[str, object]:
    """For templates: `public_demo`, on a public demo server only."""
    if not settings.PUBLIC_DEMO:
        return {}
    return {"public_demo": SimpleLazyObject(lambda: standing(request))}
