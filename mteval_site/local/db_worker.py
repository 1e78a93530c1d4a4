"""The background worker of `./run`: `manage.py db_worker` for all queues, begun at once."""

import os


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    import django
    from django.core.management import call_command

    django.setup()
    options = ["--queue-name", "*", "--interval", "0.5", "--no-startup-delay", "--no-reload"]
    call_command("db_worker", *options, skip_checks=False)


if __name__ == "__main__":
    main()
