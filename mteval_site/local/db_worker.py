"""A background worker of `./run`: `manage.py db_worker` for some queues, begun at once."""

import os
import sys

# The first worker serves only what is soon done, so that nothing long holds that up; the second
# what takes seconds while somebody looks at the page; the third serves everything.
QUEUES = {"worker": "default", "short worker": "short", "slow worker": "*"}


def main(queues: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    os.environ.setdefault("PGAPPNAME", "mteval worker")
    import django
    from django.core.management import call_command

    django.setup()
    options = [
        "--queue-name",
        queues,
        *excluded(queues),
        "--interval",
        "0.5",
        "--no-startup-delay",
        "--no-reload",
    ]
    call_command("db_worker", *options, skip_checks=False)


def excluded(queues: str) -> list[str]:
    """What a worker of all queues leaves to another machine: neural metrics, where those have a
    queue of their own."""
    from django.conf import settings

    queue = settings.NEURAL_QUEUE
    return ["--exclude-queues", queue] if queues == "*" and queue != "slow" else []


if __name__ == "__main__":
    main(*sys.argv[1:])
