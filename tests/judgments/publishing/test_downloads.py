"""Files made by a worker while the user who requested them goes on."""

import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import pytest
from django.conf import settings as site_settings
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.models import (
    Act,
    Download,
    DownloadKind,
    DownloadPiece,
    JobStatus,
    Judgment,
    NotWanted,
    Project,
    Role,
    Status,
    Task,
)
from judgments.models.chains.sealing import seal_all
from judgments.people.my_data import erasure
from judgments.publishing.downloads import files as downloads
from judgments.publishing.downloads import making
from judgments.test_sets.deletion.rows import delete_campaign
from judgments.web import heavy
from tests import factory
from tests.made_files import made

pytestmark = pytest.mark.django_db(transaction=True, databases=list(site_settings.DATABASES))


ANSWERS = {"adequacy": [1.0, 2.0, 3.0], "fluency": [3.0, 2.0, 1.0]}


@pytest.fixture
def campaign(settings):
    settings.RATE_LIMITS = 1
    settings.MOMENT_DATABASE = "moment"  # in addition to which the worker writes its progress
    owner = factory.make_user("owner")
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    annotator = factory.make_user("annotator")
    campaign.memberships.create(user=annotator, role=Role.ANNOTATOR, alias="Annotator")
    for item in factory.make_task(campaign, annotator).items.all()[:3]:
        factory.judge(item, ANSWERS)
    seal_all()
    return campaign


@pytest.fixture
def owner(campaign):
    return campaign.memberships.get(role=Role.OWNER).user


@pytest.fixture
def visitor(owner):
    client = Client()
    client.force_login(owner)
    return client


def archive_of(campaign, query="") -> str:
    return reverse("export-archive", args=[campaign.pk]) + query


def ask(owner, campaign, kind=DownloadKind.ALL_RESULTS) -> Download:
    return downloads.ask(owner, campaign, kind, site="http://testserver/")


def text_of(visitor, download) -> str:
    return visitor.get(download.get_absolute_url()).content.decode()


def test_an_address_that_is_opened_makes_nothing(visitor, campaign):
    page = visitor.get(archive_of(campaign, "?annotators=all")).content.decode()
    assert "Make the file" in page
    assert f'action="{archive_of(campaign, "?annotators=all")}"' in page
    assert not Download.objects.exists()
    assert visitor.get(archive_of(campaign, "?annotators=some")).status_code == 400
    assert visitor.post(archive_of(campaign, "?annotators=some")).status_code == 400
    assert not Download.objects.exists()


@pytest.mark.proof
def test_from_the_button_to_the_file(visitor, campaign):
    exports = visitor.get(reverse("exports", args=[campaign.pk])).content.decode()
    assert f'<form method="post" action="{archive_of(campaign)}">' in exports
    place = visitor.post(archive_of(campaign))["Location"]
    page = visitor.get(place).content.decode()
    assert "Waiting for a worker." in page
    assert f'hx-get="{place}"' in page
    assert visitor.get(f"{place}file").status_code == 404
    assert making.work(Download.objects.get().pk)
    page = visitor.get(place).content.decode()
    assert "Download archive.zip" in page
    assert "hx-get" not in page
    file = visitor.get(f"{place}file")
    assert file["Content-Disposition"].endswith('-archive.zip"')
    assert file.getvalue().startswith(b"PK")
    assert place in visitor.get(reverse("exports", args=[campaign.pk])).content.decode()
    acts = Act.objects.order_by("pk").values_list("act", flat=True)
    assert list(acts) == ["export-archive", "download-file"]


def test_a_release_of_a_project_has_what_its_owner_may_release(visitor, owner, campaign, tmp_path):
    other = factory.make_user("other")
    read = factory.make_campaign(
        campaign.test_set, owner=other, name="Read only", researchers=[owner]
    )
    hidden = factory.make_campaign(campaign.test_set, owner=other, name="Hidden")
    project = Project.objects.create(name="Year", slug="year", owner=owner)
    project.campaigns.add(campaign, read, hidden)
    address = reverse("project-release", args=["year"])
    assert f'action="{address}"' in visitor.get(project.get_absolute_url()).content.decode()
    place = visitor.post(address, {"hashes_only": "on"})["Location"]
    assert place == f"/projects/year/made/{Download.objects.get().pk}/"
    assert "the project" in visitor.get(place).content.decode()
    assert making.work(Download.objects.get().pk)
    assert "Download release.zip" in visitor.get(place).content.decode()
    assert place in visitor.get(project.get_absolute_url()).content.decode()
    file = visitor.get(f"{place}file")
    assert file["Content-Disposition"].endswith('"year-release.zip"')
    (tmp_path / "x.zip").write_bytes(file.getvalue())
    with zipfile.ZipFile(tmp_path / "x.zip") as packed:
        manifest = json.loads(packed.read("manifest.json"))
    assert [each["campaign"] for each in manifest["campaigns"]] == [campaign.name]
    assert (manifest["left_out"], manifest["hidden_campaigns"]) == (["Read only"], 1)
    assert "Hidden" not in str(manifest)
    elsewhere = Client()
    elsewhere.force_login(other)
    assert elsewhere.get(project.get_absolute_url()).status_code == 200
    assert "project-release" not in elsewhere.get(project.get_absolute_url()).content.decode()
    assert elsewhere.post(address).status_code == 403
    assert elsewhere.get(f"{place}file").status_code == 403
    campaign.memberships.filter(user=owner).update(role=Role.RESEARCHER)
    assert visitor.get(f"{place}file").status_code == 403
    visitor.post(address)
    assert making.work(Download.objects.first().pk)
    assert "no campaign that you may release" in Download.objects.first().message


