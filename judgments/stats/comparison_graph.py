"""Whether comparisons connect the systems, without which no order of them exists."""

from __future__ import annotations

import numpy as np


def why_apart(edge: np.ndarray, systems: np.ndarray, *, strong: bool = False) -> str:
    """Return why the comparisons do not connect the systems; empty if they do.

    ``edge`` (n, n) bool: i was compared with j; with ``strong``, i won or tied against j, and every
    system must be reached from every other.
    """
    if len(edge) < 2:
        return "a ranking needs at least two systems"
    group = _groups(edge if strong else edge | edge.T)
    n_groups = int(group.max()) + 1
    if n_groups == 1:
        return ""
    smallest = np.bincount(group).argmin()
    names = ", ".join(str(name) for name in systems[group == smallest][:5])
    if strong:
        return f"no finite strengths: one group of systems always lost to the others ({names})"
    return f"the systems fall into {n_groups} groups that were never compared ({names})"


def _groups(edge: np.ndarray) -> np.ndarray:
    """Return the number (n,) of the group in which each is reached from each other, in order.

    The shortest ways double in length each time. SciPy's search of graphs would do, but takes more
    time to import than pages of results have to spare.
    """
    reached, n = edge | np.eye(len(edge), dtype=bool), -1
    while n < reached.sum():
        n = reached.sum()
        reached = (reached.astype(np.float32) @ reached.astype(np.float32)) > 0
    _, group = np.unique((reached & reached.T).argmax(axis=1), return_inverse=True)
    return group
