"""Units that are kept together: documents, or segments if there are too few documents."""

from __future__ import annotations

import numpy as np

from judgments.plans.stopping import MIN_DOCUMENTS

from .observations import Observed

__all__ = ["MIN_DOCUMENTS", "clusters_of"]


def clusters_of(observed: Observed) -> tuple[np.ndarray, str]:
    """Return the unit that is resampled and tested together, by segment code, and its name:
    documents if at least MIN_DOCUMENTS were judged and some have several segments, otherwise
    segments."""
    judged = np.flatnonzero(np.bincount(observed.rows["segment"]))
    n_documents = len(np.unique(observed.document_ids[judged]))
    if MIN_DOCUMENTS <= n_documents < len(judged):
        return observed.document_ids, "documents"
    return np.arange(len(observed.segment_ids)), "segments"
