"""Management commands in the audit log."""

import getpass
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands

from judgments.models import Act
from judgments.web.audit import commands
from tests import factory

LANGUAGES = ["--source-language", "de", "--target-language", "en"]
ROOT = Path(__file__).resolve().parents[4]
# Of Django and its apps; each either changes something or is in READ_ONLY.
CHANGING = {
    *("changepassword", "clearsessions"),
    *("createcachetable", "createsuperuser", "dbshell", "dumpdata", "flush", "loaddata"),
    *("migrate", "prune_db_task_results", "remove_stale_contenttypes", "shell"),
}


def test_ours_are_recorded():
    """A command of our own is an act unless it changes nothing; the list is from Django."""
    ours = {name for name, app in get_commands().items() if app in ("judgments", "metrics")}
    recorded = {name for name in ours if commands.is_recorded(["manage.py", name])}
    assert {"import_testset", "import_judgments", "score", "load_demo", "export_scores"} <= recorded
    assert ours - recorded <= {"makemessages", "verify_judgments"}


@pytest.mark.parametrize("name", sorted(CHANGING & set(get_commands())))
def test_those_of_others_that_change_something_are_recorded(name):
    assert commands.is_recorded(["manage.py", name])


QUESTIONS = [[], ["--help"], ["help"], ["check"], ["score", "--list"], ["db_worker"]]


@pytest.mark.parametrize("rest", QUESTIONS)
def test_questions_are_no_acts(rest):
    assert not commands.is_recorded(["manage.py", *rest])


@pytest.mark.django_db
def test_a_command_has_its_beginning_and_its_end():
    test_set = factory.make_test_set(factory.make_user("owner"))
    with commands.recorded(["manage.py", "score", str(test_set.pk), "--metric", "bleu"]):
        assert Act.objects.get().result == "begun"
        commands.concerning(test_set)
    last = Act.objects.first()
    assert (last.result, last.act, last.role) == ("done", "manage.py score", "operator")
    assert last.test_set == test_set.pk
    assert last.account == commands.system_account()
    assert last.facts == {"arguments": [str(test_set.pk), "--metric", "bleu"]}
    assert getpass.getuser() in last.account


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("problem", "result"),
    [(SystemExit(1), "failed"), (SystemExit(0), "done"), (KeyboardInterrupt(), "failed")],
)
def test_how_it_ended(problem, result):
    with pytest.raises(type(problem)), commands.recorded(["manage.py", "score"]):
        raise problem
    assert Act.objects.first().result == result


@pytest.mark.django_db
def test_what_cannot_be_recorded_does_not_begin(monkeypatch):
    def refuse(**fields):
        raise OSError

    monkeypatch.setattr(Act.objects, "create", refuse)
    done = []
    with pytest.raises(OSError), commands.recorded(["manage.py", "score"]):
        done.append(1)
    assert not done


def test_secrets_on_the_command_line():
    given = ["--password", "hunter2", "--api-token=abc", "file.tsv", "--email", "a@b.c", "--name=x"]
    hidden = ["--password", "(not kept)", "--api-token=(not kept)", "file.tsv"]
    assert commands.shown(given) == [*hidden, "--email", "(not kept)", "--name=x"]


def test_on_whose_behalf(monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "root")
    monkeypatch.setenv("SUDO_USER", "ada")
    assert commands.system_account() == "ada as root"


@pytest.mark.django_db(transaction=True)
def test_the_command_line_itself():
    """`manage.py`, as a separate process, on this test's database."""
    database = settings.DATABASES["default"]
    address = os.environ["DATABASE_URL"].replace("/mteval?", f"/{database['NAME']}?")
    assert database["NAME"] in address
    done = subprocess.run(
        [sys.executable, "manage.py", "import_testset", "x", *["--owner", "nobody"], *LANGUAGES],
        cwd=ROOT,
        env={
            **os.environ,
            "DATABASE_URL": address,
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "There is no account" in done.stderr, done.stderr
    assert [act.result for act in Act.objects.order_by("pk")] == ["begun", "failed"]
    assert Act.objects.first().act == "manage.py import_testset"
