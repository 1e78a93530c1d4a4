"""While a bundle is verified, which is one transaction of minutes, everybody else works on."""

import threading
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from judgments.models import Judgment, Output, TestSet
from judgments.models.chains.sealing import seal_all
from judgments.publishing.bundles import rebuild, verification
from judgments.publishing.bundles.release import release
from tests import factory

pytestmark = pytest.mark.django_db(transaction=True)
LONG = 60  # seconds; nothing here takes them unless it fails


@pytest.fixture
def campaign():
    owner, annotator = factory.make_user("owner", is_staff=True), factory.make_user("annotator")
    campaign = factory.make_campaign(
        factory.make_test_set(owner), owner=owner, annotators=[annotator]
    )
    task = factory.make_task(campaign, annotator)
    for item in task.items.all():
        factory.judge(item, {"adequacy": [4] * item.shown.count()})
    seal_all()
    return campaign


@pytest.fixture
def verifying(campaign, tmp_path):
    """A verification whose rows are stored and whose figures are being computed."""
    file = tmp_path / "release.zip"
    release(campaign, file)
    is_there, may_go = threading.Event(), threading.Event()
    every_figure = verification._every_figure
    verdicts = []

    def waiting(copy):
        is_there.set()
        may_go.wait(LONG)
        return every_figure(copy)

    def verify():
        try:
            verdicts.append(verification.verify(file))
        finally:
            connection.close()

    with (
        patch.object(verification, "_every_figure", waiting),
        patch.object(rebuild, "AT_ONCE", 0),  # as after a bundle of many rows
    ):
        thread = threading.Thread(target=verify)
        thread.start()
        assert is_there.wait(LONG)
        yield
        may_go.set()
        thread.join()
    (verdict,) = verdicts
    assert verdict.wrong == []


def test_files_are_uploaded_while_a_bundle_is_verified(campaign, verifying):
    client = Client(raise_request_exception=False)
    client.force_login(campaign.test_set.owner)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '5s'")  # the web server's is 10
    fields = {"name": "New", "source_language": "de", "target_language": "en"}
    files = {
        "source": SimpleUploadedFile("src.txt", b"eins\nzwei\n"),
        "references": [SimpleUploadedFile("ref.txt", b"one\ntwo\n")],
        "systems": [SimpleUploadedFile("A.txt", b"a\nb\n")],
    }
    response = client.post(reverse("test-set-new"), fields | files)
    assert response.status_code == 302, response.text
    assert Output.objects.filter(system__test_set__name="New").count() == 2

    rows = "annotator\tsegment\tsystem\tdimension\tvalue\nann\t1\tSystem-A\tadequacy\t4\n"
    before = Judgment.objects.count()
    file = SimpleUploadedFile("rows.tsv", rows.encode())
    response = client.post(reverse("import-judgments", args=[campaign.pk]), {"file": file})
    assert response.status_code == 302, response.text
    assert Judgment.objects.count() == before + 1
    assert TestSet.objects.count() == 2, "what is verified is seen by nobody"
