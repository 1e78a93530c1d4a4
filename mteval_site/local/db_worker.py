"""A background worker of `./run`: `manage.py db_worker` for some queues, begun at once."""

import os
import sys

# The first worker serves only what is soon done, so that nothing long holds that up; the second
# what takes seconds while somebody looks at the page; the third serves everything. A fourth, where
# the operator lists endpoints of language models, waits for their answers.
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
    """Return what a worker of all queues leaves to others: language models as judges, and neural
    metrics where those have a queue of their own."""
    from django.conf import settings

    if queues != "*":
        return []
    others = {"judge"} if settings.JUDGE_ENDPOINTS else set()
    others |= {settings.NEURAL_QUEUE} - {"slow"}
    return ["--exclude-queues", ",".join(sorted(others))] if others else []


if __name__ == "__main__":
    main(*sys.argv[1:])
