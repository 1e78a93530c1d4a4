"""Skipping and flagging: who may, what is stored, what the queue makes of it, who reads it."""

from django.urls import reverse

from judgments.models import Item, Judgment, Note, Task
from judgments.results.notes import page as report
from judgments.results.selection.selection import Selection

from .judge_pages import JudgingTestCase, answers, everything_stored

SKIP = {"kind": "skip", "reason": "topic", "comment": ""}
FLAG = {"kind": "flag", "reason": "", "comment": "A word is cut off."}


class NotesTestCase(JudgingTestCase):
    def note(self, number=1, data=None, user=None):
        return self.post_as(
            user or self.annotator_1, "judge-note", self.campaign.pk, number, data=data or SKIP
        )

    def task(self):
        return Task.objects.get(campaign=self.campaign, annotator=self.annotator_1)


class AccessTest(NotesTestCase):
    def test_only_annotators_write_notes(self):
        before = everything_stored()
        for user, status in (
            (None, 302),
            (self.outsider, 404),
            (self.owner, 403),
            (self.researcher, 403),
        ):
            for name, rest in (("judge-note", [1]), ("judge-skipped", [])):
                with self.subTest(name=name, user=user):
                    response = self.post_as(user, name, self.campaign.pk, *rest, data=SKIP)
                    self.assertEqual(response.status_code, status)
        self.assertEqual(everything_stored(), before)
        self.assertFalse(Note.objects.exists())

    def test_only_readers_read_them_and_only_owners_settle_them(self):
        self.note()
        note = Note.objects.get()
        for user, reads, settles in (
            (None, 302, 302),
            (self.outsider, 404, 404),
            (self.annotator_1, 403, 403),
            (self.researcher, 200, 403),
            (self.owner, 200, 302),
        ):
            with self.subTest(user=user):
                page = self.get_as(user, "campaign-notes", self.campaign.pk)
                self.assertEqual(page.status_code, reads)
                done = self.post_as(
                    user, "note-resolve", self.campaign.pk, note.pk, data={"resolved": "yes"}
                )
                self.assertEqual(done.status_code, settles)
        note.refresh_from_db()
        self.assertIsNotNone(note.resolved_at)
        other = self.post_as(self.owner, "note-resolve", self.pairwise.pk, note.pk)
        self.assertEqual(other.status_code, 404)

    def test_a_get_changes_nothing(self):
        before = everything_stored()
        page = self.get_as(self.annotator_1, "judge-note", self.campaign.pk, 1)
        self.assertContains(page, "Skip this item")
        for name in ("judge-skipped",):
            got = self.get_as(self.annotator_1, name, self.campaign.pk)
            self.assertEqual(got.status_code, 405)
        self.assertEqual(everything_stored(), before)


class FormTest(NotesTestCase):
    def test_what_is_missing_or_wrong_is_said(self):
        for data, words in (
            ({"kind": "skip"}, "Say why you skip the item."),
            ({"kind": "flag"}, "Choose a reason or write a comment."),
            ({"kind": "flag", "reason": "other"}, "Say in a comment what is wrong."),
            ({"kind": "skip", "reason": "other", "comment": "  "}, "Say in a comment"),
            ({"kind": "skip", "reason": "bored"}, "Select a valid choice"),
            ({"kind": "delete", "reason": "topic"}, "Select a valid choice"),
            ({"reason": "topic"}, "This field is required"),
            (FLAG | {"comment": "x" * 2001}, "at most 2000 characters"),
            (FLAG | {"comment": "a\0b"}, "Null characters"),
        ):
            with self.subTest(data=str(data)[:60]):
                self.assertContains(self.note(1, data), words, status_code=422)
        self.assertFalse(Note.objects.exists())

    def test_there_is_no_such_item(self):
        self.assertEqual(self.note(5).status_code, 404)

    def test_a_closed_campaign_stores_nothing(self):
        self.set_status("closed")
        self.assertContains(self.note(), "not open", status_code=422)
        self.assertFalse(Note.objects.exists())


