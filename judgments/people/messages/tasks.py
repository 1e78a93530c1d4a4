"""Mailing of messages in the background."""

from django_tasks import task

from judgments.people import mail
from judgments.people.messages.messages import mail_of, waiting_mails


@task(priority=10)
def mail_message(message_id: int) -> int:
    """Mail a message to its pending recipients and return how many mails were sent."""
    waiting = waiting_mails(message_id)
    n_sent = mail.send_waiting(waiting, mail_of)
    if later := mail.next_try(waiting):
        mail_message.using(run_after=later).enqueue(message_id)
    return n_sent
