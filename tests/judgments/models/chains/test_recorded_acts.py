"""Whatever the pages offer is recorded: the command finds nothing wrong after any act."""

import io

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from judgments.exchange.judgments.importer import import_judgments
from judgments.models import (
    CampaignRecord,
    Membership,
    Output,
    RecordedPart,
    Status,
    System,
    Task,
)
from judgments.models.chains import record
from judgments.models.chains.sealing import seal_all
from judgments.people.workload.work import work_of
from judgments.plans import stopping
from judgments.results.answers import grading
from judgments.test_sets.corpus import add_texts
from tests import factory
from tests.judgments.judging.judge_pages import JudgingTestCase, answers
from tests.judgments.judging.test_questions import RIGHT
from tests.judgments.results.test_answers import AnswersTestCase
from tests.judgments.test_sets.test_add_texts import all_rows


def verified(campaign):
    out = io.StringIO()
    call_command("verify_judgments", campaign.pk, stdout=out)
    assert "as they were stored" in out.getvalue(), out.getvalue()


class Acts:
    def act(self, user, name, *args, says="", **data):
        """Do it through its page; says: the act that the record then ends with."""
        before = self.acts()
        response = self.post_as(user, name, self.campaign.pk, *args, data=data)
        self.assertEqual(response.status_code, 302, response.content.decode()[-3000:])
        verified(self.campaign)
        if says:
            self.assertIn(says, self.acts()[len(before) :])
        return response

    def acts(self):
        found = CampaignRecord.objects.filter(campaign_id=self.campaign.pk)
        return list(found.order_by("pk").values_list("act", flat=True))


class ActsOnACampaignTest(Acts, JudgingTestCase):
    DESIGN = {"batch_items": "2", "seats": "1", "seed": "1", "repeats": "0"}

    def setUp(self):
        people = [self.annotator_1, self.annotator_2]
        self.campaign = factory.make_campaign(
            self.test_set, owner=self.owner, annotators=people, status=Status.DRAFT, name="Acts"
        )

    def open_it(self):
        self.act(self.owner, "campaign-design", **self.DESIGN)
        self.assertEqual(self.acts(), [])  # a draft is nobody's business yet
        self.act(self.owner, "campaign-status", status="open", says="opened")

    def judge(self, number=1, value=3):
        response = self.answer(number, answers(value))
        self.assertEqual(response.status_code, 302)
        verified(self.campaign)

    def claim(self):
        self.act(self.annotator_1, "judge")

    def test_before_anybody_judges(self):
        self.open_it()
        text = {"text": "Read.", "version": "1"}
        self.act(self.owner, "campaign-instructions", says="instructions written", **text)
        asked = {"aim": "all", "dimension": "adequacy", "unit": "segments", "looks": [2, 4]}
        stopping.register(self.campaign, by=self.owner, most=4, **asked)
        verified(self.campaign)
        text = {"rule-text": "Whoever hurries.", "rule-seconds_per_word": "0.2"}
        self.act(self.owner, "quality-rule", says="rule written", **text)
        self.act(self.owner, "campaign-status", status="paused")
        again = self.DESIGN | {"batch_items": "4", "seats": "2", "seed": "9"}
        self.act(self.owner, "campaign-design", says="planned anew", **again)
        self.act(self.owner, "campaign-design-clear", says="plan discarded")
        self.act(self.owner, "campaign-design", says="planned anew", **self.DESIGN)
        self.act(self.owner, "campaign-status", status="open")

    def test_judging_and_giving_work_back(self):
        self.open_it()
        self.claim()
        self.judge()
        self.judge(1, 4)
        member = Membership.objects.get(campaign=self.campaign, user=self.annotator_1)
        given = {"batch": work_of(member).begun[0][0], "confirm": "1"}
        self.act(self.annotator_1, "judge-return", says="work given back", **given)
        self.claim()
        self.act(self.owner, "campaign-extend", says="seats added", seats="2", n_batches="1")
        member_2 = self.campaign.memberships.get(user=self.annotator_2).pk
        given = {"give-member": member_2, "give-n": "1"}
        self.act(self.owner, "campaign-give", **given)
        late = System.objects.create(test_set=self.test_set, name="Late")
        for segment in self.test_set.segments.all():
            Output.objects.create(segment=segment, system=late, text=f"Late {segment.key}")
        wave = {"systems": [late.pk], "share": "50", "links": "1"}
        self.act(self.owner, "campaign-wave", says="wave added", **wave)
        held = Task.objects.filter(campaign=self.campaign, annotator=self.annotator_1).last()
        self.act(self.owner, "task-free", held.pk, says="work given back", sure="on")
        self.claim()
        self.act(self.owner, "member-remove", member.pk)
        self.act(self.owner, "member-take-back", member.pk, says="work taken again")
        self.act(self.owner, "campaign-close", **{"close-sure": "on"})

    def test_decisions(self):
        self.open_it()
        self.claim()
        self.judge()
        about = {"decision-annotator": self.annotator_1.pk, "decision-reason": "Hurried."}
        for action in ("leave-out", "take-in"):
            says = "annotator decided about"
            about["decision-action"] = action
            self.act(self.owner, "quality-decide", says=says, **about)
        item = {"item-segment": "2", "item-system": "", "item-reason": "Cut off."}
        for action in ("leave-out", "take-in"):
            item["item-action"] = action
            self.act(self.owner, "quality-item-decide", says="item decided about", **item)
        text = "annotator\tsegment\treason\nannotator-2\t\tHurried\n\t3\tCut\n"
        file = SimpleUploadedFile("exclusions.tsv", text.encode())
        self.act(self.owner, "quality-exclusions", says="exclusions brought", file=file)

    def test_judgments_from_a_file_and_the_end(self):
        self.open_it()
        self.claim()
        self.judge()
        address = reverse("export-observations", args=[self.campaign.pk])
        self.client.force_login(self.owner)
        rows = b"".join(self.client.get(address).streaming_content)
        copy = factory.make_campaign(
            self.test_set, owner=self.owner, status=Status.CLOSED, name="Copy"
        )
        for name in (b"Mia", b"Jo"):
            text = rows.replace(b"annotator-1", name)
            import_judgments(copy, SimpleUploadedFile("observations.tsv", text))
            verified(copy)
        call_command(
            *("erase_annotator", "annotator-1"),
            reason="Asked.", judgments=True, yes=True, stdout=io.StringIO(),
        )  # fmt: skip
        verified(self.campaign)
        self.act(self.owner, "campaign-close", **{"close-sure": "on"})
        number = self.campaign.pk
        data = {"name": "Acts", "reason": "Asked."}
        self.post_as(self.owner, "campaign-delete", number, data=data)
        self.assertFalse(RecordedPart.objects.filter(campaign_id=number).exists())
        out = io.StringIO()
        call_command("verify_judgments", number, stdout=out)
        self.assertIn("deleted", out.getvalue())

    def test_texts_that_come_later(self):
        texts = factory.take_texts(factory.make_test_set(self.owner, name="Keys"))
        self.campaign = factory.make_campaign(texts, owner=self.owner, status=Status.CLOSED)
        factory.make_task(self.campaign, self.annotator_1)
        record.begin(self.campaign.pk, "opened")
        add_texts(texts, all_rows())
        verified(self.campaign)
        self.assertEqual(self.acts(), ["opened", "texts brought"])


