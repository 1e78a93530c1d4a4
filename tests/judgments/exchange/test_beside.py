"""While something long is stored, or computed and taken back, everybody else works on.

Whatever takes long is held at the end of each of its transactions, when it has every lock that it
takes; nobody else may wait for any of them.
"""

import threading
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from django.urls import reverse

from judgments.exchange.judgments.importer import import_judgments
from judgments.exchange.releases.importer import import_release
from judgments.files import copying
from judgments.models import Judgment, Output, TestSet
from judgments.models.chains import record
from judgments.models.chains.sealing import seal_all
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.publishing.bundles import rebuild, verification
from judgments.publishing.bundles.release import release
from tests import factory
from tests.judgments.judging.judge_pages import answers, ticket_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
LONG = 120  # seconds; nothing here takes them unless it fails
N_ANNOTATORS = 50
HEADER = "annotator\tsegment\tsystem\tdimension\tvalue\n"
# Who looks at a table keeps others from it until the transaction ends.
LOOKED_AT = """
SELECT relation::regclass::text FROM pg_locks JOIN pg_class ON pg_class.oid = relation
WHERE mode = 'ShareUpdateExclusiveLock' AND relnamespace = current_schema()::regnamespace
AND pid IN (SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend')
"""


class Site:
    """A campaign in which people judge, another one of the same texts, and files of both."""

    def __init__(self, folder) -> None:
        self.folder = folder
        self.owner = factory.make_user("owner", is_staff=True)
        self.people = [factory.make_user(f"annotator-{n}") for n in range(N_ANNOTATORS)]
        test_set = factory.make_test_set(self.owner, n_segments=8)
        self.campaign, self.other, self.third = (
            factory.make_campaign(test_set, owner=self.owner, annotators=self.people, name=name)
            for name in ("Judged", "Other", "Third")
        )
        for batch, person in enumerate(self.people, 1):
            task = factory.make_task(self.campaign, person, batch=batch)
            factory.judge(task.items.first(), {"adequacy": [4, 3, 2], "fluency": [4, 3, 2]})
        seal_all()
        record.begin(self.campaign.pk, "opened")
        self.next = 2
        self.release = folder / "release.zip"
        release(self.campaign, self.release)
        self.exported = folder / "exported"
        to = {"format": "mt-metrics-eval", "to": self.exported, "verbosity": 0}
        call_command("export_judgments", str(self.campaign.pk), **to)
        self.rows = folder / "rows.tsv"
        self.rows.write_text(f"{HEADER}new\t1\tSystem-A\tadequacy\t4\n")

    def others_work(self, *, of_its_own: bool) -> None:
        """Run an upload, a plan, an import, and an answer of every annotator; waiting longer than a
        second for a lock is an error. of_its_own: whether the lock is on separate tables, so that
        only these are checked."""
        with connection.cursor() as cursor:
            cursor.execute(LOOKED_AT)
            assert not (of_its_own and cursor.fetchall())
            cursor.execute("SET lock_timeout = '1s'")
        client = Client(raise_request_exception=False)
        client.force_login(self.owner)
        name = f"New {self.next}"
        fields = {"name": name, "source_language": "de", "target_language": "en"}
        files = {
            "source": SimpleUploadedFile("src.txt", b"eins\nzwei\n"),
            "references": [SimpleUploadedFile("ref.txt", b"one\ntwo\n")],
            "systems": [SimpleUploadedFile("A.txt", b"a\nb\n")],
        }
        response = client.post(reverse("test-set-new"), fields | files)
        assert response.status_code == 302, response.text
        assert Output.objects.filter(system__test_set__name=name).count() == 2
        design.plan(self.third, PlanSettings())
        before = Judgment.objects.count()
        file = SimpleUploadedFile(
            "rows.tsv", f"{HEADER}a{self.next}\t1\tSystem-A\tadequacy\t4\n".encode()
        )
        response = client.post(reverse("import-judgments", args=[self.campaign.pk]), {"file": file})
        assert response.status_code == 302, response.text
        for person in self.people:
            client.force_login(person)
            address = reverse("judge-item", args=[self.campaign.pk, self.next])
            ticket = ticket_in(client.get(address))
            response = client.post(address, answers() | {"ticket": ticket})
            assert response.status_code == 302, response.text
        assert Judgment.objects.count() == before + 1 + len(self.people)
        self.next += 1


def verify(site: Site) -> None:
    assert verification.verify(site.release).wrong == []


def bring(site: Site, *, keep: bool) -> None:
    owner = factory.make_user("bringer", is_staff=True) if keep else site.owner
    findings = import_release([site.exported], owner, keep=keep)
    assert not findings.problems and bool(findings.written) == keep


def try_into(campaign, folder) -> None:
    """Try to import a table into a campaign."""
    path = folder / "tried.tsv"
    path.write_text("rater\tsegment\tsystem\tadequacy\nnobody\t1\tSystem-A\t4\n")
    answers = {"campaign": str(campaign.pk)}
    findings = import_release([path], campaign.test_set.owner, answers=answers, keep=False)
    assert not findings.problems and not findings.unanswered and not findings.written
    assert any("1 judgment (1 observation) by 1 rater" in each for each in findings.remarks)


WORK = {
    "verify": verify,
    "release": lambda site: release(site.campaign, site.folder / "again.zip"),
    "recompute": lambda site: call_command("recompute", site.exported, verbosity=0),
    "import": lambda site: import_judgments(site.other, site.rows),
    "trial": lambda site: bring(site, keep=False),
    "trial into a campaign": lambda site: try_into(site.campaign, site.folder),
    "import of a release": lambda site: bring(site, keep=True),
    "plan": lambda site: design.plan(site.other, PlanSettings()),
}


@pytest.mark.parametrize("name", WORK)
def test_nobody_waits(name, tmp_path):
    site = Site(tmp_path)
    is_there, may_go = threading.Event(), threading.Event()
    problems: list[BaseException] = []

    def work() -> None:
        try:
            WORK[name](site)
        except BaseException as problem:  # noqa: BLE001
            problems.append(problem)
        finally:
            connections.close_all()
            is_there.set()

    thread = threading.Thread(target=work)

    def held(end):
        def ends(wrapper):
            if threading.current_thread() is thread:
                may_go.clear()
                is_there.set()
                may_go.wait(LONG)
            return end(wrapper)

        return ends

    with (
        patch.object(BaseDatabaseWrapper, "commit", held(BaseDatabaseWrapper.commit)),
        patch.object(BaseDatabaseWrapper, "rollback", held(BaseDatabaseWrapper.rollback)),
        # As after many rows.
        patch.object(rebuild, "AT_ONCE", 0),
        patch.object(copying, "MANY_ROWS", 0),
    ):
        thread.start()
        n_held = 0
        try:
            while is_there.wait(LONG) and thread.is_alive():
                is_there.clear()
                site.others_work(of_its_own=name in ("verify", "release", "recompute"))
                n_held += 1
                may_go.set()
        finally:
            while thread.is_alive():
                may_go.set()
                thread.join(0.1)
            connection.close()  # and with it its limit
    assert problems == []
    assert n_held > 0
    n_sets = TestSet.objects.exclude(name__startswith="New").count()
    assert n_sets == 1 + (name == "import of a release"), "what was taken back is seen by nobody"
