"""The WSGI application that gunicorn serves."""

import gc
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from mteval_site import databases, public

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
# Reported to PostgreSQL; the operator's page recognizes its processes by it.
os.environ.setdefault("PGAPPNAME", "mteval web")
# One thread for products of matrices: otherwise each of several processes would take all cores, and
# wait for the others. Next to other work, a mixed model then takes half the processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Seconds after which a computing thread lets another one run. With Python's 0.005, storing an
# answer during an export waits that long after each statement.
sys.setswitchinterval(0.0005)

databases.serve(settings.DATABASES, settings.WEB_DATABASE)
databases.limit(settings.DATABASES["default"], settings.DATABASE_TIMEOUTS["web"])
application = get_wsgi_application()
# The module has the settings as they were made, without the host that tests add.
public.refuse_if_unsafe(import_module(settings.SETTINGS_MODULE))
# Import the views of judging now rather than at the first request: `gunicorn --preload` then does
# it once, for all its workers. Views of results are imported at the first request for one.
_ = get_resolver().url_patterns
# All this is permanent: the collector need not look at it again, which would make every worker copy
# the shared memory pages.
gc.collect()
gc.freeze()
