"""Rate limits: counters in the database, which all web processes share, on one host or on many.

A counter belongs to a limit and a subject (an address, an account, a name). Its window begins with
the first attempt and ends by itself; refused attempts do not extend it.
docs/decisions/0021-limits.md lists the limits and the reasons for them.
"""

import math
import random
from dataclasses import dataclass

from django.conf import settings
from django.db import connection
from django.utils.crypto import salted_hmac

MINUTE = 60


@dataclass(frozen=True)
class Limit:
    name: str
    most: int
    """so many within `seconds`"""
    seconds: int
    is_fixed: bool = False
    """whether it holds whatever RATE_LIMITS says: limits of guessing do"""

    @property
    def most_now(self) -> int:
        return self.most if self.is_fixed else math.ceil(self.most * settings.RATE_LIMITS)


# Wrong passwords (judgments/people/accounts/backends.py).
ONE_DEVICE = Limit("device", 10, 15 * MINUTE, is_fixed=True)
NAME_FROM_ADDRESS = Limit("pair", 10, 15 * MINUTE, is_fixed=True)
ADDRESS = Limit("address", 100, 15 * MINUTE, is_fixed=True)
NAME = Limit("name", 30, 15 * MINUTE, is_fixed=True)
OLD_PASSWORD = Limit("old-password", 20, 15 * MINUTE, is_fixed=True)
OF_STRANGERS = (NAME_FROM_ADDRESS, ADDRESS, NAME)
OF_KNOWN = (ONE_DEVICE, OLD_PASSWORD)
# Mails with a new password: requests from an address; mails to an address.
RESETS = Limit("reset", 30, 60 * MINUTE, is_fixed=True)
RESET_MAILS = Limit("reset-mail", 3, 60 * MINUTE, is_fixed=True)
# Mails with invitations that an owner sends.
INVITATION_MAILS = Limit("invitation-mail", 5000, 24 * 60 * MINUTE)
# Unknown personal links, invitations and tokens, from an address.
GUESSES = Limit("guess", 30, 15 * MINUTE, is_fixed=True)
# Opening personal links and invitations, or sign-ins by OpenID Connect; a workshop may share one
# address.
COMING_IN = Limit("in", 1000, 15 * MINUTE)
# Screens tried without an account; a class may share one address.
TRIALS = Limit("trial", 2000, 15 * MINUTE)
# On a public demo server: copies that an address takes, and what a visitor uploads.
DEMO_COPIES = Limit("demo", 30, 60 * MINUTE)
DEMO_UPLOADS = Limit("demo-uploads", 30, 24 * 60 * MINUTE)
# Computing time, in quarters of a second, at least one for each request. People who wait for one
# page before requesting the next stay below the limit, however long each takes.
COMPUTING = Limit("computing", 1200, 5 * MINUTE)
UNITS_PER_SECOND = 4
UPLOADS = Limit("uploads", 60, 15 * MINUTE)
# Anything sent by an account, or from an address, which a class may share. In judging only refusals
# count: answers that waited for a connection arrive by the hundred.
POSTS = Limit("posts", 600, 5 * MINUTE)
POSTS_FROM_ADDRESS = Limit("address-posts", 3000, 5 * MINUTE)
# Not counted over time, but held while they last (judgments/web/heavy.py); the seconds are the time
# to wait before the next try.
HEAVY = Limit("heavy", 2, 10)


class Exceeded(Exception):
    """A limit has been reached; `seconds` is the time to wait before the next try."""

    def __init__(self, limit: Limit, seconds: int):
        super().__init__(f"limit {limit.name} for {seconds} s")
        self.limit = limit
        self.seconds = seconds


def key_of(limit: Limit, subject: str) -> str:
    """Return a key from which the address or name cannot be recovered; neither is stored."""
    return f"{limit.name}:{salted_hmac('limits', subject, algorithm='sha256').hexdigest()[:40]}"


TAKE = """
INSERT INTO judgments_attempts AS a (key, count, ends_at)
VALUES (%(key)s, LEAST(%(cost)s, %(most)s + 1), now() + %(seconds)s * interval '1 second')
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN a.ends_at <= now() THEN excluded.count
               ELSE LEAST(a.count + %(cost)s, %(most)s + 1) END,
  ends_at = CASE WHEN a.ends_at <= now() THEN excluded.ends_at ELSE a.ends_at END
RETURNING count, ceil(extract(epoch FROM ends_at - now()))
"""
# What costs more than is left takes nothing, so that something smaller still may.
TAKE_WHOLE = TAKE.replace(
    "RETURNING", "WHERE a.ends_at <= now() OR a.count + %(cost)s <= %(most)s\nRETURNING"
)
LEFT = """
SELECT ceil(extract(epoch FROM ends_at - now())) FROM judgments_attempts WHERE key = %s
"""


def hit(limit: Limit, subject: str, cost: int = 1) -> int:
    """Count an attempt and return how many are left.

    Raise Exceeded if fewer than `cost` were left. With RATE_LIMITS=0 only limits of guessing count.
    """
    most = limit.most_now
    if not most:
        return limit.most
    if cost > most:
        raise Exceeded(limit, limit.seconds)
    found = _take(TAKE_WHOLE if cost > 1 else TAKE, limit, subject, cost)
    if found is None or found[0] > most:
        raise Exceeded(limit, _seconds_left(limit, subject) if found is None else found[1])
    if random.random() < 0.002:
        delete_expired()
    return most - found[0]


def _take(statement: str, limit: Limit, subject: str, cost: int) -> tuple[int, int] | None:
    """Return the new count and the seconds that its window lasts; None if nothing was counted."""
    values: dict[str, str | int] = {"key": key_of(limit, subject), "cost": cost}
    values |= {"most": limit.most_now, "seconds": limit.seconds}
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        found = cursor.fetchone()
    return found and (found[0], max(1, int(found[1])))


def _seconds_left(limit: Limit, subject: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(LEFT, [key_of(limit, subject)])
        found = cursor.fetchone()
    return max(1, int(found[0])) if found else 1


def charge(limit: Limit, subject: str, cost: int) -> None:
    """Count something already done: nothing is refused, but the next attempt may be."""
    if limit.most_now:
        _take(TAKE, limit, subject, cost)


def refund(limit: Limit, subject: str) -> None:
    """Subtract an attempt that does not count after all."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE judgments_attempts SET count = GREATEST(count - 1, 0) WHERE key = %s",
            [key_of(limit, subject)],
        )


def reset(limit: Limit, subject: str) -> None:
    """Delete the counter, so that counting starts again."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM judgments_attempts WHERE key = %s", [key_of(limit, subject)])


def delete_expired() -> None:
    """Delete counters whose window is over; sufficient now and then."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM judgments_attempts WHERE key IN (SELECT key FROM judgments_attempts"
            " WHERE ends_at <= now() LIMIT 1000 FOR UPDATE SKIP LOCKED)"
        )
