"""The completion page and its codes, which nobody sees before."""

from django.urls import reverse
from django.utils import timezone

from judgments.judging.completion import verdict_of
from judgments.models import Act, Item, Judgment, Note, Status
from judgments.people.staffing.settings import set_staffing
from judgments.quality.decisions.decisions import decide
from tests import factory
from tests.base import CastTestCase

CODES = {
    "codes": {"pass": "PASS77", "fail": "FAIL77"},
    "redirect": "https://app.prolific.com/submissions/complete?cc={code}",
}


class CompletionTests(CastTestCase):
    def setUp(self):
        set_staffing(self.campaign, CODES)
        self.items = list(
            Item.objects.filter(task__campaign=self.campaign, task__annotator=self.annotator_1)
        )

    def judge(self, items):
        for item in items:
            item.task.refresh_from_db()
            factory.judge(item, {"adequacy": [1.0, 2.0, 3.0], "fluency": [1.0, 2.0, 3.0]})

    def page(self):
        return self.get_as(self.annotator_1, "judge", self.campaign.pk, follow=True)

    def test_no_page_has_a_code_before_the_last_judgment(self):
        self.judge(self.items[:-1])
        self.as_user(self.annotator_1)
        number = len(self.items)
        for name, *args in (
            ("judge",), ("judge-item", number), ("judge-items",), ("judge-instructions",),
            ("judge-note", number), ("home",), ("my-data",), ("my-data-file",), ("welcome",),
        ):  # fmt: skip
            arguments = [] if name in ("home", "my-data", "my-data-file") else [self.campaign.pk]
            response = self.client.get(reverse(name, args=[*arguments, *args]), follow=True)
            self.assertEqual(response.status_code, 200, name)
            for code in (b"PASS77", b"FAIL77"):
                self.assertNotIn(code, response.content, name)

    def test_the_code_and_the_button_after_it(self):
        self.judge(self.items)
        page = self.page()
        self.assertContains(page, "PASS77")
        self.assertContains(page, 'href="https://app.prolific.com/submissions/complete?cc=PASS77"')
        self.assertNotContains(page, "FAIL77")

    def test_who_is_left_out_gets_the_other_code(self):
        self.judge(self.items)
        membership = self.campaign.memberships.get(user=self.annotator_1)
        self.assertEqual(verdict_of(membership), "pass")
        about = {"reason": "x", "by": self.owner}
        decide(self.campaign, self.annotator_1, excluded=True, dimension="fluency", **about)
        self.assertEqual(verdict_of(membership), "pass")
        decide(self.campaign, self.annotator_1, excluded=True, **about)
        self.assertEqual(verdict_of(membership), "fail")
        page = self.page()
        self.assertContains(page, "FAIL77")
        self.assertNotContains(page, "PASS77")
        set_staffing(self.campaign, {"codes": {"pass": "PASS77"}})
        self.assertContains(self.page(), "no completion code")
        decide(self.campaign, self.annotator_1, excluded=False, **about)
        self.assertContains(self.page(), "PASS77")

    def test_what_was_skipped_counts_until_its_note_is_settled(self):
        self.judge(self.items[:-1])
        last = self.items[-1]
        Item.objects.filter(pk=last.pk).update(is_skipped=True)
        last.task.refresh_from_db()
        last.task.n_skipped = 1
        last.task.save()
        note = Note.objects.create(item=last, annotator=self.annotator_1, kind="skip")
        self.assertNotContains(self.page(), "PASS77")
        self.assertContains(self.page(), "appears here when you have judged the items you skipped")
        note.resolved_at = timezone.now()
        note.save()
        self.assertContains(self.page(), "PASS77")

    def test_another_batch_keeps_the_code_back_unless_it_is_one_too_many(self):
        self.judge(self.items)
        factory.make_task(self.campaign, batch=2)
        self.assertNotContains(self.page(), "PASS77")
        set_staffing(self.campaign, {"batches": 1})
        self.assertContains(self.page(), "PASS77")
        self.post_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertFalse(self.campaign.tasks.filter(batch=2, annotator=self.annotator_1).exists())

    def test_nothing_judged_is_nothing_completed(self):
        for item in self.items:
            self.assertFalse(Judgment.objects.filter(item=item).exists())
        self.campaign.status = Status.CLOSED
        self.campaign.save()
        self.assertNotContains(self.page(), "PASS77")

    def test_a_closed_campaign_still_shows_the_code(self):
        self.judge(self.items)
        self.campaign.status = Status.CLOSED
        self.campaign.save()
        self.assertContains(self.page(), "PASS77")

    def test_no_file_of_the_campaign_has_a_code(self):
        self.judge(self.items)
        for name in ("export-json", "campaign-log-file"):
            response = self.get_as(self.owner, name, self.campaign.pk)
            content = b"".join(response) if response.streaming else response.content
            self.assertNotIn(b"PASS77", content, name)

    def test_the_log_keeps_no_code(self):
        data = {"pass_code": "PASS77", "fail_code": "FAIL77", "typed_names": "on"}
        self.post_as(self.owner, "campaign-completion", self.campaign.pk, data=data)
        act = Act.objects.get(act="campaign-completion")
        for code in ("PASS77", "FAIL77"):
            self.assertNotIn(code, str(act.facts))
