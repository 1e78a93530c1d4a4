"""The background worker of `./run`: `manage.py db_worker`, after a look at what was left behind."""

import os


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    os.environ.setdefault("PGAPPNAME", "mteval worker")
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    if settings.EMBEDDED_DATABASE:
        requeue_tasks()
    options = ["--queue-name", "*", "--interval", "0.5", "--no-startup-delay", "--no-reload"]
    call_command("db_worker", *options, skip_checks=False)


def requeue_tasks() -> None:
    """Tasks that a killed worker has left behind start again.

    Only right where no other worker can be at work: on the embedded database, before our own.
    """
    from django_tasks_db.models import DBTaskResult

    DBTaskResult.objects.running().update(status="READY", started_at=None)


if __name__ == "__main__":
    main()