@pytest.fixture
def released(owner, campaign):
    """A project's file with two campaigns of one owner, whose content does not matter; and the
    second of them."""
    second = factory.make_campaign(campaign.test_set, owner=owner, name="Second")
    project = Project.objects.create(name="Year", slug="year", owner=owner)
    project.campaigns.add(campaign, second)
    download = ask(owner, project, DownloadKind.RELEASE)
    with patch.object(making, "release_project", lambda *args, **_: args[-1].write_bytes(b"PK")):
        assert making.work(download.pk)
    download.refresh_from_db()
    assert download.status == JobStatus.DONE, download.message
    return download, second


def test_a_release_of_a_project_is_for_who_may_release_each_campaign_in_it(visitor, released):
    """Also of one that has left the project since."""
    download, second = released
    address = f"{download.get_absolute_url()}file"
    assert visitor.get(address).status_code == 200
    next_owner = second.memberships.create(
        user=factory.make_user("next"), role=Role.OWNER, alias="Next owner"
    )
    second.memberships.exclude(pk=next_owner.pk).delete()
    assert visitor.get(address).status_code == 403
    download.project.campaigns.remove(second)
    assert visitor.get(address).status_code == 403
    second.memberships.create(user=download.owner, role=Role.OWNER, alias="Owner again")
    download.project.campaigns.add(second)
    assert visitor.get(address).status_code == 200


@pytest.mark.parametrize("has_left", [False, True])
def test_a_release_of_a_project_goes_with_a_campaign_that_is_deleted(released, has_left):
    download, second = released
    if has_left:
        download.project.campaigns.remove(second)
    second.status = Status.CLOSED
    second.save(update_fields=["status"])
    delete_campaign(second, by="owner", reason="a test")
    assert not Download.objects.exists() and not DownloadPiece.objects.exists()


def test_a_release_of_a_project_goes_when_somebody_in_it_is_erased(released, campaign):
    """Also where their campaign has left the project since."""
    download, _ = released
    download.project.campaigns.remove(campaign)
    annotator = Judgment.objects.first().annotator
    erasure.erase(annotator, by="owner", reason="asked for", judgments=True)
    assert not Download.objects.exists()


def test_all_results_are_made_of_a_large_campaign_only(visitor, campaign):
    address = reverse("export-json", args=[campaign.pk])
    at_once = json.loads(visitor.get(address).getvalue())
    Task.objects.filter(campaign=campaign).update(n_items=heavy.MANY, n_judged=heavy.MANY)
    assert "Make the file" in visitor.get(address).content.decode()
    later = json.loads(made(visitor, f"{address}?annotators=all"))
    assert later["selection"]["address"] != at_once["selection"]["address"]
    assert later["agreement"] == at_once["agreement"]


