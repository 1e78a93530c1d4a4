import contextlib

import psycopg2
from django.contrib.auth import get_user_model
from django.db import connection

from . import factory, seeds


def left_open() -> contextlib.closing:
    settings = connection.settings_dict
    server = {"host": settings["HOST"], "user": settings["USER"], "dbname": settings["NAME"]}
    return contextlib.closing(psycopg2.connect(**server))


def primary_key(built: list[str]) -> int:
    seeds.take("one-user", lambda: built.append(factory.make_user("seed").username))
    return get_user_model().objects.get().pk


def test_a_seed_is_built_once_and_copied(transactional_db):
    """Also if somebody has left a connection open."""
    built: list[str] = []
    with left_open():
        first = primary_key(built)
    factory.make_user("another")
    with left_open():
        assert primary_key(built) == first, "what came after the seed has gone"
    assert built == ["seed"]
