"""A host that vanishes must not keep the locks of its connections (benchmarks/hosts.py)."""

import psycopg2
from django.conf import settings

from mteval_site import databases
from mteval_site.local import upkeep


def test_the_server_asks_whether_its_client_is_there() -> None:
    entry = {"OPTIONS": {"options": "-c tcp_keepalives_idle=7"}}
    databases.limit(entry, {"lock_timeout": 3})
    given = entry["OPTIONS"]["options"]
    assert given.startswith("-c lock_timeout=3s ")
    assert "-c tcp_keepalives_interval=2 -c tcp_keepalives_count=2" in given
    assert "-c tcp_user_timeout=8000" in given  # while an answer is not confirmed
    # PostgreSQL uses the last value of a setting that is given twice.
    assert given.index("tcp_keepalives_idle=4") < given.index("tcp_keepalives_idle=7")


def test_the_server_takes_these_settings(django_db_setup: None) -> None:
    entry = {**settings.DATABASES["default"], "OPTIONS": {}}
    databases.limit(entry, {"lock_timeout": 3})
    connection = psycopg2.connect(**upkeep.arguments_of(entry))
    with connection, connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone()[0] == "3s"
    connection.close()
