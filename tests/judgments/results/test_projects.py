"""Projects: who sees what, and what their pages find."""

import csv
import html
import io
import random
import re
from itertools import product
from statistics import fmean

import numpy as np
import pytest
from django.core.cache import cache
from django.urls import reverse

from judgments.models import Project
from judgments.results.observations.observations import dimensions_of
from judgments.results.projects.figures import ProjectResults
from judgments.results.projects.protocols import protocol_pairs
from judgments.results.projects.years_page import family, versions, year_of
from judgments.results.scores.figures import system_scores
from judgments.results.scores.pair_test import change_pair_test
from judgments.results.selection.selection import Selection
from judgments.stats.macro_ranks import macro_ranks
from tests import factory

from .test_results import ResultsTestCase


class ProjectsTest(ResultsTestCase):
    def setUp(self):
        cache.clear()
        self.project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        self.project.campaigns.add(self.campaign, self.pairwise)

    def of(self, user=None):
        return ProjectResults.of(user or self.owner, self.project)

    def rows(self, page, name, **query):
        self.as_user(self.owner)
        address = reverse("project-file", args=["year", page, name, "csv"])
        response = self.client.get(address, query)
        self.assertEqual(response.status_code, 200)
        return list(csv.DictReader(io.StringIO(response.content.decode())))

    def test_outsiders_and_annotators_see_nothing(self):
        for user in (self.outsider, self.annotator_1):
            self.as_user(user)
            for name, args in (
                ("project", ["year"]),
                ("project-page", ["year", "one-system"]),
                ("project-json", ["year", "systems"]),
                ("project-file", ["year", "systems", "project-scores", "csv"]),
                ("project-edit", ["year"]),
            ):
                self.assertEqual(self.client.get(reverse(name, args=args)).status_code, 404)
            self.assertNotContains(self.client.get(reverse("projects")), "Year")

    def test_campaigns_that_a_reader_may_not_see_are_counted(self):
        self.judge_everything()
        self.judge_everything(self.pairwise)
        reader = factory.make_user("reader")
        self.campaign.memberships.create(user=reader, role="researcher", alias="reader")
        self.as_user(reader)
        page = self.client.get(reverse("project", args=["year"]))
        self.assertContains(page, "1 campaign of this project is not shown")
        self.assertNotContains(page, self.pairwise.name)
        self.assertEqual(self.client.get(reverse("project-edit", args=["year"])).status_code, 403)

    def test_scores_are_those_of_the_campaigns_own_page(self):
        self.judge_everything()
        self.judge_everything(self.pairwise)
        for column in self.of().columns:
            own = system_scores(column.selections[0], column.dimension or None)
            expected = dict(zip(own.names.tolist(), own.rank_low.tolist(), strict=True))
            self.assertEqual({s.name: s.rank_low for s in column.systems}, expected)
        rows = self.rows("systems", "project-scores")
        self.assertEqual(len(rows), sum(len(c.systems) for c in self.of().columns))

    def test_every_page_before_and_after_judgments(self):
        self.as_user(self.owner)
        for judged in (False, True):
            if judged:
                self.judge_everything()
                self.judge_everything(self.pairwise)
            for slug in [page.slug for page in self.pages() if not page.address]:
                for name in ("project-page", "project-json"):
                    page = self.client.get(reverse(name, args=["year", slug]), follow=True)
                    self.assertEqual(page.status_code, 200, (slug, name))
                if not judged and slug == "systems":
                    page = self.client.get(reverse("project", args=["year"]))
                    self.assertContains(page, "Nothing is ranked yet")

    def pages(self):
        from judgments.results.projects.pages import project_pages

        return project_pages()

    def test_unknown_choices_are_refused_in_words(self):
        self.judge_everything()
        self.as_user(self.owner)
        for page, query in (("systems", "?nonsense=1"), ("one-system", "?system=nonsense")):
            address = reverse("project-json", args=["year", page])
            self.assertContains(self.client.get(address + query), "nonsense", status_code=400)

    def test_the_protocol_is_chosen_where_one_judged_several_pairs(self):
        other = factory.make_test_set(self.owner, name="Other", target_language="fr")
        second = factory.make_campaign(
            other, name="To French", owner=self.owner, annotators=[self.annotator_1]
        )
        factory.make_task(second, self.annotator_1)
        self.judge_everything()
        address = reverse("project", args=["year"])
        self.assertNotContains(self.as_user(self.owner).get(address), 'name="protocol"')
        self.judge_everything(second)
        self.project.campaigns.add(second)
        page = self.client.get(address)
        self.assertContains(page, 'name="protocol"')
        self.assertContains(page, "over 2 language pairs")
        self.assertContains(page, "Of fewer than three language pairs")
        rows = self.rows("systems", "project-averages")
        self.assertEqual({row["n_pairs"] for row in rows}, {"2"})
        columns = [c for c in self.of().columns if c.preset == self.campaign.preset]
        for row in rows:
            ranks = [s.rank for c in columns for s in c.systems if s.name == row["system"]]
            self.assertAlmostEqual(float(row["rank"]), sum(ranks) / 2)

    def test_waves_on_the_same_texts_are_one(self):
        """A second campaign on a second import of the texts, judged alike: the same means, twice
        the judgments."""
        other = factory.make_test_set(self.owner, name="Wave 2")
        wave = factory.make_campaign(
            other,
            name="Wave 2",
            owner=self.owner,
            annotators=[self.annotator_1, self.annotator_2],
        )
        for seat, annotator in enumerate((self.annotator_1, self.annotator_2), 1):
            factory.make_task(wave, annotator, seat=seat)
        self.judge_everything()
        self.judge_everything(wave)
        self.project.campaigns.add(wave)
        column = next(c for c in self.of().columns if c.preset == self.campaign.preset)
        self.assertEqual(len(column.selections), 2)
        own = system_scores(Selection.of(self.campaign))
        means = dict(zip(own.names.tolist(), own.mean.tolist(), strict=True))
        n = dict(zip(own.names.tolist(), own.n_judgments.tolist(), strict=True))
        segments = dict(zip(own.names.tolist(), own.n_segments.tolist(), strict=True))
        for each in column.systems:
            self.assertAlmostEqual(each.score, means[each.name])
            self.assertEqual(each.n_judgments, 2 * n[each.name])
            self.assertEqual(each.n_segments, segments[each.name])

    def test_comparisons_of_one_segment_rank_nobody(self):
        """There are scores but no resamples of segments, and so no ranks."""
        for task in self.pairwise.tasks.all():
            factory.judge(task.items.order_by("position").first(), 1)
        found = self.of()
        self.assertFalse(np.isnan(found.all_columns[1].scores.mean).all())
        self.assertIn(self.pairwise.name, found.without_scores)
        self.as_user(self.owner)
        self.assertEqual(self.client.get(reverse("project", args=["year"])).status_code, 200)
        self.assertEqual(self.get_as(self.owner, "quality", self.pairwise.pk).status_code, 200)

    def test_waves_are_one_only_if_they_compare_systems_alike(self):
        self.judge_everything()
        second = factory.make_campaign(self.test_set, name="Second", owner=self.owner)
        for seat, annotator in enumerate((self.annotator_1, self.annotator_2), 1):
            factory.make_task(second, annotator, seat=seat)
        self.judge_everything(second)
        self.project.campaigns.add(second)
        chosen = {"compared_by": "z", "test": "permutation", "promise": "bh"}
        change_pair_test(second, chosen)
        columns = [c for c in self.of().columns if c.preset == self.campaign.preset]
        self.assertEqual([len(c.selections) for c in columns], [1, 1])
        self.assertTrue(columns[1].name.endswith(", Second"))
        change_pair_test(self.campaign, chosen)
        (column,) = [c for c in self.of().columns if c.preset == self.campaign.preset]
        self.assertEqual(len(column.selections), 2)
        scores = column.scores
        self.assertEqual((scores.method, scores.test, scores.adjust), ("z", "permutation", "bh"))
        self.campaign.refresh_from_db()
        own = system_scores(Selection.of(self.campaign)).mean
        # Each said the same twice: of 24 ratings instead of 12, the same squares are divided by
        # 23 instead of 2 · 11.
        np.testing.assert_allclose(np.sort(scores.mean), np.sort(own) * np.sqrt(23 / 22))

    def test_protocols_on_the_same_outputs(self):
        """A second campaign that finds the same: τ-b is 1 over systems and outputs."""
        twin = factory.make_campaign(
            self.test_set,
            preset="da-sqm",
            name="Twin",
            owner=self.owner,
            annotators=[self.annotator_1, self.annotator_2],
        )
        for seat, annotator in enumerate((self.annotator_1, self.annotator_2), 1):
            factory.make_task(twin, annotator, seat=seat)
        for campaign in (self.campaign, twin):
            slug = dimensions_of(campaign)[0].slug
            for task in campaign.tasks.order_by("seat"):
                for item in task.items.order_by("position"):
                    n = item.position % 3
                    values = {"fluency": [3, 3, 3]} if campaign == self.campaign else {}
                    factory.judge(item, {slug: [5 - n, 3, 1]} | values, active_ms=60_000)
        self.project.campaigns.set([self.campaign, twin])
        found = protocol_pairs(self.of())
        self.assertEqual(len(found), 1)
        self.assertAlmostEqual(found[0].systems["kendall"].estimate, 1)
        self.assertAlmostEqual(found[0].outputs["pearson"].estimate, 1)
        self.assertEqual(found[0].accuracy.n_correct, found[0].accuracy.n_pairs)
        costs = self.rows("protocols", "project-protocol-costs")
        for row, column in zip(costs, self.of().columns, strict=True):
            self.assertAlmostEqual(float(row["hours"]) * 60, column.cost.judgments)
            if column.cost.decided:
                expected = column.cost.judgments / column.cost.decided
                self.assertAlmostEqual(float(row["minutes_per_decision"]), expected)
        self.assertEqual({row["time"] for row in costs}, {"known for all"})
        page = self.client.get(reverse("project-page", args=["year", "protocols"])).content.decode()
        link = html.unescape(re.search(r'href="([^"]*compare/campaigns[^"]*)"', page)[1])
        self.assertIn("dimension=adequacy", link)
        self.assertContains(self.client.get(link), "Decisions that differ")

    def test_two_years_of_a_system(self):
        """The same texts a year later, judged alike: no change, of the share and in points."""
        later = factory.make_test_set(self.owner, name="Later")
        people = {"owner": self.owner, "annotators": [self.annotator_1, self.annotator_2]}
        wave = factory.make_campaign(later, preset="da-sqm", **people)
        first = factory.make_campaign(self.test_set, preset="da-sqm", **people)
        slug = dimensions_of(first)[0].slug
        for campaign in (first, wave):
            factory.make_task(campaign, self.annotator_1)
            for item in campaign.tasks.get().items.all():
                factory.judge(item, {slug: [5, 3, 1]})
        for name, new in (("System-A", "Alpha 1"), ("System-B", "Beta")):
            self.test_set.systems.filter(name=name).update(name=new)
            later.systems.filter(name=name).update(name=new.replace("1", "2"))
        self.project.campaigns.set([first])
        self.test_set.release = "wmt23"
        self.test_set.save()
        self.assertEqual([year_of(each) for each in self.of().columns], [2023])
        self.assertEqual(versions(self.of()), [])
        # Joined by their texts, so that the two versions are in one column.
        self.project.campaigns.add(wave)
        found = {each[0].system: [v.found.name for v in each] for each in versions(self.of())}
        self.assertEqual(found, {"Alpha": ["Alpha 1", "Alpha 2"]})
        rows = self.rows("years", "project-years")
        self.assertEqual([row["points"] for row in rows], ["", "0.0"])

    def test_a_project_chooses_what_ranks_the_systems_of_a_campaign(self):
        """Fluency is judged the other way round than adequacy."""
        for item in self.campaign.tasks.first().items.all():
            factory.judge(item, {"adequacy": [5, 3, 1], "fluency": [1, 3, 5]})
        self.as_user(self.owner)
        edit = reverse("project-edit", args=["year"])
        own, other = f"dimension_{self.campaign.pk}", f"dimension_{self.pairwise.pk}"
        page = self.client.get(edit)
        self.assertContains(page, f'name="{own}"')
        self.assertNotContains(page, f'name="{other}"')
        joined = {"name": "Year", "slug": "year", "campaigns": [self.campaign.pk]}
        (before,) = self.of().columns
        self.assertEqual((before.dimension, before.protocol_name[:9]), ("adequacy", "Adequacy "))
        refused = self.client.post(edit, {**joined, own: "beauty"})
        self.assertEqual(refused.status_code, 422)
        self.client.post(edit, {**joined, own: "fluency"})
        (column,) = self.of().columns
        self.assertEqual([s.name for s in column.systems], [s.name for s in before.systems][::-1])
        scores = system_scores(Selection.of(self.campaign), "fluency")
        means = dict(zip(scores.names.tolist(), scores.mean.tolist(), strict=True))
        self.assertEqual({s.name: s.score for s in column.systems}, means)
        self.assertEqual(
            {r["protocol"][:9] for r in self.rows("systems", "project-scores")}, {"Fluency ("}
        )
        page = self.client.get(reverse("project", args=["year"]))
        self.assertContains(page, "ranked by Fluency")
        data = self.client.get(reverse("project-json", args=["year", "systems"])).json()
        self.assertEqual(data["selection"]["campaigns"][0]["dimension"], "fluency")
        report = self.client.get(reverse("project-report", args=["year", "md"])).content.decode()
        self.assertIn("Fluency (", report)
        # One that the campaign does not ask any more counts as none.
        self.project.joined.update(dimension="gone")
        self.assertEqual(self.of().columns[0].dimension, "adequacy")

    def test_names_without_versions(self):
        names = ("X-2.1", "X v3", "X 2023", "X", "4")
        self.assertEqual([family(name) for name in names], ["X", "X", "X", "X", "4"])

    def test_made_changed_and_deleted(self):
        self.as_user(self.owner)
        made = self.client.post(
            reverse("project-new"), {"name": "WMT 23", "campaigns": [self.campaign.pk]}
        )
        project = Project.objects.get(slug="wmt-23")
        self.assertRedirects(made, project.get_absolute_url())
        self.assertEqual(list(project.campaigns.all()), [self.campaign])
        self.client.post(
            reverse("project-edit", args=["wmt-23"]),
            {
                **{"name": "WMT23", "slug": "wmt23", "campaigns": [self.pairwise.pk]},
                "initial-campaigns": [self.campaign.pk],
            },
        )
        project.refresh_from_db()
        self.assertEqual((project.slug, project.name), ("wmt23", "WMT23"))
        self.assertEqual(list(project.campaigns.all()), [self.pairwise])
        for slug in ("year", "new", "not a slug"):
            answer = self.client.post(
                reverse("project-edit", args=["wmt23"]), {"name": "X", "slug": slug}
            )
            self.assertEqual(answer.status_code, 422)
        self.client.post(reverse("project-delete", args=["wmt23"]))
        self.assertFalse(Project.objects.filter(slug="wmt23").exists())
        self.pairwise.refresh_from_db()

    def test_campaigns_that_the_owner_may_not_read_stay(self):
        self.pairwise.memberships.filter(user=self.owner).delete()
        self.as_user(self.owner)
        page = self.client.get(reverse("project-edit", args=["year"]))
        self.assertContains(page, "1 more campaign")
        sent = {"name": "Y", "slug": "year", "initial-campaigns": [self.campaign.pk]}
        self.client.post(reverse("project-edit", args=["year"]), sent)
        self.assertEqual(list(self.project.campaigns.all()), [self.pairwise])

    def test_what_joins_or_leaves_while_the_page_is_open_stays_so(self):
        third = factory.make_campaign(self.test_set, owner=self.owner, name="Third")
        self.project.joined.all().delete()
        self.project.campaigns.add(self.pairwise, third)
        self.as_user(self.owner)
        edit = reverse("project-edit", args=["year"])
        page = self.client.get(edit)
        hidden = re.findall(r'name="initial-campaigns" value="(\d+)"', page.content.decode())
        self.assertEqual(set(map(int, hidden)), {self.pairwise.pk, third.pk})
        # Meanwhile one joins, with a choice of what ranks its systems, and one leaves.
        self.project.joined.filter(campaign=third).delete()
        self.project.joined.create(campaign=self.campaign, dimension="fluency")
        sent = {"name": "Y", "slug": "year", "initial-campaigns": hidden}
        self.client.post(edit, {**sent, "campaigns": hidden})
        joined = dict(self.project.joined.values_list("campaign", "dimension"))
        self.assertEqual(joined, {self.pairwise.pk: "", self.campaign.pk: "fluency"})
        self.client.post(edit, {**sent, "campaigns": []})
        self.assertEqual(list(self.project.campaigns.all()), [self.campaign])


