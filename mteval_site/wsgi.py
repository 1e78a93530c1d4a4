"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")

application = get_wsgi_application()
# Import all views now rather than with the first request: `gunicorn --preload` then does it once,
# for all its workers, and a broken import is told at the start.
_ = get_resolver().url_patterns
