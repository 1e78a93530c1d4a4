"""Copies of the demo: made ahead by a worker, and taken with one click."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.utils import timezone

from judgments.models import DemoCopy
from judgments.people.accounts.demo_copies import full_until
from judgments.web import limits
from judgments.web.extension_points import registered

TAKING = 0x64656D6F  # the key of an advisory lock


class Full(Exception):
    """Everybody who may have a copy has one. until: when the first of these copies ends."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"full until {until:%Y-%m-%d %H:%M}")
        self.until = until


@transaction.atomic
def make() -> DemoCopy:
    """Make a copy of the demo for whoever comes next. Takes seconds."""
    from judgments.exchange import demo  # which the web server does without

    code = secrets.token_hex(4)
    manager = new_account(f"demo-{code}", "Manager")
    annotator = new_account(f"demo-{code}-annotator", "Annotator")
    test_set = demo.fill(manager, annotator, slug=f"demo-{code}")
    for score in registered("after_demo"):
        score(test_set)
    return DemoCopy.objects.create(manager=manager, annotator=annotator)


def new_account(name: str, role: str):
    """An account that nobody signs in to by name, with no right but to its own copy."""
    user = get_user_model()(username=name, first_name=role)
    user.set_unusable_password()
    user.save()
    return user


@transaction.atomic
def take(browser: str, address: str) -> DemoCopy | None:
    """Give somebody a copy, or the one again that this browser took a moment ago; None where none
    is ready yet. Raises Full, and limits.Exceeded for an address that has taken many.

    browser: what tells one browser from others, or empty.
    """
    with connection.cursor() as cursor:  # one after the other, so that there are never too many
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [TAKING])
    if browser and (own := DemoCopy.objects.running().filter(browser=browser).first()):
        return own
    if until := full_until():
        raise Full(until)
    copy = DemoCopy.objects.ready().select_related("manager").first()
    if copy is None:
        return None
    limits.hit(limits.DEMO_COPIES, address)
    copy.taken_at = timezone.now()
    copy.ends_at = copy.taken_at + timedelta(hours=settings.PUBLIC_DEMO_HOURS)
    copy.browser = browser
    copy.save(update_fields=["taken_at", "ends_at", "browser"])
    return copy


def is_short() -> bool:
    """Return whether more copies should be made ahead."""
    room = settings.PUBLIC_DEMO_COPIES - DemoCopy.objects.running().count()
    return DemoCopy.objects.ready().count() < min(settings.PUBLIC_DEMO_READY, room)
