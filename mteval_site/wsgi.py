"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
# One thread for products of matrices: each of several processes would otherwise take all cores,
# and wait for the others. Beside other work a mixed model then takes half the processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

application = get_wsgi_application()
# Import all views now rather than with the first request: `gunicorn --preload` then does it once,
# for all its workers, and a broken import is told at the start.
_ = get_resolver().url_patterns
