import random

import pytest
import sacrebleu

from metrics.scorers import get_scorer

from .oracle import agree
from .texts import WORDS


@pytest.mark.proof
@pytest.mark.parametrize(
    ("slug", "metric"),
    [
        ("bleu", sacrebleu.BLEU()),
        ("chrf", sacrebleu.CHRF()),
        ("chrfpp", sacrebleu.CHRF(word_order=2)),
    ],
    ids=["bleu", "chrf", "chrfpp"],
)
def test_a_line_of_ten_thousand_words(slug, metric):
    rng = random.Random(1)
    vocabulary = [rng.choice(WORDS) + rng.choice(WORDS) for _ in range(3000)]
    # Thousands of distinct characters, which are too many to pack.
    vocabulary += [chr(rng.randrange(0x4E00, 0x9FFF)) for _ in range(3000)]
    lines = [" ".join(rng.choices(vocabulary, k=10_000)) for _ in range(2)]
    mixed = " ".join(rng.choice(pair) for pair in zip(*map(str.split, lines), strict=False))
    agree(
        get_scorer(slug), metric, [mixed, "short", ""], [[lines[0], "x", "short"], [lines[1]] * 3]
    )
