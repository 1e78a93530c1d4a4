"""The tutorial as a test: who passes, who is turned away, and what everybody is shown."""

from django.urls import reverse

from judgments.judging.practice.gate import gate_of
from judgments.models import AnnotatorState, Judgment, Membership, Project, Task
from judgments.people import states
from judgments.people.staffing.settings import set_staffing
from judgments.quality.decisions.decisions import decide
from tests import factory

from .judge_pages import answers
from .test_practice import FIRST, PracticeTestCase

ONE = {"source": "Es schneit.", "outputs": ["Snow."], "expected": {"output1-adequacy": 2}}
RIGHT = answers(5, n_outputs=2) | {"output2-fluency": "2"}
HALF = answers(5, n_outputs=2)  # fluency of the second is to be 1 or 2


class GateTestCase(PracticeTestCase):
    """Three required answers, two in the first item and one in the second."""

    def setUp(self):
        super().setUp()
        self.write(FIRST, ONE)
        self.ask(0.6, 2)
        Task.objects.filter(annotator=self.annotator_1).update(annotator=None)

    def ask(self, right, tries, campaign=None):
        campaign = campaign or self.campaign
        campaign.plan = campaign.plan | {"tutorial_right": right, "tutorial_tries": tries}
        campaign.save()

    def entry(self):
        return self.get_as(self.annotator_1, "judge", self.campaign.pk)

    def practice_url(self, number):
        return reverse("judge-practice", args=[self.campaign.pk, number])

    def member(self):
        return Membership.objects.get(user=self.annotator_1, campaign=self.campaign)

    def fail(self):
        self.practice(1, HALF)
        return self.practice(2, answers(5, n_outputs=1))

    def takes_work(self):
        self.post_as(self.annotator_1, "judge", self.campaign.pk)
        return Task.objects.filter(annotator=self.annotator_1, campaign=self.campaign).exists()


class AnnotatorTest(GateTestCase):
    def test_what_is_needed_is_said_first(self):
        page = self.get_as(self.annotator_1, "judge-practice", self.campaign.pk, 1)
        self.assertContains(page, "at least 60 % of your answers")
        self.assertContains(page, "Attempts: 2.")
        self.practice(1, RIGHT)
        page = self.client.get(self.practice_url(2))
        self.assertNotContains(page, "Attempts: 2.")

    def test_who_passes_gets_work(self):
        self.practice(1, HALF)  # one of two
        self.assertFalse(self.takes_work())
        page = self.practice(2, answers(2, n_outputs=1))
        self.assertContains(page, "You passed the practice")
        self.assertContains(page, "Correct answers: 2 of 3.")  # 67 %
        member = self.member()
        self.assertIsNotNone(member.qualified_at)
        self.assertEqual((member.n_tutorial_tries, member.n_practiced), (1, 2))
        self.assertTrue(self.takes_work())
        # Looking at it again changes nothing.
        self.practice(2, answers(5, n_outputs=1))
        self.assertEqual(self.member().n_tutorial_right, 2)

    def test_exactly_the_share_is_enough_and_one_less_is_not(self):
        for right, wanted in ((2 / 3, True), (0.67, False)):
            Membership.objects.filter(pk=self.member().pk).update(
                n_practiced=0, n_tutorial_tries=0, qualified_at=None
            )
            self.ask(right, 2)
            self.practice(1, HALF)
            self.practice(2, answers(2, n_outputs=1))
            self.assertEqual(self.member().qualified_at is not None, wanted, right)

    def test_another_try_counts_anew_and_the_last_one_turns_away(self):
        page = self.fail()
        self.assertContains(page, "Please practice again")
        self.assertContains(page, "Correct answers: 1 of 3.")
        self.assertRedirects(self.entry(), self.practice_url(1))
        self.assertFalse(self.takes_work())
        page = self.fail()
        self.assertContains(page, "You did not pass the practice")
        state = states.state_of(self.member())
        self.assertEqual((state.name, state.by), (states.HELD, None))
        self.assertIn("1 of 3 answers were right in the last try (2 of 2)", state.reason)
        self.assertContains(self.entry(), "there is no work for you in this campaign")
        self.assertNotContains(self.client.get("/"), reverse("judge", args=[self.campaign.pk]))
        self.assertContains(self.client.get("/"), "no more work for you")
        self.assertFalse(self.takes_work())
        self.assertEqual(self.practice(1, RIGHT).status_code, 302)
        self.assertEqual((self.member().n_tutorial_tries, Judgment.objects.count()), (2, 0))

    def test_an_answer_counts_once(self):
        """Who sends the first item again, now that they know what was expected, gains nothing."""
        self.practice(1, answers(3, n_outputs=2))
        for _ in range(3):
            self.practice(1, RIGHT)
        member = self.member()
        self.assertEqual((member.n_tutorial_right, member.n_tutorial_asked), (0, 2))

    def test_no_item_is_opened_by_its_address_before(self):
        """Also by somebody who was given a batch."""
        Task.objects.filter(campaign=self.campaign, batch=1, seat=1).update(
            annotator=self.annotator_1
        )
        self.assertEqual(self.open(1).status_code, 302)
        without_ticket = self.client.post(self.item_url(1), answers())
        self.assertEqual(without_ticket.status_code, 302)
        self.practice(1, RIGHT)
        self.practice(2, answers(2, n_outputs=1))
        self.assertEqual(self.open(1).status_code, 200)

    def test_an_owner_may_let_somebody_go_on_who_failed(self):
        self.fail()
        self.fail()
        states.resume_work(self.campaign, self.annotator_1, reason="Known to us.", by=self.owner)
        self.assertTrue(self.takes_work())

    def test_without_a_tutorial_everybody_gets_work(self):
        self.write()
        self.assertTrue(self.takes_work())
        self.assertEqual(self.open(1).status_code, 200)

    def test_items_that_were_taken_away_keep_nobody(self):
        self.write(FIRST, ONE, ONE)
        self.practice(1, RIGHT)
        self.practice(2, answers(2, n_outputs=1))
        self.write(FIRST)
        self.assertRedirects(self.entry(), self.practice_url(1))
        self.practice(1, RIGHT)
        self.assertTrue(self.takes_work())

    def test_the_code_of_those_who_fail(self):
        set_staffing(self.campaign, {"codes": {"pass": "GOOD", "fail": "SCREENED"}})
        self.fail()
        self.assertNotIn("SCREENED", self.entry().content.decode())
        self.fail()
        self.assertContains(self.entry(), "SCREENED")
        states.resume_work(self.campaign, self.annotator_1, reason="Known.", by=self.owner)
        self.assertNotIn("SCREENED", self.entry().content.decode())

    def test_a_tutorial_that_only_teaches_counts_nothing(self):
        self.ask(0, 1)
        self.assertIsNone(gate_of(self.campaign))
        self.fail()
        self.assertTrue(self.takes_work())
        self.assertFalse(AnnotatorState.objects.exists())


