"""Times of new attempts to send something."""

from __future__ import annotations

from datetime import timedelta

# Delay after each failure.
AGAIN = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))
