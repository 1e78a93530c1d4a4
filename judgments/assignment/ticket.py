"""The ticket that a screen carries and an answer brings back: sealed, so that nobody can alter or
read it. The numbers of items would tell, for instance, which of them were made in a batch.

It says which item was shown to whom, under which number of their work, when, under which
guidelines, and which key the answer has.
"""

import struct
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SALT = "judgments.ticket"
LAYOUT = struct.Struct("<QQIqI16s")  # item, annotator, number, milliseconds, version, key
TAG = 16  # bytes
LENGTH = (TAG + LAYOUT.size) // 3 * 4 + 4  # characters of a ticket


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
        said = LAYOUT.pack(
            self.item,
            self.annotator,
            self.number,
            milliseconds,
            self.guideline_version,
            self.key.bytes,
        )
        tag = tag_of(said, settings.SECRET_KEY)
        return urlsafe_b64encode(tag + mask(said, tag, settings.SECRET_KEY)).decode()


def new_ticket(item, annotator, number, opened_at, guideline_version) -> Ticket:
    return Ticket(item, annotator, number, uuid.uuid4(), opened_at, guideline_version)


def unseal(text: str) -> Ticket:
    """Raises BadTicket."""
    if len(text) != LENGTH:
        raise BadTicket
    try:
        sealed = urlsafe_b64decode(text)
    except (NotBase64, ValueError) as error:
        raise BadTicket from error
    if len(sealed) != TAG + LAYOUT.size:
        raise BadTicket
    tag = sealed[:TAG]
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        said = mask(sealed[TAG:], tag, secret)
        if constant_time_compare(tag_of(said, secret), tag):
            item, annotator, number, milliseconds, version, key = LAYOUT.unpack(said)
            opened_at = datetime.fromtimestamp(milliseconds / 1000, UTC)
            return Ticket(item, annotator, number, uuid.UUID(bytes=key), opened_at, version)
    raise BadTicket


# A synthetic initialization vector (Rogaway and Shrimpton 2006, SIV): a keyed hash of what is said
# is both the proof that it is ours and the start of the stream that hides it. Both functions are
# HMAC-SHA-512 with keys of their own; one block of it is as long as the ticket or longer.


def tag_of(said: bytes, secret: str | bytes) -> bytes:
    return salted_hmac(f"{SALT}.tag", said, secret, algorithm="sha512").digest()[:TAG]


def mask(text: bytes, tag: bytes, secret: str | bytes) -> bytes:
    """Hides a text of LAYOUT's size, and shows a hidden one."""
    stream = salted_hmac(f"{SALT}.mask", tag, secret, algorithm="sha512").digest()
    return bytes(a ^ b for a, b in zip(text, stream, strict=False))
