import pytest


@pytest.mark.django_db
def test_monitors_are_told_that_the_database_answers(client):
    response = client.get("/health/", headers={"accept": "application/json"})
    assert response.status_code == 200
    assert list(response.json().values()) == ["OK"]
