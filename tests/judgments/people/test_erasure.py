"""Erasing a person's data leaves a record without the person."""

import io

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from judgments.models import (
    Act,
    CacheEntry,
    ConsentRecord,
    DeviceMark,
    Erasure,
    Grade,
    Judgment,
    Membership,
    Note,
    NoteKind,
    Rating,
    ReadingSettings,
)
from judgments.models.chains import checking, publication
from judgments.people.members import members as people
from judgments.people.staffing.settings import record_consent
from judgments.people.tokens import tokens as api_tokens
from judgments.web.cache import get_or_compute, get_shared, share
from mteval_site import worker
from tests import factory
from tests.judgments.models.chains.test_chain import answer, campaign, found  # noqa: F401

pytestmark = pytest.mark.django_db
NAME = "ada"
REMARK = "Ada Lovelace was here"


@pytest.fixture
def ada(campaign):  # noqa: F811
    user = campaign.members.get(username=NAME)
    user.first_name, user.email = "Ada Lovelace", "ada@example.org"
    user.save()
    item = campaign.tasks.first().items.first()
    Note.objects.create(item=item, annotator=user, kind=NoteKind.FLAG, comment=REMARK)
    ReadingSettings.objects.create(user=user)
    now = timezone.now()
    membership = Membership.objects.get(user=user)
    DeviceMark.objects.create(
        membership=membership, kind="browser", mark="of-ada", first_seen=now, last_seen=now
    )
    api_tokens.create(user, name="of-ada", scope="read", days=30)
    invitation = campaign.invitations.create(
        created_by=campaign.members.get(username="owner"),
        name="Ada Lovelace",
        email="ada@example.org",
        max_uses=1,
    )
    membership.invitation, membership.about = invitation, {"name": "of-ada"}
    membership.external_ids = {"PROLIFIC_PID": "of-ada"}
    membership.save()
    record_consent(membership, accepted=True, language="en", text="Agreed")
    return user


def erase(*arguments, **options):
    out = io.StringIO()
    call_command("erase_annotator", *arguments, reason="They asked.", stdout=out, **options)
    return out.getvalue()


