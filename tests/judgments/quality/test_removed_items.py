"""Segments and dimensions left out on the pages of quality control, and exclusions as files."""

import csv
import io

from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from judgments.models import Act, Decision, RemovedItem
from judgments.quality.decisions.decisions import decide, decide_item
from judgments.quality.decisions.exclusions import exclusions_in_force
from judgments.results.scores import figures as scores
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

REASON = "The source is cut off."


class ItemsTestCase(CastTestCase):
    def setUp(self):
        cache.clear()
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                values = [1 + item.position, 3, 5 - task.seat]
                factory.judge(item, {"adequacy": values, "fluency": values[::-1]})

    def decision(self, **changes):
        data = {"segment": "2", "system": "", "action": "leave-out", "reason": REASON} | changes
        return {f"item-{name}": value for name, value in data.items()}

    def post_item(self, **changes):
        data = self.decision(**changes)
        return self.post_as(self.owner, "quality-item-decide", self.campaign.pk, data=data)

    def upload(self, text, campaign=None, name="exclusions.tsv"):
        data = {"file": SimpleUploadedFile(name, text.encode())}
        number = (campaign or self.campaign).pk
        return self.post_as(self.owner, "quality-exclusions", number, data=data)


class AccessTest(ItemsTestCase):
    def test_who_reads_and_who_decides(self):
        number = self.campaign.pk
        for name in ("quality-items", "quality-exclusions-file"):
            self.assert_refused(name, number)
            self.assertEqual(self.get_as(self.researcher, name, number).status_code, 200)
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        for name in ("quality-item-decide", "quality-exclusions"):
            self.assert_refused(name, number, users=users, method="post")
            self.assert_post_only(name, number)
        page = self.get_as(self.researcher, "quality-items", number)
        self.assertNotContains(page, reverse("quality-item-decide", args=[number]))
        self.assertFalse(RemovedItem.objects.exists())


class DecideTest(ItemsTestCase):
    def test_out_and_in_again(self):
        self.assertRedirects(self.post_item(), reverse("quality-items", args=[self.campaign.pk]))
        self.post_item(segment="3", system="System-A", reason="Empty output.")
        page = self.get_as(self.owner, "quality-items", self.campaign.pk)
        self.assertContains(page, "2 decisions leave a segment")
        self.assertContains(page, REASON)
        self.assertContains(page, "?segment=3&amp;system=System-A#decide")
        page = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertContains(page, f"1 segment or translation: {REASON}")
        self.assertContains(page, "Scores with and without what is left out")
        for name in ("scores", "agreement", "exports"):
            page = self.get_as(self.owner, name, self.campaign.pk)
            self.assertContains(page, "1 segment is left out: 2; 1 translation is left out: 3 of")
            self.assertContains(page, "Show the results with everything")
        page = self.get_as(
            self.owner, "quality-items", self.campaign.pk,
            data={"segment": "3", "system": "System-A"},
        )  # fmt: skip
        self.assertContains(page, 'value="System-A"')
        self.assertContains(page, 'value="take-in" required id="id_item-action_1" checked')
        self.post_item(segment="3", system="System-A", action="take-in", reason="It was there.")
        self.post_item(action="take-in", reason="Found again.")
        self.assertTrue(Selection.of(self.campaign).is_everything)
        page = self.get_as(self.owner, "quality-items", self.campaign.pk)
        self.assertContains(page, "No segment is left out of the figures.")
        self.assertEqual(RemovedItem.objects.count(), 4)
        self.assertEqual(
            set(Act.objects.values_list("act", "result")), {("quality-item-decide", "done")}
        )
        slug = "quality-removed-items"
        table = self.get_as(self.owner, "export-table", self.campaign.pk, slug)
        rows = list(csv.DictReader(io.StringIO(table.content.decode())))
        self.assertEqual(
            [(row["segment"], row["system"], row["decision"]) for row in rows],
            [
                ("2", "", "left out"),
                ("3", "System-A", "left out"),
                ("3", "System-A", "included again"),
                ("2", "", "included again"),
            ],
        )

    def test_what_is_not_there_or_changes_nothing(self):
        for changes, problem in (
            ({"segment": "9"}, "no segment with this key"),
            ({"segment": ""}, "This field is required"),
            ({"system": "System-Z"}, "no system with this name"),
            ({"reason": " "}, "This field is required"),
            ({"reason": "x" * 2001}, "at most 2000 characters"),
            ({"action": "erase"}, "Select a valid choice"),
            ({"action": "take-in"}, "This is not left out."),
        ):
            self.assertContains(self.post_item(**changes), problem, status_code=422)
        self.assertFalse(RemovedItem.objects.exists())

    def test_an_annotator_of_one_dimension(self):
        before = scores.system_scores(Selection.of(self.campaign), "adequacy").mean.tolist()
        data = {
            "decision-annotator": self.annotator_2.pk,
            "decision-dimension": "fluency",
            "decision-action": "leave-out",
            "decision-reason": REASON,
        }
        self.post_as(self.owner, "quality-decide", self.campaign.pk, data=data)
        self.assertEqual(Decision.objects.get().dimension, "fluency")
        for dimension, n in (("fluency", 1), ("adequacy", 0)):
            query = {"dimension": dimension}
            page = self.get_as(self.owner, "quality", self.campaign.pk, data=query)
            badge = '<span class="badge badge-warn">left out of fluency</span>'
            self.assertEqual(page.content.decode().count(badge), n, dimension)
        page = self.get_as(self.owner, "scores", self.campaign.pk)
        self.assertContains(page, "1 annotator is left out of fluency")
        self.assertContains(page, "annotator-2")
        kept = Selection.of(self.campaign)
        self.assertEqual(scores.system_scores(kept, "adequacy").mean.tolist(), before)
        answer = self.as_user(self.owner).get(reverse("api-quality", args=[self.campaign.pk]))
        self.assertFalse(any(each["excluded"] for each in answer.json()["annotators"]))
        answer = self.client.get(
            reverse("api-quality", args=[self.campaign.pk]), {"dimension": "fluency"}
        )
        excluded = [each["excluded"] for each in answer.json()["annotators"]]
        self.assertEqual(excluded, [False, True])
        (decided,) = answer.json()["decisions"]
        self.assertEqual((decided["annotator"], decided["dimension"]), ("annotator-2", "fluency"))
        data["decision-dimension"] = "style"
        response = self.post_as(self.owner, "quality-decide", self.campaign.pk, data=data)
        self.assertContains(response, "Select a valid choice", status_code=422)

    def test_many_are_shown_a_page_at_a_time(self):
        test_set = factory.make_test_set(self.owner, n_segments=60, name="Long")
        campaign = factory.make_campaign(test_set, owner=self.owner, name="Long")
        rows = "".join(f"{i}\tr{i}\n" for i in range(1, 61))
        self.upload(f"segment\treason\n{rows}", campaign)
        with self.assertNumQueries(11):
            page = self.get_as(self.owner, "quality-items", campaign.pk)
        self.assertContains(page, "Page 1 of 2")
        self.assertContains(page, '<td class="words">r50</td>', html=True)
        self.assertNotContains(page, ">r51<")


