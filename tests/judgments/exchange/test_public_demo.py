"""A public demo server: everybody gets a copy of the demo, of which nothing stays after a day."""

import secrets
import threading
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.exchange.public_demo import copies, ending, tasks
from judgments.judging.queue import claim
from judgments.models import (
    Act,
    ApiToken,
    Campaign,
    Decision,
    DemoCopy,
    Download,
    Invitation,
    Judgment,
    Membership,
    Project,
    ProjectMember,
    TestSet,
)
from judgments.test_sets.deletion.rows import delete_campaign
from judgments.web import limits

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
CLICK = "demo-take"
SETTINGS = {"theme": "dark", "text_size": 115, "span_unit": "word"}


@pytest.fixture(autouse=True)
def public_demo(settings):
    settings.PUBLIC_DEMO = True
    settings.PUBLIC_DEMO_READY = 0  # a test that wants more made says so


@pytest.fixture(scope="module")
def made_once(django_db_setup, django_db_blocker):
    """Two copies; what a test does with them is rolled back, unless it empties the tables."""
    with django_db_blocker.unblock():
        for _ in range(2):
            copies.make()
    yield
    with django_db_blocker.unblock(), override_settings(PUBLIC_DEMO=True):
        for copy in DemoCopy.objects.all():
            ending.close(copy)
            ending.end(copy)


@pytest.fixture
def two_copies(made_once, db):
    """Two copies that are ready, whatever tests ran before."""
    for _ in range(2 - DemoCopy.objects.ready().count()):
        copies.make()


@pytest.fixture
def nobody_else(db):
    """No copy but those that the test makes."""
    DemoCopy.objects.all().delete()


def empty_copy() -> DemoCopy:
    """Two accounts without a demo, for tests of who gets which."""
    code = secrets.token_hex(4)
    manager, annotator = (copies.new_account(f"{code}-{n}", "Somebody") for n in range(2))
    return DemoCopy.objects.create(manager=manager, annotator=annotator)


def visitor(**extra) -> Client:
    """Somebody who has clicked."""
    client = Client(**extra)
    assert client.post(reverse(CLICK)).headers["Location"] == "/"
    return client


def account_of(client: Client):
    return get_user_model().objects.get(pk=client.session["_auth_user_id"])


def copy_of(client: Client) -> DemoCopy:
    return DemoCopy.objects.with_account(account_of(client)).get()


def counts() -> dict[str, int]:
    """Rows of every table that Django knows."""
    return {model._meta.label: model._base_manager.count() for model in apps.get_models()}


def wait_a_day() -> None:
    """The day of everybody's copy is over, and workers did long ago what they were asked for."""
    DemoCopy.objects.running().update(ends_at=timezone.now() - timedelta(seconds=1))
    DBTaskResult.objects.filter(finished_at__isnull=False).update(
        finished_at=timezone.now() - timedelta(days=1)
    )


@pytest.mark.usefixtures("two_copies")
def test_front_page_offers_it(client):
    page = client.get("/")
    assert reverse(CLICK) in page.content.decode()
    assert "after 24 hours" in page.content.decode()


@pytest.mark.usefixtures("two_copies")
def test_a_click_opens_a_copy_with_judgments():
    client = visitor()
    page = client.get("/").content.decode()
    user = account_of(client)
    assert not user.is_staff
    assert not user.has_usable_password()
    assert not user.email
    own = Campaign.objects.visible_to(user).of_people()
    assert own.count() == 4
    for campaign in own:
        assert campaign.name in page
        assert campaign.judgments.exists()
    campaign = own.get(name__contains="adequacy")
    scores = client.get(reverse("scores", args=[campaign.pk]))
    assert scores.status_code == 200
    assert "Harbor" in scores.content.decode()
    correlation = client.get(reverse("correlation", args=[campaign.pk]))
    assert "BLEU" in correlation.content.decode()


@pytest.mark.usefixtures("two_copies")
def test_every_page_says_when_it_ends():
    client = visitor()
    ends = copy_of(client).ends_at
    assert ends is not None
    assert timedelta(hours=23, minutes=59) < ends - timezone.now() <= timedelta(hours=24)
    project = account_of(client).projects.get()
    for address in ("/", reverse("demo-copy"), project.get_absolute_url(), "/about/"):
        page = client.get(address).content.decode()
        assert f"</a> will be deleted on {ends:%-d %B, %H:%M} UTC" in page, address
        assert "Install your own" in page, address


