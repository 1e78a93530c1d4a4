"""The examples of the guide's pages give the scores that the pages state."""

from pathlib import Path

import pytest

from metrics.scorers import get_scorer

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "metrics"


@pytest.mark.parametrize(
    ("slug", "output", "reference"),
    [
        ("bleu", "the cat sat quietly on the mat", "the cat sat on the red mat today"),
        ("chrf", "der Hund bellte", "die Hunde bellten"),
        ("chrfpp", "der Hund bellte", "die Hunde bellten"),
        ("ter", "on the mat the cat sat", "the cat sat on the mat today"),
        ("gleu", "on the mat the cat sat", "the cat sat on the mat today"),
        ("ribes", "on the mat the cat sat", "the cat sat on the mat today"),
    ],
)
def test_the_example_of_the_page_is_true(slug, output, reference):
    scorer = get_scorer(slug)
    score = scorer.score(scorer.statistics([output], [[reference]])[0])
    page = (GUIDE / f"{slug}.md").read_text(encoding="utf-8")
    assert output in page and reference in page
    assert f"**{score:.2f}**" in page
