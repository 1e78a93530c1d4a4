"""Sessions in the database, as Django keeps them, read with a prepared statement.

Every request of an annotator begins with this query; nothing else differs from Django's engine, and
the table is the same.
"""

from datetime import datetime

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

from judgments.models.prepared_queries import Prepared

# Where the backend was when people signed in to an earlier version; they stay signed in.
EARLIER_BACKEND = "judgments.backends.ModelBackend"
live_sessions = Prepared(
    lambda key, now: SessionStore.get_model_class().objects.filter(
        session_key=key, expire_date__gt=now
    ),
    (str, datetime),
)


class SessionStore(db.SessionStore):
    """data_read: what was stored under the key of the request, still sealed (`arrival`)."""

    data_read: str | None = None

    def _validate_session_key(self, key):
        # A quoted cookie can spell a NUL, which the database does not take.
        is_valid = super()._validate_session_key(key)  # type: ignore[misc]
        return is_valid and "\0" not in key

    def decode(self, session_data):
        found = super().decode(session_data)
        if found.get(BACKEND_SESSION_KEY) == EARLIER_BACKEND:
            found[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        return found

    def _get_session_from_db(self):
        session = live_sessions.first(self.session_key, timezone.now())
        if session is None:
            self._session_key = None
        else:
            self.data_read = session.session_data
        return session
