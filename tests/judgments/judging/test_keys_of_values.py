"""The keys of the answers to a question."""

import pytest

from judgments.judging.forms import keys_of


@pytest.mark.parametrize(
    ("values", "keys"),
    [
        ("5 4 3 2 1", "5 4 3 2 1"),
        ("10 9 8 7 6 5 4 3 2 1", "0 9 8 7 6 5 4 3 2 1"),
        ("10 9 8 7 6 5 4 3 2 1 0", " 9 8 7 6 5 4 3 2 1 0"),
        ("1 2 3 4 5 6 7 8 9 10", "1 2 3 4 5 6 7 8 9 0"),
        ("1 2 3 4 5 6 7 8 9 10 0", "1 2 3 4 5 6 7 8 9 0 "),
        ("1 2 3 0", "1 2 3 0"),
        ("12 11 10 9", "  0 9"),
        ("1.5 1 0.5", "1 2 3"),
        ("1 0 -1", "1 2 3"),
        ("yes no", "1 2"),
    ],
)
def test_a_digit_is_its_value(values, keys):
    assert keys_of(values.split()) == keys.split(" ")
