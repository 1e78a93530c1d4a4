"""A kept connection that the server has ended is replaced before it is asked."""

import time
from unittest import mock

from django.db import connection
from django.test import TransactionTestCase

from mteval_site.postgresql import base


def terminate(pid: int) -> None:
    """End a process of the server, from another connection, and wait until it has gone."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    other.close()


class KeptConnectionTest(TransactionTestCase):
    def setUp(self):
        connection.close()
        self.enterContext(mock.patch.dict(connection.settings_dict, {"CONN_MAX_AGE": 60}))
        self.addCleanup(connection.close)
        self.ask()

    def ask(self) -> int:
        """The process of the server that answers a new request."""
        connection.close_if_unusable_or_obsolete()
        connection.health_check_enabled = True
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return cursor.fetchone()[0]

    def test_a_quiet_connection_is_used_without_asking(self):
        pid = self.ask()
        with mock.patch.object(connection, "is_usable") as is_usable:
            self.assertEqual(self.ask(), pid)
            is_usable.assert_not_called()

    def test_one_that_the_server_has_ended_is_replaced(self):
        pid = self.ask()
        terminate(pid)
        self.assertNotEqual(self.ask(), pid)

    def test_after_some_seconds_the_server_is_asked(self):
        pid = self.ask()
        connection.asked_at = time.monotonic() - base.SILENT_SECONDS
        with mock.patch.object(connection, "is_usable", return_value=False) as is_usable:
            self.assertNotEqual(self.ask(), pid)
            is_usable.assert_called_once_with()