@pytest.mark.usefixtures("two_copies")
def test_a_session_lasts_as_long_as_the_copy():
    client = visitor()
    ends = copy_of(client).ends_at
    assert ends is not None
    assert abs(client.session.get_expiry_date() - ends) < timedelta(seconds=5)


@pytest.mark.usefixtures("two_copies")
def test_who_comes_back_or_clicks_again_has_the_same_copy():
    client = visitor()
    first = copy_of(client)
    assert client.post(reverse(CLICK)).headers["Location"] == "/"
    assert copy_of(client) == first
    assert DemoCopy.objects.running().count() == 1


@pytest.mark.usefixtures("two_copies")
def test_two_clicks_before_the_first_is_answered():
    """The browser sends the same cookie twice, and keeps what the second answer says."""
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    before = client.cookies["csrftoken"].value
    form = {"csrfmiddlewaretoken": before}
    client.post(reverse(CLICK), form)
    first = copy_of(client)
    again = Client(enforce_csrf_checks=True)
    again.cookies["csrftoken"] = before
    assert again.post(reverse(CLICK), form).status_code == 302
    assert copy_of(again) == first


@pytest.mark.usefixtures("two_copies")
def test_no_copy_is_ready():
    visitor()
    visitor()
    late = Client()
    response = late.post(reverse(CLICK))
    assert response.headers["Location"] == reverse("demo-wait")
    assert "is being made" in late.get(reverse("demo-wait")).content.decode()
    asked = {"HX-Request": "true"}
    assert late.post(reverse(CLICK), headers=asked).status_code == 204
    empty_copy()
    assert late.post(reverse(CLICK), headers=asked).headers["HX-Redirect"] == "/"
    assert late.get(reverse("demo-wait")).headers["Location"] == "/"


@pytest.mark.usefixtures("two_copies")
def test_two_people_in_one():
    client = visitor()
    copy = copy_of(client)
    assert client.post(reverse("demo-switch")).status_code == 302
    assert account_of(client) == copy.annotator
    page = client.get("/").content.decode()
    assert "Go on as the manager" in page
    open_ones = Membership.objects.filter(user=copy.annotator, campaign__status="open")
    judging = client.get(reverse("judge", args=[open_ones[0].campaign_id]), follow=True)
    assert judging.status_code == 200
    assert f"Demo until {copy.ends_at:%H:%M} UTC" in judging.content.decode()
    client.post(reverse("demo-switch"))
    assert account_of(client) == copy.manager


@pytest.mark.usefixtures("two_copies")
def test_no_rights_beyond_the_copy():
    client = visitor()
    for name in ("campaign-from-file", "test-set-new", "import", "project-new", "operator"):
        assert client.get(reverse(name)).status_code == 403, name
    assert client.get("/admin/").status_code == 302


@pytest.mark.usefixtures("two_copies")
def test_on_another_site_there_is_none_of_it(settings, client):
    settings.PUBLIC_DEMO = False
    assert reverse(CLICK) not in client.get("/").content.decode()
    assert client.post(reverse(CLICK)).status_code == 404
    for name in (CLICK, "demo-wait", "demo-copy", "demo-switch", "demo-end"):
        assert client.get(reverse(name)).status_code == 404, name
        takes_posts = name not in ("demo-wait", "demo-copy")
        assert client.post(reverse(name)).status_code == (404 if takes_posts else 405), name
    client.force_login(DemoCopy.objects.all()[0].manager)
    assert client.get(reverse("demo-copy")).status_code == 404
    assert client.post(reverse("demo-switch")).status_code == 404
    tasks.look()
    assert not DBTaskResult.objects.exists()


@pytest.mark.usefixtures("two_copies")
def test_an_outsider_sees_nothing_of_another_copy():
    one, other = visitor(), visitor()
    theirs, mine = copy_of(one).manager, copy_of(other).manager
    assert theirs != mine
    foreign = Campaign.objects.filter(test_set__owner=theirs)
    assert foreign.count() == 5
    assert not set(foreign) & set(Campaign.objects.visible_to(mine))
    test_set, project = TestSet.objects.get(owner=theirs), Project.objects.get(owner=theirs)
    addresses = [
        reverse("test-set", args=[test_set.pk]),
        project.get_absolute_url(),
        *(reverse(name, args=[each.pk]) for each in foreign for name in ("campaign", "scores")),
        *(reverse(name, args=[each.pk]) for each in foreign for name in ("exports", "judge")),
        reverse("api-campaign", args=[foreign[0].pk]),
    ]
    for address in addresses:
        assert other.get(address).status_code == 404, address
    lists = [other.get(reverse(name)).content.decode() for name in ("campaigns", "test-sets")]
    for page in lists:
        assert f"/{test_set.pk}/" not in page
        assert not any(f"/campaigns/{each.pk}/" in page for each in foreign)
    status = reverse("campaign-status", args=[foreign[0].pk])
    assert other.post(status, {"status": "closed"}).status_code == 404


