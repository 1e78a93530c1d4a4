"""Signing in by OpenID Connect: the site as started by an operator, and a provider, over HTTP."""

import contextlib
import os
import re
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg2
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa

from mteval_site import environment
from mteval_site.local import upkeep

from .oidc_provider import CLIENT_ID, SECRET, Provider
from .shared import ROOT

pytestmark = pytest.mark.slow

SITE = """
import threading
from wsgiref.simple_server import make_server
from mteval_site.wsgi import application

server = make_server("127.0.0.1", 0, application)
print(server.server_port, flush=True)
server.serve_forever()
"""
ACCOUNTS = """
from django.contrib.auth.models import User
User.objects.create_user("manager", "boss@example.org", "a right password", is_staff=True)
User.objects.create_user("jane", "", "a right password")
"""


@pytest.fixture(scope="module")
def provider():
    provider = Provider()
    yield provider
    provider.stop()


@pytest.fixture(scope="module")
def installation(postgres_cluster, provider):
    """The environment of a site with a separate database, in which `manager` has an account."""
    with contextlib.closing(psycopg2.connect(postgres_cluster.url())) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE oidc")
    parts = urlsplit(postgres_cluster.url())
    address = parts._replace(path="/oidc").geturl()
    variables = {
        **os.environ,
        "DATABASE_URL": address,
        "DEBUG": "true",  # static files without their collection
        "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        "OIDC_ISSUER": provider.issuer,
        "OIDC_CLIENT_ID": CLIENT_ID,
        "OIDC_CLIENT_SECRET": SECRET,
        "OIDC_NAME": "Example University",
    }
    for arguments in (["migrate", "-v0"], ["shell", "-v0", "-c", ACCOUNTS]):
        run = [sys.executable, "manage.py", *arguments]
        subprocess.run(run, cwd=ROOT, env=variables, check=True)
    return variables


