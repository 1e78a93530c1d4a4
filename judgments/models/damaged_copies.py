"""Damaged copies that are outputs of their own: `SYSTEM (damaged)` beside `SYSTEM`.

Others' campaigns bring the damaged text that is to be shown. Where only scores are known, a
degraded item names the system itself.
"""

import re

COPY = re.compile(r"(.+) \(damaged\)(?: [0-9]+)?", re.DOTALL)


def copy_name(system: str, n: int = 1) -> str:
    """Return the name of the n-th damaged copy of a system's outputs."""
    return f"{system} (damaged)" if n == 1 else f"{system} (damaged) {n}"


def original_name(system: str) -> str:
    """Return the system that a copy was made of; of others the name itself."""
    match = COPY.fullmatch(system)
    return match[1] if match else system
