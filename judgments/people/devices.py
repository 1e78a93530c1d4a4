"""One person in two windows: how the site knows a browser that it has seen, and what follows.

A browser that joins or takes a batch gets a random name in a signed cookie. A private window has
none, so a guest who joins also leaves a code of network address and kind of browser; it counts
where at least one of two came without a name. Stored are keyed hashes of these, made anew for each
campaign and forgotten some time after they were last seen. Members who share one never get seats of
the same batch (`TaskQuerySet.free_for`).
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.conf import settings
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from judgments.models import Campaign, DeviceMark, MarkKind, Membership, Task
from mteval_site.addresses import client_address, is_trusted

COOKIE = "browser"
SALT = "judgments.devices"
COOKIE_AGE = 365 * 24 * 60 * 60
# A mark that was not seen for so long is deleted.
KEPT = timedelta(days=180)
MOST_GROUPS = 50


def browser_of(request: HttpRequest) -> str:
    """Return the random name of the browser; empty if it has none or made one up."""
    return request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=COOKIE_AGE) or ""


def address_of(request: HttpRequest) -> str:
    """Where a request comes from; empty behind a proxy that hides it, which would make one network
    of all."""
    is_passed_on = "HTTP_X_FORWARDED_FOR" in request.META
    if is_passed_on and not is_trusted(request.META.get("REMOTE_ADDR", "")):
        return ""
    return client_address(request)


def mark_of(campaign: Campaign, kind: str, *what: str) -> str:
    text = "\n".join([str(campaign.pk), kind, *what])
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()


def network_mark(request: HttpRequest, campaign: Campaign) -> str:
    address = address_of(request)
    headers = [request.headers.get(name, "") for name in ("User-Agent", "Accept-Language")]
    return mark_of(campaign, MarkKind.NETWORK, address, *headers) if address else ""


def seen(
    request: HttpRequest, response: HttpResponse, membership: Membership, *, is_new: bool = False
) -> None:
    """Store that a member uses this browser, which gets its cookie.

    is_new: they have just joined. Two statements, committed before a seat is looked for.
    """
    now = timezone.now()
    known = browser_of(request)
    browser = known or secrets.token_urlsafe(18)
    codes = {mark_of(membership.campaign, MarkKind.BROWSER, browser): MarkKind.BROWSER}
    if is_new and not membership.user.has_usable_password():
        codes[network_mark(request, membership.campaign)] = MarkKind.NETWORK
    marks = [
        DeviceMark(membership=membership, kind=kind, mark=mark, first_seen=now, last_seen=now)
        for mark, kind in codes.items()
        if mark
    ]
    for mark in marks:
        # Browsers that both have a name are told apart by it.
        mark.accepted_at = now if known and mark.kind == MarkKind.NETWORK else None
    DeviceMark.objects.bulk_create(
        marks,
        update_conflicts=True,
        unique_fields=["membership", "mark"],
        update_fields=["last_seen"],
    )
    DeviceMark.objects.filter(last_seen__lt=now - KEPT).delete()
    response.set_signed_cookie(
        COOKIE,
        browser,
        salt=SALT,
        max_age=COOKIE_AGE,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def members_here(request: HttpRequest, campaign: Campaign) -> list[Membership]:
    """Return the members of a campaign who have used this browser."""
    browser = browser_of(request)
    if not browser:
        return []
    mark = mark_of(campaign, MarkKind.BROWSER, browser)
    return list(campaign.memberships.current().filter(marks__mark=mark))


def is_familiar(request: HttpRequest, campaign: Campaign) -> bool:
    """Return whether a browser without a name may be that of a guest who has joined already."""
    mark = "" if browser_of(request) else network_mark(request, campaign)
    marks = DeviceMark.objects.filter(mark=mark, membership__removed_at=None)
    return bool(mark) and marks.exists()


@dataclass(frozen=True)
class Group:
    """Members who share a mark. n_batches: of which more than one of them holds a seat."""

    pk: int
    kind: MarkKind
    members: list[Membership]
    first_seen: datetime
    last_seen: datetime
    accepted_at: datetime | None
    n_batches: int


def groups_of(campaign: Campaign) -> list[Group]:
    """Return who shares a device with whom, the surer kind first, from at most MOST_GROUPS marks.
    Of the same members only the surer evidence is told."""
    rows = (
        DeviceMark.objects.filter(mark__in=shared_marks(campaign)[:MOST_GROUPS])
        .select_related("membership")
        .order_by("kind", "mark", "first_seen", "pk")
    )
    found: list[list[DeviceMark]] = []
    for _, marks in groupby(rows, key=lambda row: row.mark):
        here = list(marks)
        members = {mark.membership_id for mark in here}
        if not any(members <= {mark.membership_id for mark in before} for before in found):
            found.append(here)
    return [group(campaign, marks) for marks in found]


def shared_marks(campaign: Campaign):
    marks = DeviceMark.objects.filter(membership__campaign=campaign)
    counted = marks.values("kind", "mark").annotate(n=Count("pk")).filter(n__gt=1)
    return counted.order_by("kind", "mark").values_list("mark", flat=True)


def undecided_marks(campaign: Campaign):
    """Return networks from which several guests have joined who are not told apart: perhaps that is
    why nobody takes the last batches."""
    waiting = Count("pk", filter=Q(kind=MarkKind.NETWORK, accepted_at=None))
    return shared_marks(campaign).annotate(waiting=waiting).filter(waiting__gt=0)


def group(campaign: Campaign, marks: list[DeviceMark]) -> Group:
    accepted = [mark.accepted_at for mark in marks if mark.accepted_at is not None]
    return Group(
        pk=marks[0].pk,
        kind=MarkKind(marks[0].kind),
        members=[mark.membership for mark in marks],
        first_seen=min(mark.first_seen for mark in marks),
        last_seen=max(mark.last_seen for mark in marks),
        accepted_at=max(accepted) if len(accepted) == len(marks) else None,
        n_batches=n_shared_batches(campaign, [mark.membership.user_id for mark in marks]),
    )


def n_shared_batches(campaign: Campaign, users: Iterable[int]) -> int:
    held = Task.objects.filter(campaign=campaign, annotator__in=users, n_items__gt=0)
    batches = held.order_by().values("batch").annotate(n=Count("annotator", distinct=True))
    return batches.filter(n__gt=1).count()


def accept(mark: DeviceMark) -> None:
    """Those who share this network are different people: they may judge the same items."""
    same = DeviceMark.objects.filter(mark=mark.mark, kind=MarkKind.NETWORK, accepted_at=None)
    same.update(accepted_at=timezone.now())
