"""A table of rows as columns, of which a choice of rows costs an index and no copy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, overload

import numpy as np


@dataclass(frozen=True)
class Looked:
    """A column (n,) that is ``values[at]``: what belongs to a judgment or to an output is kept once
    for each of these, and looked up when somebody asks for it."""

    values: np.ndarray
    at: np.ndarray

    def __len__(self) -> int:
        return len(self.at)


class Rows:
    """``rows["value"]`` is a column (n,), integers always as int64; ``rows[chosen]``, by a mask or
    by indices, are rows again. Both are new arrays or views: the columns are never written to.

    Columns are kept in narrow types, and chosen rows share them: a million rows and a few
    selections of them fit in the memory that one array of them all would take.
    """

    def __init__(
        self, columns: Mapping[str, np.ndarray | Looked], at: np.ndarray | None = None
    ) -> None:
        self._columns = columns
        self._at = at

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._at is None else len(self._at)

    @overload
    def __getitem__(self, key: str) -> np.ndarray: ...
    @overload
    def __getitem__(self, key: np.ndarray) -> Rows: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._column(key, _wide)
        if key.dtype == bool:
            if key.all():
                return self
            key = np.flatnonzero(key).astype(np.int32)
        return Rows(self._columns, key if self._at is None else self._at[key])

    def among(self, name: str, codes: Collection[int]) -> np.ndarray:
        """Return mask (n,) of the rows that have one of a few ``codes`` in a column."""

        def known(values: np.ndarray) -> np.ndarray:
            found = np.zeros(len(values), bool)
            for code in codes:
                found |= values == code
            return found

        return self.where(name, known)

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def marked(self, name: str, wanted: np.ndarray) -> np.ndarray:
        """Return mask (n,) of the rows whose code in a column is ``wanted``, (n_codes,) of truth
        values; a code below 0, that of nothing, is not."""
        table = np.append(wanted, False)
        return self.where(name, lambda values: table[np.maximum(values, -1)])

    def where(self, name: str, wanted: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """Return mask (n,) of the rows whose value in a column is wanted, asked of as few as there
        are."""
        return self._column(name, wanted)

    def recoded(self, name: str, codes: np.ndarray) -> Rows:
        """Return the same rows with ``codes[code]`` in the place of each code of a column."""
        column = self._columns[name]
        if isinstance(column, Looked):
            changed: np.ndarray | Looked = Looked(_taken(codes, column.values), column.at)
        else:
            changed = _taken(codes, column)
        return Rows({**self._columns, name: changed}, self._at)

    def replaced(self, name: str, values: np.ndarray) -> Rows:
        """Return the same rows with other values (n,) in a column."""
        column = values
        if self._at is not None:
            own = self._columns[name]
            whole = own.values[own.at] if isinstance(own, Looked) else own
            column = whole.astype(values.dtype)
            column[self._at] = values
        return Rows({**self._columns, name: column}, self._at)

    def _column(self, name: str, of_values: Any) -> np.ndarray:
        """``of_values`` of a column, taken where there are fewest values to take it of."""
        column, at = self._columns[name], self._at
        if isinstance(column, Looked):
            at = column.at if at is None else column.at[at]
            if len(at) < len(column.values):
                return of_values(column.values[at])
            return of_values(column.values)[at]
        return of_values(column if at is None else column[at])


def _taken(codes: np.ndarray, values: np.ndarray) -> np.ndarray:
    return codes[values] if len(codes) else values


def _wide(values: np.ndarray) -> np.ndarray:
    # So that products of codes cannot overflow.
    return values.astype(np.int64, copy=False) if values.dtype.kind == "i" else values
