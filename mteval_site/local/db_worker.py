"""A background worker of `./run`: `manage.py db_worker` for some queues, without a start-up
delay."""

import os
import sys

# The first worker serves only short tasks, so that long ones do not hold them up; the second those
# that take seconds while somebody waits on a page; the third serves everything. A fourth, if the
# operator lists endpoints of language models, waits for their answers.
QUEUES = {"worker": "default", "short worker": "short", "slow worker": "*"}
JUDGE_WORKER = ("judge worker", "judge")


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
    """Return the queues that a worker of all queues leaves to others: language models as judges,
    and neural metrics if they have a separate queue."""
    from django.conf import settings

    if queues != "*":
        return []
    others = {"judge"} if settings.JUDGE_ENDPOINTS else set()
    others |= {settings.NEURAL_QUEUE} - {"slow"}
    return ["--exclude-queues", ",".join(sorted(others))] if others else []


if __name__ == "__main__":
    main(*sys.argv[1:])