def test_full(settings, client, nobody_else):
    settings.PUBLIC_DEMO_COPIES = 2
    for _ in range(3):
        empty_copy()
    visitor()
    visitor()
    first = DemoCopy.objects.running().order_by("ends_at")[0].ends_at
    refused = client.post(reverse(CLICK))
    assert refused.status_code == 503
    assert f"{first:%H:%M} UTC" in refused.content.decode()
    waiting = client.post(reverse(CLICK), headers={"HX-Request": "true"})
    assert waiting.status_code == 200
    assert waiting.headers["HX-Redirect"] == "/"
    front = client.get("/").content.decode()
    assert f"Come back after {first:%H:%M} UTC" in front
    assert reverse(CLICK) not in front
    assert "_auth_user_id" not in client.session
    DemoCopy.objects.filter(ends_at=first).update(ends_at=timezone.now())
    visitor()


def test_copies_that_are_made_ahead(settings, nobody_else):
    settings.PUBLIC_DEMO_COPIES, settings.PUBLIC_DEMO_READY = 2, 2
    assert copies.is_short()
    empty_copy()
    assert copies.is_short()
    empty_copy()
    assert not copies.is_short()
    visitor()  # one is left, and room for one
    assert not copies.is_short()
    settings.PUBLIC_DEMO_COPIES = 3
    assert copies.is_short()


def test_an_address_takes_only_so_many(settings, nobody_else):
    settings.RATE_LIMITS = 1 / limits.DEMO_COPIES.most  # one
    empty_copy()
    empty_copy()
    visitor(REMOTE_ADDR="192.0.2.1")
    refused = Client(REMOTE_ADDR="192.0.2.1").post(reverse(CLICK))
    assert refused.status_code == 429
    waiting = Client(REMOTE_ADDR="192.0.2.1").post(reverse(CLICK), headers={"HX-Request": "true"})
    assert waiting.headers["HX-Redirect"] == "/"
    assert DemoCopy.objects.running().count() == 1
    visitor(REMOTE_ADDR="192.0.2.2")


def test_uploads_of_a_visitor(settings, two_copies):
    client = visitor()
    campaign = Campaign.objects.visible_to(account_of(client)).of_people()[0]
    address = reverse("import-judgments", args=[campaign.pk])
    settings.RATE_LIMITS = 1 / limits.DEMO_UPLOADS.most  # one in a day, two in a quarter
    assert [client.post(address).status_code for _ in range(2)] == [422, 429]


def test_uploads_count_for_the_copy(settings, two_copies):
    client = visitor()
    manager = account_of(client)
    campaign = Campaign.objects.visible_to(manager).of_people()[0]
    guest = get_user_model().objects.create(username="guest", password="!")
    Membership.objects.create(campaign=campaign, user=guest, role="owner", alias="guest")
    second = Client()
    second.force_login(guest)
    address = reverse("import-judgments", args=[campaign.pk])
    settings.RATE_LIMITS = 1 / limits.DEMO_UPLOADS.most  # one in a day
    assert [each.post(address).status_code for each in (client, second)] == [422, 429]
    other = visitor()
    campaign = Campaign.objects.visible_to(account_of(other)).of_people()[0]
    assert other.post(reverse("import-judgments", args=[campaign.pk])).status_code == 422


def busy_day(client: Client, run_tasks) -> None:
    """A visitor does a little of everything, and somebody they invite comes too."""
    manager = account_of(client)
    campaign = Campaign.objects.visible_to(manager).of_people().get(name__contains="adequacy")
    place = [campaign.pk]
    client.get(reverse("scores", args=place))
    client.post(reverse("tokens"), {"name": "mine", "scope": "read", "days": 30})
    client.post(reverse("reading-settings"), SETTINGS)
    assert ApiToken.objects.count() == 1
    client.post(reverse("export-archive", args=place))
    finn = Membership.objects.get(campaign=campaign, alias="Finn")
    client.post(
        reverse("quality-decide", args=place),
        {
            "decision-annotator": finn.user_id,
            "decision-action": "leave-out",
            "decision-reason": "Careless",
        },
    )
    invitation = Invitation.objects.create(campaign=campaign, role="annotator", created_by=manager)
    guest = Client()
    guest.post(reverse("join", args=[invitation.token]), {"alias": "Gina"})
    client.get(reverse("admin:index"))
    client.post(reverse("campaign-status", args=place), {"status": "paused"})
    client.post(reverse("campaign-status", args=place), {"status": "open"})
    client.post(reverse("demo-switch"))
    annotator = Membership.objects.get(campaign=campaign, user=account_of(client))
    claim(annotator, timezone.now())
    client.get(reverse("judge", args=place), follow=True)
    run_tasks()
    assert Download.objects.count() == 1
    assert Decision.objects.exists()
    assert Act.objects.exists()
    assert "_auth_user_id" in guest.session


