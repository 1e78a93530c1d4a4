"""Agreement, scores and exports, as every member of the cast."""

import csv
import io
import json
from collections import defaultdict
from statistics import fmean

import krippendorff
import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.exchange.judgments.importer import import_judgments
from judgments.files.problem import ImportProblem
from judgments.models import Membership
from judgments.results import exports
from judgments.results.agreement import figures as agreement
from judgments.results.observations import observations, pairs
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from judgments.web.tables import Column, Table, figure
from tests import factory
from tests.base import CastTestCase

PAGES = ("agreement", "scores", "exports")


class ResultsTestCase(CastTestCase):
    def setUp(self):
        cache.clear()

    def judge_everything(self, campaign=None, shift=0):
        """Both annotators judge every item; values differ between systems and segments."""
        campaign = campaign or self.campaign
        for task in campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                n = (item.position + task.seat + shift) % 3
                if campaign.protocol == "pairwise":
                    factory.judge(item, n - 1)
                else:
                    values = {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]}
                    factory.judge(item, values, active_ms=1000 * (n + 1))

    def get_csv(self, campaign, table):
        response = self.get_as(self.researcher, "export-table", campaign.pk, table)
        self.assertEqual(response.status_code, 200, table)
        self.assertEqual(response["Content-Type"], "text/csv; charset=utf-8")
        return list(csv.DictReader(io.StringIO(response.content.decode())))


class AccessTest(ResultsTestCase):
    def test_pages_are_for_owners_and_researchers(self):
        for name in PAGES:
            self.assert_refused(name, self.campaign.pk)
            for user in (self.owner, self.researcher):
                response = self.get_as(user, name, self.campaign.pk)
                self.assertEqual(response.status_code, 200, name)

    def test_files_are_for_owners_and_researchers(self):
        self.judge_everything()
        for name, *args in (
            ("export-json",),
            ("export-observations",),
            ("export-chain",),
            ("export-table", "agreement"),
            ("chart", "scores-adequacy-raw", "svg"),
        ):
            self.assert_refused(name, self.campaign.pk, *args)
            for user in (self.owner, self.researcher):
                response = self.get_as(user, name, self.campaign.pk, *args)
                self.assertEqual(response.status_code, 200, name)
                self.assertIn("attachment", response["Content-Disposition"])

    def test_pages_are_only_read(self):
        for name in PAGES:
            response = self.post_as(self.owner, name, self.campaign.pk)
            self.assertEqual(response.status_code, 405)

    def test_no_such_file(self):
        for args in (("export-table", "nothing"), ("chart", "nothing", "svg")):
            response = self.get_as(self.owner, args[0], self.campaign.pk, *args[1:])
            self.assertEqual(response.status_code, 404)
        self.judge_everything()
        response = self.get_as(self.owner, "chart", self.campaign.pk, "scores-adequacy-raw", "pdf")
        self.assertEqual(response.status_code, 404)


