"""What judging costs: statements of the database, and bytes sent."""

from django.db import connection
from django.test import TransactionTestCase
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.models import (
    Output,
    Task,
)
from tests import factory
from tests.judgments.judging.judge_pages import JudgingTestCase, answers, ticket_in
from tests.sent_files import sent_size, static_names

MOST_TO_LIST = 16
MOST_TO_OPEN = 9  # a whole page; the rows that follow ask for one statement less
MOST_TO_SUBMIT = 9


class CostTest(TransactionTestCase):
    """All SQL statements: session, user, and the transaction's own."""

    def setUp(self):
        self.user = factory.make_user("annotator")
        owner = factory.make_user("owner")
        self.test_set = factory.make_test_set(owner, n_segments=20, n_systems=5)
        self.campaigns = [
            factory.make_campaign(
                self.test_set, preset=preset, name=preset, owner=owner, annotators=[self.user]
            )
            for preset in ("adequacy-fluency", "pairwise")
        ]
        self.client.force_login(self.user)
        self.client.get(reverse("judge", args=[self.campaigns[0].pk]))

    def statements(self, method, url, data=None):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            response = getattr(self.client, method)(url, data or {})
        return response, len(captured), "\n".join(q["sql"] for q in captured)

    def post(self, url, data):
        ticket = ticket_in(self.client.get(url))
        response, n, sql = self.statements("post", url, data | {"ticket": ticket})
        self.assertEqual(response.status_code, 302)
        self.assertLessEqual(n, MOST_TO_SUBMIT, sql)
        return n

    def get(self, url):
        response, n, sql = self.statements("get", url)
        self.assertEqual(response.status_code, 200)
        self.assertLessEqual(n, MOST_TO_OPEN, sql)
        return n

    def test_the_same_few_statements_whatever_is_stored(self):
        for campaign in self.campaigns:
            rating = campaign.protocol == "rating"
            one, other = (
                (answers(3, 5), answers(4, 5)) if rating else
                ({"preference": "1"}, {"preference": "0"})
            )  # fmt: skip
            costs = []
            for n_stored in (10, 300):
                segments = (list(self.test_set.segments.all()) * 20)[: n_stored + 5]
                task = factory.make_task(campaign, self.user, batch=n_stored, segments=segments)
                for item in list(task.items.all())[:n_stored]:
                    values = {"adequacy": [1] * 5, "fluency": [2] * 5} if rating else 1
                    factory.judge(item, values)
                first = sum(t.n_items for t in Task.objects.filter(
                    campaign=campaign, annotator=self.user, pk__lt=task.pk))  # fmt: skip
                waiting = reverse("judge-item", args=[campaign.pk, first + n_stored + 1])
                judged = reverse("judge-item", args=[campaign.pk, first + 2])
                costs.append([
                    self.get(waiting), self.get(judged), self.post(waiting, one),
                    self.post(waiting, one), self.post(waiting, other),
                ])  # fmt: skip
            with self.subTest(campaign.preset):
                self.assertEqual(costs[0], costs[1])

    def test_the_pages_between_are_as_cheap(self):
        for batch in range(1, 41):
            factory.make_task(self.campaigns[0], self.user, batch=batch)
        most = {"judge": MOST_TO_OPEN, "judge-items": MOST_TO_LIST}
        for name, most_of_it in most.items():
            _, n, sql = self.statements("get", reverse(name, args=[self.campaigns[0].pk]))
            self.assertLessEqual(n, most_of_it, sql)


class WeightTest(JudgingTestCase):
    def test_the_largest_screen_weighs_at_most_100_kb(self):
        """The page and all it loads, each file compressed as it is sent."""
        self.test_set.segments.update(source="wort " * 200)
        for number, output in enumerate(Output.objects.all()):
            Output.objects.filter(pk=output.pk).update(text=f"word{number} " * 200)
        page = self.open(1).content
        self.assertEqual(len(static_names(page)), 5)
        self.assertLess(sent_size(page), 100_000)