class ProjectTest(GateTestCase):
    """Somebody passed the test of a campaign; another of the same project and pair asks it too."""

    def setUp(self):
        super().setUp()
        self.practice(1, RIGHT)
        self.practice(2, answers(2, n_outputs=1))
        self.passed_at, self.first = self.member().qualified_at, self.campaign
        self.campaign = self.make_sibling()

    def make_sibling(self):
        """A campaign like the first, in a project with it."""
        other = factory.make_campaign(
            self.first.test_set,
            preset=self.first.preset,
            owner=self.owner,
            annotators=[self.annotator_1],
        )
        factory.make_task(other)
        other.status = "open"
        other.save()
        self.write(FIRST, ONE, campaign=other)
        self.ask(0.6, 2, other)
        self.project = Project.objects.create(name="Both", slug="both", owner=self.owner)
        self.project.campaigns.add(self.first, other)
        return other

    def is_asked(self):
        return "practice" in self.entry().headers.get("Location", "")

    def test_the_same_test_is_asked_once_in_a_project(self):
        self.assertFalse(self.is_asked())
        self.takes_work()
        self.assertEqual(self.member().qualified_at, self.passed_at)
        self.assertFalse(self.is_asked())

    def test_another_share_items_or_project_is_another_test(self):
        self.ask(0.7, 2)
        self.assertTrue(self.is_asked())
        self.ask(0.6, 2)
        self.assertFalse(self.is_asked())
        self.write(FIRST)
        self.assertTrue(self.is_asked())
        self.write(FIRST, ONE)
        self.project.campaigns.remove(self.first)
        self.assertTrue(self.is_asked())

    def test_who_was_left_out_there_is_asked_again(self):
        states.hold(self.first, self.annotator_1, reason="See.", by=self.owner)
        self.assertFalse(self.is_asked())  # who is held still counts
        decide(self.first, self.annotator_1, excluded=True, reason="Spam.", by=self.owner)
        self.assertTrue(self.is_asked())


class OwnerTest(GateTestCase):
    def test_watch_and_the_file_say_who_passed(self):
        self.fail()
        self.fail()
        part = self.get_as(self.owner, "watch-part", self.campaign.pk, "annotators")
        self.assertContains(part, "requires 60 % right answers: 1 failed, 1 not done.")
        self.assertContains(part, "The tutorial: 1 of 3 answers were right")
        file = self.get_as(self.researcher, "tutorial-file", self.campaign.pk).content.decode()
        lines = file.removeprefix("\ufeff").splitlines()
        self.assertEqual(lines[0], "annotator,result,right,answers,tries,passed_at")
        alias = self.member().alias
        self.assertIn(f"{alias},failed,1,3,2,", lines)
        self.assertEqual(len(lines), 3)
        self.ask(0, 1)
        part = self.get_as(self.owner, "watch-part", self.campaign.pk, "annotators")
        self.assertNotContains(part, "right answers:")

    def test_nobody_else_reads_the_file(self):
        self.assert_refused("tutorial-file", self.campaign.pk)
        response = self.get_as(self.annotator_1, "tutorial-file", self.campaign.pk)
        self.assertEqual(response.status_code, 403)

    def test_the_plan_says_whether_there_is_a_tutorial(self):
        page = self.get_as(self.owner, "campaign-design", self.campaign.pk)
        self.assertContains(page, "Anyone who answers less than 60 % of it correctly, in 2 tries")
        self.write()
        page = self.get_as(self.owner, "campaign-design", self.campaign.pk)
        self.assertContains(page, "the campaign has no tutorial, so everybody gets work")