class PagesTest(ResultsTestCase):
    def test_empty_pages_say_what_comes_next(self):
        for campaign in (self.campaign, self.pairwise):
            for name in ("agreement", "scores"):
                response = self.get_as(self.owner, name, campaign.pk)
                self.assertContains(response, "No judgments yet")

    def test_agreement_says_the_finding_first(self):
        self.judge_everything()
        response = self.get_as(self.owner, "agreement", self.campaign.pk)
        alpha = agreement.agreement(Selection.of(self.campaign), "adequacy").headline.result
        self.assertContains(response, "judged by at least two of 2 annotators")
        # In both dimensions: at the level of the scale, at three others, and four meanings.
        self.assertContains(response, "Krippendorff&#x27;s alpha", 2 * (4 + 4))
        self.assertContains(response, "Cohen&#x27;s kappa, quadratic weights")
        self.assertContains(response, "It falls when nearly all outputs get the same value", 2)
        self.assertContains(response, figure(alpha.estimate))
        self.assertContains(response, figure(alpha.low))
        self.assertContains(response, "Only 12 outputs were judged by two")
        self.assertContains(response, 'id="chart-annotators"')

    def test_scores_raw_and_z(self):
        self.judge_everything()
        response = self.get_as(self.owner, "scores", self.campaign.pk)
        self.assertContains(response, "Systems by adequacy")
        self.assertContains(response, "signed-rank")
        response = self.get_as(
            self.owner,
            "scores",
            self.campaign.pk,
            data={"method": "z", "over": "all"},
        )
        self.assertContains(response, "Systems by adequacy, z")
        self.assertContains(response, "by a one-sided Mann–Whitney test of segments, p &lt; .05")
        self.assertContains(response, "degraded copies and references too")

    def test_nonsense_in_the_address_gives_the_usual_page(self):
        self.judge_everything()
        query = {"method": "cube", "over": "<script>"}
        response = self.get_as(self.owner, "scores", self.campaign.pk, data=query)
        self.assertContains(response, "Systems by adequacy")
        self.assertNotContains(response, '<script>"')

    def test_pairwise_pages(self):
        self.judge_everything(self.pairwise)
        response = self.get_as(self.owner, "scores", self.pairwise.pk)
        self.assertContains(response, "Systems by expected wins")
        self.assertContains(response, "Head to head")
        response = self.get_as(self.owner, "agreement", self.pairwise.pk)
        self.assertContains(response, "Kappa of comparisons, WMT16 script")

    def test_names_from_outside_are_escaped(self):
        self.judge_everything()
        evil = "</script><script>alert(1)</script>"
        Membership.objects.filter(user=self.annotator_1, campaign=self.campaign).update(alias=evil)
        self.test_set.systems.filter(name="System-A").update(name=evil)
        for name in PAGES:
            response = self.get_as(self.owner, name, self.campaign.pk)
            self.assertNotContains(response, evil)

    def test_statements_do_not_grow_with_the_judgments(self):
        def statements(name):
            cache.clear()
            observations.forget()
            address = reverse(name, args=[self.campaign.pk])
            with CaptureQueriesContext(connection) as first:
                self.client.get(address)
            with CaptureQueriesContext(connection) as again:
                self.client.get(address)
            return own(first), own(again)

        def own(seen):
            """Without those that ask, before each kept result, whether anything was erased."""
            return sum("judgments_erasure" not in each["sql"] for each in seen)

        self.as_user(self.owner)
        tasks = self.campaign.tasks.order_by("seat")
        for task in tasks:
            for item in task.items.order_by("position")[:2]:
                factory.judge(item, {"adequacy": [3, 2, 1], "fluency": [3, 3, 3]})
        few = {name: statements(name) for name in PAGES}
        for task in tasks:
            for item in task.items.order_by("position")[2:]:
                factory.judge(item, {"adequacy": [3, 2, 1], "fluency": [1, 3, 2]})
        self.assertEqual({name: statements(name) for name in PAGES}, few)
        for name, (first, again) in few.items():
            beside = name == "exports"  # what was made for the user
            plan = name in ("scores", "exports")  # whether a registered plan names metrics
            sizes = 2 * (name == "exports")  # how large the sound and pictures are
            bound = 31 if name == "scores" else 26
            self.assertLessEqual(first, bound + plan + beside + sizes, name)
            self.assertLessEqual(again, 16 + plan + beside + sizes, name)


