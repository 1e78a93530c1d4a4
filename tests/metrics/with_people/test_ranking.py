"""Human and automatic ranking in one table, and the metrics of several campaigns with clusters."""

import csv
import io

import pytest
from django.core.cache import caches
from django.urls import reverse

from judgments.models import Project
from judgments.results.scores import figures as scores_figures
from judgments.results.segments.links import to_segments
from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.models import MetricScore
from metrics.scores.tables import score_table
from metrics.stats.auto_rank import autorank_wmt24, autorank_wmt25
from metrics.with_people import tasks as with_people_tasks
from metrics.with_people.ranking import usual_columns

from .test_correlation import Judged


class RankingTest(Judged):
    def table(self, **query):
        sections = {each.slug: each for each in self.page(**query).context["sections"]}
        return sections["metric-ranking"].table()

    def rows(self, table):
        return {row[0]: dict(zip(table.keys, row, strict=True)) for row in table.rows}

    def stored(self, metric):
        scores = MetricScore.objects.filter(test_set=self.test_set, metric=metric)
        return dict(scores.values_list("system__name", "score"))

    def test_people_metrics_and_autorank_stand_side_by_side(self):
        self.compute("bleu", "ter")
        table = self.table()
        rows = self.rows(table)
        scores = scores_figures.system_scores(Selection.of(self.campaign))
        best = [str(scores.names[i]) for i in scores.order]
        self.assertEqual([row[0] for row in table.rows], best)
        bleu, ter = self.stored("bleu"), self.stored("ter")
        slugs = {column.metric: column.slug for column in score_table(self.test_set).columns}
        turned = [[bleu[name] for name in best], [-ter[name] for name in best]]
        for key, autorank in (("autorank24", autorank_wmt24), ("autorank25", autorank_wmt25)):
            self.assertEqual([rows[n][key] for n in best], autorank(turned).tolist())
        for place, name in enumerate(best):
            i = scores.names.tolist().index(name)
            self.assertEqual(rows[name]["human"], scores.mean[i])
            self.assertEqual(rows[name]["rank_from"], scores.rank_low[i])
            self.assertEqual(rows[name]["cluster"], scores.cluster[i])
            self.assertEqual(rows[name][slugs["ter"]], ter[name])  # as stored
            address = to_segments(Selection.of(self.campaign), systems=[name])
            self.assertEqual(table.links[place, "system"], address)
        self.assertContains(self.page(), f'href="{address}"')
        self.assertIn("Lower is better: TER", table.note)

    def test_a_reader_chooses_what_autorank_is_made_of(self):
        self.compute("bleu", "ter")
        slugs = {column.metric: column.slug for column in score_table(self.test_set).columns}
        table = self.table(rank=[slugs["ter"], "nonsense"])
        self.assertIn(slugs["ter"], table.keys)
        self.assertNotIn(slugs["bleu"], table.keys)
        ter = self.stored("ter")
        expected = autorank_wmt25([[-ter[row[0]] for row in table.rows]])
        found = [row["autorank25"] for row in self.rows(table).values()]
        self.assertEqual(found, expected.tolist())
        response = self.page(rank=[slugs["ter"]])
        self.assertEqual(response.context["page"].chosen.rank, (slugs["ter"],))
        self.assertIn(f"rank={slugs['ter']}", response.context["query"])

    def test_wmt24_took_two(self):
        class Column:
            def __init__(self, label):
                self.label = self.slug = label

        columns = [
            Column(n) for n in ("BLEU", "CometKiwi-XL", "MetricX-23", "MetricX-24", "Random")
        ]
        found = usual_columns(columns, frozenset({"Random"}))
        self.assertEqual([c.label for c in found], ["MetricX-23", "CometKiwi-XL"])
        found = usual_columns(columns[:2] + columns[4:], frozenset({"Random"}))
        self.assertEqual([c.label for c in found], ["BLEU", "CometKiwi-XL"])

    def test_it_leaves_as_a_file(self):
        self.compute("bleu")
        address = reverse("export-table", args=[self.campaign.pk, "metric-ranking"])
        rows = list(csv.reader(io.StringIO(self.as_user(self.owner).get(address).text)))
        self.assertEqual(rows[0][:4], ["system", "rank_from", "rank_to", "cluster"])
        self.assertEqual(len(rows), 4)


class ManyMetricsTest(Judged):
    def setUp(self):
        caches["results"].clear()
        project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        project.campaigns.add(self.campaign)
        self.compute("bleu", "chrf")
        with_people_tasks.run_agreement.call(self.campaign.pk, "page")

    def found(self, **query):
        return self.get_as(self.researcher, "project-metrics", "year", data=query)

    @pytest.mark.proof
    def test_clusters_are_those_of_the_page_of_the_campaign(self):
        for by in agreement.BY:
            with self.subTest(by=by):
                response = self.found(by=by)
                table = response.context["many"]
                sections = {each.slug: each for each in self.page(compared=by).context["sections"]}
                clusters = {
                    row[0]: (row[3], row[4]) for row in sections["metric-differences"].table().rows
                }
                pk = self.campaign.pk
                for place, row in enumerate(table.rows):
                    said = dict(zip(table.keys, row, strict=True))
                    # As text, because NaN is not equal to itself.
                    mine = str((said[f"estimate_{pk}"], said[f"cluster_{pk}"]))
                    self.assertEqual(mine, str(clusters[said["metric"]]))
                    self.assertEqual(str(said["mean"]), str(said[f"estimate_{pk}"]))
                    address = table.links[place, f"estimate_{pk}"]
                    self.assertIn(f"compared={by}", address)
                    self.assertEqual(self.client.get(address).status_code, 200)

    def test_systems_by_metrics_are_those_of_the_ranking(self):
        [table] = self.found().context["systems"]
        ranking = {each.slug: each for each in self.page().context["sections"]}["metric-ranking"]
        self.assertEqual([row[:9] for row in table.rows], [row[:9] for row in ranking.table().rows])

    def test_it_leaves_as_a_file(self):
        query = {"table": "metric-many"}
        response = self.get_as(self.researcher, "project-metrics-file", "year", data=query)
        self.assertIn("metric-many.csv", response["Content-Disposition"])
        rows = list(csv.reader(io.StringIO(response.text)))
        self.assertEqual(rows[0][:2], ["metric", "mean"])
        self.assertIn("BLEU", {row[0] for row in rows})

    def test_nonsense_is_the_first(self):
        self.assertEqual(self.found(by="nonsense").context["by"], agreement.BY[0])
