"""What monitors learn, whatever else is wrong with their requests."""

import json
from collections import Counter

import psycopg2
import pytest
from django.contrib.auth.views import LoginView
from django.db import OperationalError, connection
from django.test import Client

from mteval_site import health
from mteval_site.local import readiness, upkeep

READY = "/health/ready/"
MANIFEST = "mteval_site.static_files.JoinedManifestStaticFilesStorage"
FIRST_MIGRATIONS = ["0001_squashed_0074_words", "0001_squashed_0008_metric_spans"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/health/", "/health/ready/"])
def test_monitors_are_told_that_the_site_can_serve(client: Client, address: str):
    response = client.get(address)
    assert response.status_code == 200
    assert response.text == "ready\n"
    assert response["Content-Type"].startswith("text/plain")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/health/", "/health/ready/"])
def test_monitors_are_told_that_the_database_is_away(client, monkeypatch, address):
    def refuse():
        raise OperationalError("could not connect to /secret/socket")

    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get(address)
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert response.text == "the database does not answer\n"
    assert client.get("/health/live/").status_code == 200


@pytest.mark.django_db
def test_a_version_whose_migrations_are_to_come_is_not_ready(client):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = ANY(%s)", [FIRST_MIGRATIONS])
    response = client.get("/health/ready/")
    assert response.status_code == 503
    assert response.text == "2 migrations have not been applied\n"


def test_the_process_answers_without_a_database(client):
    """pytest-django lets no test without its mark reach the database."""
    assert client.get("/health/live/").text == "alive\n"


@pytest.mark.django_db
def test_neither_the_host_nor_the_scheme_matters(client, settings):
    """A load balancer asks by address and over HTTP."""
    settings.SECURE_SSL_REDIRECT = True
    for address in ("/health/live/", "/health/ready/"):
        response = client.get(address, headers={"host": "10.0.0.7"})
        assert response.status_code == 200
        assert not response.cookies


@pytest.mark.django_db
def test_a_site_that_can_draw_no_page_is_not_ready(client, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr(LoginView, "get_context_data", lambda *args, **kwargs: 1 / 0)
    response = client.get(READY)
    assert (response.status_code, response.text) == (503, "pages cannot be drawn\n")


@pytest.mark.django_db
@pytest.mark.parametrize("https", [False, True])
def test_the_page_is_drawn_as_visitors_ask_for_it(client, settings, monkeypatch, https):
    settings.SECURE_SSL_REDIRECT = settings.HTTPS = https
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if https else None
    settings.ALLOWED_HOSTS = [".example.org"]
    answers = []
    draw = health.Whole.look_now

    def look_now(whole):
        answers.append(whole.draw(health.page_request()))
        return draw(whole)

    monkeypatch.setattr(health.Whole, "look_now", look_now)
    assert client.get(READY).status_code == 200
    assert answers[0].status_code == 200
    assert "<form" in answers[0].text


@pytest.mark.django_db
@pytest.mark.parametrize("lost", ["staticfiles.json", "css/app.abc.css"])
def test_a_site_without_its_static_files_is_not_ready(client, settings, tmp_path, lost):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": MANIFEST}}
    (tmp_path / "css").mkdir()
    (tmp_path / "css/app.abc.css").touch()
    (tmp_path / "staticfiles.json").write_text(json.dumps({"paths": {"app": "css/app.abc.css"}}))
    assert upkeep.missing_static(settings) == ""
    (tmp_path / lost).unlink()
    response = client.get(READY)
    assert (response.status_code, response.text) == (503, "static files are missing\n")


@pytest.mark.django_db
def test_a_site_that_cannot_write_is_not_ready(client, settings, tmp_path, monkeypatch):
    said = "the disk is full or cannot be written\n"
    settings.VAR_DIR = tmp_path / "gone"
    response = client.get(READY)
    assert (response.status_code, response.text) == (503, said)
    settings.VAR_DIR = tmp_path
    assert Client().get(READY).status_code == 200
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 60)
    assert Client().get(READY).text == said


@pytest.mark.django_db
def test_a_kept_connection_does_not_hide_that_nobody_gets_in(client, monkeypatch):
    def refuse(**arguments):
        raise psycopg2.OperationalError("no such socket")

    monkeypatch.setattr(psycopg2, "connect", refuse)
    response = client.get(READY)
    assert (response.status_code, response.text) == (503, "the database does not answer\n")


@pytest.mark.django_db
def test_asking_often_makes_little_work(client, monkeypatch):
    looks: Counter = Counter()
    problems = [""]

    def look_now(whole):
        looks[whole] += 1
        return problems[0]

    now = [100.0]
    monkeypatch.setattr(health.Whole, "look_now", look_now)
    monkeypatch.setattr(health.time, "monotonic", lambda: now[0])
    for _ in range(50):
        assert client.get(READY).status_code == 200
    assert list(looks.values()) == [1]
    problems[0] = "ill"
    now[0] += health.GOOD_FOR
    assert client.get(READY).text == "ill\n"
    problems[0] = ""
    assert client.get(READY).status_code == 503
    now[0] += health.BAD_FOR
    assert client.get(READY).status_code == 200
    assert list(looks.values()) == [3]


def test_the_supervisor_reads_the_words_that_are_said():
    for name in ("NO_DATABASE", "NO_STATIC_FILES", "NO_DISK"):
        assert getattr(health, name) == getattr(readiness, name)


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_nothing_can_be_sent(client, method):
    assert getattr(client, method)("/health/live/").status_code == 405