def everything():
    """All that the database holds, as text."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" AS t')
            yield from (text for (text,) in cursor.fetchall())


def test_nothing_is_done_without_yes(campaign, ada):  # noqa: F811
    assert "Nothing was done" in erase(NAME)
    ada.refresh_from_db()
    assert ada.username == NAME and not Erasure.objects.exists()


def test_the_person_is_erased_and_the_judgments_stay(campaign, ada, client):  # noqa: F811
    heads = publication.heads(campaign)
    link = Membership.objects.get(user=ada).get_return_url()
    client.force_login(ada)
    assert client.post(f"/campaigns/{campaign.pk}/status/").status_code == 403  # which is logged
    assert Act.objects.get().user == ada.pk
    assert f"account {ada.pk} is now erased-" in erase(NAME, yes=True, by="the operator")
    assert client.get("/").wsgi_request.user.is_anonymous
    assert client.get(link).status_code == 404
    left = " ".join(everything())
    for trace in (REMARK, "Lovelace", "ada@example.org", "of-ada", "(ada,", ",ada,"):
        assert trace not in left
    (record,) = Erasure.objects.all()
    assert (record.account, record.erased_by, record.reason) == (
        ada.pk,
        "the operator",
        "They asked.",
    )
    assert (record.judgments, record.others) == ({}, {"remarks": 1})
    assert Judgment.objects.filter(annotator=ada).count() == 5
    assert ConsentRecord.objects.get().membership is None
    assert found(campaign) == [] and publication.heads(campaign) == heads


def test_their_judgments_are_erased_and_not_missing(campaign, ada):  # noqa: F811
    first = campaign.tasks.get(annotator=ada)
    erase(NAME, campaign=campaign.pk, judgments=True, yes=True)
    report = checking.check(campaign)
    assert (report.judgments, report.erased, report.found) == (4, 5, [])
    (record,) = Erasure.objects.all()
    assert record.judgments == {str(campaign.pk): 5}
    assert record.others == {"remarks": 1, "ratings": 30}
    assert not Judgment.objects.filter(annotator=ada).exists()
    first.refresh_from_db()
    assert (first.annotator, first.n_judged, first.active_ms) == (None, 0, 0)
    assert not first.items.filter(is_judged=True).exists()
    # Somebody else takes the seat, and the chain goes on.
    other = factory.make_user("chloe")
    Membership.objects.create(campaign=campaign, user=other, role="annotator", alias="chloe")
    first.annotator = other
    first.save()
    answer(campaign, other, first.items.get(position=1), 2)
    assert publication.heads(campaign)["judgments"] == 10
    assert found(campaign) == []
    with factory.rewriting():
        Rating.objects.filter(judgment__annotator=other).update(value=5)
    assert len(found(campaign)) == 1


@pytest.mark.parametrize(("judgments", "kept", "free"), [(False, [(1, 1)], [3]), (True, [], [4])])
def test_what_they_have_not_judged_goes_to_others(judgments, kept, free):
    owner, bob = factory.make_user("owner"), factory.make_user("bob")
    other = factory.make_campaign(factory.make_test_set(owner), owner=owner, annotators=[bob])
    task = factory.make_task(other, bob)
    factory.judge(task.items.first(), {"adequacy": [1, 2, 3], "fluency": [4, 4, 5]})
    erase("bob", judgments=judgments, yes=True)
    assert Membership.objects.get(user=bob).removed_at is not None
    own = other.tasks.filter(annotator=bob)
    assert list(own.values_list("n_judged", "n_items")) == kept
    assert list(other.tasks.filter(annotator=None).values_list("n_items", flat=True)) == free


def test_the_name_of_the_erased_may_be_taken(campaign, ada):  # noqa: F811
    number = people.erase_person(factory.make_user("first"), by="", reason="").pk + 1
    taken = factory.make_user(f"erased-{number}")
    campaign.memberships.create(user=taken, role="annotator", alias=f"erased-{number}")
    assert f"account {ada.pk} is now erased-{number}-2;" in erase(NAME, yes=True)
    assert Membership.objects.get(user=ada).alias == f"erased-{number}-2"


def test_the_record_stays(campaign, ada):  # noqa: F811
    erase(NAME, judgments=True, yes=True)
    for change in (
        lambda rows: rows.update(reason="x"),
        lambda rows: rows.all()._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            change(Erasure.objects)


def test_an_altered_judgment_is_not_hidden_by_erasing_it(campaign, ada):  # noqa: F811
    judgment = Judgment.objects.filter(annotator=ada).first()
    with factory.rewriting():
        Rating.objects.filter(judgment=judgment).update(value=1)
    erase(NAME, judgments=True, yes=True)
    (sentence,) = found(campaign)
    assert sentence.startswith(f"Judgment {judgment.pk} ")


def test_only_annotators(campaign):  # noqa: F811
    with pytest.raises(CommandError, match="owner is also owner of campaign"):
        erase("owner", yes=True)
    for name, options in (("nobody", {}), ("nobody", {"campaign": campaign.pk})):
        with pytest.raises(CommandError, match="nobody"):
            erase(name, yes=True, **options)
    assert not Erasure.objects.exists() and not Grade.objects.exists()


@pytest.fixture
def hosts(settings, tmp_path):
    """`hosts("b")`: from here on the code runs on another host, with a separate folder."""

    def on(name):
        kept = {**settings.CACHES["results"], "LOCATION": tmp_path / name}
        settings.CACHES = {**settings.CACHES, "results": kept}

    return on


def kept_files(folder):
    return list(folder.glob("*.djcache"))


@pytest.mark.parametrize("by_worker", [False, True])
def test_every_host_forgets_what_it_kept(
    campaign,  # noqa: F811
    ada,
    hosts,
    tmp_path,
    django_capture_on_commit_callbacks,
    monkeypatch,
    by_worker,
):
    for host in "ab":
        hosts(host)
        assert get_or_compute("who", lambda: NAME, group=campaign.pk) == NAME
        assert kept_files(tmp_path / host)
    hosts("a")
    with django_capture_on_commit_callbacks(execute=True):
        erase(NAME, yes=True)
    assert not kept_files(tmp_path / "a")
    assert kept_files(tmp_path / "b"), "nobody can reach the other host's folder"
    hosts("b")
    if by_worker:
        # The connection is that of the test.
        monkeypatch.setattr(worker, "close_old_connections", lambda: None)
        own = worker.Worker(
            queue_names=["default"], interval=0, batch=True, backend_name="default",
            startup_delay=False, max_tasks=None, worker_id="b", excluded_queue_names=[],
        )  # fmt: skip
        own.next_look = 0
        assert own.step(), "there is no task"
        assert not kept_files(tmp_path / "b")
    assert get_or_compute("who", lambda: "nobody", group=campaign.pk) == "nobody"
    assert get_or_compute("who", lambda: "computed again", group=campaign.pk) == "nobody"


def test_what_is_computed_while_somebody_is_erased_is_not_kept(campaign, ada, hosts, tmp_path):  # noqa: F811
    hosts("a")

    def compute():
        erase(NAME, yes=True)
        return NAME

    get_or_compute("who", compute, group=campaign.pk)
    assert get_or_compute("who", lambda: "nobody", group=campaign.pk) == "nobody"


def test_what_hosts_share_is_gone_after_an_erasure(
    campaign,  # noqa: F811
    ada,
    hosts,
    django_capture_on_commit_callbacks,
):
    hosts("a")
    assert share("who", lambda: NAME) == NAME
    hosts("b")
    assert get_shared(["other", "who"]) == [None, NAME]
    hosts("a")
    with django_capture_on_commit_callbacks(execute=True):
        erase(NAME, yes=True)
    assert not CacheEntry.objects.filter(cache_key__endswith="-who").exists()
    assert get_shared(["who"]) == [None]
    share("who", lambda: "nobody")
    hosts("b")
    assert get_shared(["who"]) == ["nobody"], "its own folder is older than the erasure"
    assert get_shared(["who"]) == ["nobody"]


def test_what_is_computed_while_somebody_is_erased_is_not_shared(campaign, ada, hosts):  # noqa: F811
    hosts("a")

    def compute():
        erase(NAME, yes=True)
        return NAME

    assert share("who", compute) == NAME
    assert get_shared(["who"]) == [None]
