"""When what could not be sent is tried again."""

from __future__ import annotations

from datetime import timedelta

# How long after each failure it is tried again.
AGAIN = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))
