"""What goes together: documents, or segments where documents are too few."""

from __future__ import annotations

import numpy as np

from judgments.plans.stopping import MIN_DOCUMENTS

from .observations import Observed

__all__ = ["MIN_DOCUMENTS", "clusters_of"]


def clusters_of(observed: Observed) -> tuple[np.ndarray, str]:
    """Return what is resampled and tested together, by segment code, and its name: documents where
    at least MIN_DOCUMENTS were judged and some have several segments, else segments."""
    judged = np.flatnonzero(np.bincount(observed.rows["segment"]))
    n_documents = len(np.unique(observed.document_ids[judged]))
    if MIN_DOCUMENTS <= n_documents < len(judged):
        return observed.document_ids, "documents"
    return np.arange(len(observed.segment_ids)), "segments"
