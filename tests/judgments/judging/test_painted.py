"""An answer belongs to the texts that were on the screen: after a change the item is read again."""

from judgments.models import AlteredOutput, Judgment, Output, Reference, Segment
from judgments.protocols import PRESETS
from tests import factory

from .judge_pages import JudgingTestCase, answers, ticket_in

JSON = {"headers": {"accept": "application/json"}}


class PaintedTest(JudgingTestCase):
    def change_a_text(self, model, field):
        changed = {
            Output: Output.objects.filter(segment__key="1"),
            Segment: Segment.objects.filter(key="1"),
            Reference: Reference.objects.filter(segment__key="1"),
        }[model]
        self.assertGreater(changed.update(**{field: "Another text stands here now ."}), 0)

    def test_an_answer_to_other_texts_is_refused(self):
        for model, field in ((Segment, "source"), (Reference, "text"), (Output, "text")):
            opened = ticket_in(self.open(1))
            self.change_a_text(model, field)
            response = self.answer(1, answers(4), ticket=opened, **JSON)
            with self.subTest(model.__name__):
                self.assertEqual(response.status_code, 409)
                self.assertEqual(response.json(), {"problem": "changed"})
                self.assertFalse(Judgment.objects.exists())

    def test_what_is_not_shown_may_change(self):
        self.campaign.options["show_source"] = False
        self.campaign.save()
        opened = ticket_in(self.open(1))
        self.change_a_text(Segment, "source")
        self.assertEqual(self.answer(1, answers(4), ticket=opened, **JSON).status_code, 200)

    def test_the_page_comes_back_with_the_texts_of_now(self):
        opened = ticket_in(self.open(1))
        self.change_a_text(Reference, "text")
        page = self.answer(1, answers(4), ticket=opened)
        self.assertContains(page, "the texts of this item have changed", status_code=409)
        self.assertContains(page, "Another text stands here now .", status_code=409)
        self.assertEqual(self.answer(1, answers(4), ticket=ticket_in(page)).status_code, 302)
        self.assertEqual(Judgment.objects.count(), 1)

    def test_what_was_stored_is_acknowledged_again(self):
        opened = ticket_in(self.open(1))
        for _ in range(2):
            self.assertEqual(self.answer(1, answers(4), ticket=opened, **JSON).status_code, 200)
            self.change_a_text(Output, "text")
        self.assertEqual(Judgment.objects.count(), 1)


class EveryScreenTest(JudgingTestCase):
    """The content of a protocol's own part of the screen counts as well."""

    def begun(self, preset, segments=None, **options):
        campaign = factory.make_campaign(
            self.test_set,
            preset=preset,
            annotators=[self.annotator_1],
            options=dict(PRESETS[preset].options) | options,
        )
        task = factory.make_task(campaign, self.annotator_1, segments=segments, n_outputs=1)
        return campaign, task.items.first()

    def assert_counts(self, campaign, data, rows, field):
        opened = ticket_in(self.open(1, campaign=campaign))
        self.assertEqual(rows.update(**{field: "Another text ."}), 1)
        response = self.answer(1, data, ticket=opened, campaign=campaign, **JSON)
        self.assertEqual(response.json(), {"problem": "changed"})
        self.assertEqual(response.status_code, 409)

    def test_every_paragraph_of_a_document(self):
        first, second = self.test_set.segments.all()[:2]
        campaign, item = self.begun("document-assessment", [first], reference_document=True)
        shown = item.shown.get().output
        other = Output.objects.filter(segment=second, system=shown.system_id)
        item.shown.create(output=other.get(), position=1)
        for rows, field in (
            (Segment.objects.filter(pk=second.pk), "source"),
            (Reference.objects.filter(segment=second), "text"),
            (other, "text"),
        ):
            self.assert_counts(campaign, {"output1-da": "50"}, rows, field)

    def test_paragraphs_that_are_not_shown_do_not_count(self):
        first, second = self.test_set.segments.all()[:2]
        campaign, item = self.begun("document-assessment", [first], source_document=False)
        shown = item.shown.get().output
        item.shown.create(
            output=Output.objects.get(segment=second, system=shown.system_id), position=1
        )
        opened = ticket_in(self.open(1, campaign=campaign))
        self.test_set.segments.update(source="Another text .")
        response = self.answer(1, {"output1-da": "50"}, ticket=opened, campaign=campaign, **JSON)
        self.assertEqual(response.status_code, 200)

    def test_the_words_that_are_linked(self):
        campaign, item = self.begun("word-alignment")
        rows = Segment.objects.filter(pk=item.segment_id)
        self.assert_counts(campaign, {"output1-links": "0-0"}, rows, "source")

    def test_a_damaged_copy_is_what_is_shown(self):
        campaign, item = self.begun("direct-assessment")
        place = item.shown.get()
        place.altered = AlteredOutput.objects.create(
            campaign=campaign, output=place.output, text="Source text here ."
        )
        place.save()
        rows = AlteredOutput.objects.filter(pk=place.altered.pk)
        self.assert_counts(campaign, {"output1-da": "50"}, rows, "text")