def test_a_file_of_many_pieces_is_put_together(visitor, campaign):
    with patch.object(making, "PIECE", 1000):
        content = made(visitor, reverse("export-json", args=[campaign.pk]))
    assert DownloadPiece.objects.count() == -(-len(content) // 1000) > 3
    assert json.loads(content)["campaign"]["name"] == campaign.name


def test_the_same_is_made_once_and_only_two_at_a_time(visitor, owner, campaign):
    first = visitor.post(archive_of(campaign))["Location"]
    assert visitor.post(archive_of(campaign))["Location"] == first
    second = visitor.post(archive_of(campaign, "?annotators=all"))["Location"]
    assert second != first
    third = visitor.post(reverse("export-json", args=[campaign.pk]))
    assert third.status_code == 429
    assert third["Retry-After"] == "10"
    assert Download.objects.count() == 2

    other = factory.make_user("other")
    campaign.memberships.create(user=other, role=Role.RESEARCHER, alias="Other")
    assert ask(other, campaign).owner == other, "each account has its own"
    assert making.work(Download.objects.filter(owner=owner).earliest("pk").pk)
    assert visitor.post(reverse("export-json", args=[campaign.pk])).status_code == 302


def test_what_was_made_is_not_made_again_by_a_second_worker(owner, campaign):
    download = ask(owner, campaign)
    assert making.work(download.pk)
    assert not making.work(download.pk)


def test_a_worker_that_ended(visitor, owner, campaign):
    """Its lock goes with its connection; until then another one leaves the file to it."""
    download = ask(owner, campaign)
    ended = patch.object(making, "_make", side_effect=KeyboardInterrupt)
    with ended, pytest.raises(KeyboardInterrupt):
        making.work(download.pk)
    download.refresh_from_db()
    assert download.status == JobStatus.RUNNING
    assert "stopped before it was finished" in text_of(visitor, download)
    again = visitor.post(f"{download.get_absolute_url()}again")["Location"]
    new = Download.objects.get()
    assert again == new.get_absolute_url()
    assert making.work(new.pk)
    assert not making.work(download.pk), "the one that was given up"


def elsewhere(download) -> tuple[bool, bool]:
    """Return what a page and another worker see, with separate connections."""
    try:
        return downloads.is_lost(download), making.work(download.pk)
    finally:
        connections.close_all()


def test_a_worker_at_work_is_not_lost(visitor, owner, campaign):
    download, seen = ask(owner, campaign), []

    def look(made, file):
        made.refresh_from_db()
        with ThreadPoolExecutor(1) as another:
            seen.append((made.status, *another.submit(elsewhere, made).result()))
        file.write_bytes(b"x")

    with patch.dict(making.MAKERS, {download.kind: look}):
        assert making.work(download.pk)
    assert seen == [(JobStatus.RUNNING, False, False)]
    assert visitor.post(f"{download.get_absolute_url()}again")["Location"] == (
        download.get_absolute_url()
    ), "what is there is not made again"


def test_what_is_discarded_meanwhile_is_not_stored(visitor, owner, campaign):
    for kind in (DownloadKind.ALL_RESULTS, DownloadKind.RELEASE):
        download = ask(owner, campaign, kind)

        def discard(made, file):
            address = f"{made.get_absolute_url()}discard"
            assert visitor.post(address).status_code == 302
            file.write_bytes(b"x")

        with patch.dict(making.MAKERS, {kind: discard}):
            assert not making.work(download.pk)
        assert not Download.objects.exists()
        assert not DownloadPiece.objects.exists()


def test_making_ends_soon_after_the_file_was_discarded(owner, campaign, tmp_path):
    download, taken = ask(owner, campaign), []
    Download.objects.update(status=JobStatus.RUNNING)

    def pieces():
        for n in range(3):
            taken.append(n)
            yield b"x" * 7
            if n == 1:
                Download.objects.all().delete()

    with patch.object(making, "LOOK", 0), pytest.raises(NotWanted):
        making._write(pieces(), tmp_path / "file", making._progress(download))
    assert taken == [0, 1, 2]
    assert not Download.objects.exists()


def test_whoever_may_not_read_any_more_gets_nothing(visitor, owner, campaign):
    waiting, made_before = ask(owner, campaign), ask(owner, campaign, DownloadKind.RELEASE)
    assert making.work(made_before.pk)
    campaign.memberships.create(user=factory.make_user("next"), role=Role.OWNER, alias="Next owner")
    campaign.memberships.filter(user=owner).update(role=Role.RESEARCHER)
    assert visitor.get(f"{made_before.get_absolute_url()}file").status_code == 403
    campaign.memberships.filter(user=owner).delete()
    assert visitor.get(f"{made_before.get_absolute_url()}file").status_code == 404
    assert making.work(waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.status, waiting.message) == (JobStatus.FAILED, making.MAY_READ_NO_MORE)
    assert not waiting.pieces.exists()


def test_a_failure_says_why_and_can_be_tried_again(visitor, owner, campaign):
    factory.judge(campaign.tasks.get().items.last(), ANSWERS)
    download = ask(owner, campaign, DownloadKind.RELEASE)
    assert making.work(download.pk)
    assert "chain" in text_of(visitor, download)
    with patch.dict(making.MAKERS, {download.kind: lambda made, file: 1 / 0}):
        again = visitor.post(f"{download.get_absolute_url()}again")["Location"]
        assert making.work(Download.objects.get().pk)
    assert "the log of the worker says why" in visitor.get(again).content.decode()


def test_files_with_names_go_when_somebody_is_erased(owner, campaign):
    for kind in (DownloadKind.ALL_RESULTS, DownloadKind.ARCHIVE):
        assert making.work(ask(owner, campaign, kind).pk)
    waiting = ask(owner, campaign)
    annotator = Judgment.objects.first().annotator
    erasure.erase(annotator, by="owner", reason="asked for", judgments=False)
    assert not Download.objects.exists()
    assert not making.work(waiting.pk)


def test_they_go_with_a_task_after_a_day(owner, campaign, run_tasks):
    download = ask(owner, campaign)
    run_tasks()
    assert Download.objects.get().status == JobStatus.DONE
    DBTaskResult.objects.update(run_after=timezone.now())
    run_tasks()
    assert not Download.objects.filter(pk=download.pk).exists()
