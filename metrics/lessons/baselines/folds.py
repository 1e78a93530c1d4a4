"""Whole documents in folds, so that a system never translates what it learned from."""

from collections.abc import Sequence

MOST_FOLDS = 5


def folds_of(sizes: Sequence[int], most: int = MOST_FOLDS) -> list[list[int]]:
    """Return the places of documents with so many segments each, in folds of about equal size: the
    largest documents first, each to the smallest fold so far. As many folds as documents if these
    are few.
    """
    folds: list[list[int]] = [[] for _ in range(min(most, len(sizes)))]
    filled = [0] * len(folds)
    for place in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        fold = filled.index(min(filled))
        folds[fold].append(place)
        filled[fold] += sizes[place]
    return [sorted(fold) for fold in folds]
