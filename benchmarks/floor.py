"""The floor of `benchmarks/judging.py`: Django's own cost of a page and an answer.

A site as created by `django-admin startproject` (its middleware, sessions, accounts, CSRF
protection and cached templates), with persistent, checked connections, in the database of the
benchmark and with its sessions. A GET by a signed-in user reads one row of a table of 100,000 and
renders a page with a form of one field; a POST inserts one row and redirects to the page. Nothing
is done that a page with an account does not need.

Imported as `floor:application` by gunicorn; not a script.
"""

import os
import sys
from pathlib import Path
from typing import ClassVar

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mteval_site import environment

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ note.pk }}</title></head>
<body>
<p>{{ request.user.get_username }}: {{ note.text }}</p>
<form method="post">{% csrf_token %}<input name="text"><button>Send</button></form>
</body>
</html>
"""

settings.configure(
    BASE_DIR=Path(__file__).resolve().parent,  # gunicorn.conf.py looks for templates there
    SECRET_KEY=os.environ.get("SECRET_KEY", "only-for-the-benchmark"),
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "loaders": [
                    (
                        "django.template.loaders.cached.Loader",
                        [("django.template.loaders.locmem.Loader", {"page.html": PAGE})],
                    )
                ],
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ],
            },
        }
    ],
    DATABASES={
        "default": environment.database(os.environ.get("DATABASE_URL", "postgresql:///"))
        | {
            "ENGINE": "django.db.backends.postgresql",
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
        }
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    USE_TZ=True,
)
django.setup()

from django.contrib.auth.decorators import login_required  # noqa: E402
from django.db import models  # noqa: E402
from django.shortcuts import redirect, render  # noqa: E402
from django.urls import path  # noqa: E402
from django.utils import timezone  # noqa: E402


class FloorNote(models.Model):
    author_id = models.IntegerField()
    text = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[models.Manager] = models.Manager()

    class Meta:
        app_label = "floor"
        db_table = "floor_note"
        managed = False

    def __str__(self):
        return self.text


@login_required
def note(request, pk):
    if request.method == "POST":
        FloorNote.objects.create(author_id=request.user.pk, text=request.POST["text"])
        return redirect("note", pk + 1)
    return render(request, "page.html", {"note": FloorNote.objects.get(pk=pk)})


urlpatterns = [path("note/<int:pk>/", note, name="note")]
application = get_wsgi_application()
