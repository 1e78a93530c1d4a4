"""Two roles in the database: the owner of the tables, and the serving one; nobody else can
connect."""

import contextlib
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg2
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.models import PROTECT

from judgments.models import Campaign, DeletedCampaign, ErasedJudgment, Erasure, Status
from judgments.models.chains import checking, sealing
from judgments.people.my_data.erasure import erase
from judgments.test_sets.deletion.rows import delete_campaign
from mteval_site import checks
from mteval_site.local import postgres
from mteval_site.local.errors import ServerError
from mteval_site.local.postgres import Cluster
from tests import factory
from tests.waiting import wait_until

from .conftest import Site


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


@pytest.mark.proof
def test_nobody_is_trusted(cluster: Cluster) -> None:
    cluster.start()
    only_with_passwords(cluster)


@pytest.mark.proof
def test_a_cluster_that_trusted_everybody_is_closed(cluster: Cluster) -> None:
    """Like one of an earlier version: without passwords and without the second role."""
    cluster.start()
    cluster.stop()
    (cluster.data / "pg_hba.conf").write_text("local all all trust\n")
    for role in (postgres.OWNER, postgres.WEB):
        postgres.password_file(cluster.home, role).unlink()
    cluster._run_alone(["ALTER ROLE mteval PASSWORD NULL", "DROP ROLE mteval_web"])
    cluster.start()
    only_with_passwords(cluster)


@pytest.mark.proof
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
    # only of an erased person, says a trigger
    "UPDATE judgments_consentrecord SET membership_id = NULL",
)
REFUSED = (
    "UPDATE judgments_judgment SET active_ms = 0",
    "UPDATE judgments_rating SET value = 0",
    "UPDATE judgments_seal SET place = 1",
    "UPDATE judgments_decision SET reason = ''",
    "DELETE FROM judgments_act",
    "UPDATE judgments_act SET account = ''",
    "INSERT INTO judgments_deletedcampaign (campaign) VALUES (1)",
    "INSERT INTO judgments_erasure (account) VALUES (1)",
    "INSERT INTO judgments_erasedjudgment (judgment_id) VALUES (1)",
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
    """Return PostgreSQL's error for a statement of the serving role; empty if it succeeds."""
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


# By triggers: what else a table without TRUNCATE refuses, and how its rows are deleted.
GUARDED = """
SELECT tgrelid::regclass::text AS name, string_agg(DISTINCT proname, ' ')
FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE tgrelid IN (SELECT tgrelid FROM pg_trigger WHERE tgname = 'only_added')
GROUP BY 1 ORDER BY 1
"""


@pytest.mark.django_db
def test_nothing_that_is_only_added_is_deleted_but_by_functions() -> None:
    """Every such table, also later ones: the role may not delete there, and the functions name each
    table whose rows are deleted with a campaign or a person."""
    with connection.cursor() as cursor:
        cursor.execute(GUARDED)
        guarded = dict(cursor.fetchall())
        cursor.execute("SELECT proname, prosrc FROM pg_proc WHERE prosecdef")
        functions = dict(cursor.fetchall())
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if model._meta.db_table in guarded and field.is_relation:
                # Otherwise Django would also send a DELETE with that of its parent.
                assert field.remote_field.on_delete is PROTECT, field
    deleting = {"judgments_delete_campaign", "judgments_erase"}
    # The last one is for public demo servers only (test_outgoing_connections.py).
    assert len(guarded) > 20 and set(functions) == {*deleting, "judgments_forget_demo"}
    for table, triggers in guarded.items():
        assert answer_to(f"DELETE FROM {table}").startswith("permission denied"), table
        leaves = f"DELETE FROM {table} "
        is_deleted = "_unlisted" in triggers or "_undeleted" in triggers
        assert (leaves in functions["judgments_delete_campaign"]) == is_deleted, table
        assert (leaves in functions["judgments_erase"]) == ("_unlisted" in triggers), table


@pytest.fixture
def judged(db) -> Campaign:
    """An open campaign with two judgments by anna, sealed."""
    person, owner = factory.make_user("anna"), factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=2)
    campaign = factory.make_campaign(
        test_set, preset="adequacy-fluency", owner=owner, annotators=[person]
    )
    task = factory.make_task(campaign, person, n_outputs=1)
    for item in task.items.all():
        factory.judge(item, {"adequacy": [4], "fluency": [3]})
    sealing.seal_all()
    return campaign


@pytest.mark.django_db
def test_functions_are_for_the_serving_role_only(settings) -> None:
    """Also where a restored database has lost what migrations revoked."""
    forget = "SELECT judgments_forget_demo(1, '{}', '{}', '{}')"
    with connection.cursor() as cursor:
        cursor.execute("GRANT EXECUTE ON FUNCTION judgments_forget_demo TO PUBLIC")
        settings.PUBLIC_DEMO = True
        with factory.serving():
            pass
        cursor.execute("SELECT array_to_string(proacl, ' ') FROM pg_proc WHERE prosecdef")
        assert not [rights for (rights,) in cursor if f" {rights}".count(" =X/")]
    settings.PUBLIC_DEMO = False
    assert answer_to(forget).startswith("permission denied")


