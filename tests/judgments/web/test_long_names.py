"""Names that are cut in the middle keep their ends, and never read alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.web.long_names import cut_in_the_middle

NAMES = st.lists(st.text("ab…", max_size=12) | st.text(max_size=30), max_size=12)


@given(NAMES, st.integers(3, 20))
def test_two_read_alike_only_if_they_are(names, most):
    found = cut_in_the_middle(names, most)
    assert len(set(found)) == len(set(names))
    for name, cut in zip(names, found, strict=True):
        assert len(cut) <= max(most, len(name))
        if cut != name:
            assert "…" in cut and name.startswith(cut[0]) and name.endswith(cut[-1])
            assert len(cut) <= len(name)
        if len(name) <= most:
            assert cut == name


@given(st.text(max_size=60), st.integers(3, 30))
def test_one_alone_has_the_room_it_is_given(name, most):
    assert len(cut_in_the_middle([name], most)[0]) == min(len(name), most)


def test_examples():
    names = ["mre-score-labse-regular", "mre-score-labse-large", "BLEU"]
    assert cut_in_the_middle(names, 9) == ["mre-…ular", "mre-…arge", "BLEU"]
    assert cut_in_the_middle(["aXXXXb", "aYYYYb"], 3) == ["aX…b", "aY…b"]
    with pytest.raises(ValueError, match="3 or more"):
        cut_in_the_middle(["a"], 2)
