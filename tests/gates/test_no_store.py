"""No page behind the sign-in is stored by a browser or a proxy."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests import factory

from . import addresses
from .world import World

pytestmark = pytest.mark.django_db
# Public, or with an explicit lifetime: judged recordings are played again and again.
KEPT = {"worker", "media"}


@pytest.mark.proof
def test_every_address_says_so_to_who_is_signed_in():
    """Pages, downloads, errors and the API."""
    world = World()
    client = Client(raise_request_exception=False)
    client.force_login(world.people["owner"])
    kept = set()
    for name in addresses.names():
        response = client.get(addresses.address(name, world))
        if "no-store" not in response.get("Cache-Control", ""):
            kept.add(name)
        client.force_login(world.people["owner"])  # one of the URLs may sign out
    assert kept <= KEPT, kept


def test_signing_in_and_programs_with_a_token():
    factory.make_user("somebody")
    data = {"username": "somebody", "password": factory.PASSWORD}
    response = Client().post(reverse("login"), data)
    assert response.cookies[settings.SESSION_COOKIE_NAME]
    assert "no-store" in response["Cache-Control"]
    response = Client().get(reverse("api-campaigns"), headers={"Authorization": "Token none"})
    assert "no-store" in response["Cache-Control"]


def test_what_strangers_see_may_be_kept():
    assert "Cache-Control" not in Client().get(reverse("accessibility"))
