"""Damaged copies that are separate outputs: `SYSTEM (damaged)` in addition to `SYSTEM`.

Campaigns of others contain the damaged text to be shown. If only scores are known, a degraded item
names the system itself.
"""

import re

COPY = re.compile(r"(.+) \(damaged\)(?: [0-9]+)?", re.DOTALL)


def copy_name(system: str, n: int = 1) -> str:
    """Return the name of the n-th damaged copy of a system's outputs."""
    return f"{system} (damaged)" if n == 1 else f"{system} (damaged) {n}"


def original_name(system: str) -> str:
    """Return the system that a copy was made of; for any other system, its own name."""
    match = COPY.fullmatch(system)
    return match[1] if match else system
