"""Django's sessions in the database, including those of people who signed in to an earlier
version."""

from datetime import datetime

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from judgments.models.prepared_queries import Prepared

# Path of the backend in an earlier version; people who signed in to that stay signed in.
EARLIER_BACKEND = "judgments.backends.ModelBackend"


# Every request reads its session, so the statement is prepared.
current_session = Prepared(
    lambda key, now: Session.objects.filter(session_key=key, expire_date__gt=now), (str, datetime)
)


class SessionStore(db.SessionStore):
    def load(self):
        # Django's own also forgets the key of a session that has expired or does not exist.
        found = current_session.first(self.session_key, timezone.now())
        return self.decode(found.session_data) if found else super().load()

    def _validate_session_key(self, key):
        # A quoted cookie can encode a NUL, which the database does not accept.
        is_valid = super()._validate_session_key(key)  # type: ignore[misc]
        return is_valid and "\0" not in key

    def decode(self, session_data):
        found = super().decode(session_data)
        if found.get(BACKEND_SESSION_KEY) == EARLIER_BACKEND:
            found[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        return found
