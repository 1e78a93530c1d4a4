"""A damaged copy with its own text is compared with the translation it was made from."""

import pytest

from judgments.exchange.releases import writing
from judgments.exchange.releases.records import (
    JudgedScreen,
    JudgmentsPart,
    Problems,
    Release,
    TextsPart,
)
from judgments.files.texts import SegmentTexts
from judgments.models.damaged_copies import copy_name, original_name
from judgments.quality.rules.figures import quality
from judgments.results.selection.selection import Selection
from tests import factory


def test_names():
    assert [original_name(copy_name("A", n)) for n in (1, 2, 13)] == ["A"] * 3
    assert original_name("A (undamaged)") == "A (undamaged)"
    assert len({copy_name("A", n) for n in range(1, 9)}) == 8


@pytest.mark.django_db
def test_controls_find_their_originals():
    def texts():
        for n in range(1, 9):
            outputs = {"A": f"good {n}", "A (damaged)": f"bad {n}", "B": "b"}
            yield SegmentTexts("", n, str(n), "all", "source", {}, outputs)

    def screens():
        for n in range(1, 9):
            shown = (
                ("A", "regular", 80 + n),
                ("A (damaged)", "degraded", 20),
                ("B", "regular", 50),
            )
            for place, (system, kind, score) in enumerate(shown):
                yield JudgedScreen(
                    "", 3 * n + place, "anna", str(n), [system], item=f"{n} {system}", kind=kind,
                    ratings=[(system, "da", float(score))],
                )  # fmt: skip

    release = Release(
        [TextsPart("1", "texts", "en", "de", texts)],
        [JudgmentsPart("judged", "1", "direct-assessment", screens)],
    )
    found = writing.write(release, factory.make_user("organizer"), Problems())
    ((campaign, _),) = found.campaigns
    (anna,) = quality(Selection.of(campaign)).annotators
    assert (anna.control.n_pairs, anna.n_unmatched) == (8, 0)
    assert anna.control.verdict == "pass"
