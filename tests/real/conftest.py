"""Campaigns of published judgments, imported once for a module and rolled back after it."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from judgments.models import Campaign


@pytest.fixture(scope="module")
def imported(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker
) -> Iterator[Callable[..., Campaign]]:
    """Call it with an adapter of tests.real_data and its arguments."""

    def load(adapter: Callable[..., Campaign], *args: str) -> Campaign:
        campaign = adapter(tmp_path_factory.mktemp("real"), *args)
        # Here, once; else the end of every test would check the foreign keys of all these rows.
        connection.check_constraints()
        return campaign

    cache.clear()
    with django_db_blocker.unblock(), transaction.atomic():
        yield load
        transaction.set_rollback(True)
