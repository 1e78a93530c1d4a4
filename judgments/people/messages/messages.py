"""Messages to annotators: from a manager, or before the deadline. They are shown on the recipient's
next page, and mailed if an address is known."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urljoin

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from judgments.models import Campaign, Delivery, MailState, Membership, Message, Role

# Annotation of memberships, like `states.DECIDED`.
HAS_MESSAGE = Exists(Delivery.objects.filter(membership=OuterRef("pk"), read_at=None))


def annotators_of(campaign: Campaign) -> QuerySet[Membership]:
    """Return the memberships that can be sent messages."""
    return campaign.memberships.current().filter(role=Role.ANNOTATOR).order_by("alias")


@transaction.atomic
def send(
    campaign: Campaign,
    people: Iterable[Membership],
    *,
    text: str = "",
    sender: str = "",
    site: str = "",
    by_mail: bool = False,
    reminds_at: datetime | None = None,
) -> Message:
    """Store a message to these people; mails then wait for `tasks.mail_message`."""
    message = Message.objects.create(
        campaign=campaign, text=text, sender=sender, site=site, reminds_at=reminds_at
    )
    is_mailed = by_mail and settings.CAN_MAIL
    Delivery.objects.bulk_create(
        Delivery(
            message=message,
            membership=each,
            mail_state=MailState.WAITING if is_mailed and address_of(each) else MailState.NONE,
        )
        for each in people
    )
    return message


def address_of(membership: Membership) -> str:
    """Return the mail address of a person's account or personal invitation, or ""."""
    link = membership.invitation
    return membership.user.email or (link.email if link and link.max_uses == 1 else "")


def unread(**of) -> QuerySet[Delivery]:
    """Return the unread messages, oldest first."""
    return Delivery.objects.filter(read_at=None, **of).select_related("message__campaign")


def unread_of(membership: Membership) -> Iterable[Delivery]:
    """Return a member's unread messages; no statement if it is known that there are none."""
    has_any = vars(membership).get("has_message", True)
    return unread(membership=membership) if has_any else ()


def mark_read(membership: Membership, message: int) -> None:
    """Mark a message as read. A message of somebody else is treated like one already read."""
    unread(membership=membership, message=message).update(read_at=timezone.now())


def waiting_mails(message: int) -> QuerySet[Delivery]:
    waiting = Delivery.objects.filter(message=message, mail_state=MailState.WAITING)
    return waiting.filter(membership__removed_at=None).select_related(
        "message__campaign", "membership__user", "membership__invitation"
    )


def mail_of(delivery: Delivery) -> EmailMessage:
    message = delivery.message
    campaign = message.campaign
    text = message.text
    if not message.sender:
        ends = f"{campaign.deadline:%Y-%m-%d %H:%M} (UTC)" if campaign.deadline else "soon"
        text = f"The work in “{campaign.name}” ends {ends}. Not all of your items are judged yet."
    if message.site:
        text += f"\n\n{urljoin(message.site, reverse('judge', args=[campaign.pk]))}\n"
    return EmailMessage(" ".join(campaign.name.split()), text, to=[address_of(delivery.membership)])
