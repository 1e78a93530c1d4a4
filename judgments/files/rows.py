"""Rows that belong to the texts of a test set or a campaign: one importer for every kind of them.

A kind of row says what it writes and what it refuses (`RowKind`); `import_rows` does what is the
same for all: one transaction, one import at a time, the limits, many rows at once. To bring in rows
of another kind, write a format that reads them and a subclass of `RowKind`.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db import models, transaction

from judgments.files import ImportProblem
from judgments.files.problem import FileRow
from judgments.models import Judgment

from .copying import analyze, copy_rows

ROWS_AT_ONCE = 2_000
R = TypeVar("R", bound=FileRow)


class Frozen(ImportProblem):
    """Judging has begun: what annotators were given stays as it is."""

    def __init__(self, nouns: str) -> None:
        reason = f"judging has started, so the {nouns} cannot be changed."
        super().__init__("files", None, "", reason)


@dataclass(frozen=True)
class AddedRows:
    """How many rows an import wrote. groups: how many outputs, systems or documents have some."""

    rows: int
    groups: int


class RowKind(ABC, Generic[R]):
    """One kind of row. An object of it is made for every import and knows what came in so far.

    model, fields: where rows go; the values of `records` stand in the order of the fields.
    nouns: what the rows are called in messages.
    adds: rows come to those that are there, unless they are to be replaced; without it every import
    takes the place of what the owner has.
    before_judging: rows are refused once there is a judgment.
    most: how many an import may bring; None: as many as the site takes.
    """

    model: ClassVar[type[models.Model]]
    fields: ClassVar[tuple[str, ...]]
    nouns: ClassVar[str]
    adds: ClassVar[bool] = False
    before_judging: ClassVar[bool] = True
    most: ClassVar[int | None] = None

    def __init__(self, owner: Any, *, replace: bool) -> None:
        """owner: the campaign or the test set, locked."""
        self.owner = owner
        self.replace = replace
        self._seen: defaultdict[Hashable, set[Hashable]] = defaultdict(set)

    @abstractmethod
    def records(self, row: R) -> Iterable[tuple]:
        """Return what a row of a file brings: values of `fields`. Raise ImportProblem."""

    def clear(self) -> None:
        """Delete what is to be replaced."""
        self.model._default_manager.filter(campaign=self.owner).delete()

    def write(self, records: list[tuple]) -> None:
        copy_rows(self.model, self.fields, records)

    def finish(self) -> None:
        """What is to be done when all rows are written."""

    def first_time(self, group: Hashable, member: Hashable = None) -> bool:
        """Return whether it is the first time that the import meets this member of an output, a
        document or another group."""
        known = self._seen[group]
        if member in known:
            return False
        known.add(member)
        return True

    def n_in(self, group: Hashable) -> int:
        """Return how many members of a group it has met."""
        return len(self._seen[group])

    @property
    def n_groups(self) -> int:
        return len(self._seen)


def lock(kind: type[RowKind], owner: Any) -> Any:
    """Return the owner as it is now. Until the transaction ends, nobody else changes its rows.

    Raises Frozen when judging has begun: annotators would have been given different things.
    """
    # FOR UPDATE, unlike `lock_campaign`: an answer that is being committed is waited for.
    owner = type(owner)._default_manager.select_for_update(of=("self",)).get(pk=owner.pk)
    if kind.before_judging and Judgment.objects.filter(campaign=owner).exists():
        raise Frozen(kind.nouns)
    return owner


@transaction.atomic
def import_rows(
    kind: type[RowKind[R]], owner: Any, rows: Iterable[R], *, replace: bool = False
) -> AddedRows:
    """Write all rows, or none at all.

    owner: the campaign or the test set that the rows belong to. rows: what a format reads; they are
    used up in pieces. Raise ImportProblem for the first row that will not do, and Frozen.
    """
    # One import at a time: two of the same file would each find that it is new.
    incoming = kind(lock(kind, owner), replace=replace)
    if replace or not kind.adds:
        incoming.clear()
    n, most = 0, kind.most or settings.MAX_IMPORT_ROWS
    remaining = iter(rows)
    while batch := list(islice(remaining, ROWS_AT_ONCE)):
        records: list[tuple] = []
        for row in batch:
            records += incoming.records(row)
            if n + len(records) > most:
                reason = f"there are more than {most:,} {kind.nouns}, the limit of this site."
                steps = " Import them in several steps." if kind.adds else ""
                raise row.problem("", reason + steps)
        incoming.write(records)
        n += len(records)
    if not n:
        raise ImportProblem("files", None, "", f"they contain no {kind.nouns}.")
    analyze(kind.model)
    incoming.finish()
    return AddedRows(n, incoming.n_groups)
