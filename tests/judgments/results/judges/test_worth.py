"""What a judge is worth: against krippendorff, sums by hand and scripted answers; and the page."""

import csv
import io
import json
import re

import krippendorff
import numpy as np
from django.urls import reverse

from judgments.models import Document, Item, JudgeAnswer, Membership, Output
from judgments.results.judges import figures
from judgments.results.judges.page import sections
from judgments.results.selection.selection import Selection
from tests import factory, model_endpoint
from tests.base import CastTestCase
from tests.judgments.judges.test_runs import new_judge, run

TRANSLATION = re.compile(r"Translation (\d) \(.*?\):\n(.*)")


def texts_in(body):
    said = "\n".join(each["content"] for each in body["messages"] if each["role"] == "user")
    return dict(TRANSLATION.findall(said))


class WorthTestCase(CastTestCase):
    def judged(self, campaign, script, **fields):
        judge = new_judge(campaign, self.owner, **fields)
        with model_endpoint.serving(script) as endpoint:
            run(judge, endpoint)
        return judge

    def people_judge(self, campaign):
        """Each seat says of an output what its number and the seat make it say."""
        said = {}
        for item in Item.objects.filter(task__campaign=campaign).select_related("task"):
            outputs = list(item.shown.order_by("position").values_list("output_id", flat=True))
            row = [1.0 + (output + item.task.seat * (output % 2)) % 5 for output in outputs]
            factory.judge(item, {"adequacy": row, "fluency": row})
            for output, value in zip(outputs, row, strict=True):
                said.setdefault(output, {})[item.task.seat] = value
        return said

    def leaning(self, judge, slug, dimension="adequacy", family=()):
        selection = Selection.of(judge.campaign)
        worth = figures.judge_worth(selection, judge, dimension, family)
        return next(each for each in worth.leanings if each.slug == slug)


