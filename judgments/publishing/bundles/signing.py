"""The site's key: what it releases is signed with it, and anybody can tell.

The key is derived from the site's secret (HKDF, RFC 5869), or given as `MTEVAL_SIGNING_KEY`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

PURPOSE = b"mteval: signatures of releases, Ed25519"
SEED_BYTES = 32


def private_key() -> Ed25519PrivateKey:
    """Raise ImproperlyConfigured for a setting that is no key."""
    if settings.SIGNING_KEY:
        try:
            seed = base64.b64decode(settings.SIGNING_KEY, validate=True)
            return Ed25519PrivateKey.from_private_bytes(seed)
        except (binascii.Error, ValueError):
            raise ImproperlyConfigured(
                "MTEVAL_SIGNING_KEY should be 32 random bytes in base64, as `openssl rand -base64 "
                "32` writes them."
            ) from None
    derived = HKDF(hashes.SHA256(), SEED_BYTES, salt=None, info=PURPOSE)
    return Ed25519PrivateKey.from_private_bytes(derived.derive(settings.SECRET_KEY.encode()))


def public_text() -> str:
    """Return the site's public key: its 32 bytes in base64."""
    return base64.b64encode(private_key().public_key().public_bytes_raw()).decode()


def fingerprint(public: str) -> str:
    """Return the first half of the SHA-256 of a public key, in groups that people can compare."""
    digest = hashlib.sha256(base64.b64decode(public)).hexdigest()[:32]
    return " ".join(digest[i : i + 4] for i in range(0, 32, 4))


def key_file() -> str:
    """Return what `/signing-key.txt` and every bundle say."""
    public = public_text()
    return f"ed25519 {public}\nfingerprint {fingerprint(public)}\n"


def read_key(text: str) -> str:
    """Return the public key in a text such as that of `key_file`, or alone. Raise ValueError."""
    for word in text.split():
        try:
            raw = base64.b64decode(word, validate=True)
        except (binascii.Error, ValueError):
            continue
        if len(raw) == SEED_BYTES:
            return base64.b64encode(raw).decode()
    raise ValueError("This is not a public key: a key has 32 bytes in base64.")


def sign(message: bytes) -> str:
    return base64.b64encode(private_key().sign(message)).decode()


def is_signed(message: bytes, signature: str, public: str) -> bool:
    """Return whether a key made the signature of a message."""
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public))
    try:
        key.verify(base64.b64decode(signature.strip(), validate=True), message)
    except (InvalidSignature, binascii.Error, ValueError):
        return False
    return True
