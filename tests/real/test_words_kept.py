"""Share of words kept, compared with the published HTER of 1,000 post-edited segments (MLQE-PE
ro-en)."""

import numpy as np
import pytest

from judgments.protocols.post_editing.words import share_kept
from tests.shared import read_tsv, shared_data

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def rows():
    return read_tsv(shared_data("07_postedit_mlqepe_ro-en", "segments.ro-en.tsv.gz"))


def test_words_kept_is_hter_but_for_moves(rows):
    """HTER is TER without regard to case, capped at 1: moves can only make it smaller than the
    share of words that were edited one by one."""
    hter = np.array([float(row["hter_published"]) for row in rows])
    texts = [(row["mt_tok"].lower(), row["pe_tok"].lower()) for row in rows]
    edited = 1 - np.array([share_kept(before, after, "en") for before, after in texts]) / 100
    assert len(hter) == 1000
    assert (edited >= hter - 1e-6).all()
    # Where no run of words was moved, both are the same. The figures are in the guide.
    assert np.isclose(edited, hter, atol=1e-6).mean() == pytest.approx(0.928)
    assert hter.mean() == pytest.approx(0.1955, abs=5e-5)
    assert edited.mean() == pytest.approx(0.2007, abs=5e-5)
    assert np.corrcoef(hter, edited)[0, 1] == pytest.approx(0.995, abs=5e-4)