class RatingsTest(WorthTestCase):
    def by_length(self, body, number):
        """Longer translations are better, and nothing else matters."""
        [text] = texts_in(body).values()
        value = str(1 + len(text) % 5)
        return json.dumps({"translation_1_adequacy": value, "translation_1_fluency": "1"})

    def test_alpha_is_that_of_krippendorff(self):
        said = self.people_judge(self.campaign)
        judge = self.judged(self.campaign, self.by_length)
        worth = figures.judge_worth(Selection.of(self.campaign), judge, "adequacy")
        lengths = {o.pk: 1.0 + len(o.text) % 5 for o in Output.objects.filter(pk__in=said)}
        seats = sorted({seat for values in said.values() for seat in values})
        grid = np.array([[said[o].get(seat, np.nan) for o in said] for seat in seats])
        own = np.array([lengths[o] for o in said])
        pairs = np.stack([np.concatenate(grid), np.tile(own, len(seats))])
        pairs = pairs[:, ~np.isnan(pairs[0])]
        domain = [1.0, 2.0, 3.0, 4.0, 5.0]
        expected = [
            krippendorff.alpha(data, level_of_measurement="ordinal", value_domain=domain)
            for data in (pairs, grid)
        ]
        found = [each.estimate for each in worth.headline]
        np.testing.assert_allclose(found, expected, rtol=1e-9)
        self.assertEqual(worth.n_items, 12)
        # Rows are the judge's, columns people's.
        by_judge = np.bincount(pairs[1].astype(int), minlength=6)[1:]
        by_people = np.bincount(pairs[0].astype(int), minlength=6)[1:]
        np.testing.assert_array_equal(worth.confusion.sum(axis=1), by_judge)
        np.testing.assert_array_equal(worth.confusion.sum(axis=0), by_people)

    def test_a_person_is_held_against_the_judge_and_the_others(self):
        self.people_judge(self.campaign)
        judge = self.judged(self.campaign, self.by_length)
        worth = figures.judge_worth(Selection.of(self.campaign), judge, "adequacy")
        self.assertEqual({r.name for r in worth.by_person}, {"annotator-1", "annotator-2"})
        # Of two people each is the other's only other one.
        one, other = worth.by_person
        self.assertAlmostEqual(one.people.estimate, other.people.estimate)
        self.assertAlmostEqual(one.people.estimate, worth.headline[1].estimate)
        self.assertEqual([r.name for r in worth.by_system], ["System-A", "System-B", "System-C"])
        self.assertEqual(worth.by_domain, ())

    def test_low_scores_and_their_share(self):
        said = self.people_judge(self.campaign)
        judge = self.judged(self.campaign, model_endpoint.answer_to)  # always the best value
        found = self.leaning(judge, "low")
        values = [v for each in said.values() for v in each.values()]
        share = np.mean(np.array(values) <= 1.8)
        self.assertAlmostEqual(found.people, share)
        self.assertEqual(found.judge, 0)
        self.assertAlmostEqual(found.found.estimate, -share)

    def test_length_is_the_slope_of_the_gap(self):
        said = self.people_judge(self.campaign)
        judge = self.judged(self.campaign, self.by_length)
        texts = {o.pk: len(o.text) for o in Output.objects.filter(pk__in=said)}
        x = np.log2([texts[o] for o in said])
        y = [1 + texts[o] % 5 - np.mean(list(said[o].values())) for o in said]
        expected = np.polyfit(x, y, 1)[0]
        self.assertAlmostEqual(self.leaning(judge, "length").found.estimate, expected, places=9)

    def test_its_family_is_held_against_the_others(self):
        said = self.people_judge(self.campaign)
        judge = self.judged(self.campaign, self.by_length, family="system-b")
        gap = {True: [], False: []}
        for output in Output.objects.filter(pk__in=said).select_related("system"):
            own = 1 + len(output.text) % 5 - np.mean(list(said[output.pk].values()))
            gap[output.system.name == "System-B"].append(own)
        found = self.leaning(judge, "family", family=["System-B"])
        expected = np.mean(gap[True]) - np.mean(gap[False])
        self.assertAlmostEqual(found.found.estimate, expected)

    def test_samples_are_compared(self):
        self.people_judge(self.campaign)

        def script(body, number):
            value = {1: "2", 2: "3", 3: "5"}[body["seed"]]
            return json.dumps({"translation_1_adequacy": value, "translation_1_fluency": "1"})

        judge = self.judged(self.campaign, script, samples=3, seed=1)
        self.assertEqual(self.leaning(judge, "same").found.estimate, 0)
        self.assertAlmostEqual(self.leaning(judge, "near").found.estimate, 1 / 3)
        self.assertEqual(self.leaning(judge, "same", "fluency").found.estimate, 1)

    def test_answers_that_do_not_fit_are_counted(self):
        self.people_judge(self.campaign)

        def script(body, number):
            [text] = texts_in(body).values()
            is_odd, is_repair = "1" in text, len(body["messages"]) > 2
            return "No." if is_odd or not is_repair else model_endpoint.answer_to(body)

        judge = self.judged(self.campaign, script)
        n_odd = JudgeAnswer.objects.filter(judge=judge, is_last=True, judgment=None).count()
        self.assertGreater(n_odd, 0)
        self.assertAlmostEqual(self.leaning(judge, "unfit").found.estimate, n_odd / 12)
        self.assertAlmostEqual(self.leaning(judge, "repaired").found.estimate, 1 - n_odd / 12)

    def test_a_fifth_of_many_documents_is_kept_for_choosing(self):
        ids = np.arange(1, 2001)
        Document.objects.bulk_create(
            Document(test_set=self.test_set, name=f"d{i}", position=1000 + i) for i in ids
        )
        documents = np.array(self.test_set.documents.values_list("pk", flat=True))
        kept = figures.kept_for_tuning(self.test_set.pk, documents)
        self.assertTrue(0.17 < kept.mean() < 0.23, kept.mean())
        again = figures.kept_for_tuning(self.test_set.pk, documents)
        np.testing.assert_array_equal(kept, again)
        other = figures.kept_for_tuning(self.test_set.pk + 1, documents)
        self.assertEqual(other.sum(), 0)


