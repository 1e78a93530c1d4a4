"""Names of files, from names that people gave."""

from __future__ import annotations

from django.utils.text import slugify

LONGEST = 60


class FileNames:
    """Safe names, each given once: letters, digits and hyphens, also where a disk takes capitals
    for small letters or keeps names such as `con` for itself."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def of(self, text: str, prefix: str = "") -> str:
        """Return a name like the text, behind `prefix`, with a number where it is taken."""
        wanted = f"{prefix}{slugify(text)[:LONGEST].strip('-_')}".strip("-") or "unnamed"
        name, number = wanted, 2
        while name in self.taken:
            name, number = f"{wanted}-{number}", number + 1
        self.taken.add(name)
        return name
