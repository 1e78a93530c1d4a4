"""Secrets that an annotator may not learn: how they are marked in the database and searched in
responses."""

import base64
import re
from collections.abc import Callable
from functools import lru_cache
from html import unescape
from urllib.parse import unquote

from django.apps import apps
from django.db import connection

MARK = "Telltale"  # no random token contains it by chance
FIRST = 770_000_000  # the first id of the first table; a table has ten thousand
# An annotator's URLs contain the campaign's id, which is not secret.
NAMED_IN_ADDRESSES = {"campaign"}
MARKED = re.compile(MARK, re.IGNORECASE)
DECIMAL = re.compile(r"77\d[,.\s\u202f\xa0]?\d{3}[,.\s\u202f\xa0]?\d{3}")
HEXADECIMAL = re.compile(r"2d[ef][0-9a-f]{5}", re.IGNORECASE)  # 770,000,000 and up
BIG = re.compile(rb"\0\0\0\0\x2d[\xe0-\xff]..", re.DOTALL)
LITTLE = re.compile(rb"..[\xe0-\xff]\x2d\0\0\0\0", re.DOTALL)
TOKEN = re.compile(r"[A-Za-z0-9+/_=-]{11,}")  # eight bytes
TICKET = re.compile(r'(name="ticket" value=")[^"]+')
CSRF = re.compile(r'(name="csrfmiddlewaretoken" value="|csrfToken": ?")[^"]+')
# Parts that differ in every response.
FRESH_HEADERS = {"set-cookie", "x-request-id", "date", "expires", "server-timing"}


def number_tables() -> None:
    """Give future rows of every table ids that occur nowhere else."""
    with connection.cursor() as cursor:
        for place, model in enumerate(hidden_models()):
            cursor.execute(
                "SELECT pg_get_serial_sequence(%s, %s)", [f'"{model._meta.db_table}"', "id"]
            )
            (sequence,) = cursor.fetchone()
            cursor.execute(f"ALTER SEQUENCE {sequence} RESTART WITH {FIRST + 10_000 * place + 1}")


def hidden_models():
    models = [*apps.get_app_config("judgments").get_models(), apps.get_model("auth", "User")]
    return [
        model
        for model in models
        if model._meta.model_name not in NAMED_IN_ADDRESSES and model._meta.pk.name == "id"
    ]


def numbers() -> set[int]:
    """Return the ids of all rows that have one from `number_tables`."""
    found: set[int] = set()
    for model in hidden_models():
        keys = model._default_manager.filter(pk__gt=FIRST)
        found.update(keys.values_list("pk", flat=True))
    return found


def secret_in(text: str, known: Callable[[], set[int]] = numbers) -> str:
    """Return the first secret in a text, with its context; empty if there is none.

    known: the secret ids; called only if something looks like one of them.
    """
    for reading in (text, unescape(text), unquote(text)):
        if found := MARKED.search(reading):
            return f"…{reading[max(0, found.start() - 100) : found.end() + 60]}…"
        if (secret_numbers := numbers_in(reading)) and (secret_numbers := secret_numbers & known()):
            return f"{sorted(secret_numbers)} in {reading[:60]}…"
    for token in set(TOKEN.findall(text)):
        is_marked, packed = unpacked(token)
        if is_marked or (packed and packed & known()):
            return f"in base64: {token[:80]}"
    return ""


def numbers_in(text: str) -> set[int]:
    """Return possible ids from `number_tables`: in digits, grouped or not, or hexadecimal."""
    decimal = {int(re.sub(r"\D", "", found)) for found in DECIMAL.findall(text)}
    return decimal | {int(found, 16) for found in HEXADECIMAL.findall(text)}


@lru_cache(maxsize=100_000)  # most words of a page were on the previous page
def unpacked(token: str) -> tuple[bool, frozenset[int]]:
    """Return whether there is a mark in possible base64, of either alphabet and from any of its
    four offsets; and possible ids, in digits or in eight bytes."""
    plain = token.translate(str.maketrans("-_", "+/")).replace("=", "")
    is_marked, found = False, set()
    for start in range(4):
        part = plain[start:]
        if len(part) % 4 == 1:  # no number of bytes has this length
            part = part[:-1]
        raw = base64.b64decode(part + "=" * (-len(part) % 4))
        text = raw.decode("latin-1")
        is_marked = is_marked or bool(MARKED.search(text))
        found |= numbers_in(text)
        found |= {int.from_bytes(eight, "big") for eight in BIG.findall(raw)}
        found |= {int.from_bytes(eight, "little") for eight in LITTLE.findall(raw)}
    return is_marked, frozenset(found)


def whole(response) -> str:
    """Return everything that is sent: status, headers, cookies, body."""
    body = response.getvalue() if response.streaming else response.content
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    cookies = "\n".join(str(cookie) for cookie in response.cookies.values())
    return f"{response.status_code}\n{headers}\n{cookies}\n{body.decode('utf-8')}"


def lasting(response) -> str:
    """Return the same without the parts that differ in every response."""
    headers = sorted(
        (name, value)
        for name, value in response.headers.items()
        if name.lower() not in FRESH_HEADERS
    )
    text = TICKET.sub(r"\1", response.content.decode())
    text = CSRF.sub(r"\1", text)
    return f"{response.status_code}\n{headers}\n{text}"
