"""One object of everything that has a URL, and a person of every role."""

import tempfile
from pathlib import Path

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from judgments.exchange.releases import uploads
from judgments.files.guest_list import Guest
from judgments.judges import set_up
from judgments.judges.prompts import PROMPTS
from judgments.models import (
    Campaign,
    Decision,
    DeviceMark,
    Download,
    DownloadKind,
    Invitation,
    Item,
    JobStatus,
    Judge,
    MarkKind,
    MediaFile,
    Note,
    NoteKind,
    NoticeWay,
    Output,
    Practice,
    Project,
    Question,
    Scope,
    SegmentMedia,
    Status,
    TargetedReference,
    TestSet,
)
from judgments.people.invitations import links as invitations
from judgments.people.tokens import tokens as api_tokens
from judgments.publishing.downloads import files as downloads
from judgments.publishing.downloads import making
from judgments.test_sets.media import store
from metrics.lessons.bitext_files import read_bitext
from metrics.lessons.phrase_tables import linking
from metrics.models import BaselineJob, Bitext, MonolingualCorpus
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people import tasks as with_people_tasks
from tests import factory
from tests.media_files import wav

# The requesting users. "elsewhere" is the same role in another campaign on another test set.
ROLES = (
    "anonymous",
    "outsider",
    "annotator",
    "annotator elsewhere",
    "researcher",
    "owner",
    "owner elsewhere",
    "staff",
    "operator",
)
# One campaign of each kind with its own URLs; the others are requested in "rating".
PRESETS = {
    "rating": "adequacy-fluency",
    "spans": "esa-ai",
    "editing": "post-editing",
    "questions": "comprehension",
    "links": "word-alignment",
}