class FilesTest(ResultsTestCase):
    def test_tables_hold_every_digit(self):
        self.judge_everything()
        rows = self.get_csv(self.campaign, "scores-adequacy-raw")
        scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        self.assertEqual([row["system"] for row in rows], scores.names[scores.order].tolist())
        self.assertEqual([float(row["low"]) for row in rows], scores.low[scores.order].tolist())
        rows = self.get_csv(self.campaign, "agreement")
        alpha = agreement.agreement(Selection.of(self.campaign), "adequacy").headline.result
        self.assertEqual(rows[0]["dimension"], "adequacy")
        self.assertEqual(float(rows[0]["estimate"]), alpha.estimate)
        self.assertEqual(rows[0]["p_observed"], "")  # undefined for ordinal alpha

    @pytest.mark.proof
    @pytest.mark.slow
    def test_every_table_and_chart_on_the_page_is_there(self):
        for campaign in (self.campaign, self.pairwise):
            self.judge_everything(campaign)
            page = self.get_as(self.owner, "exports", campaign.pk).content.decode()
            links = [part.split('"')[0] for part in page.split('href="')[1:]]
            files = [link for link in links if f"/campaigns/{campaign.pk}/charts/" in link]
            files += [link for link in links if "/exports/" in link and "." in link]
            self.assertGreater(len(files), 10)
            for link in files:
                response = self.client.get(link)
                self.assertEqual(response.status_code, 200, link)

    def test_the_page_leads_programs_to_the_same_selection(self):
        self.judge_everything()
        self.test_set.documents.update(domain="news")
        page = self.get_as(self.owner, "exports", self.campaign.pk, data={"domain": "news"})
        address = reverse("api-pages", args=[self.campaign.pk]) + "?domain=news"
        self.assertContains(page, f'href="{address}"')
        self.assertEqual(self.client.get(address).json()["selection"]["query"], "?domain=news")

    def test_charts_are_pictures(self):
        self.judge_everything()
        address = reverse("chart", args=[self.campaign.pk, "scores-adequacy-raw", "svg"])
        picture = self.as_user(self.owner).get(address).content
        self.assertTrue(picture.startswith(b"<svg"))
        self.assertIn(b"System-A", picture)
        picture = self.client.get(address.replace(".svg", ".png")).content
        self.assertTrue(picture.startswith(b"\x89PNG"))
        spec = json.loads(self.client.get(address.replace(".svg", ".vl.json")).content)
        self.assertIn("vega-lite", spec["$schema"])

    def test_text_that_looks_like_a_formula(self):
        rows = [("=1+1", -1.5), ("@x", None), ("-2", float("nan")), ("plain", 3)]
        text = exports.csv_of(Table("t", "T", ("name", Column("=value")), rows))
        self.assertEqual(text, "name,'=value\n'=1+1,-1.5\n'@x,\n'-2,\nplain,3\n")

    def test_json_with_provenance(self):
        self.judge_everything()
        text = self.get_as(self.owner, "export-json", self.campaign.pk).getvalue().decode()
        found = json.loads(text)
        self.assertEqual(found["schema"], "mteval campaign")
        self.assertEqual(found["counts"]["judgments"], 8)
        self.assertEqual(found["campaign"]["dimensions"][0]["slug"], "adequacy")
        rows = [list(row) for row in exports.observation_rows(Selection.of(self.campaign))]
        self.assertEqual(len(rows), 2 * 4 * 3 * 2)
        self.assertEqual(found["observations"]["rows"], rows)  # though they were sent one by one
        self.assertEqual(len(found["test_set"]["texts_sha256"]), 64)
        self.assertEqual(found["exclusions"], [])
        scores = scores_figures.system_scores(Selection.of(self.campaign), "adequacy")
        self.assertEqual(found["scores"]["systems"][0]["mean"], scores.mean.tolist())
        alpha = agreement.agreement(Selection.of(self.campaign), "adequacy").headline.result
        headline = found["agreement"]["reports"][0]["between"][0]["result"]
        self.assertEqual(headline["estimate"], alpha.estimate)
        self.assertIsNone(headline["p_observed"])

    def test_people_go_by_their_aliases(self):
        self.judge_everything()
        for number, user in enumerate((self.annotator_1, self.annotator_2)):
            Membership.objects.filter(user=user).update(alias=f"judge {number}")
            user.first_name, user.email = "Erika", "erika@example.org"
            user.save()
        addresses = [("export-json",), ("export-observations",), ("export-table", "annotators")]
        for name, *args in addresses:
            response = self.get_as(self.owner, name, self.campaign.pk, *args)
            text = b"".join(response).decode()
            self.assertIn("judge 1", text)
            for secret in ("annotator-1", "annotator-2", "Erika", "erika@example.org"):
                self.assertNotIn(secret, text)


