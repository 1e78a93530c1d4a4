"""A test set of keys only: its judgments count, and what would need the texts says so."""

import math

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.urls import reverse

from judgments.models import Campaign, Output, Status, Task, TestSet, no_texts
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.quality.rules.figures import quality
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

ROLE = 'id="no-texts"'
TABLE = "segment\tsource\treference\tsystem:System-A\tsystem:System-B\tsystem:System-C\n" + "".join(
    f"{n}\tEins zwei drei {n}\tone two {n}\tone two\t\tthree\n" for n in range(1, 5)
)


class NoTextsCase(CastTestCase):
    """The rating campaign of the cast is closed, judged and without texts."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        for annotator, add in ((cls.annotator_1, 0), (cls.annotator_2, 1)):
            task = Task.objects.get(campaign=cls.campaign, annotator=annotator)
            for place, item in enumerate(task.items.all()):
                row = [1 + (place + add) % 3, 3, 5 - place % 2]
                factory.judge(item, {"adequacy": row, "fluency": row[::-1]})
        Campaign.objects.filter(pk=cls.campaign.pk).update(status=Status.CLOSED)
        factory.take_texts(cls.test_set)
        cls.campaign.refresh_from_db()


class PagesTest(NoTextsCase):
    def test_every_page_of_the_campaign_says_so_and_works(self):
        pages = [page.address for page in protocol_of(self.campaign).pages]
        others = ["campaign", "campaign-design", "campaign-notes", "campaign-people", "stopping"]
        for name in (*pages, *others, "exports"):
            response = self.get_as(self.owner, name, self.campaign.pk)
            self.assertContains(response, ROLE, count=1, msg_prefix=name)

    def test_the_words_are_those_of_the_page(self):
        for name, words in (
            ("quality", "Reading time per word is not known"),
            ("correlation", "Metrics and length sentinels cannot be computed here"),
            ("power", "do not need the texts"),
            ("campaign-notes", "Notes name the segments by their keys"),
            ("campaign-design", "Nothing can be planned or judged until"),
            ("agreement", "Agreement, scores, ranks and counts of errors work without the texts"),
        ):
            self.assertContains(self.get_as(self.owner, name, self.campaign.pk), words)

    def test_pages_with_texts_do_not(self):
        other = factory.make_test_set(self.owner, name="Other")
        campaign = factory.make_campaign(other, owner=self.owner)
        for name in ("campaign", "agreement", "campaign-design"):
            self.assertNotContains(self.get_as(self.owner, name, campaign.pk), ROLE)
        self.assertNotContains(self.get_as(self.owner, "test-set", other.pk), ROLE)

    def test_figures_are_those_that_the_same_judgments_have_with_texts(self):
        def figures():
            names = ("api-scores", "api-agreement")
            return [self.get_as(self.owner, name, self.campaign.pk).json() for name in names]

        without = figures()
        TestSet.objects.filter(pk=self.test_set.pk).update(has_texts=True)
        with_texts = figures()
        for each in (*without, *with_texts):
            each.pop("selection")  # the mark of what is stored
        self.assertEqual(without, with_texts)
        self.assertIn("System-A", str(without[0]))
        self.assertIn("adequacy", str(without[1]))

    def test_the_test_set_shows_keys_and_offers_to_add_the_texts(self):
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, ROLE, count=1)
        self.assertContains(page, reverse("test-set-texts", args=[self.test_set.pk]))
        self.assertContains(page, "Segment 1")
        self.assertContains(page, "System-A, System-B, System-C", count=4)
        self.assertNotContains(page, "empty translation")
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertContains(page, ROLE, count=1)
        self.assertNotContains(page, reverse("test-set-texts", args=[self.test_set.pk]))


class RefusedTest(NoTextsCase):
    def test_nothing_is_planned(self):
        Task.objects.filter(campaign=self.pairwise).delete()
        for preset in ("pairwise", "document-assessment", "acceptability"):
            Campaign.objects.filter(pk=self.pairwise.pk).update(
                preset=preset, protocol=factory.PRESETS[preset].protocol
            )
            for button in ("preview", "plan"):
                data = {"batch_items": "30", "seats": "1", "seed": "1", button: "1"}
                page = self.post_as(self.owner, "campaign-design", self.pairwise.pk, data=data)
                self.assertContains(page, no_texts.TO_JUDGE)
        self.assertFalse(Task.objects.filter(campaign=self.pairwise).exists())
        with self.assertRaisesMessage(design.PlanError, "This test set has no texts"):
            design.preview(Campaign.objects.get(pk=self.pairwise.pk), PlanSettings(batch_items=4))

    def test_a_campaign_is_not_opened(self):
        for status, then in ((Status.OPEN, Status.CLOSED), (Status.CLOSED, Status.CLOSED)):
            response = self.post_as(
                self.owner,
                "campaign-status",
                self.campaign.pk,
                data={"status": status},
                follow=True,
            )
            self.assertEqual(no_texts.TO_JUDGE in response.content.decode(), status == Status.OPEN)
            self.campaign.refresh_from_db()
            self.assertEqual(self.campaign.status, then)

    def test_nobody_filters_by_words(self):
        for name in ("agreement", "scores", "quality", "export-observations", "api-scores"):
            url = reverse(name, args=[self.campaign.pk])
            response = self.as_user(self.owner).get(url, {"fewest_words": "2"})
            self.assertContains(
                response, "the number of words of a segment is not known", status_code=400
            )
            self.assertEqual(self.client.get(url, {"document": "doc0"}).status_code, 200)
        with pytest.raises(ValueError, match="Leave out the filter by words"):
            Selection.asked(self.campaign, QueryDict("most_words=3"))
        page = self.get_as(self.owner, "scores", self.campaign.pk)
        self.assertNotContains(page, "fewest_words")
        self.assertContains(page, 'name="since"')

    def test_the_time_for_a_word_is_not_known(self):
        factory_times = [each.seconds_per_word for each in self.report().annotators]
        self.assertTrue(all(map(math.isnan, factory_times)))
        self.assertEqual([each.median_seconds for each in self.report().annotators], [1.0, 1.0])

    def report(self):
        return quality(Selection.of(self.campaign))

    def test_it_is_known_as_soon_as_the_texts_are_there(self):
        self.report()
        table = SimpleUploadedFile("texts.tsv", TABLE.encode())
        self.post_as(self.owner, "test-set-texts", self.test_set.pk, data={"table": table})
        self.campaign = Campaign.objects.get(pk=self.campaign.pk)
        # A second for each item, and four words in each source.
        self.assertEqual([each.seconds_per_word for each in self.report().annotators], [0.25] * 2)


class AddTextsTest(NoTextsCase):
    def post(self, user=None, **files):
        return self.post_as(user or self.owner, "test-set-texts", self.test_set.pk, data=files)

    def table(self, text=TABLE):
        return SimpleUploadedFile("texts.tsv", text.encode())

    def test_who_may(self):
        url = reverse("test-set-texts", args=[self.test_set.pk])
        for user, status in (
            (None, 302),
            (self.outsider, 404),
            (self.annotator_1, 404),
            (self.researcher, 403),
        ):
            self.assertEqual(self.as_user(user).get(url).status_code, status)
            self.assertEqual(self.post(user, table=self.table()).status_code, status) if user else 0
        self.assertFalse(TestSet.objects.get(pk=self.test_set.pk).has_texts)

    def test_a_table(self):
        response = self.post(table=self.table())
        self.assertEqual(response["Location"], self.test_set.get_absolute_url())
        page = self.get_as(self.owner, "test-set", self.test_set.pk)
        self.assertContains(page, "The texts of 4 segments were added.")
        self.assertContains(page, "Eins zwei drei 4")
        self.assertContains(page, "empty translation", count=4)
        self.assertNotContains(page, ROLE)
        self.assertNotContains(self.get_as(self.owner, "agreement", self.campaign.pk), ROLE)
        again = self.get_as(self.owner, "test-set-texts", self.test_set.pk)
        self.assertContains(again, "The test set already has its texts.")
        self.assertNotContains(again, 'type="file"')
        self.assertEqual(self.post(table=self.table()).status_code, 422)

    def test_plain_files_line_by_line(self):
        sent = lambda name: SimpleUploadedFile(name, b"a\n\nc\nd\n")  # noqa: E731
        systems = [sent(f"System-{letter}.txt") for letter in "ABC"]
        source = SimpleUploadedFile("source.txt", b"eins\nzwei\ndrei\nvier\n")
        self.assertEqual(self.post(source=source, systems=systems).status_code, 302)
        self.assertEqual(Output.objects.filter(segment__key="2", text="").count(), 3)

    def test_what_is_wrong_stands_at_its_field(self):
        response = self.post(table=self.table(TABLE.replace("\n4\t", "\n5\t")))
        self.assertContains(response, "Nothing was imported. texts.tsv", status_code=422)
        self.assertContains(response, "the first of them “4”", status_code=422)
        self.assertContains(response, '<a href="#id_table">', status_code=422)
        self.assertContains(self.post(), "Choose the source text, or a table", status_code=422)
        self.assertFalse(TestSet.objects.get(pk=self.test_set.pk).has_texts)