class SkipTest(NotesTestCase):
    def test_what_is_skipped_is_passed_over_and_counted(self):
        self.assertRedirects(self.note(1), self.item_url(2))
        task = self.task()
        self.assertEqual((task.n_skipped, task.n_judged), (1, 0))
        self.note(1)  # twice is once
        self.assertEqual(self.task().n_skipped, 1)
        self.note(3)
        self.assertRedirects(self.answer(2), self.item_url(4))
        self.assertRedirects(self.answer(4), reverse("judge", args=[self.campaign.pk]))
        page = self.client.get(reverse("judge", args=[self.campaign.pk]))
        self.assertContains(page, "You skipped 2 items.")
        items = self.get_as(self.annotator_1, "judge-items", self.campaign.pk)
        self.assertContains(items, '<span class="my-state">skipped</span>', count=2)

    def test_a_skipped_item_can_be_judged_after_all(self):
        self.note(1)
        self.assertRedirects(self.answer(1), self.item_url(2))
        self.assertEqual((self.task().n_skipped, self.task().n_judged), (0, 1))
        self.answer(1, answers(5))  # a revision counts nothing again
        self.assertEqual((self.task().n_skipped, self.task().n_judged), (0, 1))
        self.assertFalse(Item.objects.filter(is_skipped=True).exists())

    def test_what_was_skipped_is_taken_up_again(self):
        self.note(1)
        self.note(2)
        self.answer(3)
        self.answer(4)
        self.post_as(self.annotator_1, "judge-skipped", self.campaign.pk)
        self.assertEqual(self.task().n_skipped, 0)
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertRedirects(page, self.item_url(1))

    def test_a_judged_item_is_flagged_but_not_skipped(self):
        self.answer(1)
        self.assertContains(self.note(1), "Revise it, or flag it", status_code=422)
        self.assertRedirects(self.note(1, FLAG), self.item_url(1))
        self.assertEqual(Note.objects.get().comment, "A word is cut off.")
        self.assertEqual(self.task().n_skipped, 0)

    def test_with_skipped_items_one_may_take_another_batch(self):
        Task.objects.filter(seat=2).delete()
        other = Task.objects.create(campaign=self.campaign, batch=2, n_items=1)
        Item.objects.create(task=other, position=0, segment=self.test_set.segments.first())
        for number in (1, 2, 3):
            self.answer(number)
        self.note(4)
        self.post_as(self.annotator_1, "judge", self.campaign.pk)
        other.refresh_from_db()
        self.assertEqual(other.annotator, self.annotator_1)

    def test_who_takes_over_a_batch_begins_without_skipped_items(self):
        self.note(1)
        Task.objects.update(annotator=None)
        Task.objects.exclude(n_skipped=1).delete()
        self.post_as(self.annotator_2, "judge", self.campaign.pk)
        task = Task.objects.get()
        self.assertEqual((task.annotator, task.n_skipped), (self.annotator_2, 0))
        self.assertFalse(Item.objects.filter(is_skipped=True).exists())


class ManagerTest(NotesTestCase):
    def test_the_page_and_the_files_have_every_note(self):
        empty = self.get_as(self.owner, "campaign-notes", self.campaign.pk)
        self.assertContains(empty, "No notes")
        self.note(1, SKIP)
        self.note(2, FLAG | {"comment": "<b>cut</b>"})
        page = self.get_as(self.owner, "campaign-notes", self.campaign.pk)
        self.assertContains(page, "2 notes by annotators, 2 still open")
        self.assertContains(page, "I do not know enough about the topic")
        self.assertContains(page, "&lt;b&gt;cut")
        table = self.get_as(self.owner, "export-table", self.campaign.pk, "notes")
        lines = table.content.decode().strip().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("annotator-1,doc0,1,skip,topic,", lines[2])
        self.assertEqual(
            [row["kind"] for row in report.data(Selection.of(self.campaign))["notes"]],
            ["flag", "skip"],
        )

    def test_judgments_do_not_change(self):
        self.note(1)
        self.assertFalse(Judgment.objects.exists())