def test_average_ranks_by_hand():
    ranks = [[1, 2, 1, 1], [2, 1, 2, 3], [3, 3, np.nan, 2]]
    found = macro_ranks(ranks, rng=np.random.default_rng(1))
    assert found.mean == pytest.approx([5 / 4, 2, 8 / 3])
    # (N − rank) / (N − 1): of three systems 1, ½ and 0; of the two of the third pair 1 and 0.
    assert found.ahead == pytest.approx([3.5 / 4, (0.5 + 1 + 0 + 0) / 4, 0.5 / 3])
    assert found.n_tasks.tolist() == [4, 4, 3]
    assert found.order.tolist() == [0, 1, 2]
    assert (found.low <= found.mean).all()
    assert (found.mean <= found.high).all()


def averaged(ranks):
    """Average ranks and order in plain Python, after Demšar (2006): (mean rank over the tasks that
    a system is in, mean share of the others that it is before, tasks); the order of the page."""
    tasks = list(zip(*ranks, strict=True))
    found = []
    for row in ranks:
        own = [(r, [x for x in task if x == x]) for r, task in zip(row, tasks, strict=True)]
        own = [(r, task) for r, task in own if r == r]
        shares = [(len(task) - r) / (len(task) - 1) for r, task in own if len(task) > 1]
        mean = fmean(r for r, _ in own) if own else None
        found.append((mean, fmean(shares) if shares else None, len(own)))

    def place(i):
        mean, ahead, n = found[i]
        lacks = n < len(tasks)
        return (lacks, 0 if lacks else mean, -1 * ahead if ahead is not None else 9, i)

    return found, sorted(range(len(ranks)), key=place)


