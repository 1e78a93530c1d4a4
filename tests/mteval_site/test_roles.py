"""Two roles in the database: the owner of the tables, and who serves; nobody else comes in."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg2
import pytest
from django.db import DatabaseError, connection, transaction

from judgments.chain import sealing
from judgments.deletion import delete_campaign
from judgments.erasure import erase
from judgments.models import Campaign, Status
from mteval_site import checks
from mteval_site.local import postgres
from mteval_site.local.errors import ServerError
from mteval_site.local.postgres import Cluster
from tests import factory

from .conftest import Site, wait_for


@pytest.fixture
def cluster(home: Path) -> Iterator[Cluster]:
    made = Cluster(home / "postgres")
    yield made
    made.stop()


def role_of(address: str, **arguments: str) -> str:
    with contextlib.closing(psycopg2.connect(address, **arguments)) as made:
        cursor = made.cursor()
        cursor.execute("SELECT current_user")
        return cursor.fetchone()[0]


def only_with_passwords(cluster: Cluster) -> None:
    host = str(postgres.socket_folder(cluster.home))
    for role in (postgres.OWNER, postgres.WEB):
        assert role_of(postgres.url(cluster.home, role=role)) == role
        assert postgres.password_file(cluster.home, role).stat().st_mode & 0o777 == 0o600
        with pytest.raises(psycopg2.OperationalError, match="no password supplied"):
            role_of("", host=host, user=role, dbname="mteval", passfile="/dev/null")
    with pytest.raises(psycopg2.OperationalError, match="rejects connection"):
        role_of("", host=host, user=postgres.SUPERUSER, dbname="postgres")


@pytest.mark.slow
def test_nobody_is_trusted(cluster: Cluster) -> None:
    cluster.start()
    only_with_passwords(cluster)


@pytest.mark.slow
def test_a_cluster_that_trusted_everybody_is_closed(cluster: Cluster) -> None:
    """As one of an earlier version: without passwords and without the second role."""
    cluster.start()
    cluster.stop()
    (cluster.data / "pg_hba.conf").write_text("local all all trust\n")
    for role in (postgres.OWNER, postgres.WEB):
        postgres.password_file(cluster.home, role).unlink()
    cluster._run_alone(["ALTER ROLE mteval PASSWORD NULL", "DROP ROLE mteval_web"])
    cluster.start()
    only_with_passwords(cluster)


@pytest.mark.slow
def test_a_start_that_fails_says_why(cluster: Cluster, monkeypatch) -> None:
    monkeypatch.setitem(postgres.RIGHTS, postgres.WEB, "NOSUCHRIGHT")
    with pytest.raises(ServerError, match="roles were not made"):
        cluster.start()
    assert not postgres.password_file(cluster.home, postgres.WEB).exists()


ALLOWED = (
    "UPDATE judgments_campaign SET name = name",
    "DELETE FROM judgments_note",
    "ANALYZE judgments_judgment",
    "UPDATE judgments_chain SET length = length + 1",
)
REFUSED = (
    "UPDATE judgments_judgment SET active_ms = 0",
    "UPDATE judgments_rating SET value = 0",
    "UPDATE judgments_seal SET place = 1",
    "DELETE FROM judgments_erasedjudgment",
    "DELETE FROM judgments_act",
    "UPDATE judgments_act SET account = ''",
    "DELETE FROM judgments_deletedcampaign",
    "DELETE FROM judgments_erasure",
    "TRUNCATE judgments_note",
    "ALTER TABLE judgments_judgment DISABLE TRIGGER ALL",
    "DROP TRIGGER only_added ON judgments_judgment",
    "ALTER TABLE judgments_note ADD made_up integer",
    "CREATE TABLE made_up ()",
    "DROP TABLE judgments_note",
    "DROP FUNCTION judgments_refuse CASCADE",
    "DELETE FROM django_migrations",
    "SET session_replication_role = replica",
)


def answer_to(statement: str) -> str:
    """What PostgreSQL says to a statement of the role that serves; nothing if it does it."""
    try:
        with transaction.atomic(), factory.serving(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return str(error.__cause__).splitlines()[0]
    return ""


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ALLOWED)
def test_what_the_serving_role_may_do(statement: str) -> None:
    assert answer_to(statement) == ""


@pytest.mark.django_db
@pytest.mark.parametrize("statement", REFUSED)
def test_what_the_serving_role_may_not_do(statement: str) -> None:
    assert answer_to(statement).startswith(("permission denied", "must be owner"))


@pytest.mark.django_db
def test_judging_erasing_and_deleting_need_no_more() -> None:
    person, owner = factory.make_user("anna"), factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=2)
    campaign = factory.make_campaign(
        test_set, preset="adequacy-fluency", owner=owner, annotators=[person]
    )
    task = factory.make_task(campaign, person, n_outputs=1)
    with factory.serving():
        for item in task.items.all():
            factory.judge(item, {"adequacy": [4], "fluency": [3]})
        sealing.seal_all()
        erase(person, by="owner", reason="They asked for it.", judgments=True)
        campaign.status = Status.CLOSED
        campaign.save()
        deleted = delete_campaign(campaign, by="owner", reason="The wrong file.")
    assert deleted.pk and not Campaign.objects.filter(pk=campaign.pk).exists()


def test_one_role_is_warned_of(settings) -> None:
    settings.WEB_DATABASE = None
    assert [each.id for each in checks.web_role(None)] == ["mteval_site.W007"]
    settings.WEB_DATABASE = settings.DATABASES["default"]
    assert [each.id for each in checks.web_role(None)] == ["mteval_site.W007"]
    settings.WEB_DATABASE = settings.DATABASES["default"] | {"USER": postgres.WEB}
    assert checks.web_role(None) == []


WHO = """SELECT DISTINCT application_name, usename FROM pg_stat_activity
WHERE application_name LIKE 'mteval%' AND pid <> pg_backend_pid() ORDER BY 1"""


def who(connection) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(WHO)
        return dict(cursor.fetchall())


@pytest.mark.slow
def test_a_site_serves_with_few_rights(copy_site: Callable[..., Site]) -> None:
    """Web server and workers are the second role, commands the first; a restored database lets the
    second in again."""
    site = copy_site()
    site.start()
    home = site.folder / "var" / "postgres"
    assert site.answers
    with contextlib.closing(psycopg2.connect(postgres.url(home))) as owner:
        owner.autocommit = True
        assert (
            wait_for(lambda: len(who(owner)) == 2, 60) < 60
        )  # a worker comes after the web server
        assert who(owner) == {"mteval web": "mteval_web", "mteval worker": "mteval_web"}
    with contextlib.closing(psycopg2.connect(postgres.url(home, role=postgres.WEB))) as web:
        for statement in ("SET ROLE mteval", "SET ROLE postgres", REFUSED[0]):
            with pytest.raises(psycopg2.errors.InsufficientPrivilege), web.cursor() as cursor:
                cursor.execute(statement)
            web.rollback()
    backup = site.folder / "backup.zip"
    assert site.command("manage", "backup", str(backup)).returncode == 0
    site.signal(signal.SIGTERM)
    assert site.seconds_until_gone() < 10
    (site.folder / "var").rename(site.folder / "var.before")
    restored = site.command("manage", "restore", str(backup))
    assert restored.returncode == 0, restored.stderr
    site.start()
    assert site.answers