class ComparisonsTest(WorthTestCase):
    def people_prefer(self):
        """People prefer whichever output has the lower number."""
        for item in Item.objects.filter(task__campaign=self.pairwise):
            a, b = item.shown.order_by("position").values_list("output_id", flat=True)
            factory.judge(item, -1 if a > b else 1)

    def test_who_always_takes_the_first_turns_with_the_order(self):
        self.people_prefer()
        judge = self.judged(
            self.pairwise, lambda body, number: json.dumps({"preference": "1"}), samples=3
        )
        self.assertEqual(self.leaning(judge, "order", None).found.estimate, 1)
        self.assertEqual(self.leaning(judge, "same-order", None).found.estimate, 0)
        self.assertEqual(self.leaning(judge, "first", None).judge, 1)

    def test_who_reads_is_not_moved_by_the_order(self):
        self.people_prefer()

        def script(body, number):
            texts = texts_in(body)
            return json.dumps({"preference": "1" if texts["1"] < texts["2"] else "-1"})

        judge = self.judged(self.pairwise, script, samples=2)
        self.assertEqual(self.leaning(judge, "order", None).found.estimate, 0)
        self.assertEqual(self.leaning(judge, "ties", None).judge, 0)
        worth = figures.judge_worth(Selection.of(self.pairwise), judge, None)
        own, people = worth.headline
        self.assertEqual(people.estimate, 1)
        self.assertGreater(own.n_pairs, 0)
        # Both orders of an item are one item, and counted from both sides.
        np.testing.assert_allclose(worth.confusion, worth.confusion[::-1, ::-1])

    def test_rankings_are_read_pair_by_pair(self):
        """A judge that ranks all alike never agrees with people who tie nothing."""
        campaign = factory.make_campaign(
            self.test_set, preset="relative-ranking", name="Ranks", owner=self.owner,
            annotators=[self.annotator_1, self.annotator_2],
        )  # fmt: skip
        for seat, annotator in enumerate((self.annotator_1, self.annotator_2), 1):
            for item in factory.make_task(campaign, annotator, seat=seat).items.all():
                outputs = list(item.shown.order_by("position").values_list("output_id", flat=True))
                factory.judge(item, {"rank": [1.0 + sorted(outputs).index(o) for o in outputs]})
        judge = self.judged(campaign, model_endpoint.answer_to)
        worth = figures.judge_worth(Selection.of(campaign), judge, None)
        own, people = worth.headline
        self.assertEqual((people.p_observed, own.p_observed), (1, 0))
        # 4 segments of 3 pairs, by 2 people.
        self.assertEqual((worth.n_items, own.n_pairs, people.n_pairs), (12, 24, 12))
        self.assertEqual(self.leaning(judge, "ties", None).judge, 1)
        self.assertEqual(self.leaning(judge, "ties", None).people, 0)


