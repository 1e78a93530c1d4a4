import pytest
from django.db import OperationalError, connection


@pytest.mark.django_db
def test_monitors_are_told_that_the_database_answers(client):
    response = client.get("/health/", headers={"accept": "application/json"})
    assert response.status_code == 200
    assert list(response.json().values()) == ["OK"]


@pytest.mark.django_db
def test_monitors_are_told_that_it_does_not(client, monkeypatch):
    def refuse():
        raise OperationalError("could not connect to /secret/socket")

    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/health/")
    assert response.status_code == 503
    assert "secret" not in response.text
