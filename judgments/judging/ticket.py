"""The ticket that a screen carries and an answer brings back: sealed, so that nobody can alter or
read it. The numbers of items would tell, for instance, which of them were made in a batch.

It says which item was shown to whom, under which number of their work, when, under which
guidelines, which key the answer has, up to which revision the item had been judged, and, as a hash,
which texts were on the screen.
"""

import functools
import struct
import uuid
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.crypto import salted_hmac

from .screen import SIZE

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

SALT = "judgments.ticket"
LAYOUT = struct.Struct("<QQIqI16s")  # item, annotator, number, milliseconds, version, key
SEEN = struct.Struct("<H")
MAX_SEEN = 2**16 - 1
TAG = 16  # bytes
# After the layout: nothing, then SEEN, then SEEN and the hash, as versions of the site added them.
# Answers may still wait with the older ones.
ADDED = (0, SEEN.size, SEEN.size + SIZE)
LENGTHS = {-(-(TAG + LAYOUT.size + added) // 3) * 4 for added in ADDED}  # characters of a ticket


class BadTicket(ValueError):
    """Not one of our tickets, or altered."""


@dataclass(frozen=True)
class Ticket:
    """seen: the item's last revision when it was shown, 0 if it was not judged. painted: the hash
    of what was shown (`painted`). None of a ticket that does not say."""

    item: int
    annotator: int
    number: int
    key: uuid.UUID
    opened_at: datetime
    guideline_version: int
    seen: int | None = None
    painted: bytes | None = None

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
        if self.seen is not None:
            said += SEEN.pack(min(self.seen, MAX_SEEN)) + (self.painted or b"")
        return urlsafe_b64encode(cipher(settings.SECRET_KEY).encrypt(said, None)).decode()


def new_ticket(
    item, annotator, number, opened_at, guideline_version, seen=None, painted=None
) -> Ticket:
    key = uuid.uuid4()
    return Ticket(item, annotator, number, key, opened_at, guideline_version, seen, painted)


def unseal(text: str) -> Ticket:
    """Raise BadTicket."""
    if len(text) not in LENGTHS:
        raise BadTicket
    try:
        sealed = urlsafe_b64decode(text)
    except (NotBase64, ValueError) as error:
        raise BadTicket from error
    if len(sealed) - TAG - LAYOUT.size not in ADDED:
        raise BadTicket
    from cryptography.exceptions import InvalidTag

    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            said = cipher(secret).decrypt(sealed, None)
        except InvalidTag:
            continue
        item, annotator, number, milliseconds, version, key = LAYOUT.unpack_from(said)
        opened_at = datetime.fromtimestamp(milliseconds / 1000, UTC)
        seen = SEEN.unpack_from(said, LAYOUT.size)[0] if len(said) > LAYOUT.size else None
        painted = said[LAYOUT.size + SEEN.size :] or None
        return Ticket(
            item, annotator, number, uuid.UUID(bytes=key), opened_at, version, seen, painted
        )
    raise BadTicket


@functools.cache
def cipher(secret: str | bytes) -> "AESSIV":
    """Return AES-SIV (RFC 5297), with a key of its own made from a secret of the site. What it
    seals is different for every ticket without a number that must never come twice."""
    # Imported with the first ticket: it takes as long as a tenth of a start.
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(salted_hmac(SALT, "key", secret, algorithm="sha512").digest())
