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
# Told to PostgreSQL, by which the operator's page knows its processes.
os.environ.setdefault("PGAPPNAME", "mteval web")
# One thread for products of matrices: each of several processes would otherwise take all cores,
# and wait for the others. Beside other work a mixed model then takes half the processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Seconds after which a thread that computes lets another one go on. With Python's 0.005, an answer
# that is stored beside an export waits for so long after each of its statements.
sys.setswitchinterval(0.0005)

databases.serve(settings.DATABASES, settings.WEB_DATABASE)
databases.limit(settings.DATABASES["default"], settings.DATABASE_TIMEOUTS["web"])
application = get_wsgi_application()
# The module has the settings as they were made, without the host that tests add.
public.refuse_if_unsafe(import_module(settings.SETTINGS_MODULE))
# Import the views of judging now rather than with the first request: `gunicorn --preload` then does
# it once, for all its workers. Views of results come with the first request for one.
_ = get_resolver().url_patterns
# All this is here to stay: the collector need not look at it again, which would make every worker
# copy the pages of memory that they share.
gc.collect()
gc.freeze()
