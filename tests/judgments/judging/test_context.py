"""A block in its document: the segments around it are read, and tell nothing."""

import re

from django.test import TestCase
from django.urls import reverse
from django.utils import timezone

from judgments.judging.context import MOST, MOST_BYTES, UNFOLDED
from judgments.judging.document import document_rows
from judgments.judging.screen import open_item
from judgments.models import Item, Membership, Output, Segment, System
from tests import factory

MOST_BYTES_SENT = 100_000  # of a judging page


class ContextTest(TestCase):
    def setUp(self):
        self.owner = factory.make_user("owner")
        self.user = factory.make_user("annotator")

    def make(self, n_segments, block, *, preset="da-sqm", n_outputs=1):
        """A document of so many segments, of which those in the slice `block` are judged."""
        test_set = factory.make_test_set(self.owner, n_segments=n_segments, n_documents=1)
        self.campaign = factory.make_campaign(
            test_set, preset=preset, annotators=[self.user], options={"context": "document"}
        )
        self.segments = list(test_set.segments.all())
        segments = self.segments[block]
        self.task = factory.make_task(
            self.campaign, self.user, segments=segments, n_outputs=n_outputs
        )

    def rows(self, number=1):
        membership = Membership.objects.select_related("campaign__test_set").get(
            campaign=self.campaign, user=self.user
        )
        return document_rows(open_item(membership, number, timezone.now()))

    def page(self, number=1):
        self.client.force_login(self.user)
        return self.client.get(reverse("judge-item", args=[self.campaign.pk, number]))

    def test_what_is_not_judged_stands_before_and_after(self):
        self.make(8, slice(3, 5))
        rows = self.rows()
        self.assertEqual([r.position for r in rows], list(range(8)))
        self.assertEqual([r.number for r in rows], [None] * 3 + [1, 2] + [None] * 3)
        system = System.objects.order_by("name").first()
        texts = Output.objects.filter(system=system).order_by("segment__position")
        self.assertEqual([r.output for r in rows], [output.text for output in texts])
        self.assertEqual([r.source for r in rows], [s.source for s in self.segments])
        self.assertEqual([r.position for r in rows if r.fold], [])  # one alone is not folded away

    def test_only_what_is_near_is_in_sight(self):
        self.make(20, slice(9, 11))
        rows = self.rows()
        in_sight = [r.position for r in rows if r.number is None and not r.fold]
        self.assertEqual(in_sight, [7, 8, 11, 12])
        self.assertEqual(len({r.fold for r in rows if r.fold}), 2)
        page = self.page().content.decode()
        self.assertEqual(page.count("<summary>7 more segments of the document</summary>"), 2)
        self.assertIn("For reading only:", page)
        self.assertEqual(len(re.findall(r"<a [^>]*data-row=", page.split("</ol>")[0])), 0)
        self.assertEqual(page.count('<li class="row is-context">'), 7 + 7 + 2 * UNFOLDED)

    def test_a_gap_between_items_is_filled(self):
        self.make(6, slice(0, 6, 2))
        self.assertEqual([r.number for r in self.rows()], [1, None, 2, None, 3, None])

    def test_of_several_translations_the_source_alone(self):
        self.make(6, slice(2, 4), preset="adequacy-fluency", n_outputs=3)
        self.assertEqual({r.output for r in self.rows()}, {None})
        page = self.page().content.decode()
        for output in Output.objects.exclude(segment__in=self.segments[2:3]):
            self.assertNotIn(output.text, page)
        Item.objects.update(part="fluency")  # which is judged without the source
        self.assertEqual([r.number for r in self.rows()], [1, 2])

    def test_a_reference_reads_on_in_the_reference(self):
        self.make(6, slice(2, 4))
        reference = System.objects.create(
            test_set=self.campaign.test_set, name="ref-A", copies_reference="ref"
        )
        for segment in self.segments:
            text = segment.references.get().text
            Output.objects.create(system=reference, segment=segment, text=text)
        for item in self.task.items.all():
            item.kind = "reference"
            item.save()
            item.shown.update(output=Output.objects.get(system=reference, segment=item.segment))
        texts = [s.references.get().text for s in self.segments]
        self.assertEqual([r.output for r in self.rows()], texts)
        page = self.page().content.decode()
        self.assertNotIn("ref-A", page)
        self.assertNotIn("System-", page)

    def test_one_control_among_others_cannot_be_told_from_the_rows_around(self):
        self.make(6, slice(1, 4))
        before = [r.output for r in self.rows() if r.number is None]
        other = System.objects.order_by("name").last()
        for position in range(3):  # wherever it stands
            item = self.task.items.get(position=position)
            was = item.shown.get().output
            item.shown.update(output=Output.objects.get(system=other, segment=item.segment))
            rows = self.rows()
            self.assertEqual([r.output for r in rows if r.number is None], before)
            self.assertEqual(sum(r.number is not None for r in rows), 3)
            item.shown.update(output=was)
        for position, system in enumerate(System.objects.order_by("name")):
            item = self.task.items.get(position=position)
            item.shown.update(output=Output.objects.get(system=system, segment=item.segment))
        self.assertEqual({r.output for r in self.rows() if r.number is None}, {None})

    def test_a_long_document_is_cut_and_says_so(self):
        n = 2 * MOST + 60
        self.make(n, slice(n // 2, n // 2 + 2))
        rows = self.rows()
        self.assertEqual(sum(r.number is None for r in rows), 2 * MOST + 2)
        self.assertEqual([rows[0].n_left, rows[-1].n_left], [30, 28])
        self.assertContains(self.page(), "30 segments further away are not shown.")

    def test_a_page_does_not_get_heavier_than_it_may(self):
        self.make(60, slice(25, 35))
        Segment.objects.update(source="Größe " * 80)
        Output.objects.update(text="größer " * 80)
        rows = self.rows()
        sent = [r for r in rows if r.number is None and r.source]
        size = sum(len((r.source + r.output).encode()) for r in sent)
        self.assertLessEqual(size, 2 * MOST_BYTES)
        self.assertGreater(size, MOST_BYTES)
        self.assertLess(len(self.page().content), MOST_BYTES_SENT)
        self.assertEqual(len(sent) + rows[0].n_left + rows[-1].n_left, 50)

    def test_the_same_few_statements_however_long_the_document_is(self):
        for n in (6, 60, 150):
            with self.subTest(n):
                self.make(n, slice(n // 2, n // 2 + 3))
                self.page()
                with self.assertNumQueries(10):
                    self.client.get(reverse("judge-item", args=[self.campaign.pk, 1]))
                test_set = self.campaign.test_set
                self.campaign.delete()
                test_set.delete()
