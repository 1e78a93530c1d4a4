"""Whether a start has anything to prepare, decided without importing the application.

Importing takes longer than all the rest of a start, and would nearly always find that everything is
up to date. So the previous start has noted what it prepared: the files of migrations, of static
files and of the demo, and the migrations of the database. While these are unchanged there is
nothing to do. `settings` is always the module, or Django's equivalent object.
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
    """Return the facts noted when everything was last prepared, or None if something has changed
    since.

    database: an entry of Django's DATABASES. demo: whether the demo has to be loaded, too.
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
    """Record that everything is prepared in its present state, with facts for later starts."""
    with connected(database) as connection:
        text = json.dumps({**facts, "state": state(settings, connection)})
    file = Path(settings.VAR_DIR) / NOTE
    part = file.with_suffix(".part")
    part.write_text(text)
    part.replace(file)


def state(settings: Any, connection: "psycopg2.extensions.connection") -> str:
    """Return a hash of every file and row that decides what has to be prepared."""
    demo = Path(settings.BASE_DIR) / "judgments" / "exchange" / "demo"
    migrations = [file for folder in app_folders(settings) for file in folder.glob("migrations/*")]
    parts = [
        static_state(settings),
        listing([Path(settings.STATIC_ROOT) / "staticfiles.json"]),
        listing([*migrations, *demo.iterdir()]),
        applied_migrations(connection),
        settings.WEB_DATABASE["USER"] if settings.WEB_DATABASE else "",  # has rights on tables
        str(settings.PUBLIC_DEMO),  # and to which functions
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def static_state(settings: Any) -> str:
    """Return a text that changes when a static file is added, removed or changed, or storage
    changes."""
    folders = [*settings.STATICFILES_DIRS, *(f / "static" for f in app_folders(settings))]
    found = listing(file for folder in folders for file in Path(folder).rglob("*"))
    text = f"{settings.STORAGES['staticfiles']}\n{found}"
    return hashlib.sha256(text.encode()).hexdigest()


def missing_static(settings: Any) -> str:
    """Return the first collected file that is missing, including the manifest; empty if all exist,
    and if the storage has no manifest, like that of the tests."""
    if not settings.STORAGES["staticfiles"]["BACKEND"].endswith("ManifestStaticFilesStorage"):
        return ""
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    try:
        names = json.loads(manifest.read_text())["paths"].values()
    except (OSError, ValueError, KeyError):
        return manifest.name
    return next((name for name in names if not (manifest.parent / name).is_file()), "")


def app_folders(settings: Any) -> list[Path]:
    """Return the folders of the installed apps. Their names are those of packages; none is
    imported."""
    folders = []
    for name in settings.INSTALLED_APPS:
        package, *inner = name.split(".")
        spec = importlib.util.find_spec(package)
        assert spec is not None and spec.submodule_search_locations, f"no package {package}"
        folders.append(Path(spec.submodule_search_locations[0]).joinpath(*inner))
    return folders


def listing(files: Iterable[Path]) -> str:
    """Return files with size and modification time, as one text, without folders and missing
    ones."""
    lines = []
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            status = os.stat(file)
            if not os.path.isdir(file):
                lines.append(f"{file}\0{status.st_size}\0{status.st_mtime_ns}")
    return "\n".join(sorted(lines))


@contextlib.contextmanager
def connected(database: dict):
    """Yield a connection to the site's database."""
    connection = psycopg2.connect(**arguments_of(database))
    with contextlib.closing(connection):
        yield connection


def arguments_of(database: dict) -> dict:
    """Return the arguments of psycopg2 for an entry of Django's DATABASES."""
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
    """Return the migrations recorded by Django in the database. Raise psycopg2.Error before the
    first migration."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name, id")
        return "\n".join(f"{app}.{name}" for app, name in cursor.fetchall())


def has_test_set(connection: "psycopg2.extensions.connection", name: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM judgments_testset WHERE name = %s)", [name])
        return cursor.fetchone()[0]
