"""Links by which people come in: single ones, and sheets of many with the mails that bring them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any
from urllib.parse import urljoin

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from judgments.files.guest_list import Guest
from judgments.models import Campaign, Invitation, MailState
from judgments.models.locks import lock_campaign
from judgments.web.retries import AGAIN

LONGEST_PROBLEM = 300
HANGS_UP = 421  # what a mail server says that closes the connection (RFC 5321)
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
    """One link for each, which lets one person in; all or none. The number of the sheet.

    Raises AliasTaken.
    """
    lock_campaign(campaign.pk)
    wanted = {guest.alias for guest in guests if guest.alias}
    taken = set(campaign.memberships.filter(alias__in=wanted).values_list("alias", flat=True))
    usable = campaign.invitations.usable().filter(alias__in=wanted)
    taken |= set(usable.values_list("alias", flat=True))
    if taken:
        raise AliasTaken(f"Somebody has these aliases already: {', '.join(sorted(taken)[:10])}.")
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
    """Each sheet, a dictionary with its number, note, how many links it has, how many of them were
    used and mailed, and when it was made; the newest first."""
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
    """The links of a sheet that can be mailed: to an address, still open, not sent yet."""
    usable = campaign.invitations.usable().filter(sheet=sheet)
    return usable.exclude(email="").exclude(mail_state=MailState.SENT)


def filled_in(text: str, invitation: Invitation, site: str) -> str:
    """The text of a mail to one person. Nothing but FIELDS is replaced, and each once: a name with
    braces in it stays as it is."""
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
    """How many mails of a sheet are in each state; states without any are left out."""
    mailed = of_sheet(campaign, sheet).exclude(mail_state=MailState.NONE).order_by()
    return dict(mailed.values_list("mail_state").annotate(n=Count("pk")))


def waiting_mails(campaign: Campaign, sheet: int):
    return of_sheet(campaign, sheet).filter(mail_state=MailState.WAITING)


def send_waiting(campaign: Campaign, sheet: int, subject: str, body: str, site: str) -> int:
    """Send the mails of a sheet that wait, all through one connection; how many were sent.

    Each is locked while it is sent, so that two workers send none twice. Those that fail wait for
    the next try, `next_try`, as often as notices, and are then given up.
    """
    waiting = waiting_mails(campaign, sheet)
    usable = campaign.invitations.usable().filter(sheet=sheet)
    closed = waiting.exclude(pk__in=usable.values("pk"))  # while it waited
    closed.update(mail_state=MailState.NONE, mail_problem="", mail_tries=0)
    server, n_sent = Server(), 0
    for pk in list(waiting.values_list("pk", flat=True)):
        with transaction.atomic():
            locked = waiting.filter(pk=pk).select_related("campaign")
            invitation = locked.select_for_update(of=("self",), skip_locked=True).first()
            if invitation is None:
                continue
            n_sent += send_one(invitation, subject, body, site, server)
    server.connection.close()
    return n_sent


def next_try(campaign: Campaign, sheet: int) -> datetime | None:
    """Return when the mails of a sheet that failed are tried again; None where none has failed."""
    failed = waiting_mails(campaign, sheet).filter(mail_tries__gt=0)
    tries = failed.aggregate(fewest=Min("mail_tries"))["fewest"]
    return timezone.now() + AGAIN[min(tries, len(AGAIN)) - 1] if tries else None


class Server:
    """The mail server, for the mails of one batch: once it cannot be reached or hangs up, it is
    asked no more, since each attempt may take as long as EMAIL_TIMEOUT."""

    def __init__(self) -> None:
        self.connection = get_connection()
        self.problem: OSError | None = None

    def send(self, message: EmailMessage) -> None:
        """Raises what a network, a mail server or an address can raise."""
        if self.problem is not None:
            raise self.problem
        is_open = False
        try:
            self.connection.open()  # nothing where it is open
            is_open = True
            message.connection = self.connection
            message.send()
        except OSError as problem:
            if not is_open or HANGS_UP in codes_of(problem):
                self.connection.close()
                self.problem = problem
            raise


def codes_of(problem: OSError) -> list[int]:
    """What the mail server said; where it said nothing, that it hangs up."""
    if isinstance(problem, SMTPRecipientsRefused):
        return [code for code, _ in problem.recipients.values()]
    return [problem.smtp_code] if isinstance(problem, SMTPResponseException) else [HANGS_UP]


def send_one(invitation: Invitation, subject: str, body: str, site: str, server: Server) -> bool:
    """Whether the mail went out; the invitation says so, or why not."""
    head = " ".join(filled_in(subject, invitation, site).split())
    text = filled_in(body, invitation, site)
    try:
        server.send(EmailMessage(head, text, to=[invitation.email]))
    except (OSError, ValueError) as problem:  # of the network, of SMTP, of an address
        invitation.mail_tries += 1
        if is_final(problem) or invitation.mail_tries > len(AGAIN):
            invitation.mail_state = MailState.FAILED
        invitation.mail_problem = in_words(problem)[:LONGEST_PROBLEM]
    else:
        invitation.mail_state, invitation.mail_problem = MailState.SENT, ""
        invitation.mailed_at = timezone.now()
    invitation.save(update_fields=["mail_state", "mail_problem", "mail_tries", "mailed_at"])
    return invitation.mail_state == MailState.SENT


def in_words(problem: Exception) -> str:
    """What the mail server said, or the system, on one line."""
    said: list[tuple[int, str | bytes]] = [(0, str(problem))]
    if isinstance(problem, SMTPRecipientsRefused):
        said = [*problem.recipients.values()]
    elif isinstance(problem, SMTPResponseException):
        said = [(problem.smtp_code, problem.smtp_error)]
    texts = [text.decode(errors="replace") if isinstance(text, bytes) else text for _, text in said]
    return " ".join("; ".join(texts).split()) or type(problem).__name__


def is_final(problem: Exception) -> bool:
    """Whether the same would fail again: an address that is none, or that the server refuses for
    good (codes of 500 and above)."""
    if isinstance(problem, SMTPRecipientsRefused):
        return min(codes_of(problem)) >= 500
    return isinstance(problem, ValueError)
