"""The test set that judgments without texts are of: what a format may ask about it."""

from __future__ import annotations

from functools import cached_property

from django.db.models.functions import Length

from judgments.models import Output, TestSet


class StandIn:
    """A test set in the database, in the words of records."""

    def __init__(self, test_set: TestSet) -> None:
        self.test_set = test_set
        self.lengths: dict[str, dict[str, int]] = {}

    @cached_property
    def documents(self) -> dict[str, list[str]]:
        """{document: keys of its segments in order}"""
        found: dict[str, list[str]] = {}
        for key, document in self.segments:
            found.setdefault(document, []).append(key)
        return found

    @cached_property
    def segments(self) -> list[tuple[str, str]]:
        """(key, document) of every segment in order."""
        rows = self.test_set.segments.order_by("position")
        return list(rows.values_list("key", "document__name"))

    @cached_property
    def systems(self) -> frozenset[str]:
        return frozenset(self.test_set.systems.values_list("name", flat=True))

    def length(self, system: str, key: str) -> int | None:
        """Return code points of an output; None where there is none, or where texts are not
        known."""
        if not self.test_set.has_texts:
            return None
        if system not in self.lengths:
            rows = Output.objects.filter(
                system__test_set=self.test_set, system__name=system
            ).order_by()
            found = rows.annotate(n=Length("text")).values_list("segment__key", "n")
            self.lengths[system] = dict(found)
        return self.lengths[system].get(key)

    def is_of(self, source_language: str, target_language: str) -> bool:
        """Return whether its languages are these, whatever the region."""

        def plain(tag: str) -> str:
            return tag.lower().split("-")[0]

        own = (self.test_set.source_language, self.test_set.target_language)
        return tuple(map(plain, own)) == (plain(source_language), plain(target_language))