class ActsOnQuestionsTest(Acts, AnswersTestCase):
    def setUp(self):
        self.campaign = self.asking

    def test_questions_and_grades(self):
        factory.make_task(self.asking, self.annotator_1, n_outputs=1)
        record.begin(self.asking.pk, "opened")
        asked = {"text": "Who rowed?", "document": self.documents[1].pk, "level": "2"}
        new = {f"question-{name}": value for name, value in asked.items()}
        self.act(self.owner, "question-new", says="question written", **new)
        pk = self.asking.questions.get(text="Who rowed?").pk
        asked["text"] = "Who swam?"
        self.act(self.owner, "question-edit", pk, says="question written", **asked)
        self.act(self.owner, "question-delete", pk, says="question deleted")
        text = b"document\tlevel\tquestion\ndoc1\t1\tWho sang?\n"
        file = SimpleUploadedFile("questions.tsv", text)
        self.act(self.owner, "questions-import", says="questions brought", file=file)
        self.questions = list(self.asking.questions.order_by("pk"))[:3]
        self.answer(self.annotator_1, "A", [RIGHT, "for-the-secret-key", "Ada"])
        record.note_work(self.asking.pk, "seats added")
        seal_all()
        question = self.questions[2]
        (alike,) = grading.answers_alike(question, self.owner)
        for verdict in ("right", "wrong"):
            graded = {alike.key: verdict}
            self.act(self.owner, "grading-question", question.pk, says="answers graded", **graded)
        call_command(
            *("erase_annotator", "annotator-1"),
            reason="Asked.", judgments=True, yes=True, stdout=io.StringIO(),
        )  # fmt: skip
        verified(self.asking)
        self.assertEqual(self.acts()[-1], "judgments erased")
