"""Computed results in the object store, for all hosts of a site.

They are pickled, and reading a pickle can run code: each is signed with the site's secret key, so
that whoever can write to the bucket can make a host compute again, and nothing else. Names contain
how much was erased, so that a result from before an erasure is not found after it.
"""

import hashlib
import hmac
import logging
import pickle
from typing import Any

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
        content = store.read(name)
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
        store.write(name, _mark(name, pickled) + pickled)
    except StoreAway as error:
        logger.warning("A result cannot be shared: %s", error)


def forget(erased: str) -> None:
    """Delete the results from before the last erasure. Raise StoreAway."""
    store = bucket(PART)
    if store is None:
        return
    for folder in store.folders():
        if folder != _generation(erased):
            store.delete(store.names(folder))


def _generation(erased: str) -> str:
    """Return the folder of the results that contain nobody who was erased."""
    return hashlib.sha256(erased.encode()).hexdigest()[:16]


def _name(key: str, erased: str) -> str:
    return f"{_generation(erased)}/{key}"


def _mark(name: str, pickled: bytes) -> bytes:
    secret = salted_hmac("mteval_site.shared_results", name, algorithm="sha256").digest()
    return hmac.new(secret, pickled, hashlib.sha256).digest()