@pytest.mark.proof
def test_every_row_is_gone(run_tasks, nobody_else):
    get_user_model().objects.create_superuser("operator", password="a secret of mine")
    before = counts()
    copies.make()
    client = visitor()
    busy_day(client, run_tasks)
    during = counts()
    assert during["judgments.Judgment"] > 1000
    wait_a_day()
    tasks.keep_copies.call()
    # What the visitor has put off finds nothing to do.
    DBTaskResult.objects.update(run_after=timezone.now())
    run_tasks()
    wait_a_day()
    tasks.keep_copies.call()
    assert left(before, counts()) == {}
    assert client.get("/").wsgi_request.user.is_anonymous


def test_what_leaves_before_leaves_no_trace(run_tasks, nobody_else):
    """A visitor deletes nothing but the whole copy, and who belongs to nothing leaves too."""
    get_user_model().objects.create_superuser("operator", password="a secret of mine")
    before = counts()
    copies.make()
    client = visitor()
    manager = account_of(client)
    campaign = Campaign.objects.visible_to(manager).of_people()[0]
    invitation = Invitation.objects.create(campaign=campaign, role="annotator", created_by=manager)
    guest = Client()
    guest.post(reverse("join", args=[invitation.token]), {"alias": "Gina"})
    who = account_of(guest)
    client.post(reverse("campaign-status", args=[campaign.pk]), {"status": "closed"})
    project = manager.projects.get()
    part = ProjectMember.objects.create(project=project, user=who, role="annotator", alias="Gina")
    whole = "deleted as a whole"
    for name, thing in (("campaign-delete", campaign), ("test-set-delete", campaign.test_set)):
        form = {"name": thing.name, "reason": "My secret"}
        refused = client.post(reverse(name, args=[thing.pk]), form)
        assert refused.status_code == 422
        assert whole in refused.content.decode()
    address = reverse("project-delete", args=[project.slug])
    assert whole in client.post(address, follow=True).content.decode()
    address = reverse("project-part-end", args=[project.slug, part.pk])
    assert "leave with it" in client.post(address, follow=True).content.decode()
    assert ProjectMember.objects.filter(pk=part.pk).exists()
    Membership.objects.filter(user=who).delete()  # whatever way there may be
    part.delete()
    delete_campaign(campaign, by=manager.username, reason="My secret")
    wait_a_day()
    tasks.keep_copies.call()
    run_tasks()
    wait_a_day()
    tasks.keep_copies.call()
    assert left(before, counts()) == {}


def test_another_copy_stays_as_it_is(two_copies):
    one, other = visitor(), visitor()
    guest = copy_of(other).manager  # who also takes part in the copy that stays
    theirs = Campaign.objects.visible_to(account_of(one)).of_people()[0]
    Membership.objects.create(campaign=theirs, user=guest, role="annotator", alias="guest")
    DemoCopy.objects.filter(manager=guest).update(ends_at=timezone.now())
    tasks.keep_copies.call()
    assert DemoCopy.objects.get() == copy_of(one)
    assert Campaign.objects.count() == 5
    guest.refresh_from_db()
    assert not guest.is_active
    assert one.get(reverse("scores", args=[theirs.pk])).status_code == 200
    wait_a_day()
    tasks.keep_copies.call()
    assert not get_user_model().objects.exists()
    assert not Judgment.objects.exists()


def test_somebody_with_a_password_stays(two_copies):
    visitor()
    client = visitor()
    real = get_user_model().objects.create_user("real", password="a secret of mine")
    campaign = Campaign.objects.visible_to(account_of(client)).of_people()[0]
    Membership.objects.create(campaign=campaign, user=real, role="annotator", alias="real")
    wait_a_day()
    tasks.keep_copies.call()
    assert list(get_user_model().objects.all()) == [real]


