"""Whether a start has anything to prepare, told without importing the application.

Importing takes longer than all the rest of a start, and what it would find is nearly always that
all is up to date. So the start before this one has noted what it prepared: the files of migrations,
of static files and of the demo, and the migrations that the database had. While these are the same
there is nothing to do. `settings` is always the module, or Django's object that stands for it.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psycopg2

NOTE = "prepared.json"


def is_done(settings: Any, database: dict, *, demo: bool) -> dict | None:
    """What was noted when all was last prepared, if nothing has changed since; else None.

    database: as an entry of Django's DATABASES. demo: whether the demo has to be there, too.
    """
    try:
        noted = json.loads((Path(settings.VAR_DIR) / NOTE).read_text())
        with connected(database) as connection:
            done = noted["state"] == state(settings, connection) and not missing_static(settings)
            there = not demo or has_test_set(connection, noted["demo"])
    except (OSError, ValueError, KeyError, psycopg2.Error):
        return None
    return noted if done and there else None


def note(settings: Any, database: dict, facts: dict) -> None:
    """Write down that everything is prepared as it is now, with what a later start will tell."""
    with connected(database) as connection:
        text = json.dumps({**facts, "state": state(settings, connection)})
    file = Path(settings.VAR_DIR) / NOTE
    part = file.with_suffix(".part")
    part.write_text(text)
    part.replace(file)


def state(settings: Any, connection: "psycopg2.extensions.connection") -> str:
    """Changes with every file or row that decides what has to be prepared."""
    demo = Path(settings.BASE_DIR) / "judgments" / "exchange" / "demo"
    migrations = [file for folder in app_folders(settings) for file in folder.glob("migrations/*")]
    parts = [
        static_state(settings),
        listing([Path(settings.STATIC_ROOT) / "staticfiles.json"]),
        listing([*migrations, *demo.iterdir()]),
        applied_migrations(connection),
        settings.WEB_DATABASE["USER"] if settings.WEB_DATABASE else "",  # who has rights to tables
        str(settings.PUBLIC_DEMO),  # and to which functions
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def static_state(settings: Any) -> str:
    """Changes when a static file has come, gone or changed, or is to be stored otherwise."""
    folders = [*settings.STATICFILES_DIRS, *(f / "static" for f in app_folders(settings))]
    found = listing(file for folder in folders for file in Path(folder).rglob("*"))
    text = f"{settings.STORAGES['staticfiles']}\n{found}"
    return hashlib.sha256(text.encode()).hexdigest()


def missing_static(settings: Any) -> str:
    """The first collected file that is not there, the list of them included; empty if all are, and
    where the storage keeps no list, as that of the tests."""
    if not settings.STORAGES["staticfiles"]["BACKEND"].endswith("ManifestStaticFilesStorage"):
        return ""
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    try:
        names = json.loads(manifest.read_text())["paths"].values()
    except (OSError, ValueError, KeyError):
        return manifest.name
    return next((name for name in names if not (manifest.parent / name).is_file()), "")


def app_folders(settings: Any) -> list[Path]:
    """Where the installed apps are. Their names are those of packages; none of them is imported."""
    folders = []
    for name in settings.INSTALLED_APPS:
        package, *inner = name.split(".")
        spec = importlib.util.find_spec(package)
        assert spec is not None and spec.submodule_search_locations, f"no package {package}"
        folders.append(Path(spec.submodule_search_locations[0]).joinpath(*inner))
    return folders


def listing(files: Iterable[Path]) -> str:
    """Files with size and time of change, as one text, without folders and what is missing."""
    lines = []
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            status = os.stat(file)
            if not os.path.isdir(file):
                lines.append(f"{file}\0{status.st_size}\0{status.st_mtime_ns}")
    return "\n".join(sorted(lines))


@contextlib.contextmanager
def connected(database: dict):
    """A connection to the site's database."""
    connection = psycopg2.connect(**arguments_of(database))
    with contextlib.closing(connection):
        yield connection


def arguments_of(database: dict) -> dict:
    """What psycopg2 is called with for an entry of Django's DATABASES."""
    names = {
        "dbname": "NAME",
        "user": "USER",
        "password": "PASSWORD",
        "host": "HOST",
        "port": "PORT",
    }
    given = {key: database[name] for key, name in names.items() if database[name]}
    return {"connect_timeout": 5, **database["OPTIONS"], **given}


def applied_migrations(connection: "psycopg2.extensions.connection") -> str:
    """What Django has written down in the database; raises psycopg2.Error before the first time."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name, id")
        return "\n".join(f"{app}.{name}" for app, name in cursor.fetchall())


def has_test_set(connection: "psycopg2.extensions.connection", name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM judgments_testset WHERE name = %s)", [name])
        return cursor.fetchone()[0]