class FileTest(ItemsTestCase):
    def test_there_and_back(self):
        """What one campaign leaves out is read into another on the same texts."""
        known = {"by": self.owner, "reason": "=1+1"}
        decide(self.campaign, self.annotator_2, excluded=True, dimension="fluency", **known)
        decide_item(self.campaign, self.test_set.segments.get(key="1"), None, removed=True, **known)
        decide_item(
            self.campaign, self.test_set.segments.get(key="2"),
            self.test_set.systems.get(name="System-B"), removed=True, **known,
        )  # fmt: skip
        response = self.get_as(self.owner, "quality-exclusions-file", self.campaign.pk)
        text = response.getvalue().decode()
        self.assertEqual(
            text.splitlines(),
            [
                "annotator\tdimension\tsegment\tsystem\treason",
                "annotator-2\tfluency\t\t\t'=1+1",
                "\t\t1\t\t'=1+1",
                "\t\t2\tSystem-B\t'=1+1",
            ],
        )
        copy = factory.make_campaign(
            self.test_set, owner=self.owner, annotators=[self.annotator_2], name="Copy"
        )
        self.assertRedirects(
            self.upload(text, copy),
            reverse("quality-items", args=[copy.pk]),
            fetch_redirect_response=False,
        )
        page = self.client.get(reverse("quality-items", args=[copy.pk]))
        self.assertContains(page, "Recorded 3 exclusions.")
        self.assertEqual(list(exclusions_in_force(copy)), list(exclusions_in_force(self.campaign)))
        self.assertEqual(Selection.of(copy).decided, Selection.of(self.campaign).decided)

    def test_bad_files_change_nothing(self):
        for text, problem in (
            ("segment\n1\n", "column reason: this column is missing"),
            ("segment\treason\n9\tx\n", "Row 1: there is no segment &#x27;9&#x27;."),
            ("segment\treason\n9\tx\n8\tx\n", "(2 problems)"),
            ("segment\treason\tweight\n1\tx\t2\n", "this column is not known here"),
            ("segment\treason\n1\t\n", "it has no reason"),
            ("segment\treason\n", "no rows"),
            ("segment\treason\n1\tx\ty\n", "exclusions.tsv, row 2"),
        ):
            self.assertContains(self.upload(text), problem, status_code=422)
        response = self.upload("x", name="exclusions.doc")
        self.assertContains(response, "the name should end in", status_code=422)
        self.assertFalse(RemovedItem.objects.exists() or Decision.objects.exists())
