"""Names of files, from names given by people."""

from __future__ import annotations

from django.utils.text import slugify

LONGEST = 60


class FileNames:
    """Safe names, each used once: letters, digits and hyphens, also on disks that ignore case or
    reserve names such as `con`."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def of(self, text: str, prefix: str = "") -> str:
        """Return a name similar to the text, after `prefix`, with a number if it is taken."""
        wanted = f"{prefix}{slugify(text)[:LONGEST].strip('-_')}".strip("-") or "unnamed"
        name, number = wanted, 2
        while name in self.taken:
            name, number = f"{wanted}-{number}", number + 1
        self.taken.add(name)
        return name
