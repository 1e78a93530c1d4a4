"""A background worker of `./run`: `manage.py db_worker` for some queues, without a start-up
delay."""

import os
import sys
from typing import Any

# The first worker serves only short tasks, so that long ones do not hold them up; the second those
# that take seconds while somebody waits on a page; the third serves everything that this machine
# has the resources for. A fourth, if the operator lists endpoints of language models, waits for
# their answers.
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
    """Return the option that makes a worker of all queues leave language models as judges to the
    worker that has only them."""
    from django.conf import settings

    return ["--exclude-queues", "judge"] if queues == "*" and settings.JUDGE_ENDPOINTS else []


def workers(settings: Any) -> list[tuple[str, str]]:
    """Return name and queues of each worker that has something to do with this machine's
    resources."""
    judges = [JUDGE_WORKER] if settings.JUDGE_ENDPOINTS else []
    others = set(settings.OWN_QUEUES) - {queues for _, queues in judges}
    return [
        (name, queues)
        for name, queues in [*QUEUES.items(), *judges]
        if (others if queues == "*" else queues in settings.OWN_QUEUES)
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
