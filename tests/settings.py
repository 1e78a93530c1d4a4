"""The site's settings with additions for tests: a separate database, fast passwords, plain static
files. The database is started by the first test that needs one (conftest.py)."""

import os
import tempfile
from pathlib import Path

from mteval_site.local import postgres

# Never the folder var/ of the checkout: its database may contain somebody's work.
TEST_HOME = Path(tempfile.mkdtemp(prefix="mteval-test-", dir="/tmp"))
TEST_HOME.chmod(0o711)  # PostgreSQL may run as another user
POSTGRES_HOME = TEST_HOME / "postgres"

os.environ["MTEVAL_VAR"] = str(TEST_HOME)
os.environ["DATABASE_URL"] = postgres.url(POSTGRES_HOME)
os.environ.setdefault("SECRET_KEY", "only-for-tests")
# pytest-playwright keeps an event loop running in the thread that also uses the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
for name in ("DEBUG", "HTTPS", "ALLOWED_HOSTS"):
    os.environ.pop(name, None)

from mteval_site.settings import *  # noqa: E402, F403
from mteval_site.settings import DATABASES, MIDDLEWARE, STATIC_ROOT, STORAGES  # noqa: E402

DATABASES["default"]["CONN_MAX_AGE"] = 0
# Most tests write in a transaction, which no other connection could read; those of moments
# (tests/judgments/exchange/test_one_moment.py) set this to "moment".
MOMENT_DATABASE = "default"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
# The live server of the browser tests serves static files itself, directly from static/.
MIDDLEWARE.remove("whitenoise.middleware.WhiteNoiseMiddleware")
MIDDLEWARE = [*MIDDLEWARE[:-1], "tests.watched_acts.WatchedActs"]
STATIC_ROOT.mkdir(parents=True)
# Tests request hundreds of pages as one user, and count the statements of views; those of limits
# (judgments/web/test_limits.py) set this to 1.
RATE_LIMITS = 0
