"""When several outputs are shown as rows, and the content of the rows."""

import pytest
from django.urls import reverse

from judgments.models import Output
from judgments.protocols.base import custom_dimensions
from judgments.protocols.compact import LONGEST, has_room, width
from judgments.protocols.rating.dimensions import ADEQUACY, DIRECT, FLUENCY, XSTS
from tests import factory
from tests.judgments.judging.judge_pages import JudgingTestCase


def own(*ranges):
    rows = [{"slug": f"d{i}", "low": low, "high": high} for i, (low, high) in enumerate(ranges)]
    return custom_dimensions(rows)


@pytest.mark.parametrize(
    ("dimensions", "most", "fits"),
    [
        ((ADEQUACY, FLUENCY), 5, True),
        ((ADEQUACY, FLUENCY), 2, False),
        ((XSTS,), 3, True),
        ((DIRECT,), 5, False),
        ((ADEQUACY, DIRECT), 5, False),
        ((), 5, False),
        (own((1, 3), (1, 3), (1, 3), (1, 3)), 5, True),
        (own((0, 1), (0, 1), (0, 1), (0, 1), (0, 1)), 5, False),
        (own((1, 7), (1, 7)), 5, False),
        (own((0, 9)), 5, True),
        (own((1, 10)), 5, False),  # its keys are not its values
    ],
)
def test_columns_are_for_digits_that_fit(dimensions, most, fits):
    assert has_room(dimensions, most) is fits


def test_wide_characters_count_twice():
    assert [width(text) for text in ("", "Straße", "我们 a")] == [0, 6, 6]


class RowsTest(JudgingTestCase):
    def page(self) -> str:
        return self.open(1).content.decode()

    def test_short_outputs_stand_in_rows_with_the_anchors_once(self):
        page = self.page()
        self.assertIn('class="compact" data-columns="2" data-anchors', page)
        self.assertEqual(page.count("asked-anchors"), 2)
        # Each answer still has its meaning, with its digit, and each group its subject.
        n = self.test_set.systems.count()
        self.assertEqual(page.count("<kbd>5</kbd><span>Flawless English</span>"), n)
        self.assertEqual(page.count('role="radiogroup"'), 2 * n)
        self.assertIn("<dt><kbd>d</kbd></dt>", page)
        self.assertIn('data-differences="asked" aria-pressed="false"', page)

    def test_one_long_output_makes_cards(self):
        """With a comparison table's contents: digits explained once, differences."""
        Output.objects.filter(pk=Output.objects.first().pk).update(text="x" * (LONGEST + 1))
        page = self.page()
        self.assertNotIn('class="compact"', page)
        self.assertIn('<kbd aria-hidden="true">5</kbd>', page)
        self.assertIn("data-digits", page)
        self.assertEqual(page.count('class="asked-anchors"'), 2)
        self.assertIn('data-differences="asked"', page)

    def test_ranks_too(self):
        campaign = factory.make_campaign(
            self.test_set, preset="relative-ranking", name="Ranks", annotators=[self.annotator_1]
        )
        factory.make_task(campaign, self.annotator_1)
        address = reverse("judge-item", args=[campaign.pk, 1])
        self.client.force_login(self.annotator_1)
        page = self.client.get(address).content.decode()
        self.assertIn("ranking-outputs compact", page)
        self.assertNotIn("asked-anchors", page)  # the answers contain it
