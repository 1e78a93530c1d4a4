"""The import commands import each published set completely.

The expected numbers are those of the sets' own README files.
"""

from collections import Counter

import pytest

from judgments.models import Item, Judgment, Output, Rating
from tests import real_data

pytestmark = [pytest.mark.django_db, pytest.mark.proof]


def counts(campaign):
    """Return the numbers of judgments, observations, annotators, segments and systems of a
    campaign."""
    return (
        Judgment.objects.filter(campaign=campaign).count(),
        Rating.objects.filter(judgment__campaign=campaign).count(),
        campaign.memberships.filter(role="annotator").count(),
        campaign.test_set.segments.count(),
        campaign.test_set.systems.count(),
    )


@pytest.mark.parametrize(
    ("pair", "expected"),
    [("uk-en", (25_138, 25_138, 144, 2018, 9)), ("liv-en", (5_782, 5_782, 46, 420, 5))],
)
def test_wmt22(tmp_path, pair, expected):
    campaign = real_data.import_wmt22(tmp_path, pair)
    assert counts(campaign) == expected
    kinds = Counter(Item.objects.values_list("kind", flat=True))
    if pair == "uk-en":  # counted in the file with zcat | cut -f8 | sort | uniq -c
        assert kinds == {"regular": 17930, "reference": 2425, "degraded": 2408, "repeat": 2375}


def test_ko_en(tmp_path):
    campaign = real_data.import_ko_en(tmp_path)
    assert counts(campaign) == (19_760, 3 * 19_760, 26, 1982, 1)


def test_wmt13(tmp_path):
    campaign = real_data.import_wmt13(tmp_path)
    assert counts(campaign) == (10_196, 50_980, 218, 3000, 13)
    assert Output.objects.filter(system__test_set=campaign.test_set).count() == 39_000
    shown = Item.objects.earliest("pk").shown.order_by("position")
    assert [(row.position, row.output.system.name) for row in shown[:2]] == [
        (0, "newstest2013.fr-en.cu-zeman.2738"),
        (1, "newstest2013.fr-en.RWTH_primary.2595"),
    ]
