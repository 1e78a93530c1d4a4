"""A table of rows as columns, of which a choice of rows costs an index and no copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

import numpy as np


class Rows:
    """``rows["value"]`` is a column (n,), integers always as int64; ``rows[chosen]``, by a mask or
    by indices, are rows again. Both are new arrays or views: the columns are never written to.

    Columns are kept in narrow types, and chosen rows share them: a million rows and a few
    selections of them fit in the memory that one array of them all would take.
    """

    def __init__(self, columns: Mapping[str, np.ndarray], at: np.ndarray | None = None) -> None:
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
            column = self._columns[key]
            column = column if self._at is None else column[self._at]
            # So that products of codes cannot overflow.
            return column.astype(np.int64, copy=False) if column.dtype.kind == "i" else column
        if key.dtype == bool:
            if key.all():
                return self
            key = np.flatnonzero(key).astype(np.int32)
        return Rows(self._columns, key if self._at is None else self._at[key])
