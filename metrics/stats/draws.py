"""Random draws over units (segments or documents), and the sums of statistics that they give.

Draws come in blocks that fit into memory. Neither their values nor the sums depend on the size of
the blocks, on the number of threads, or on the processor: the generator is read in the same order,
and the sums are exact (see ``exact``). With NumPy's default generator and sacreBLEU's seed they are
the draws of sacreBLEU 2.6.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draws = NDArray[np.float32]

# A block holds about so many weights, which take some 20 bytes each while they are made.
BLOCK_CELLS = 1_000_000
MOST_DRAWS = 128
# The generator gives 32 bits at a time: so many masks of any length are a whole number of words.
_WORD = 32


def bootstrap_weights(rng: np.random.Generator, n: int, resamples: int) -> Iterator[Draws]:
    """Yield how often each of ``n`` units is drawn, in each of ``resamples`` draws of n with
    replacement.

    Yields blocks of shape (b, n).
    """
    for size in _block_sizes(n, resamples):
        drawn = rng.integers(0, n, size=(size, n), dtype=np.int32).astype(np.intp)
        drawn += np.arange(size)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=size * n)
        yield counts.reshape(size, n).astype(np.float32)


def swap_masks(rng: np.random.Generator, n: int, trials: int) -> Iterator[Draws]:
    """Yield 1 or 0, with chance ½ each, for each of ``n`` units in each of ``trials`` trials.

    Yields blocks of shape (b, n).
    """
    for size in _block_sizes(n, trials):
        words = rng.integers(0, 2**32, size=-(-size * n // _WORD), dtype=np.uint32)
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), count=size * n, bitorder="little")
        yield bits.reshape(size, n).astype(np.float32)


def exact(units: Floats) -> Floats:
    """Return statistics (..., n, s) whose sums over n, drawn n times at most, come out exact.

    Whole numbers stay as they are. Others are rounded to a power of two so small that only digits
    from about the twelfth on change: a sum then has no rounding error, whatever the order in which
    it is added up, and the same scores give the same p-values on every machine.
    """
    n = units.shape[-2]
    largest = np.abs(units).max(axis=tuple(range(units.ndim - 1)), initial=0.0)
    with np.errstate(divide="ignore"):
        places = 52 - np.ceil(np.log2(largest * n))
    # Nothing but zeros in a column, or fractions so small that 2**places would overflow.
    unit = 2.0 ** np.clip(np.nan_to_num(places, posinf=0.0), -900, 900)
    return np.rint(units * unit) / unit


class Sums:
    """Sums of the statistics of k systems over draws of their units.

    ``units``: (k, n, s). Where single precision holds every possible sum, the products run in it:
    whole numbers below 2²⁴, which counts of words and characters of most test sets are.
    """

    def __init__(self, units: Floats) -> None:
        units = exact(units)
        k, self.n, s = units.shape
        self._shape = (k, s)
        is_small = self.n * np.abs(units).max(initial=0.0) < 2**24
        is_whole = bool((units == np.rint(units)).all())
        # A product of two matrices that lie as they are multiplied is the fastest.
        self._columns = np.ascontiguousarray(
            units.transpose(1, 0, 2).reshape(self.n, k * s),
            dtype=np.float32 if is_small and is_whole else np.float64,
        )
        self.totals = units.sum(axis=1)
        """Sums over all units, (k, s)."""

    def over(self, draws: Draws) -> Floats:
        """Return sums over draws (b, n): shape (k, s, b), draws last, where scoring them is
        fastest."""
        sums = draws.astype(self._columns.dtype, copy=False) @ self._columns
        turned = np.ascontiguousarray(sums.T, dtype=np.float64)
        return turned.reshape(*self._shape, len(draws))


def _block_sizes(n: int, draws: int) -> Iterator[int]:
    if draws < 1:
        raise ValueError(f"resamples must be at least 1, not {draws!r}.")
    block = min(MOST_DRAWS, max(1, BLOCK_CELLS // n // _WORD) * _WORD)
    for start in range(0, draws, block):
        yield min(block, draws - start)
