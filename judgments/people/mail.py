"""Sending mails that rows wait for (`MailedRow`): one connection for all, each row locked while its
mail is sent, and tried again after a failure."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.core.mail import EmailMessage, get_connection
from django.db import transaction
from django.db.models import Min, QuerySet
from django.utils import timezone

from judgments.models import MailState
from judgments.web.retries import AGAIN

LONGEST_PROBLEM = 300
HANGS_UP = 421  # what a mail server says that closes the connection (RFC 5321)


def send_waiting(waiting: QuerySet, mail_of: Callable[[Any], EmailMessage]) -> int:
    """Send the mails of these rows, all through one connection; how many were sent.

    Each is locked while it is sent, so that two workers send none twice. Those that fail wait for
    the next try, `next_try`, as often as notices, and are then given up.
    """
    server, n_sent = Server(), 0
    for pk in list(waiting.values_list("pk", flat=True)):
        with transaction.atomic():
            row = waiting.filter(pk=pk).select_for_update(of=("self",), skip_locked=True).first()
            if row is not None:
                n_sent += send_one(row, mail_of(row), server)
    server.connection.close()
    return n_sent


def next_try(waiting: QuerySet) -> datetime | None:
    """Return when those of these rows that failed are tried again; None where none has failed."""
    tries = waiting.filter(mail_tries__gt=0).aggregate(fewest=Min("mail_tries"))["fewest"]
    return timezone.now() + AGAIN[min(tries, len(AGAIN)) - 1] if tries else None


class Server:
    """The mail server, for the mails of one batch: once it cannot be reached or hangs up, it is
    asked no more, since each attempt may take as long as EMAIL_TIMEOUT."""

    def __init__(self) -> None:
        self.connection = get_connection()
        self.problem: OSError | None = None

    def send(self, message: EmailMessage) -> None:
        """Raise what a network, a mail server or an address can raise."""
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
    """Return what the mail server said; where it said nothing, that it hangs up."""
    if isinstance(problem, SMTPRecipientsRefused):
        return [code for code, _ in problem.recipients.values()]
    return [problem.smtp_code] if isinstance(problem, SMTPResponseException) else [HANGS_UP]


def send_one(row: Any, message: EmailMessage, server: Server) -> bool:
    """Return whether the mail went out; the row says so, or why not."""
    try:
        server.send(message)
    except (OSError, ValueError) as problem:  # of the network, of SMTP, of an address
        row.mail_tries += 1
        if is_final(problem) or row.mail_tries > len(AGAIN):
            row.mail_state = MailState.FAILED
        row.mail_problem = in_words(problem)[:LONGEST_PROBLEM]
    else:
        row.mail_state, row.mail_problem = MailState.SENT, ""
        row.mailed_at = timezone.now()
    row.save(update_fields=["mail_state", "mail_problem", "mail_tries", "mailed_at"])
    return row.mail_state == MailState.SENT


def in_words(problem: Exception) -> str:
    """Return what the mail server said, or the system, on one line."""
    said: list[tuple[int, str | bytes]] = [(0, str(problem))]
    if isinstance(problem, SMTPRecipientsRefused):
        said = [*problem.recipients.values()]
    elif isinstance(problem, SMTPResponseException):
        said = [(problem.smtp_code, problem.smtp_error)]
    texts = [text.decode(errors="replace") if isinstance(text, bytes) else text for _, text in said]
    return " ".join("; ".join(texts).split()) or type(problem).__name__


def is_final(problem: Exception) -> bool:
    """Return whether the same would fail again: an address that is none, or that the server refuses
    for good (codes of 500 and above)."""
    if isinstance(problem, SMTPRecipientsRefused):
        return min(codes_of(problem)) >= 500
    return isinstance(problem, ValueError)
