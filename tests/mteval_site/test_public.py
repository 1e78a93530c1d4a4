"""Reasons for refusing to start a public server, in everything that starts one."""

import os
import subprocess
import sys
from collections.abc import Callable
from ipaddress import ip_network
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from mteval_site import public
from mteval_site.demo_accounts import SIGN_INS
from mteval_site.local import postgres, stack
from tests.settings import POSTGRES_HOME

from .conftest import ROOT, Site

SECRET = "".join(chr(ord("a") + i % 26) for i in range(60))


def site(**changes):
    given = {"HTTPS": True, "ALLOWED_HOSTS": ["eval.example.org"], "SECRET_KEY": SECRET}
    given |= {"DEBUG": False, "EXPOSED": False, "TRUSTED_PROXIES": []}
    return SimpleNamespace(**given | changes)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"HTTPS": False}, True),
        ({"ALLOWED_HOSTS": ["localhost"]}, True),
        ({"HTTPS": False, "ALLOWED_HOSTS": ["localhost", "127.0.0.1", "[::1]"]}, False),
        ({"HTTPS": False, "ALLOWED_HOSTS": ["mteval.localhost"]}, False),
        ({"HTTPS": False, "ALLOWED_HOSTS": ["localhost", "*"]}, True),
        ({"HTTPS": False, "ALLOWED_HOSTS": ["192.168.1.7"]}, True),
        ({"HTTPS": False, "ALLOWED_HOSTS": []}, False),
        ({"HTTPS": False, "ALLOWED_HOSTS": ["localhost"], "EXPOSED": True}, True),
    ],
)
def test_what_is_public(changes, expected):
    assert public.is_public(site(**changes)) is expected


@pytest.mark.parametrize(
    ("host", "demo", "expected"),
    [
        ("127.0.0.1", True, "true"),
        ("::1", True, "true"),
        ("127.0.0.1", False, "false"),
        ("0.0.0.0", True, "false"),
        ("::", True, "false"),
        ("192.168.1.7", True, "false"),
    ],
)
def test_the_door_of_the_demo_is_for_this_machine(host, demo, expected):
    assert stack.demo_sign_in_flag(host, demo=demo) == expected


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"SECRET_KEY": SECRET[:49]}, "SECRET_KEY"),
        ({"SECRET_KEY": "abcd" * 20}, "SECRET_KEY"),
        ({"DEBUG": True}, "DEBUG"),
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
    ],
)
def test_settings_that_are_not_safe(changes, name):
    (problem,) = public.problems_of(site(**changes))
    assert problem.startswith(name)
    assert public.problems_of(site(**changes, HTTPS=False, ALLOWED_HOSTS=["localhost"])) == []


def test_settings_that_are_safe():
    assert public.problems_of(site(SECRET_KEY=SECRET[:50])) == []
    assert len(public.problems_of(site(), demo=True)) == 1


@pytest.fixture
def demo_people(db, settings):
    # Secrets that the site's own processes can read, except the hashes that tests make fast.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    create = get_user_model().objects.create_user
    return [create(name, password=password) for name, password, _ in SIGN_INS]


def test_accounts_of_the_demo(demo_people):
    (problem,) = public.problems_of_accounts()
    assert "work for annotator, manager, researcher:" in problem
    demo_people[0].set_password("another one, of somebody's own")
    demo_people[0].save()
    demo_people[1].is_active = False
    demo_people[1].save()
    (problem,) = public.problems_of_accounts()
    assert "work for annotator:" in problem
    demo_people[2].delete()
    assert public.problems_of_accounts() == []


def test_refused_with_all_that_is_wrong(demo_people, monkeypatch):
    monkeypatch.setattr(connection, "close", lambda: None)
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY.*DEBUG.*manage changepassword"):
        public.refuse_if_unsafe(site(SECRET_KEY="short", DEBUG=True))
    public.refuse_if_unsafe(site(HTTPS=False, ALLOWED_HOSTS=["localhost"], DEBUG=True))


def test_checks_of_a_deployment_tell_the_same(settings, demo_people):
    settings.HTTPS, settings.SECRET_KEY = True, "short"
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1")]
    settings.WEB_DATABASE = {"USER": postgres.WEB}
    found = run_checks(databases=["default"], include_deployment_checks=True)
    ours = [message.id for message in found if message.id.startswith("mteval_site")]
    assert sorted(ours) == ["mteval_site.E004", "mteval_site.E005"]


