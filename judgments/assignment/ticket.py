"""The ticket that a screen carries and an answer brings back: sealed, so that nobody can alter it.

It says which item was shown to whom, under which number of their work, when, under which
guidelines, and which key the answer has.
"""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from django.core import signing

SALT = "judgments.ticket"


class BadTicket(ValueError):
    """Not one of our tickets, or altered."""


@dataclass(frozen=True)
class Ticket:
    item: int
    annotator: int
    number: int
    key: uuid.UUID
    opened_at: datetime
    guideline_version: int

    def seal(self) -> str:
        milliseconds = round(self.opened_at.timestamp() * 1000)
        return signing.dumps(
            (
                self.item,
                self.annotator,
                self.number,
                self.key.hex,
                milliseconds,
                self.guideline_version,
            ),
            salt=SALT,
        )


def new_ticket(item, annotator, number, opened_at, guideline_version) -> Ticket:
    return Ticket(item, annotator, number, uuid.uuid4(), opened_at, guideline_version)


def unseal(text: str) -> Ticket:
    """Raises BadTicket."""
    try:
        item, annotator, number, key, milliseconds, version = signing.loads(text, salt=SALT)
    except signing.BadSignature as error:
        raise BadTicket from error
    opened_at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return Ticket(item, annotator, number, uuid.UUID(key), opened_at, version)
