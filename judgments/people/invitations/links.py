"""Links by which people come in: single ones, and sheets of many with the mails that bring them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Count, Max, Q
from django.utils import timezone

from judgments.files.guest_list import Guest
from judgments.models import Campaign, Invitation, MailState
from judgments.models.locks import lock_campaign
from judgments.people import mail

FIELDS = ("{name}", "{campaign}", "{link}")


class AliasTaken(ValueError):
    """A member or another open invitation of the campaign has an alias of the list."""


def make_link(campaign: Campaign, invitation: Invitation, *, by) -> Invitation:
    """Store a link that a form has filled in."""
    invitation.campaign = campaign
    invitation.created_by = by
    invitation.save()
    return invitation


def close_link(invitation: Invitation) -> None:
    """Nobody joins by it any more; who has joined stays."""
    if invitation.closed_at is None:
        invitation.closed_at = timezone.now()
        invitation.save(update_fields=["closed_at"])


@transaction.atomic
def invite_many(
    campaign: Campaign,
    guests: Sequence[Guest],
    *,
    by,
    expires_at: datetime | None = None,
    note: str = "",
) -> int:
    """Return one link for each, which lets one person in; all or none. The number of the sheet.

    Raises AliasTaken.
    """
    lock_campaign(campaign.pk)
    wanted = {guest.alias for guest in guests if guest.alias}
    taken = set(campaign.memberships.filter(alias__in=wanted).values_list("alias", flat=True))
    usable = campaign.invitations.usable().filter(alias__in=wanted)
    taken |= set(usable.values_list("alias", flat=True))
    if taken:
        raise AliasTaken(f"These aliases are already taken: {', '.join(sorted(taken)[:10])}.")
    last = campaign.invitations.aggregate(last=Max("sheet"))["last"] or 0
    Invitation.objects.bulk_create(
        Invitation(
            campaign=campaign,
            sheet=last + 1,
            name=guest.name,
            email=guest.email,
            alias=guest.alias,
            note=note,
            max_uses=1,
            expires_at=expires_at,
            created_by=by,
        )
        for guest in guests
    )
    return last + 1


def sheets_of(campaign: Campaign) -> list[Any]:
    """Return each sheet, a dictionary with its number, note, how many links it has, how many of
    them were used and mailed, and when it was made; the newest first."""
    made = campaign.invitations.exclude(sheet=None).order_by()
    sums = made.values("sheet", "note").annotate(
        links=Count("pk"),
        used=Count("pk", filter=Q(uses__gt=0)),
        mailed=Count("pk", filter=Q(mail_state=MailState.SENT)),
        failed=Count("pk", filter=Q(mail_state=MailState.FAILED)),
        made_at=Max("created_at"),
    )
    return list(sums.order_by("-sheet"))


def of_sheet(campaign: Campaign, sheet: int):
    return campaign.invitations.filter(sheet=sheet).order_by("pk")


def to_mail(campaign: Campaign, sheet: int):
    """Return the links of a sheet that can be mailed: to an address, still open, not sent yet."""
    usable = campaign.invitations.usable().filter(sheet=sheet)
    return usable.exclude(email="").exclude(mail_state=MailState.SENT)


def filled_in(text: str, invitation: Invitation, site: str) -> str:
    """Return the text of a mail to one person. Nothing but FIELDS is replaced, and each once: a
    name with braces in it stays as it is."""
    values = {
        "{name}": invitation.name,
        "{campaign}": invitation.campaign.name,
        "{link}": urljoin(site, invitation.get_absolute_url()),
    }
    parts = [text]
    for field, value in values.items():
        cut: list[str] = []
        for place, part in enumerate(parts):
            # Every second part is a value that was filled in.
            if place % 2:
                cut.append(part)
                continue
            first, *rest = part.split(field)
            cut.append(first)
            for each in rest:
                cut += [value, each]
        parts = cut
    return "".join(parts)


def mail_counts(campaign: Campaign, sheet: int) -> dict[str, int]:
    """Return how many mails of a sheet are in each state; states without any are left out."""
    mailed = of_sheet(campaign, sheet).exclude(mail_state=MailState.NONE).order_by()
    return dict(mailed.values_list("mail_state").annotate(n=Count("pk")))


def waiting_mails(campaign: Campaign, sheet: int):
    return of_sheet(campaign, sheet).filter(mail_state=MailState.WAITING)


def send_waiting(campaign: Campaign, sheet: int, subject: str, body: str, site: str) -> int:
    """Send the mails of a sheet that wait; how many were sent. Of links that were closed while they
    waited nothing is sent."""
    waiting = waiting_mails(campaign, sheet)
    usable = campaign.invitations.usable().filter(sheet=sheet)
    closed = waiting.exclude(pk__in=usable.values("pk"))
    closed.update(mail_state=MailState.NONE, mail_problem="", mail_tries=0)

    def mail_of(invitation: Invitation) -> EmailMessage:
        head = " ".join(filled_in(subject, invitation, site).split())
        return EmailMessage(head, filled_in(body, invitation, site), to=[invitation.email])

    return mail.send_waiting(waiting.select_related("campaign"), mail_of)


def next_try(campaign: Campaign, sheet: int) -> datetime | None:
    """Return when the mails of a sheet that failed are tried again; None where none has failed."""
    return mail.next_try(waiting_mails(campaign, sheet))
