"""Which of the marked errors figures are of: those of a category, of a severity, or of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from judgments.stats.mqm import normalized

MOST = 300  # characters of a name


@dataclass(frozen=True)
class OnlyErrors:
    """Empty lets every error through. ``category`` lets those below it through too: "accuracy" is
    also "accuracy/omission". Both are as `mqm.normalized` has them."""

    category: str = ""
    severity: str = ""

    def __bool__(self) -> bool:
        return bool(self.category or self.severity)

    @classmethod
    def asked(cls, query: QueryDict) -> OnlyErrors:
        """Return what an address asks for. ValueError, in words, for what no name can be."""
        return cls(*(_name(key, query.get(key, "")) for key in KEYS))

    @property
    def address(self) -> list[tuple[str, str]]:
        """The parts of a query string that ask for this."""
        pairs = zip(KEYS, (self.category, self.severity), strict=True)
        return [(key, value) for key, value in pairs if value]

    def let(self, severity: str, category: str) -> bool:
        """Return whether an error passes, both names normalized."""
        wanted = self.category
        inside = not wanted or category == wanted or category.startswith(f"{wanted}/")
        return inside and self.severity in ("", severity)

    def let_stored(self, severity: str, category: str) -> bool:
        """Return the same of names as they are stored."""
        return not self or self.let(normalized(severity), normalized(category))

    def phrases(self) -> Iterator[str]:
        known = {"category": self.category, "severity": self.severity}
        if self.category and self.severity:
            yield _("only errors of %(category)s that are %(severity)s count") % known
        elif self.category:
            yield _("only errors of %(category)s count") % known
        elif self.severity:
            yield _("only errors that are %(severity)s count") % known


KEYS = ("error_category", "error_severity")
EVERY_ERROR = OnlyErrors()


def _name(key: str, text: str) -> str:
    if "\0" in text or len(text) > MOST:
        raise ValueError(
            _("%(key)s is a name of at most %(most)d characters.") % {"key": key, "most": MOST}
        )
    return normalized(text) if text.strip() else ""
