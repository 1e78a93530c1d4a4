"""An answer to an item that was judged meanwhile, on another device or in another tab."""

from dataclasses import replace

from judgments.judging.ticket import unseal
from judgments.models import Judgment

from .judge_pages import JudgingTestCase, answers, ticket_in

JSON = {"headers": {"Accept": "application/json"}}


class NewerJudgmentTest(JudgingTestCase):
    def revisions(self) -> list[tuple[int, float]]:
        found = Judgment.objects.order_by("revision")
        return [(each.revision, each.ratings.first().value) for each in found]

    def test_it_is_refused_and_nothing_is_overwritten(self):
        on_the_train = ticket_in(self.open(1))
        self.answer(1, answers(5))
        response = self.answer(1, answers(1), ticket=on_the_train, **JSON)
        self.assertEqual(response.status_code, 409)
        self.assertEqual(response.json(), {"problem": "newer"})
        self.assertEqual(self.revisions(), [(1, 5)])

    def test_without_a_script_the_page_asks_and_the_second_time_it_is_a_revision(self):
        on_the_train = ticket_in(self.open(1))
        self.answer(1, answers(5))
        page = self.answer(1, answers(1), ticket=on_the_train)
        self.assertContains(page, "on another device or in another tab", status_code=409)
        self.assertEqual(self.revisions(), [(1, 5)])
        again = ticket_in(page)
        self.assertEqual(self.answer(1, answers(1), ticket=again).status_code, 302)
        self.assertEqual(self.revisions(), [(1, 5), (2, 1)])

    def test_the_same_answer_from_both_is_one(self):
        on_the_train = ticket_in(self.open(1))
        self.answer(1, answers(5))
        self.assertEqual(self.answer(1, answers(5), ticket=on_the_train, **JSON).status_code, 200)
        self.assertEqual(self.revisions(), [(1, 5)])

    def test_a_revision_of_what_was_seen_is_stored(self):
        self.answer(1, answers(5))
        self.assertEqual(unseal(ticket_in(self.open(1))).seen, 1)
        self.assertEqual(self.answer(1, answers(4)).status_code, 302)
        self.assertEqual(self.revisions(), [(1, 5), (2, 4)])

    def test_two_revisions_of_the_same_judgment_cross(self):
        self.answer(1, answers(5))
        first, second = ticket_in(self.open(1)), ticket_in(self.open(1))
        self.assertEqual(self.answer(1, answers(4), ticket=first, **JSON).status_code, 200)
        self.assertEqual(self.answer(1, answers(2), ticket=second, **JSON).status_code, 409)
        self.assertEqual(self.revisions(), [(1, 5), (2, 4)])

    def test_one_ticket_with_another_answer_is_a_revision_that_counts_once(self):
        """The reply to the first got lost, and the annotator changed the answer before it was sent
        again, twice."""
        ticket = ticket_in(self.open(1))
        for value in (5, 4, 4, 5):
            self.assertEqual(self.answer(1, answers(value), ticket=ticket, **JSON).status_code, 200)
        self.assertEqual(self.revisions(), [(1, 5), (2, 4)], "the first answer, sent late, is old")
        self.assertEqual(self.answer(1, answers(1), ticket=ticket, **JSON).status_code, 200)
        self.assertEqual(self.revisions(), [(1, 5), (2, 4), (3, 1)])

    def test_one_ticket_with_another_answer_after_a_newer_judgment_is_refused(self):
        ticket = ticket_in(self.open(1))
        self.answer(1, answers(5), ticket=ticket, **JSON)
        self.answer(1, answers(4))
        self.assertEqual(self.answer(1, answers(2), ticket=ticket, **JSON).status_code, 409)
        self.assertEqual(self.revisions(), [(1, 5), (2, 4)])

    def test_a_ticket_of_before_says_nothing_of_what_was_seen(self):
        """From a page that was open while the site was upgraded: stored as it was then."""
        old = replace(unseal(ticket_in(self.open(1))), seen=None).seal()
        self.assertIsNone(unseal(old).seen)
        self.answer(1, answers(5))
        self.assertEqual(self.answer(1, answers(2), ticket=old, **JSON).status_code, 200)
        self.assertEqual(self.revisions(), [(1, 5), (2, 2)])
