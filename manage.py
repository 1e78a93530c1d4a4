#!/usr/bin/env python
"""Django's command line. `./run manage COMMAND` calls it inside the right environment."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError:
        from mteval_site import checks

        if not checks.embedded_database_is_down():
            raise
        sys.exit(f"The embedded database is not running. {checks.START}")


if __name__ == "__main__":
    main()
