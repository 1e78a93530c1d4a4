"""A background worker of `./run`: `manage.py db_worker`, after a look at what was left behind."""

import os
import sys

# The first worker serves only what is soon done, so that nothing long holds that up; the second one
# serves everything (metrics/tasks.py).
QUEUES = {"worker": "default", "slow worker": "*"}


def main(queues: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    if settings.EMBEDDED_DATABASE and queues == QUEUES["worker"]:
        requeue_tasks()
    options = ["--queue-name", queues, "--interval", "0.5", "--no-startup-delay", "--no-reload"]
    call_command("db_worker", *options, skip_checks=False)


def requeue_tasks() -> None:
    """Tasks that a killed worker has left behind start again.

    Only right where no other worker can be at work: on the embedded database, before our own.
    """
    from django_tasks_db.models import DBTaskResult

    DBTaskResult.objects.running().update(status="READY", started_at=None)


if __name__ == "__main__":
    main(*sys.argv[1:])