def test_before_the_day_is_over(run_tasks, nobody_else):
    empty_copy()
    client = visitor()
    second = Client()
    second.force_login(account_of(client))
    assert client.post(reverse("demo-end")).status_code == 422
    assert client.post(reverse("demo-end"), {"sure": "on"}).status_code == 302
    assert "_auth_user_id" not in client.session
    assert second.get(reverse("demo-copy")).status_code == 302, "signed out there, too"
    run_tasks()
    assert not DemoCopy.objects.exists()
    assert not get_user_model().objects.filter(first_name="Somebody").exists()


def test_a_copy_that_nobody_has_does_not_end(nobody_else):
    empty_copy()
    assert not DemoCopy.objects.over().exists()
    assert DemoCopy.objects.ready().count() == 1


def test_kept_results_are_emptied_on_every_host(nobody_else):
    from mteval_site.erased_files import n_erased

    empty_copy()
    visitor()
    before = n_erased()
    wait_a_day()
    ending.end(DemoCopy.objects.over().get())
    assert [int(n) for n in n_erased().split("-")] == [
        n + is_copies for n, is_copies in zip(map(int, before.split("-")), (0, 0, 1), strict=True)
    ]


def test_one_that_fails_stops_no_other(settings, monkeypatch, caplog, nobody_else):
    for _ in range(2):
        empty_copy()
        visitor()
    first = DemoCopy.objects.running()[0]
    wait_a_day()
    end, done = ending.end, []

    def end_or_fail(copy):
        if copy == first:
            raise ValueError("a fault")
        end(copy)

    def fail():
        done.append(DemoCopy.objects.get())
        raise ValueError("another fault")

    monkeypatch.setattr(ending, "end", end_or_fail)
    monkeypatch.setattr(copies, "make", fail)
    settings.PUBLIC_DEMO_READY = 1
    tasks.keep_copies.call()
    assert done == [first], "made after the others ended"
    assert "could not be deleted" in caplog.text
    assert "No copy of the demo could be made" in caplog.text


def test_workers_look_now_and_then(settings, monkeypatch, nobody_else):
    monkeypatch.setattr(copies, "make", empty_copy)
    settings.PUBLIC_DEMO_READY = 1
    tasks.look()
    tasks.look()
    assert DBTaskResult.objects.count() == 1
    tasks.keep_copies.call()
    assert DemoCopy.objects.ready().count() == 1
    DBTaskResult.objects.all().delete()
    tasks.look()
    assert not DBTaskResult.objects.exists()


def left(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """Which tables have more or fewer rows than before. Counters of limits end by themselves."""
    changed = {name: n - before[name] for name, n in after.items() if n != before[name]}
    changed.pop("judgments.Attempts", None)
    return changed


def test_nothing_is_mailed(settings, two_copies, caplog):
    settings.EMAIL_BACKEND = "mteval_site.mail_sink.MailSink"
    mail.send_mail("A subject", "A text", None, ["ada@example.org", "bela@example.org"])
    assert "a mail to 2 people was dropped" in caplog.text
    assert "ada" not in caplog.text
    client = visitor()
    campaign = Campaign.objects.visible_to(account_of(client)).of_people()[0]
    invitation = Invitation.objects.create(
        campaign=campaign, role="annotator", created_by=account_of(client)
    )
    address = reverse("invitation-mail", args=[campaign.pk, invitation.pk])
    refused = client.post(address, {"addresses": "ada@example.org"})
    assert refused.status_code in (404, 409, 422)


@pytest.mark.django_db(transaction=True)
def test_visitors_at_the_same_moment(settings):
    """Ten browsers, six copies, of which two are not for them: each copy has one visitor."""
    DemoCopy.objects.all().delete()
    settings.PUBLIC_DEMO_COPIES = 4
    for _ in range(6):
        empty_copy()
    statuses: list[tuple[int, str]] = []
    gate = threading.Barrier(10)

    def click() -> None:
        client = Client()
        gate.wait()
        response = client.post(reverse(CLICK))
        statuses.append((response.status_code, client.session.get("_auth_user_id", "")))
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entered = [who for status, who in statuses if status == 302]
    assert len(entered) == len(set(entered)) == 4
    assert sorted(status for status, _ in statuses) == [302] * 4 + [503] * 6
    assert DemoCopy.objects.running().count() == 4


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_the_same_moment(settings, monkeypatch):
    DemoCopy.objects.all().delete()
    monkeypatch.setattr(copies, "make", empty_copy)
    settings.PUBLIC_DEMO_READY = 2

    def work() -> None:
        tasks.keep_copies.call()
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert DemoCopy.objects.count() == 2
