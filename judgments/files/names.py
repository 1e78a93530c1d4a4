"""Names that nothing else has."""

from collections.abc import Collection


def free_name(wanted: str, taken: Collection[str], joint: str = "-") -> str:
    """Return the name, or the first free one of "name-2", "name-3" …"""
    found, number = wanted, 1
    while found in taken:
        number += 1
        found = f"{wanted}{joint}{number}"
    return found