class ManyDocumentsTest(WorthTestCase):
    def test_what_is_kept_for_choosing_is_left_out_of_the_rest(self):
        test_set = factory.make_test_set(self.owner, n_segments=24, n_documents=24, name="Many")
        campaign = factory.make_campaign(
            test_set, owner=self.owner, annotators=[self.annotator_1], name="Many"
        )
        factory.make_task(campaign, self.annotator_1)
        self.people_judge(campaign)
        judge = self.judged(campaign, model_endpoint.answer_to)
        selection = Selection.of(campaign)
        documents = np.array(test_set.documents.values_list("pk", flat=True))
        n_kept = int(figures.kept_for_tuning(test_set.pk, documents).sum())
        tuning, rest = figures.headlines(selection, judge, "adequacy")
        # Each document is a segment of 3 systems, judged by one person.
        self.assertEqual((tuning.n_pairs, rest.n_pairs), (3 * n_kept, 3 * (24 - n_kept)))
        worth = figures.judge_worth(selection, judge, "adequacy")
        self.assertTrue(worth.is_rest)
        self.assertEqual(worth.n_documents, 24 - n_kept)
        self.assertEqual([row.judge for row in figures.prompts_beside(selection, None)], [judge])

    def test_errors_that_stand_nowhere_are_a_share_of_those_named(self):
        campaign = factory.make_campaign(
            self.test_set, preset="esa", name="ESA", owner=self.owner,
            annotators=[self.annotator_1],
        )  # fmt: skip
        factory.make_task(campaign, self.annotator_1)
        for item in Item.objects.filter(task__campaign=campaign):
            factory.judge(item, {"esa": [50.0] * item.shown.count()})

        def script(body, number):
            names = {"before": "", "after": "", "side": "target", "severity": "major"}
            marks = [{"quote": quote, **names} for quote in ("here", "is not there", "nor this")]
            return json.dumps({"translation_1_spans": marks, "translation_1_esa": 40})

        judge = self.judged(campaign, script)
        self.assertAlmostEqual(self.leaning(judge, "unplaced", "esa").found.estimate, 2 / 3)


class PageTest(WorthTestCase):
    def setUp(self):
        super().setUp()
        for item in Item.objects.filter(task__campaign=self.campaign):
            row = [[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]][item.position % 2]
            factory.judge(item, {"adequacy": row, "fluency": row})
        self.judge = self.judged(self.campaign, model_endpoint.answer_to, family="System-A")
        self.args = (self.campaign.pk, self.judge.pk)

    def test_the_page_says_it_all(self):
        page = self.get_as(self.owner, "campaign-judge-worth", *self.args)
        for words in (
            "Agreement with people: adequacy", "How it leans: fluency", "Judges side by side",
            "Favors its own family", "No documents are kept for choosing a prompt",
            "As a metric",
        ):  # fmt: skip
            self.assertContains(page, words)
        judge = self.get_as(self.owner, "campaign-judge", *self.args)
        self.assertContains(judge, reverse("campaign-judge-worth", args=self.args))

    def test_a_reader_says_which_systems_are_of_the_family(self):
        address = reverse("campaign-judge-worth", args=self.args)
        client = self.as_user(self.owner)
        self.assertContains(client.get(f"{address}?own=1&family=System-B"), "people for System-B")
        self.assertNotContains(client.get(f"{address}?own=1"), "own family</td>")
        for query in ("family=nobody", "famly=System-A", "domain=nowhere"):
            self.assertEqual(client.get(f"{address}?{query}").status_code, 400, query)

    def test_files(self):
        Membership.objects.filter(alias="annotator-1").update(alias="=1+1")
        client = self.as_user(self.owner)
        shown = sections(Selection.of(self.campaign), self.judge)
        slugs = [table.slug for section in shown for table in section.tables]
        self.assertEqual(len(slugs), 16)
        found = {}
        for slug in slugs:
            answer = client.get(reverse("campaign-judge-worth-file", args=[*self.args, slug]))
            found[slug] = list(csv.reader(io.StringIO(answer.content.decode())))
        names = {row[0] for row in found["judge-by-person-adequacy"][1:]}
        self.assertEqual(names, {"'=1+1", "annotator-2"})
        answer = client.get(reverse("campaign-judge-worth-json", args=self.args))
        self.assertEqual(answer.json()["page"], "judge-worth")
        missing = reverse("campaign-judge-worth-file", args=[*self.args, "none"])
        self.assertEqual(client.get(missing).status_code, 404)

    def test_outsiders_and_annotators_see_nothing(self):
        for name in ("campaign-judge-worth", "campaign-judge-worth-json"):
            for user, status in ((self.outsider, 404), (self.annotator_1, 403)):
                self.assertEqual(self.get_as(user, name, *self.args).status_code, status)
            other = self.get_as(self.owner, name, self.pairwise.pk, self.judge.pk)
            self.assertEqual(other.status_code, 404)