def in_a_process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    address = postgres.url(POSTGRES_HOME, str(connection.settings_dict["NAME"]))
    own = {"DJANGO_SETTINGS_MODULE": "mteval_site.settings", "DATABASE_URL": address}
    inherited = dict(os.environ)
    inherited.pop("DJANGO_ALLOW_ASYNC_UNSAFE", None)  # only for the tests
    return subprocess.run(
        [sys.executable, *arguments],
        env=inherited | own | {"SECRET_KEY": SECRET} | environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_web_server_of_a_public_site(demo_people):
    importing = ("-c", "import mteval_site.wsgi; print('started')")
    assert in_a_process(*importing).stdout == "started\n"
    for environment in ({"HTTPS": "true"}, {"ALLOWED_HOSTS": "eval.example.org"}):
        done = in_a_process(*importing, **environment)
        assert done.returncode == 1
        assert "The demo's passwords" in done.stderr
    get_user_model().objects.all().delete()
    assert in_a_process(*importing, HTTPS="true").stdout == "started\n"
    done = in_a_process(*importing, HTTPS="true", DEBUG="true")
    assert "DEBUG shows" in done.stderr and done.returncode == 1
    done = in_a_process(*importing, HTTPS="true", SECRET_KEY="short")
    assert "SECRET_KEY is too short" in done.stderr and done.returncode == 1
    away = {"DATABASE_URL": "postgresql:///none?host=/nowhere"}
    assert in_a_process(*importing, HTTPS="true", **away).stdout == "started\n"


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_checks_of_a_deployment_have_nothing_else_to_say():
    command = ("manage.py", "check", "--deploy", "--database=default", "--fail-level=INFO")
    public_site = {"HTTPS": "true", "ALLOWED_HOSTS": "eval.example.org"}
    public_site["DATABASE_WEB_URL"] = postgres.url(POSTGRES_HOME, role=postgres.WEB)
    done = in_a_process(*command, TRUSTED_PROXIES="127.0.0.1", **public_site)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout + done.stderr


@pytest.mark.slow
def test_run_refuses_before_anything_starts(copy_site: Callable[..., Site]) -> None:
    copy = copy_site()
    done = copy.command("--port", str(copy.port), HTTPS="true", SECRET_KEY="short")
    assert done.returncode == 1
    assert done.stderr.startswith("This would not be safe as a public server. SECRET_KEY is too")
    assert "start with --no-demo" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (copy.folder / "var" / "postgres").exists()


@pytest.mark.parametrize(
    ("proxies", "n_problems"),
    [([], 1), (["unix"], 1), ([ip_network("10.0.0.2")], 0), (["unix", ip_network("10.0.0.2")], 0)],
)
def test_what_other_machines_reach_names_its_proxy(proxies, n_problems):
    problems = public.problems_of(site(EXPOSED=True, TRUSTED_PROXIES=proxies))
    assert len(problems) == n_problems
    assert not public.problems_of(site(TRUSTED_PROXIES=proxies)), "only nginx reaches it there"


@pytest.mark.slow
def test_run_refuses_other_machines_without_a_proxy(copy_site: Callable[..., Site]) -> None:
    copy = copy_site()
    done = copy.command("--port", str(copy.port), "--host", "0.0.0.0", "--no-demo")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "address into TRUSTED_PROXIES, or listen on 127.0.0.1." in done.stderr
    assert not (copy.folder / "var" / "postgres").exists()


@pytest.mark.slow
def test_run_refuses_the_demo_where_other_machines_reach_it(copy_site: Callable[..., Site]) -> None:
    copy = copy_site()
    done = copy.command("--port", str(copy.port), "--host", "0.0.0.0")
    assert done.returncode == 1
    assert "The demo's passwords are known to everybody" in done.stderr
    assert not (copy.folder / "var" / "postgres").exists()


@pytest.mark.parametrize("asked", [(), ("HSTS_INCLUDE_SUBDOMAINS",), ("HSTS_PRELOAD",)])
def test_hsts_binds_no_more_than_was_asked_for(asked):
    script = (
        "from mteval_site import settings as s; print(s.SECURE_HSTS_SECONDS > 0, "
        "s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD)"
    )
    variables = dict.fromkeys(asked, "true")
    expected = ["True", *(str(n in asked) for n in ("HSTS_INCLUDE_SUBDOMAINS", "HSTS_PRELOAD"))]
    environment = os.environ | {"SECRET_KEY": SECRET, "HTTPS": "true"} | variables
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.split() == expected, done.stderr
