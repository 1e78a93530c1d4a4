"""What monitors are told, whatever else is wrong with their requests."""

import pytest
from django.db import OperationalError, connection
from django.test import Client


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
        cursor.execute("DELETE FROM django_migrations WHERE app = 'judgments' AND name < '0003'")
        n_deleted = cursor.rowcount
    response = client.get("/health/ready/")
    assert response.status_code == 503
    assert response.text == f"{n_deleted} migrations are to be applied\n"


def test_the_process_answers_without_a_database(client):
    """pytest-django lets no test without its mark reach the database."""
    assert client.get("/health/live/").text == "alive\n"


@pytest.mark.django_db
def test_neither_the_host_nor_the_scheme_matters(client, settings):
    """A balancer asks by address and over HTTP."""
    settings.SECURE_SSL_REDIRECT = True
    for address in ("/health/live/", "/health/ready/"):
        response = client.get(address, headers={"host": "10.0.0.7"})
        assert response.status_code == 200
        assert not response.cookies


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_nothing_can_be_sent(client, method):
    assert getattr(client, method)("/health/live/").status_code == 405
