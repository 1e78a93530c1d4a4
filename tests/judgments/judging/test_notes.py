"""Skipping and flagging: who may, what is stored, what the queue makes of it, who reads it."""

from django.urls import reverse

from judgments.models import Item, Judgment, Note, Task
from judgments.people.my_data.answers import stored_about
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


class WordsTest(NotesTestCase):
    """What a comment is about: words of a text, as it stands on the screen."""

    def words(self, quote, side="target", place=1, **changes):
        item = self.task().items.get(position=0)
        shown = item.shown.order_by("position")[place - 1]
        text = item.segment.source if side == "source" else shown.text
        start = text.index(quote)
        said = {"about_words": "on", "quote": quote, "side": side, "place": place, "start": start}
        return FLAG | said | changes, shown.output

    def test_words_of_a_translation_and_of_the_source_are_stored_with_their_place(self):
        data, output = self.words("number 1", place=2)
        self.assertRedirects(self.note(1, data), self.item_url(1))
        note = Note.objects.get()
        self.assertEqual((note.quote, note.side, note.output), ("number 1", "target", output))
        self.assertEqual(output.text[note.start : note.end], "number 1")
        self.assertEqual(note.about, f"{output.system.name}, {note.start}–{note.end}")
        campaign = self.campaign
        campaign.options |= {"show_source": True}
        campaign.save()
        data, _ = self.source_words()
        self.assertRedirects(self.note(1, data), self.item_url(1))
        note = Note.objects.last()
        self.assertEqual((note.quote, note.side, note.output), ("Nummer", "source", None))

    def source_words(self):
        data, output = self.words("Nummer", side="source")
        return data | {"place": ""}, output

    def test_words_on_both_sides_of_a_line_break(self):
        """A browser sends a line break of a form as CR and LF."""
        _, output = self.words("number")
        output.text = "First line\nand second line"
        output.save()
        data, _ = self.words("line\nand", place=1)
        self.assertRedirects(self.note(1, data | {"quote": "line\r\nand"}), self.item_url(1))
        note = Note.objects.get()
        self.assertEqual(note.quote, "line\nand")
        self.assertEqual(output.text[note.start : note.end], "line\nand")

    def test_places_are_code_points(self):
        _, output = self.words("number")
        output.text = "😀 a word 😀 here"
        output.save()
        data, _ = self.words("word", place=1)
        self.assertEqual(data["start"], 4)
        self.note(1, data)
        note = Note.objects.get()
        self.assertEqual((note.start, note.end), (4, 8))

    def test_what_does_not_stand_there_is_refused(self):
        data, _ = self.words("number")
        for changes in (
            {"start": data["start"] + 1},
            {"start": ""},
            {"start": "-1"},
            {"place": 99},
            {"place": ""},
            {"side": ""},
            {"side": "reference"},
            {"quote": "x" * 2001},
        ):
            with self.subTest(changes=str(changes)[:40]):
                self.assertEqual(self.note(1, data | changes).status_code, 422)
        self.assertFalse(Note.objects.exists())

    def test_a_source_that_is_not_shown_is_not_told(self):
        self.campaign.options = {**self.campaign.options, "show_source": False}
        self.campaign.save()
        data, _ = self.source_words()
        answer = self.note(1, data)
        self.assertContains(answer, "no longer there", status_code=422)

    def test_who_unticks_the_box_means_the_item(self):
        data, _ = self.words("number")
        self.note(1, {name: value for name, value in data.items() if name != "about_words"})
        note = Note.objects.get()
        self.assertEqual((note.quote, note.side, note.start, note.about), ("", "", None, ""))

    def test_everybody_who_reads_comments_reads_the_words(self):
        data, output = self.words("number 1")
        self.note(1, data)
        page = self.get_as(self.owner, "campaign-notes", self.campaign.pk)
        self.assertContains(page, '<q dir="auto">number 1</q>')
        self.assertContains(page, output.system.name)
        own = self.get_as(self.annotator_1, "judge-items", self.campaign.pk)
        self.assertContains(own, '<q dir="auto">number 1</q>')
        self.assertNotContains(own, output.system.name)
        form = self.get_as(self.annotator_1, "judge-note", self.campaign.pk, 1)
        self.assertContains(form, '<q dir="auto">number 1</q>')
        self.assertNotContains(form, output.system.name)
        row = report.data(Selection.of(self.campaign))["notes"][0]
        self.assertEqual(
            [row[name] for name in ("side", "system", "quote")],
            ["target", output.system.name, "number 1"],
        )
        self.assertEqual(output.text[row["start"] : row["end"]], "number 1")
        parts = {each["campaign"]: each for each in stored_about(self.annotator_1)["campaigns"]}
        remark = parts[self.campaign.name]["remarks"][0]
        self.assertEqual((remark["quote"], remark["side"]), ("number 1", "target"))


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
