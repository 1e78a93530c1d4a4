"""Requests that compute for long, such as exports: an account has only a few of them at once.

Each holds an advisory lock of its connection until its answer was sent. So the limit counts over
all web processes of all machines, and a request whose client or whose process is gone is free at
once: its answer is closed, or PostgreSQL frees the lock with the connection.
"""

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import Sum
from django.http import HttpRequest, HttpResponseBase

from judgments.models import Task
from judgments.web import limits
from mteval_site import deadline

# The first of the two keys of our advisory locks, one for each place of an account; the second key
# is the account's.
NAMESPACE = 0x68767900
# Judgments of a campaign from which its tables are heavy, too, and a worker makes campaign.json.
MANY = 5_000
View = Callable[..., Any]


def heavy(view: View) -> View:
    """Have an account wait where it has as many of these requests as it may: 429, Retry-After.

    Stands below the decorators that say who asks; the view may return any response.
    """

    @functools.wraps(view)
    def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        assert request.user.pk is not None, "nobody without an account comes here"
        place = take_place(request.user.pk)
        try:
            response = view(request, *args, **kwargs)
        except BaseException:
            give_back(place)
            raise
        if getattr(response, "streaming", False):
            response.streaming_content = Held(response.streaming_content, place)
        else:
            give_back(place)
        return response

    return limited


def heavy_if_large(view: View) -> View:
    """Return the same, for what takes long only of a campaign with many judgments."""
    limited = heavy(view)

    @functools.wraps(view)
    def either(request: HttpRequest, campaign_id: int, *args: Any, **kwargs: Any) -> Any:
        chosen = limited if is_large(campaign_id) else view
        return chosen(request, campaign_id, *args, **kwargs)

    return either


def is_large(campaign_id: int) -> bool:
    """Return whether a campaign has so many judgments that its tables and exports take long."""
    n_judged = Task.objects.filter(campaign=campaign_id).aggregate(n=Sum("n_judged"))["n"]
    return (n_judged or 0) >= MANY


class Held:
    """The pieces of an answer; Django closes it when all were sent or nobody wants more."""

    def __init__(self, pieces: Iterable[bytes], place: tuple[int, int] | None) -> None:
        self.pieces = iter(pieces)
        self.place = place

    def __iter__(self) -> Iterator[bytes]:
        return self.pieces

    def close(self) -> None:
        give_back(self.place)


def take_place(account: int) -> tuple[int, int] | None:
    """Return the lock that the account now holds; None where there is no limit (RATE_LIMITS=0).

    Raises limits.Exceeded where the account has as many as it may.
    """
    if not limits.HEAVY.most_now:
        return None
    for number in range(limits.HEAVY.most_now):
        place = NAMESPACE + number, account % 2**31
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", place)
            if cursor.fetchone()[0]:
                return place
    raise limits.Exceeded(limits.HEAVY, limits.HEAVY.seconds)


def give_back(place: tuple[int, int] | None) -> None:
    if place is None:
        return
    try:
        with deadline.limit(float("inf")), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", place)
    except DatabaseError:  # such as in a transaction that has failed: the lock ends with this
        connection.close()