class RoundTripTest(ResultsTestCase):
    def export(self, campaign, tmp):
        path = tmp / "observations.tsv"
        path.write_text("".join(exports.tsv_lines(Selection.of(campaign))), encoding="utf-8")
        return path

    def round_trip(self, preset, judge):
        """Judge, export, import into a new campaign on the same texts."""
        import tempfile
        from pathlib import Path

        people = [self.annotator_1, self.annotator_2]
        campaign = factory.make_campaign(self.test_set, preset=preset, annotators=people)
        for seat, person in enumerate(people, 1):
            judge(factory.make_task(campaign, person, seat=seat))
        copy = factory.make_campaign(self.test_set, preset=preset, name="Copy", owner=self.owner)
        with tempfile.TemporaryDirectory() as folder:
            path = self.export(campaign, Path(folder))
            import_judgments(copy, path)
            with self.assertRaises(ImportProblem):
                import_judgments(copy, path)
        return campaign, copy

    def assert_same(self, campaign, copy, dimension=None):
        one = scores_figures.system_scores(Selection.of(campaign), dimension)
        two = scores_figures.system_scores(Selection.of(copy), dimension)
        self.assertEqual(one.mean.tolist(), two.mean.tolist())
        self.assertEqual(one.low.tolist(), two.low.tolist())
        one, two = (agreement.agreement(Selection.of(each), dimension) for each in (campaign, copy))
        self.assertEqual(one.headline, two.headline)
        one, two = (agreement.workload(Selection.of(each)) for each in (campaign, copy))
        self.assertEqual(one.median_seconds.tolist(), two.median_seconds.tolist())

    def test_ratings(self):
        def judge(task):
            for item in task.items.order_by("position"):
                n = (item.position + task.seat) % 3
                values = {"adequacy": [5 - n, 3, 1 + n], "fluency": [4, 4 - n, 2]}
                old = factory.judge(item, {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]})
                factory.judge(item, values, supersedes=old, active_ms=1234 * (n + 1))

        campaign, copy = self.round_trip("adequacy-fluency", judge)
        self.assertEqual(copy.judgments.count(), 8)  # what was superseded stays behind
        self.assert_same(campaign, copy, "adequacy")
        self.assert_same(campaign, copy, "fluency")

    def test_answers_copied_to_identical_outputs_stay_copies(self):
        def judge(task):
            for item in task.items.order_by("position"):
                n = (item.position + task.seat) % 3
                judgment = factory.judge(item, {"adequacy": [1 + n] * 3, "fluency": [3] * 3})
                first = item.shown.get(position=0).output
                with factory.rewriting():
                    judgment.ratings.exclude(output=first).update(is_copy=True)

        campaign, copy = self.round_trip("adequacy-fluency", judge)
        self.assert_same(campaign, copy, "adequacy")
        # Four segments, one shown output each, two annotators: the eight copies do not count.
        self.assertEqual(
            agreement.agreement(Selection.of(copy), "adequacy").headline.result.n_pairs, 4
        )
        self.assertEqual(
            scores_figures.system_scores(Selection.of(copy), "adequacy").n_segments.tolist(),
            [4, 4, 4],
        )

    def test_rankings_keep_the_order_of_the_screen(self):
        def judge(task):
            for item in task.items.order_by("position"):
                for row in item.shown.all():
                    row.position = 20 - row.position
                    row.save()
                n = (item.position + task.seat) % 3
                factory.judge(item, {"rank": [1 + n, 2, 2]})

        campaign, copy = self.round_trip("relative-ranking", judge)
        self.assert_same(campaign, copy)
        one, two = (
            pairs.pairs_of(observations.load(Selection.of(each))) for each in (campaign, copy)
        )
        self.assertEqual(one.first.tolist(), two.first.tolist())
        self.assertEqual(one.label.tolist(), two.label.tolist())

    def test_preferences(self):
        def judge(task):
            for item in task.items.order_by("position"):
                factory.judge(item, (item.position + task.seat) % 3 - 1)

        self.assert_same(*self.round_trip("pairwise", judge))


class RecomputeTest(ResultsTestCase):
    def test_the_report_can_be_recomputed_from_its_own_judgments(self):
        """By the krippendorff package and plain averages, from nothing but the JSON file."""
        self.judge_everything()
        file = json.loads(self.get_as(self.owner, "export-json", self.campaign.pk).getvalue())
        columns = file["observations"]["columns"]
        rows = [dict(zip(columns, row, strict=True)) for row in file["observations"]["rows"]]
        rows = [row for row in rows if row["dimension"] == "adequacy"]
        given = defaultdict(dict)
        for row in rows:
            given[row["segment"], row["system"]][row["annotator"]] = row["value"]
        people = sorted({row["annotator"] for row in rows})
        table = [[values[person] for values in given.values()] for person in people]
        report = file["agreement"]["reports"][0]
        self.assertEqual(report["dimension"], "adequacy")
        self.assertAlmostEqual(
            report["between"][0]["result"]["estimate"],
            krippendorff.alpha(table, level_of_measurement="ordinal"),
            places=12,
        )
        scores = file["scores"]["systems"][0]
        for name, mean in zip(scores["names"], scores["mean"], strict=True):
            means = [fmean(v.values()) for (_, system), v in given.items() if system == name]
            self.assertAlmostEqual(mean, fmean(means), places=12)