@pytest.mark.parametrize("seed", range(20))
def test_average_ranks_with_ties_and_missing_systems(seed):
    """Middle ranks of 1 to 6 systems in 1 to 8 tasks; some are nowhere, some alone in a task."""
    draw = random.Random(seed)
    n_systems, n_tasks = draw.randint(1, 6), draw.randint(1, 8)
    columns = []
    for _ in range(n_tasks):
        there = [i for i in range(n_systems) if draw.random() < 0.7]
        scores = {i: draw.randint(1, 3) for i in there}
        columns.append(
            [
                (
                    1
                    + sum(v > scores[i] for v in scores.values())
                    + (sum(v == scores[i] for v in scores.values()) - 1) / 2
                    if i in scores
                    else float("nan")
                )
                for i in range(n_systems)
            ]
        )
    ranks = [list(row) for row in zip(*columns, strict=True)]
    found = macro_ranks(ranks, rng=np.random.default_rng(seed))
    expected, order = averaged(ranks)
    for i, (mean, ahead, n) in enumerate(expected):
        assert found.n_tasks[i] == n
        for own, other in ((found.mean[i], mean), (found.ahead[i], ahead)):
            assert np.isnan(own) if other is None else own == pytest.approx(other)
        few = n < 3 or n_tasks < 3
        assert np.isnan(found.low[i]) == np.isnan(found.high[i]) == few
        if not few:
            own = [r for r in ranks[i] if r == r]
            assert min(own) <= found.low[i] <= found.high[i] <= max(own)
    assert found.order.tolist() == order


def test_the_interval_is_that_of_all_resamples():
    """Of four tasks there are 256 equally likely resamples: their exact percentiles, in plain
    Python. The third system is not in the third task; a resample of that one alone has no mean."""
    ranks = [[1.0, 2.0, 4.0, 3.0], [2.0, 1.0, 1.0, 4.0], [3.0, 3.0, float("nan"), 5.0]]
    found = macro_ranks(ranks, rng=np.random.default_rng(7), resamples=20_000)
    for i, row in enumerate(ranks):
        means = []
        for drawn in product(row, repeat=4):
            own = [r for r in drawn if r == r]
            if own:
                means.append(fmean(own))
        means.sort()
        cut = int(len(means) * 0.025)
        expected = (means[cut], means[-1 - cut])
        assert (found.low[i], found.high[i]) == pytest.approx(expected)


def test_two_pairs_have_no_interval():
    found = macro_ranks([[1, 1], [2, 2]], rng=np.random.default_rng(1))
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()
