"""Whether comparisons connect the systems, without which no order of them exists."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components


def why_apart(edge: np.ndarray, systems: np.ndarray, *, strong: bool = False) -> str:
    """Why the comparisons do not connect the systems; empty if they do.

    ``edge`` (n, n) bool: i was compared with j; with ``strong``, i won or tied against j, and every
    system must be reached from every other.
    """
    if len(edge) < 2:
        return "a ranking needs at least two systems"
    n_groups, group = connected_components(
        sparse.csr_array(edge), directed=True, connection="strong" if strong else "weak"
    )
    if n_groups == 1:
        return ""
    smallest = np.bincount(group).argmin()
    names = ", ".join(str(name) for name in systems[group == smallest][:5])
    if strong:
        return f"no finite strengths: one group of systems always lost to the others ({names})"
    return f"the systems fall into {n_groups} groups that were never compared ({names})"
