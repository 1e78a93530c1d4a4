"""What of a campaign's judgments figures are of, besides whose: filters, as an address has them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date, datetime, time, timedelta
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.models import Kind

MOST_NAMED = 5


@dataclass(frozen=True)
class Filters:
    """Empty lets everything through. Names are those of files: aliases of annotators, names of
    systems, documents and domains, kinds of systems, tags of original languages, kinds of items.
    Waves are numbers of the plan's; words are those of a segment's source; days are those of the
    site's time zone, both ends included. `adjudicated`: True where third judgments of clashes count
    as those of the two."""

    annotators: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    system_kinds: tuple[str, ...] = ()
    waves: tuple[str, ...] = ()
    fewest_words: int | None = None
    most_words: int | None = None
    since: date | None = None
    until: date | None = None
    adjudicated: bool | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) not in ((), None) for field in fields(self))

    @classmethod
    def asked(cls, query: QueryDict) -> Filters:
        """Return what an address asks for. ValueError, in words, for a date or a number that is
        none."""
        found: dict[str, Any] = {
            name: tuple(sorted({_name(key, value) for value in query.getlist(key) if value}))
            for name, key in LISTS.items()
        }
        found |= {name: _number(name, query.get(name, "")) for name in NUMBERS}
        found |= {name: _day(name, query.get(name, "")) for name in DAYS}
        found["adjudicated"] = _switch(ADJUDICATED, query.get(ADJUDICATED, ""))
        return cls(**found)

    @property
    def address(self) -> list[tuple[str, str]]:
        """The parts of a query string that ask for these filters."""
        found = [(key, each) for name, key in LISTS.items() for each in getattr(self, name)]
        for name in (*NUMBERS, *DAYS):
            value = getattr(self, name)
            if value is not None:
                found.append((name, str(value)))
        return [*found, (ADJUDICATED, COUNTED)] if self.adjudicated else found

    @property
    def concern_segments(self) -> bool:
        """Whether some segments of the test set may not pass."""
        return bool(self.of_segment) or self.concern_words

    @property
    def concern_words(self) -> bool:
        """Whether it matters how long a segment is."""
        return self.fewest_words is not None or self.most_words is not None

    @property
    def of_system(self) -> dict[str, Any]:
        """Conditions on a system."""
        asked = (("name", self.systems), ("facts__kind", self.system_kinds))
        return {f"{field}__in": names for field, names in asked if names}

    @property
    def of_segment(self) -> dict[str, Any]:
        """Conditions on a segment's document."""
        asked = (
            ("name", self.documents),
            ("domain", self.domains),
            ("original_language", self.languages),
        )
        return {f"document__{field}__in": names for field, names in asked if names}

    def let_kind(self, kind: str) -> bool:
        """Return whether what was said of an output on an item of this kind passes."""
        return not self.kinds or kind in self.kinds

    def let_words(self, words: float) -> bool:
        """Return whether a segment of so many words passes. Half a word, as `n_words` counts
        scripts without spaces, does not count: 9.5 words are among those of at most 9."""
        most, whole = self.most_words, math.floor(words)
        return (self.fewest_words or 0) <= whole and (most is None or whole <= most)

    @property
    def of_judgment(self) -> dict[str, Any]:
        """Conditions on a judgment: the wave that it is of, and the day when it was submitted."""
        found: dict[str, Any] = {}
        if self.waves:
            found["item__task__wave__in"] = [int(each) for each in self.waves if is_small(each)]
        if self.since is not None:
            found["submitted_at__gte"] = _midnight(self.since)
        if self.until is not None and self.until < date.max:
            found["submitted_at__lt"] = _midnight(self.until + timedelta(days=1))
        return found

    def phrases(self) -> Iterator[str]:
        """Yield what passes, in words, a phrase for each filter."""
        if self.annotators:
            yield ngettext(
                "only the annotator %(names)s",
                "only the annotators %(names)s",
                len(self.annotators),
            ) % {"names": named(self.annotators)}
        if self.systems:
            yield ngettext(
                "only the system %(names)s", "only the systems %(names)s", len(self.systems)
            ) % {"names": named(self.systems)}
        if self.system_kinds:
            yield _("only systems of the kind %(names)s") % {"names": named(self.system_kinds)}
        if self.documents:
            yield ngettext(
                "only the document %(names)s", "only the documents %(names)s", len(self.documents)
            ) % {"names": named(self.documents)}
        if self.domains:
            yield ngettext(
                "only documents of the domain %(names)s",
                "only documents of the domains %(names)s",
                len(self.domains),
            ) % {"names": named(self.domains)}
        if self.languages:
            yield _("only documents written in %(names)s") % {"names": named(self.languages)}
        if self.kinds:
            names = [str(Kind(kind).label).lower() for kind in self.kinds if kind in Kind.values]
            yield _("only %(names)s items") % {"names": named(names or self.kinds)}
        if self.waves:
            yield ngettext("only wave %(names)s", "only waves %(names)s", len(self.waves)) % {
                "names": named(self.waves)
            }
        yield from self._ranges()
        if self.adjudicated:
            yield _("third judgments of clashes count too")

    def _ranges(self) -> Iterator[str]:
        low, high = self.fewest_words, self.most_words
        if low is not None and high is not None:
            yield _("only segments of %(low)d to %(high)d words") % {"low": low, "high": high}
        elif low is not None:
            yield _("only segments of %(low)d words or more") % {"low": low}
        elif high is not None:
            yield _("only segments of at most %(high)d words") % {"high": high}
        if self.since is not None and self.until is not None:
            days = {"since": self.since.isoformat(), "until": self.until.isoformat()}
            yield _("only judgments from %(since)s to %(until)s") % days
        elif self.since is not None:
            yield _("only judgments since %(since)s") % {"since": self.since.isoformat()}
        elif self.until is not None:
            yield _("only judgments until %(until)s") % {"until": self.until.isoformat()}