def test_judging_erasing_and_deleting_need_no_more(judged: Campaign) -> None:
    person = judged.members.get(username="anna")
    with factory.serving():
        task = factory.make_task(judged, person, batch=2, n_outputs=1)
        factory.judge(task.items.first(), {"adequacy": [4], "fluency": [3]})
        sealing.seal_all()
        erase(person, by="owner", reason="They asked for it.", judgments=True)
        judged.status = Status.CLOSED
        judged.save()
        deleted = delete_campaign(judged, by="owner", reason="The wrong file.")
    assert ErasedJudgment.objects.count() == 3
    assert deleted.pk and not Campaign.objects.filter(pk=deleted.pk).exists()


def test_the_function_lists_no_campaign_that_stays(judged: Campaign) -> None:
    """An open one is not deleted, and a closed one only completely."""
    delete = f"SELECT judgments_delete_campaign({judged.pk}, 'nobody', 'hidden')"
    assert answer_to(delete) == f"There is no campaign {judged.pk} that is not open."
    Campaign.objects.filter(pk=judged.pk).update(status=Status.CLOSED)
    refused = pytest.raises(DatabaseError, match="but there are rows of it")
    with factory.serving(), refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(delete)
        cursor.execute("SET CONSTRAINTS all_of_it IMMEDIATE")
    assert judged.judgments.count() == 2 and not DeletedCampaign.objects.exists()
    assert checking.check(judged).found == []


def test_the_function_erases_nobody_elses_judgments(judged: Campaign) -> None:
    anna, owner = (judged.members.get(username=name) for name in ("anna", "owner"))
    ids = list(judged.judgments.values_list("pk", flat=True))
    other = factory.make_user("boris")

    def erasing(account: int, ids: list[int], digests: int) -> str:
        hashes = ["\\x" + "00" * 32] * digests
        return answer_to(
            f"SELECT judgments_erase({account}, 'x', 'x', '{{}}', ARRAY{ids}::bigint[],"
            f" ARRAY{hashes}::bytea[])"
        )

    not_theirs = f"These are not all judgments of account {other.pk}, each with its hash."
    assert erasing(other.pk, ids, 2) == not_theirs
    assert erasing(anna.pk, ids, 1).startswith("These are not all")
    assert erasing(anna.pk, [max(ids) + 1], 1).startswith("These are not all")
    assert erasing(owner.pk, [], 0) == f"Account {owner.pk} does more than judge."
    assert not Erasure.objects.exists()
    # False hashes are stored, and detected: the chain has the true ones.
    with transaction.atomic(), factory.serving(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT judgments_erase(%s, 'x', 'x', '{}', %s, %s)", [anna.pk, ids, [b"0" * 32] * 2]
        )
    assert checking.check(judged).found


def test_a_temporary_table_opens_nothing(judged: Campaign) -> None:
    """PostgreSQL looks for tables among the temporary ones first, unless its search path says
    otherwise."""
    with connection.cursor() as cursor:
        for name in ("deletedcampaign", "erasedjudgment", "membership", "erasure"):
            cursor.execute(f"CREATE TEMP TABLE judgments_{name} (LIKE judgments_{name})")
        cursor.execute(
            "INSERT INTO pg_temp.judgments_deletedcampaign (campaign, name, test_set, preset,"
            " simulated, judgments, annotators, tasks, head, chains, record, deleted_by, reason,"
            " deleted_at) SELECT %s, '', 0, '', false, 0, 0, 0, '', '[]', '[]', '', '', now()",
            [judged.pk],
        )
        for table in ("rating", "judgment", "chain"):
            with pytest.raises(DatabaseError, match="DELETE refused"), transaction.atomic():
                cursor.execute(f"DELETE FROM public.judgments_{table}")
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE proname LIKE 'judgments_%'"
            " AND proconfig IS DISTINCT FROM '{\"search_path=public, pg_temp\"}'"
        )
        assert cursor.fetchall() == []


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


@pytest.mark.proof
def test_a_site_serves_with_few_rights(copy_site: Callable[..., Site]) -> None:
    """Web server and workers are the second role, commands the first; a restored database lets the
    second connect again."""
    site = copy_site()
    site.start()
    home = site.folder / "var" / "postgres"
    assert site.answers
    with contextlib.closing(psycopg2.connect(postgres.url(home))) as owner:
        owner.autocommit = True
        assert wait_until(lambda: len(who(owner)) == 2, 60)  # a worker comes after the web server
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
