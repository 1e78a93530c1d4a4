"""What a start considers prepared, and that every change is noticed."""

import os
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import connection

from mteval_site import settings as own_settings
from mteval_site.local import upkeep

pytestmark = pytest.mark.django_db


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The settings of a site with one app `shop`, completely prepared."""
    files = {
        "shop/__init__.py": "raise AssertionError('imported')",
        "shop/migrations/0001_initial.py": "",
        "shop/static/shop.css": "",
        "static/js/site.js": "",
        "collected/staticfiles.json": "{}",
        "judgments/exchange/demo/texts.tsv": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "var").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    made = SimpleNamespace(
        BASE_DIR=tmp_path,
        VAR_DIR=tmp_path / "var",
        INSTALLED_APPS=["shop", "django.contrib.admin"],
        STATICFILES_DIRS=[tmp_path / "static"],
        WEB_DATABASE=None,
        PUBLIC_DEMO=False,
        STATIC_ROOT=tmp_path / "collected",
        STORAGES={"staticfiles": {"BACKEND": "one"}},
    )
    upkeep.note(made, connection.settings_dict, {"demo": "No such test set", "sign_ins": []})
    return made


def is_done(settings: SimpleNamespace, *, demo: bool, **changed: str) -> dict | None:
    return upkeep.is_done(settings, {**connection.settings_dict, **changed}, demo=demo)


def test_nothing_is_to_be_done_after_all_was_done(settings):
    assert is_done(settings, demo=False)["sign_ins"] == []


def test_a_first_start_has_everything_to_do(settings):
    (settings.VAR_DIR / upkeep.NOTE).unlink()
    assert is_done(settings, demo=False) is None


def test_a_note_that_is_no_note(settings):
    (settings.VAR_DIR / upkeep.NOTE).write_text("{")
    assert is_done(settings, demo=False) is None


@pytest.mark.parametrize(
    "name",
    [
        "shop/migrations/0002_more.py",
        "shop/static/new.css",
        "static/js/other.js",
        "judgments/exchange/demo/more.tsv",
    ],
)
def test_a_new_file_is_noticed(settings, name):
    (settings.BASE_DIR / name).write_text("")
    assert is_done(settings, demo=False) is None


@pytest.mark.parametrize(
    "name", ["shop/migrations/0001_initial.py", "shop/static/shop.css", "static/js/site.js"]
)
def test_a_changed_file_is_noticed(settings, name):
    """Also if the length is the same."""
    later = time.time_ns() + 1_000_000_000
    os.utime(settings.BASE_DIR / name, ns=(later, later))
    assert is_done(settings, demo=False) is None


@pytest.mark.parametrize(
    "name", ["shop/static/shop.css", "static/js/site.js", "collected/staticfiles.json"]
)
def test_a_lost_file_is_noticed(settings, name):
    (settings.BASE_DIR / name).unlink()
    assert is_done(settings, demo=False) is None


def test_another_way_of_storing_static_files_is_noticed(settings):
    settings.STORAGES = {"staticfiles": {"BACKEND": "other"}}
    assert is_done(settings, demo=False) is None


def test_another_app_is_noticed(settings):
    settings.INSTALLED_APPS = ["shop", "django.contrib.admin", "django.contrib.auth"]
    assert is_done(settings, demo=False) is None


def test_a_demo_that_is_not_there_is_noticed(settings):
    assert is_done(settings, demo=True) is None


def execute(statement: str) -> None:
    """Execute it in a separate connection, since `upkeep` has one, too."""
    with upkeep.connected(connection.settings_dict) as own, own, own.cursor() as cursor:
        cursor.execute(statement)


def test_another_database_is_noticed(settings):
    """As after a copy from another day was restored."""
    execute("INSERT INTO django_migrations (app, name, applied) VALUES ('x', 'y', now())")
    found = is_done(settings, demo=False)
    execute("DELETE FROM django_migrations WHERE app = 'x'")
    assert found is None
    assert is_done(settings, demo=False)


def test_a_database_that_does_not_answer(settings):
    assert is_done(settings, demo=False, NAME="nowhere") is None


def test_all_our_apps_are_found():
    """If one were missed, its new migrations would never be applied."""
    from django.apps import apps

    folders = upkeep.app_folders(own_settings)
    assert folders == [Path(config.path) for config in apps.get_app_configs()]


def test_a_second_role_is_noticed(settings):
    """It has no rights on the tables yet."""
    assert is_done(settings, demo=False) is not None
    settings.WEB_DATABASE = {"USER": "mteval_web"}
    assert is_done(settings, demo=False) is None
