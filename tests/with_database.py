"""`python -m tests.with_database manage.py COMMAND ...`: run a command on a throw-away database."""

import os
import subprocess
import sys

from tests.throw_away import throw_away


def main() -> int:
    with throw_away() as cluster:
        environment = {**os.environ, "DATABASE_URL": cluster.url(), "SECRET_KEY": "throw-away"}
        return subprocess.call([sys.executable, *sys.argv[1:]], env=environment)


if __name__ == "__main__":
    sys.exit(main())
