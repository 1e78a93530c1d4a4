"""The site's own system checks."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import CommandError, SystemCheckError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from mteval_site import checks
from mteval_site.local.prepare import migrate

SQUASHED = MigrationLoader(None).disk_migrations["judgments", "0001_squashed_0074_words"]
REPLACED = [name for _, name in SQUASHED.replaces]
SINCE_FIRST = REPLACED.index("0001_squashed_0045_brought_texts") + 1


def ids(messages: list) -> list[str]:
    return [message.id for message in messages if message.id.startswith("mteval_site")]


def test_nothing_to_say_about_these_settings() -> None:
    assert ids(run_checks()) == []


def test_another_engine(settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    assert ids(run_checks()) == ["mteval_site.E001"]


def test_psycopg_3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks.importlib.util, "find_spec", lambda name: name == "psycopg" or None)
    assert ids(run_checks()) == ["mteval_site.E002"]


def test_mails_from_localhost(settings) -> None:
    settings.CAN_MAIL = True
    assert ids(run_checks()) == ["mteval_site.W006"]
    settings.DEFAULT_FROM_EMAIL = "lab@example.org"
    assert ids(run_checks()) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "names, found",
    [
        ((), []),
        (("0001_initial", "0002_targeted_references"), ["mteval_site.E008"]),
        (REPLACED, []),
    ],
)
def test_a_database_between_two_squashed_migrations(names, found) -> None:
    recorder = MigrationRecorder(connection)
    recorder.flush()
    for name in names:
        recorder.record_applied("judgments", name)
    assert ids(run_checks(databases=["default"])) == found


@pytest.mark.django_db
@pytest.mark.parametrize(
    "n, commits", [(45, "159ff174 and then ab04dab8"), (SINCE_FIRST, "ab04dab8"), (60, "ab04dab8")]
)
def test_an_older_database_is_upgraded_step_by_step(n: int, commits: str) -> None:
    recorder = MigrationRecorder(connection)
    recorder.flush()
    for name in REPLACED[:n]:
        recorder.record_applied("judgments", name)
    (found,) = run_checks(databases=["default"])
    assert found.hint == f"Check out commit {commits}, start each once, then upgrade."


@pytest.mark.django_db
def test_a_start_says_so_and_changes_nothing() -> None:
    recorder = MigrationRecorder(connection)
    recorder.flush()
    for name in REPLACED[:60]:
        recorder.record_applied("judgments", name)
    before = recorder.applied_migrations().keys()
    with pytest.raises(SystemCheckError, match=r"Check out commit ab04dab8, start each once"):
        migrate()
    assert recorder.applied_migrations().keys() == before


@pytest.fixture
def older_database(transactional_db) -> Iterator[None]:
    recorder = MigrationRecorder(connection)
    rows = list(recorder.migration_qs.order_by("pk"))
    recorder.flush()
    for name in REPLACED[:60]:
        recorder.record_applied("judgments", name)
    yield
    recorder.flush()
    recorder.migration_qs.bulk_create(rows)


def test_a_backup_of_an_older_database_is_refused(older_database: None, tmp_path: Path) -> None:
    file = tmp_path / "site.backup"
    call_command("backup", file, stdout=io.StringIO())
    with pytest.raises(CommandError, match=r"commit ab04dab8, .* Restore the backup there\."):
        call_command("restore", file)


@pytest.fixture
def embedded_but_down(settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings.EMBEDDED_DATABASE = True
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", str(tmp_path))


def test_embedded_database_is_down(embedded_but_down: None) -> None:
    assert ids(run_checks(databases=["default"])) == ["mteval_site.E003"]
    with pytest.raises(SystemCheckError, match=r"Start \./run"):
        call_command("check", databases=["default"])


def test_a_check_without_database_does_not_ask_for_it(embedded_but_down: None) -> None:
    assert ids(run_checks()) == []


@pytest.mark.django_db
def test_embedded_database_is_up(settings, postgres_cluster) -> None:
    settings.EMBEDDED_DATABASE = True
    assert ids(run_checks(databases=["default"])) == []
