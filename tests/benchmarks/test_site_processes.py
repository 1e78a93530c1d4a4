"""What is what among the processes of a site."""

import pytest
from site_processes import plain, role_of

PYTHON = "/opt/mteval/.venv/bin/python"
TABLE = {
    1: (0, "/sbin/init"),
    10: (1, f"{PYTHON} /opt/mteval/mteval_site/local/__main__.py --port 8000"),
    11: (10, f"{PYTHON} -I -S /opt/mteval/mteval_site/local/watchdog.py"),
    12: (10, f"{PYTHON} -m gunicorn mteval_site.wsgi --bind fd://3"),
    13: (12, f"{PYTHON} -m gunicorn mteval_site.wsgi --bind fd://3"),
    14: (10, f"{PYTHON} -m mteval_site.local.db_worker"),
    15: (14, f"{PYTHON} -m metrics.scoring.child"),
    16: (10, f"{PYTHON} -m something_new"),
}


@pytest.mark.parametrize(
    ("pid", "role"),
    [
        (10, "supervisor"),
        (11, "watchdog"),
        (12, "web master"),
        (13, "web worker"),
        (14, "background worker"),
        (15, "scoring child"),
        (16, "other"),
    ],
)
def test_roles(pid: int, role: str) -> None:
    assert role_of(pid, TABLE) == role


def test_numbers_and_names_are_left_out() -> None:
    assert plain("io worker 2") == "io worker"
    assert plain("autovacuum worker mteval") == "autovacuum worker"
    assert plain("checkpointer") == "checkpointer"