class World:
    """Campaigns on one test set, by the names in PRESETS, and the people of ROLES by theirs."""

    def __init__(self) -> None:
        staff = {"owner", "owner elsewhere", "staff", "operator"}
        self.people = {
            role: factory.make_user(
                role.replace(" ", "-"), is_staff=role in staff, is_superuser=role == "operator"
            )
            for role in ROLES
            if role != "anonymous"
        }
        # Came by an invitation, and so has no password.
        self.second_annotator = factory.make_user("second-annotator")
        self.second_annotator.set_unusable_password()
        self.second_annotator.save()
        self.test_set = factory.make_test_set(self.people["owner"])
        self.campaigns = {
            name: self.make_campaign(preset, name=name, question=name == "questions")
            for name, preset in PRESETS.items()
        }
        # Nothing is judged or assigned yet.
        self.empty = factory.make_campaign(
            self.test_set, owner=self.people["owner"], name="empty", status=Status.DRAFT
        )
        self.judge_some()
        self.make_rows()
        self.make_media()
        self.make_keys_only()
        self.make_other_campaign()
        self.make_judge()

    def make_campaign(self, preset: str, *, name: str, question: bool) -> Campaign:
        annotators = [self.people["annotator"], self.second_annotator]
        campaign = factory.make_campaign(
            self.test_set,
            preset=preset,
            name=name,
            owner=self.people["owner"],
            researchers=[self.people["researcher"]],
            annotators=annotators,
        )
        if name == "spans":  # also shows links by an aligner
            campaign.options["word_links"] = True
            campaign.save()
        if question:
            self.question = Question.objects.create(
                campaign=campaign,
                document=self.test_set.documents.all()[0],
                position=0,
                level=1,
                text="How many swans?",
            )
        alone = name in {"editing", "questions", "links"}
        for seat, annotator in enumerate(annotators, 1):
            factory.make_task(campaign, annotator, seat=seat, n_outputs=1 if alone else None)
        return campaign

    def make_judge(self) -> None:
        """Create a language model as a judge that has not begun."""
        self.judge = set_up.make(
            self.campaigns["rating"],
            Judge(
                name="Model", endpoint="local", model="tiny", prompt="campaign",
                prompt_hash=PROMPTS["campaign"].hash, budget=1,
            ),
            segments=None,
        )  # fmt: skip

    def judge_some(self) -> None:
        items = Item.objects.filter(task__campaign=self.campaigns["rating"])
        for place, item in enumerate(items.order_by("pk")[:6]):
            row = [1.0 + place % 3, 3.0, 5.0 - place % 2]
            factory.judge(item, {"adequacy": row, "fluency": row[::-1]})

    def make_rows(self) -> None:
        owner, rating = self.people["owner"], self.campaigns["rating"]
        self.invitation = Invitation.objects.create(campaign=rating, created_by=owner)
        guests = [Guest("Ada", "ada@example.org"), Guest()]
        self.sheet = invitations.invite_many(rating, guests, by=owner)
        self.mark = DeviceMark.objects.create(
            membership=rating.memberships.get(user=self.second_annotator),
            kind=MarkKind.NETWORK,
            mark="mark",
            first_seen=timezone.now(),
            last_seen=timezone.now(),
        )
        self.rule = rating.notice_rules.create(
            way=NoticeWay.MAIL, address="owner@example.org", created_by=owner
        )
        first, second = (task.items.first() for task in rating.tasks.order_by("seat"))
        system = self.test_set.systems.first()
        self.clash = f"{first.pk}-{second.pk}-{first.segment_id}-{system.pk}"
        self.token, _ = api_tokens.create(owner, name="scripts", scope=Scope.READ, days=30)
        self.practice = Practice.objects.create(
            campaign=rating, position=1, source="Quelle", outputs=["A source"]
        )
        self.make_project(owner)
        self.note = Note.objects.create(
            item=Item.objects.filter(task__campaign=rating).first(),
            annotator=self.people["annotator"],
            kind=NoteKind.FLAG,
            comment="Cut off.",
        )
        Decision.objects.create(
            campaign=rating, annotator=self.second_annotator, excluded=False, decided_by=owner
        )
        self.corpus = MonolingualCorpus.objects.create(
            name="Corpus", language="en", owner=owner, n_lines=1, data=b"", digest=""
        )
        self.bitext = Bitext(name="Bitext", source_language="de", target_language="en", owner=owner)
        read_bitext(self.bitext, SimpleUploadedFile("x.tsv", b"ein Haus\ta house\n"), None)
        self.bitext.save()
        for linked in (self.bitext, self.test_set):
            linking.work_on(linking.ask(linked).pk)
        file = SimpleUploadedFile("x.jsonl", b'{"src": "Eins", "refs": {"A": "One"}}\n')
        self.upload = uploads.store(owner, [("x.jsonl", file)])
        uploads.work_at_once(self.upload.pk)
        kind = DownloadKind.ALL_RESULTS
        self.download = downloads.ask(owner, rating, kind, site="http://testserver/")
        assert making.work(self.download.pk)
        chosen = [MetricChoice("bleu"), MetricChoice("ter")]
        self.job = jobs.create_job(self.test_set, chosen, ["ref"])
        jobs.work_on(self.job.pk)
        self.baseline_job = BaselineJob.objects.create(
            test_set=self.test_set, kind="phrase-based", name="Baseline", status=JobStatus.DONE
        )
        output = Output.objects.filter(segment__test_set=self.test_set).first()
        TargetedReference.objects.create(output=output, name="Mia", text="Edited")
        with_people_tasks.run_agreement.call(rating.pk, "page")
        self.column = score_table(self.test_set).columns[0]

    def make_project(self, owner) -> None:
        """Create a project of two campaigns, with a link, a colleague and a release."""
        self.project = Project.objects.create(name="Project", slug="project", owner=owner)
        self.project.campaigns.add(self.campaigns["rating"], self.campaigns["spans"])
        self.project_link = self.project.links.create(role="annotator", created_by=owner)
        self.project_member = self.project.people.create(
            user=factory.make_user("watcher"), role="watcher", alias="watcher"
        )
        self.project_download = Download.objects.create(
            owner=owner, project=self.project, kind=DownloadKind.RELEASE, status=JobStatus.DONE
        )

    def make_media(self) -> None:
        """Add a sound to every source of the test set that campaigns use."""
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            file.write(wav())
            file.flush()
            sha256 = store.keep(Path(file.name))
        self.media = MediaFile.objects.create(
            test_set=self.test_set, name="talk.wav", kind="audio/wav", sha256=sha256,
            n_bytes=len(wav()),
        )  # fmt: skip
        for segment in self.test_set.segments.all():
            SegmentMedia.objects.create(segment=segment, file=self.media)
        self.test_set.has_media = True
        self.test_set.save(update_fields=["has_media"])

    def make_keys_only(self) -> None:
        """Create a test set to which texts can be added."""
        owner = self.people["owner"]
        self.keys_only = factory.take_texts(factory.make_test_set(owner, name="Keys only"))
        people = {"owner": owner, "researchers": [self.people["researcher"]]}
        factory.make_campaign(self.keys_only, name="keys", status=Status.CLOSED, **people)

    def make_other_campaign(self) -> None:
        owner = self.people["owner elsewhere"]
        self.other_test_set: TestSet = factory.make_test_set(owner, name="Other set")
        annotator = self.people["annotator elsewhere"]
        self.other = factory.make_campaign(
            self.other_test_set, owner=owner, annotators=[annotator], name="Elsewhere"
        )
        factory.make_task(self.other, annotator)

    def clients(self) -> dict[str, Client]:
        """Return a browser for every role, signed in; a server error is an answer of 500."""
        found = {}
        for role in ROLES:
            client = Client(raise_request_exception=False)
            if person := self.user(role):
                client.force_login(person)
            found[role] = client
        return found

    def user(self, role: str) -> User | None:
        return self.people.get(role)
