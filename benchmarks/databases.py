"""A PostgreSQL server for a benchmark."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def database_in(folder: Path, *, durable: bool = False) -> Iterator[int]:
    """Yield the id of the first process of a server in a folder, which the settings of this process
    point to. durable: with fsync."""
    from mteval_site.local.postgres import Cluster

    folder.chmod(0o711)  # PostgreSQL runs under a different account
    cluster = Cluster(folder / "postgres", durable=durable)
    cluster.start()
    try:
        os.environ |= {
            "DATABASE_URL": cluster.url(),
            "MTEVAL_VAR": str(folder),
            "SECRET_KEY": "only-for-the-benchmark",
            "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        }
        yield int((cluster.data / "postmaster.pid").read_text().split()[0])
    finally:
        cluster.stop()