NO_FILTERS = Filters()
# Field → its name in addresses.
LISTS = {
    "annotators": "annotator",
    "systems": "system",
    "documents": "document",
    "domains": "domain",
    "languages": "original_language",
    "kinds": "kind",
    "system_kinds": "system_kind",
    "waves": "wave",
}
NUMBERS = ("fewest_words", "most_words")
DAYS = ("since", "until")
ADJUDICATED, COUNTED = "adjudicated", "in"


def named(names: tuple[str, ...] | list[str]) -> str:
    """Return the names in a sentence; of very many the first."""
    shown = list(names[:MOST_NAMED])
    if len(names) > MOST_NAMED:
        shown.append(_("%(n)d more") % {"n": len(names) - MOST_NAMED})
    if len(shown) < 2:
        return "".join(shown)
    return _("%(names)s and %(last)s") % {"names": ", ".join(shown[:-1]), "last": shown[-1]}


def is_small(text: str) -> bool:
    """Return whether a text is a number that a wave can have."""
    return text.isascii() and text.isdigit() and len(text) < 5


def _name(key: str, text: str) -> str:
    if "\0" in text:
        raise ValueError(_("%(key)s contains a character that no name has.") % {"key": key})
    return text


def _number(key: str, text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(
            _("%(key)s is a whole number, not %(text)s.") % {"key": key, "text": repr(text[:40])}
        )
    return int(text)


def _switch(key: str, text: str) -> bool | None:
    if text.strip() not in ("", COUNTED):
        known = {"key": key, "only": COUNTED, "text": repr(text[:40])}
        raise ValueError(_("%(key)s is %(only)s, not %(text)s.") % known)
    return True if text.strip() else None


def _day(key: str, text: str) -> date | None:
    text = text.strip()
    if not text:
        return None
    try:
        found = parse_date(text)
    except ValueError:
        found = None
    if found is None:
        raise ValueError(
            _("%(key)s is a date such as 2026-03-31, not %(text)s.")
            % {"key": key, "text": repr(text[:40])}
        )
    return found


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
