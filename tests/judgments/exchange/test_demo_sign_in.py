"""One click into the demo: on the machine that the site runs on, and nowhere else."""

from ipaddress import ip_network

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from judgments.models import Act
from mteval_site.demo_accounts import SIGN_INS
from tests import factory

pytestmark = pytest.mark.django_db
HERE = {"REMOTE_ADDR": "127.0.0.1", "SERVER_NAME": "localhost"}
NAMES = ["manager", "researcher", "annotator"]


@pytest.fixture
def people():
    """The accounts that the demo makes."""
    create = get_user_model().objects.create_user
    return {name: create(name, password=password) for name, password, _ in SIGN_INS}


@pytest.fixture(autouse=True)
def as_run_starts_it(settings, people):
    settings.DEMO_SIGN_IN = True
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]


def offered(**extra) -> list[str]:
    page = Client().get("/", **HERE | extra).content.decode()
    return [name for name in NAMES if f"Enter as {name}" in page]


def entered(name="manager", **extra) -> bool:
    client = Client()
    response = client.post(reverse("demo-enter"), {"name": name}, **HERE | extra)
    is_in = "_auth_user_id" in client.session
    assert response.status_code == (302 if is_in else 404)
    return is_in


def assert_closed(**extra):
    assert offered(**extra) == []
    assert not any(entered(name, **extra) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_one_click_signs_in(name, people):
    assert offered() == NAMES
    client = Client()
    response = client.post(reverse("demo-enter"), {"name": name}, **HERE)
    assert response["Location"] == reverse("home")
    assert client.session["_auth_user_id"] == str(people[name].pk)
    assert client.get("/", **HERE).context["user"] == people[name]
    assert [act.act for act in Act.objects.all()] == ["demo-enter"]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
def test_every_loopback_address_is_here(address):
    assert entered(REMOTE_ADDR=address)


@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.0.2", "::ffff:192.0.2.1", "", "localhost"])
def test_other_machines(address):
    assert_closed(REMOTE_ADDR=address)


@pytest.mark.parametrize(
    "header",
    [
        *("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP"),
        *("Via", "X-Forwarded-Server", "X-Client-IP"),
    ],
)
def test_what_a_proxy_on_this_machine_passes_on(header):
    assert_closed(headers={header: "127.0.0.1"})


def test_a_proxy_that_is_named(settings):
    settings.TRUSTED_PROXIES = [ip_network("127.0.0.1")]
    assert_closed()


def test_another_name_of_the_site(settings):
    settings.ALLOWED_HOSTS = ["localhost", "eval.example.org"]
    assert_closed()
    assert_closed(SERVER_NAME="eval.example.org")


@pytest.mark.parametrize(
    ("name", "value"), [("HTTPS", True), ("EXPOSED", True), ("ALLOWED_HOSTS", ["*"])]
)
def test_a_public_server(settings, name, value):
    setattr(settings, name, value)
    assert_closed()


def test_a_site_that_run_has_not_started_with_the_demo(settings):
    settings.DEMO_SIGN_IN = False
    assert_closed()


def test_an_account_with_a_password_of_its_own(people):
    people["manager"].set_password("a password of one's own")
    people["manager"].save()
    assert offered() == ["researcher", "annotator"]
    assert not entered("manager")
    assert entered("researcher")


def test_an_account_that_is_closed_or_gone(people):
    people["annotator"].is_active = False
    people["annotator"].save()
    people["researcher"].delete()
    assert offered() == ["manager"]
    assert not entered("annotator")
    assert not entered("researcher")


@pytest.mark.parametrize("name", ["", "other", "operator", "manager\0"])
def test_nobody_else(name):
    factory.make_user("other")
    factory.make_user("operator", is_superuser=True)
    assert not entered(name)


def test_no_form_of_another_site_is_taken():
    client = Client(enforce_csrf_checks=True)
    assert client.post(reverse("demo-enter"), {"name": "manager"}, **HERE).status_code == 403
    assert client.get(reverse("demo-enter"), **HERE).status_code == 405


def test_a_proxy_that_tells_nothing_is_told_by_the_browser():
    """nginx passes requests on without a header by default; the browser names its page's origin."""
    client = Client(enforce_csrf_checks=True)
    client.get("/", **HERE)
    data = {"name": "manager", "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    address = reverse("demo-enter")
    refused = client.post(address, data, **HERE, headers={"origin": "https://eval.example.org"})
    assert refused.status_code == 403
    own = client.post(address, data, **HERE, headers={"origin": "http://localhost"})
    assert own.status_code == 302
