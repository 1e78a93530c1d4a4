"""Errors that a program marked become suggestions of a campaign, which may know other kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from django.db import transaction

from judgments.files.prefilled_spans import ProposedError
from judgments.files.rows import AddedRows, import_rows
from judgments.models import Campaign, SuggestionOrigin
from judgments.protocols.spans.marking import Marking
from judgments.stats.mqm import normalized

from .error_sources import ProgramError, ProgramMarks, errors_of
from .prefilled_spans import SuggestedErrors

# The published severities, from the lightest; another name has no place among them.
ORDER = ("neutral", "minor", "major", "critical")


class ErrorFit:
    """Fits errors to what a campaign marks, and counts what of them is changed or left out."""

    def __init__(self, marking: Marking, file: str) -> None:
        self.marking, self.file = marking, file
        self.n_rows = 0
        self.told: Counter[str] = Counter()
        self._severities = {normalized(name): name for name in marking.severities}
        self._categories = {normalized(slug): slug for slug in marking.slugs}
        ends = Counter(name.rpartition("/")[2] for name in self._categories)
        self._leaves = {
            name.rpartition("/")[2]: slug
            for name, slug in self._categories.items()
            if ends[name.rpartition("/")[2]] == 1
        }

    def rows(self, errors: Iterable[ProgramError]) -> Iterator[ProposedError]:
        """Yield rows for the importer; what was counted is known when all are read."""
        for _output, of_output in groupby(errors, key=lambda each: each[:2]):
            for error, severity, category in self._fitting(list(of_output)):
                self.n_rows += 1
                place = error.segment, error.system, "target", error.start, error.end, ""
                yield ProposedError(self.file, self.n_rows, *place, severity, category)

    def notes(self) -> list[str]:
        """Return what is not suggested as it was marked, in words with numbers."""
        return [f"{n:,} × {what}" for what, n in sorted(self.told.items())]

    def _fitting(self, errors: list[ProgramError]) -> list[tuple[ProgramError, str, str]]:
        """Return for one output."""
        found: dict[tuple[int, int, str], tuple[ProgramError, str, str]] = {}
        for error in errors:
            severity = self._severity(error.severity)
            if severity and error.start == error.end:
                self.told["left out, as it marks a place and no text"] += 1
            elif severity:
                category = self._category(error.category)
                place = error.start, error.end, category
                if place in found:
                    self.told["left out, as the same words are marked twice"] += 1
                else:
                    found[place] = error, severity, category
        order = self.marking.severities.index
        kept = sorted(found.values(), key=lambda each: -order(each[1]))
        most = self.marking.most
        if len(kept) > most:
            least = f"left out, as {most} worse ones are in the translation"
            self.told[least] += len(kept) - most
            kept = kept[:most]
        return sorted(kept, key=lambda each: each[0].start)

    def _severity(self, said: str) -> str:
        """Return the campaign's own: of the same name, or the next lighter one of those published,
        as “major” where nothing is critical; "" without any."""
        name = normalized(said)
        if name in self._severities:
            return self._severities[name]
        lighter = reversed(ORDER[1 : ORDER.index(name)]) if name in ORDER else ()
        found = next((each for each in lighter if each in self._severities), "")
        if not found:
            self.told[f"left out, as this campaign has no severity “{said}”"] += 1
            return ""
        self.told[f"“{said}” is suggested as “{found}”"] += 1
        return self._severities[found]

    def _category(self, said: str) -> str:
        """Return the campaign's own of the same name, or the only one that ends in it; ""
        otherwise."""
        name = normalized(said)
        if not name:
            return ""
        found = self._categories.get(name) or self._leaves.get(name, "")
        if not found:
            self.told[f"suggested without the category “{said}”, which this campaign lacks"] += 1
        elif normalized(found) != name:
            self.told[f"category “{said}” is suggested as “{found}”"] += 1
        return found


@transaction.atomic
def suggest(campaign: Campaign, marked: ProgramMarks) -> tuple[AddedRows, list[str]]:
    """Put the errors that a program marked in the place of the suggestions of a campaign. Return
    how many they are, and what is not suggested as it was marked. Raise ImportProblem."""
    fit = ErrorFit(Marking.of(campaign), marked.label)
    rows = fit.rows(errors_of(campaign.test_set, marked.key))
    added = import_rows(SuggestedErrors, campaign, rows)
    notes = fit.notes()
    if marked.stale:
        names = ", ".join(marked.stale)
        notes.append(f"Left out, as their texts have changed since: the errors of {names}.")
    SuggestionOrigin.objects.filter(campaign=campaign).update(
        signature=marked.signature, marked_at=marked.made_at, notes=notes
    )
    return added, notes
