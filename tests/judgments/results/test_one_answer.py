"""One number stands for each pair of systems on every page and in every file."""

from django.core.cache import cache

from judgments.results.scores.pair_test import change_pair_test
from tests import factory
from tests.base import CastTestCase

from .one_answer import answers_of, contradictions


class OneAnswerTest(CastTestCase):
    def setUp(self):
        cache.clear()
        for campaign in (self.campaign, self.pairwise):
            for task in campaign.tasks.order_by("seat"):
                for item in task.items.order_by("position"):
                    n = (item.position + task.seat) % 3
                    if campaign == self.pairwise:
                        factory.judge(item, n - 1)
                    else:
                        values = {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]}
                        factory.judge(item, values)

    def walked(self, campaign, n_pairs):
        found = answers_of(campaign, self.as_user(self.owner))
        self.assertEqual(list(contradictions(found)), [])
        said = [values for key, values in found.items() if key[2] == "p_adjusted"]
        self.assertEqual(len(said), n_pairs)
        for values in said:
            places = {place.split()[0] for where in values.values() for place in where}
            self.assertLessEqual({"table", "report", "api-scores", "api-power"}, places)
        return found

    def test_ratings(self):
        found = self.walked(self.campaign, 6)
        self.assertIn("compare", {p for v in found.values() for where in v.values() for p in where})

    def test_comparisons(self):
        self.walked(self.pairwise, 1)

    def test_another_choice(self):
        chosen = {"compared_by": "z", "test": "permutation", "promise": "bh"}
        before = answers_of(self.campaign, self.as_user(self.owner))
        change_pair_test(self.campaign, chosen)
        self.campaign.refresh_from_db()
        self.assertNotEqual(self.walked(self.campaign, 6), before)
