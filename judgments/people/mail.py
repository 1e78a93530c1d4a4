"""Sending of mails, tried again after a failure: those for rows (`MailedRow`) through one
connection, each row locked while its mail is sent."""

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
HANGS_UP = 421  # reply code of a mail server that closes the connection (RFC 5321)


def send_waiting(waiting: QuerySet, mail_of: Callable[[Any], EmailMessage]) -> int:
    """Send the mails of these rows through one connection, and return how many were sent.

    Each row is locked while its mail is sent, so that two workers send none twice. Failed mails
    wait for the next try, `next_try`, as often as notices, and are then given up.
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
    """Return when failed mails of these rows are tried again; None if none has failed."""
    tries = waiting.filter(mail_tries__gt=0).aggregate(fewest=Min("mail_tries"))["fewest"]
    return timezone.now() + AGAIN[min(tries, len(AGAIN)) - 1] if tries else None


def send_or_later(message: EmailMessage, n_failed: int) -> datetime | None:
    """Send a mail that no row stands for. Return when it is tried again if the server fails, as
    often as others; None once it is sent. n_failed: how often it has failed before. Raise the error
    of the last try, or one that another try would not mend."""
    try:
        message.send()
    except OSError as problem:
        if is_final(problem) or n_failed >= len(AGAIN):
            raise
        return timezone.now() + AGAIN[n_failed]
    return None


class Server:
    """The mail server, for the mails of one batch: once it cannot be reached or hangs up, it is not
    tried again, since each attempt may take as long as EMAIL_TIMEOUT."""

    def __init__(self) -> None:
        self.connection = get_connection()
        self.problem: OSError | None = None

    def send(self, message: EmailMessage) -> None:
        """Send a message. Raise any error of a network, a mail server or an address."""
        if self.problem is not None:
            raise self.problem
        is_open = False
        try:
            self.connection.open()  # does nothing if already open
            is_open = True
            message.connection = self.connection
            message.send()
        except OSError as problem:
            if not is_open or HANGS_UP in codes_of(problem):
                self.connection.close()
                self.problem = problem
            raise


def codes_of(problem: OSError) -> list[int]:
    """Return the reply codes of the mail server; if it gave none, the code for hanging up."""
    if isinstance(problem, SMTPRecipientsRefused):
        return [code for code, _ in problem.recipients.values()]
    return [problem.smtp_code] if isinstance(problem, SMTPResponseException) else [HANGS_UP]


def send_one(row: Any, message: EmailMessage, server: Server) -> bool:
    """Return whether the mail was sent, and store that or the reason on the row."""
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
    """Return the error of the mail server or system on one line."""
    said: list[tuple[int, str | bytes]] = [(0, str(problem))]
    if isinstance(problem, SMTPRecipientsRefused):
        said = [*problem.recipients.values()]
    elif isinstance(problem, SMTPResponseException):
        said = [(problem.smtp_code, problem.smtp_error)]
    texts = [text.decode(errors="replace") if isinstance(text, bytes) else text for _, text in said]
    return " ".join("; ".join(texts).split()) or type(problem).__name__


def is_final(problem: Exception) -> bool:
    """Return whether another try would fail too: the address is invalid, or the server refuses it
    permanently (codes of 500 and above)."""
    if isinstance(problem, SMTPRecipientsRefused):
        return min(codes_of(problem)) >= 500
    return isinstance(problem, ValueError)