@pytest.fixture(scope="module")
def site(installation):
    process = subprocess.Popen(
        [sys.executable, "-c", SITE],
        cwd=ROOT,
        env=installation,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    process.kill()
    process.wait()


@pytest.fixture
def someone(provider):
    """Makes the provider sign in this person, without errors."""

    def become(sub, **claims):
        provider.person = {"sub": sub, "name": "Ada Example", **claims}
        provider.signs_with = provider.key
        provider.changes_token = {}
        provider.userinfo_sub = None
        provider.refuses = provider.is_down = False
        return provider

    return become


def rows(installation, sql):
    database = environment.database(installation["DATABASE_URL"])
    with upkeep.connected(database) as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def account_shown(browser, site):
    page = browser.get(f"{site}/account/").text
    found = re.search(r"You are signed in as ([^<]+)\.", page)
    return found and found[1]


def post(browser, address, **data):
    token = browser.cookies["csrftoken"]
    return browser.post(address, {"csrfmiddlewaretoken": token, **data})


def sign_in_by_password(browser, site, name):
    browser.get(f"{site}/sign-in/")
    answer = post(browser, f"{site}/sign-in/", username=name, password="a right password")
    assert answer.ok and account_shown(browser, site) == name


@pytest.mark.proof
def test_a_newcomer_gets_an_account_without_rights(site, someone, installation):
    provider = someone("7", preferred_username="ada", email="ada@example.org", email_verified=True)
    browser = requests.Session()
    page = browser.get(f"{site}/sign-in/?next=/account/").text
    assert "Sign in with Example University" in page
    link = re.search(r'href="(/oidc/[^"]*)"', page)[1]
    answer = browser.get(site + link)
    assert answer.status_code == 200
    assert urlsplit(answer.url).path == "/account/"
    assert account_shown(browser, site) == "ada"
    assert {"/authorize", "/token", "/jwks", "/userinfo"} <= set(provider.asked)
    found = rows(
        installation,
        "SELECT email, is_staff, is_superuser, password LIKE '!%' FROM auth_user"
        " WHERE username = 'ada'",
    )
    assert found == [("ada@example.org", False, False, True)]
    assert browser.get(f"{site}/campaigns/new/").status_code == 403
    # Again, from another device: the same account.
    browser = requests.Session()
    browser.get(f"{site}/oidc/")
    assert account_shown(browser, site) == "ada"
    assert rows(installation, "SELECT count(*) FROM socialaccount_socialaccount") == [(1,)]


def test_neither_the_name_nor_the_address_of_a_manager_opens_the_managers_account(
    site, someone, installation
):
    someone("8", preferred_username="manager", email="boss@example.org", email_verified=True)
    browser = requests.Session()
    browser.get(f"{site}/oidc/")
    name = account_shown(browser, site)
    assert name and name != "manager"
    assert browser.get(f"{site}/campaigns/new/").status_code == 403


def test_an_address_that_the_provider_did_not_verify_is_not_kept(site, someone, installation):
    someone("9", preferred_username="eve", email="boss@example.org", email_verified=False)
    requests.Session().get(f"{site}/oidc/")
    assert rows(installation, "SELECT email FROM auth_user WHERE username = 'eve'") == [("",)]
    kept = rows(
        installation,
        "SELECT a.email FROM account_emailaddress a JOIN auth_user u ON a.user_id = u.id"
        " WHERE a.verified OR username = 'eve'",
    )
    assert kept == []


def test_somebody_who_is_signed_in_connects_the_account(site, someone):
    someone("10", preferred_username="jane.doe")
    browser = requests.Session()
    sign_in_by_password(browser, site, "jane")
    page = post(browser, f"{site}/oidc/connect/").text
    assert "gives access to your account jane here" in page
    assert urlsplit(browser.get(f"{site}/oidc/").url).path == "/account/"
    assert "You sign in with Example University." in browser.get(f"{site}/account/").text
    browser = requests.Session()
    browser.get(f"{site}/oidc/")
    assert account_shown(browser, site) == "jane"


def test_nothing_is_connected_unasked(site, someone, installation):
    """A link to the provider, on another site, can only sign in: it connects nothing."""
    someone("11", preferred_username="mallory")
    browser = requests.Session()
    sign_in_by_password(browser, site, "manager")
    for address in ("/oidc/?process=connect", "/oidc/connect/"):
        browser.get(site + address)
    assert account_shown(browser, site) != "manager"
    owners = rows(
        installation,
        "SELECT username FROM auth_user u JOIN socialaccount_socialaccount s ON s.user_id = u.id",
    )
    assert ("manager",) not in owners


FAULTS = {
    "another key": {"signs_with": rsa.generate_private_key(public_exponent=65537, key_size=2048)},
    "for another site": {"changes_token": {"aud": "another"}},
    "of another issuer": {"changes_token": {"iss": "https://example.org"}},
    "too old": {"changes_token": {"exp": 1}},
    "another person beside it": {"userinfo_sub": "7"},
    "refused": {"refuses": True},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_in_order_signs_nobody_in(site, someone, fault):
    provider = someone("12", preferred_username="fay")
    for name, value in FAULTS[fault].items():
        setattr(provider, name, value)
    browser = requests.Session()
    answer = browser.get(f"{site}/oidc/")
    assert answer.status_code == 403
    assert "The sign-in was not completed or was refused." in answer.text
    assert account_shown(browser, site) is None


def test_a_provider_that_is_down_is_told_in_words(site, someone):
    someone("13").is_down = True
    answer = requests.Session().get(f"{site}/oidc/")
    assert answer.status_code == 403
    assert "Try again" in answer.text


def test_an_answer_that_this_browser_never_asked_for(site, someone):
    """Login CSRF: the attacker's code, in the victim's browser."""
    someone("14", preferred_username="mallory-2")
    attacker = requests.Session()
    to_provider = attacker.get(f"{site}/oidc/", allow_redirects=False).headers["Location"]
    back = requests.get(to_provider, allow_redirects=False).headers["Location"]
    victim = requests.Session()
    assert victim.get(back).status_code == 403
    assert account_shown(victim, site) is None
    assert attacker.get(back).status_code == 200


def test_no_way_to_another_site(site, someone):
    someone("15", preferred_username="ida")
    answer = requests.Session().get(f"{site}/oidc/?next=https://example.org/")
    assert answer.url.startswith(site)


def test_a_closed_account_stays_closed(site, someone, installation):
    someone("16", preferred_username="closed")
    requests.Session().get(f"{site}/oidc/")
    script = "from django.contrib.auth.models import User;"
    script += "User.objects.filter(username='closed').update(is_active=False)"
    run = [sys.executable, "manage.py", "shell", "-v0", "-c", script]
    subprocess.run(run, cwd=ROOT, env=installation, check=True)
    browser = requests.Session()
    assert browser.get(f"{site}/oidc/").status_code == 403
    assert account_shown(browser, site) is None


def test_nothing_of_allauth_is_imported_without_a_provider():
    script = (
        "import sys, mteval_site.wsgi; from django.urls import get_resolver;"
        "get_resolver().reverse_dict; print('allauth' in sys.modules, 'jwt' in sys.modules)"
    )
    variables = {k: v for k, v in os.environ.items() if not k.startswith("OIDC_")}
    variables["DJANGO_SETTINGS_MODULE"] = "mteval_site.settings"
    run = [sys.executable, "-c", script]
    done = subprocess.run(run, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_an_issuer_alone_is_told_at_the_start():
    variables = {**os.environ, "OIDC_ISSUER": "https://example.org"}
    run = [sys.executable, "-c", "import mteval_site.settings"]
    done = subprocess.run(run, cwd=ROOT, env=variables, capture_output=True, text=True)
    assert "OIDC_ISSUER is set, so OIDC_CLIENT_ID must also be set." in done.stderr
