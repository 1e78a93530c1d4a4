"""Two systems by segments, lengths, levels and documents; expected values by hand and SciPy."""

import numpy as np
import pytest
from django.core.cache import cache
from scipy import stats

from judgments.models import Document
from judgments.results.compare.two_systems import (
    TwoSystems,
    by_length,
    by_level,
    facts_of,
    nearest_at_top,
    parts_of,
    two_systems,
)
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase


def pair(difference, second=None):
    n = len(difference)
    low = np.zeros(n) if second is None else np.array(second, float)
    difference = np.array(difference, float)
    return TwoSystems(
        dimension="d",
        names=("A", "B"),
        system_ids=(1, 2),
        segment_ids=np.arange(n),
        segment_keys=np.arange(n).astype(str),
        values=np.array([low + difference, low]),
        difference=difference,
    )


def test_parts_add_up_to_the_difference():
    two = pair([4, 2, -1, 0, 1])
    found = parts_of(two, ["x", "x", "y", "y", "y"])
    assert [part.name for part in found] == ["x", "y"]
    assert [part.adds for part in found] == [6 / 5, 0]
    assert [part.share for part in found] == [1, 0]
    assert sum(part.adds for part in found) == two.mean
    part = found[1].mean
    interval = stats.t.interval(0.95, 2, loc=0, scale=stats.sem([-1, 0, 1]))
    np.testing.assert_allclose([part.low, part.high], interval)


def test_where_the_second_is_better_its_parts_come_first():
    found = parts_of(pair([-4, 1]), ["x", "y"])
    assert [part.name for part in found] == ["x", "y"]
    np.testing.assert_allclose([part.share for part in found], [4 / 3, -1 / 3])


def test_without_a_difference_there_are_no_shares():
    found = parts_of(pair([1, -1]), ["x", "y"])
    assert np.isnan([part.share for part in found]).all()
    assert sum(part.adds for part in found) == 0


def test_lengths_by_words():
    two = pair([1, 2, 3, 5])
    found = by_length(two, np.array([9.0, 10, 19, 60]))
    assert [(part.name, part.mean.n, part.ends) for part in found] == [
        ("0–9", 1, (0, 9)),
        ("10–19", 2, (10, 19)),
        ("60+", 1, (60, None)),
    ]
    assert found[1].mean.estimate == 2.5
    assert by_length(two, np.full(4, np.nan)) == []


def test_levels_are_values_or_quarters():
    found = by_level(pair([1, 2, 3], second=[5, 1, 5]))
    assert [(p.name, p.mean.estimate) for p in found] == [("1", 2), ("5", 2)]
    many = by_level(pair(range(20), second=range(20)))
    assert [part.mean.n for part in many] == [5, 5, 5, 5]
    assert [part.ends for part in many] == [(0, 4), (5, 9), (10, 14), (15, 19)]
    assert by_level(pair([1, 2], second=[3, 3])) == []


class StoredPairTest(CastTestCase):
    def setUp(self):
        cache.clear()

    def rate(self, *rows):
        task = self.campaign.tasks.order_by("seat").first()
        for item, row in zip(task.items.order_by("position"), rows, strict=False):
            factory.judge(item, {"adequacy": row, "fluency": [3, 3, 3]})

    def test_scores_of_both_by_segment(self):
        self.rate([5, 3, 1], [4, 4, 2])
        selection = Selection.of(self.campaign)
        assert nearest_at_top(selection) == ("System-A", "System-B")
        two = two_systems(selection, "System-C", "System-A", "adequacy")
        assert two.difference.tolist() == [1 - 5, 2 - 4]
        assert two.values.tolist() == [[1, 2], [5, 4]]
        assert two.n_better == (0, 2)
        with pytest.raises(ValueError, match="System-X"):
            two_systems(selection, "System-A", "System-X")

    def test_facts_of_the_segments(self):
        self.rate([5, 3, 1], [4, 4, 2])
        Document.objects.filter(test_set=self.test_set).update(domain="news")
        selection = Selection.of(self.campaign)
        two = two_systems(selection, "System-A", "System-B")
        facts = facts_of(selection, two)
        segments = [self.test_set.segments.get(pk=pk) for pk in two.segment_ids.tolist()]
        assert facts.documents == [segment.document.name for segment in segments]
        assert facts.domains == ["news", "news"]
        assert facts.words.tolist() == [len(segment.source.split()) for segment in segments]

    def test_comparisons_are_signs_of_the_pair_alone(self):
        """Three comparisons, of which only those of A and B count, turned to A's side."""
        expected = {}
        for task in self.pairwise.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                shown = [each.output for each in item.shown.order_by("position")]
                factory.judge(item, 1)
                names = [output.system.name for output in shown]
                if set(names) == {"System-A", "System-B"}:
                    sign = 1 if names[0] == "System-A" else -1
                    expected.setdefault(item.segment_id, []).append(sign)
        assert expected
        two = two_systems(Selection.of(self.pairwise), "System-A", "System-B")
        found = dict(zip(two.segment_ids.tolist(), two.difference.tolist(), strict=True))
        assert found == {pk: np.mean(signs) for pk, signs in expected.items()}
        assert np.isnan(two.values).all()

    def test_nothing_judged(self):
        assert nearest_at_top(Selection.of(self.campaign)) is None
        assert nearest_at_top(Selection.of(self.pairwise)) is None
