"""Computed results in the object store, for all hosts of a site.

They are pickled, and reading a pickle can run code: each is signed with the site's secret key, so
that whoever can write to the bucket can make a host compute again, and nothing else. They are in a
folder for each month and each state of erasures: a result from before an erasure is not found after
it, and none stays for more than two months.
"""

import hashlib
import hmac
import io
import logging
import pickle
from typing import Any

from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from mteval_site.shared_files import StoreAway, bucket

PART = "results"
MARK_BYTES = 32
logger = logging.getLogger(__name__)


def get(key: str, erased: str) -> Any:
    """Return the value of a key, or None. erased: how much was erased until now
    (`mteval_site.erased_files`)."""
    store = bucket(PART)
    if store is None:
        return None
    name = _name(key, erased)
    try:
        content = b"".join(store.pieces(name))
    except (FileNotFoundError, StoreAway):
        return None
    mark, pickled = content[:MARK_BYTES], content[MARK_BYTES:]
    if not constant_time_compare(mark, _mark(name, pickled)):
        logger.warning("A result in the object store was not written by this site: %s", name)
        return None
    try:
        return pickle.loads(pickled)  # noqa: S301  signed by this site
    except Exception as error:  # noqa: BLE001  of other code; it can be computed again
        logger.warning("A result in the object store cannot be read: %r", error)
        return None


def put(key: str, found: Any, erased: str) -> None:
    """Store a value for all hosts, unless the store is away."""
    store = bucket(PART)
    if store is None:
        return
    name, pickled = _name(key, erased), pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
    try:
        store.write(name, io.BytesIO(_mark(name, pickled) + pickled))
    except StoreAway as error:
        logger.warning("A result cannot be shared: %s", error)


def sweep(erased: str) -> None:
    """Delete results of earlier months and from before the last erasure. Raise StoreAway."""
    store = bucket(PART)
    if store is not None:
        store.delete(name for name in store.names() if not name.startswith(f"{_folder(erased)}/"))


def _folder(erased: str) -> str:
    """Return the folder of the results of this month that contain nobody who was erased."""
    return f"{timezone.now():%Y-%m}-{hashlib.sha256(erased.encode()).hexdigest()[:16]}"


def _name(key: str, erased: str) -> str:
    return f"{_folder(erased)}/{key}"


def _mark(name: str, pickled: bytes) -> bytes:
    secret = salted_hmac("mteval_site.shared_results", name, algorithm="sha256").digest()
    return hmac.new(secret, pickled, hashlib.sha256).digest()
