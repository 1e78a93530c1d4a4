"""System checks: a wrong set-up is reported at the start, with what to do about it."""

import importlib.util
from collections.abc import Container, Sequence
from pathlib import Path

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from mteval_site import environment, public
from mteval_site.local import postgres
from mteval_site.version import COMMAND

# Migrations were squashed into one per app twice. The first commit upgrades any older database, the
# second one any that has this migration.
BEFORE_SQUASHING = ("159ff174", "ab04dab8")
FIRST_SQUASHED = ("judgments", "0001_squashed_0045_brought_texts")
START = (
    f"Start {COMMAND} and leave it running, or set DATABASE_URL to a PostgreSQL server of your own."
)


@register(Tags.compatibility)
def database_engine(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    engine = settings.DATABASES["default"]["ENGINE"]
    if engine == environment.ENGINE:
        return []
    return [
        Error(
            f"The database engine is {engine}; mteval needs PostgreSQL.",
            hint="Set DATABASE_URL to postgresql://user:password@host:5432/name.",
            id="mteval_site.E001",
        )
    ]


@register(Tags.compatibility)
def database_driver(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    if importlib.util.find_spec("psycopg") is None:
        return []
    return [
        Error(
            "psycopg 3 is installed next to psycopg2, and Django would use it without notice.",
            hint="Remove it: pip uninstall psycopg psycopg-binary psycopg-c.",
            id="mteval_site.E002",
        )
    ]


@register(Tags.security, deploy=True)
def proxies_are_named(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Warn if no proxy is named: HTTPS=true says that there is one."""
    if not settings.HTTPS or settings.TRUSTED_PROXIES:
        return []
    return [
        Warning(
            (
                "HTTPS is on and TRUSTED_PROXIES is empty, so all people seem to come from one "
                "address."
            ),
            hint="Set TRUSTED_PROXIES to the address of the proxy, for instance 127.0.0.1.",
            id="mteval_site.W004",
        )
    ]


@register(Tags.compatibility)
def mail_has_a_sender(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Warn if there is no sender: mail servers refuse mail from localhost, or drop it silently."""
    if not settings.CAN_MAIL or not settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        return []
    return [
        Warning(
            f"EMAIL_URL is set, and emails come from {settings.DEFAULT_FROM_EMAIL}.",
            hint="Set EMAIL_FROM to an address for which the mail server sends.",
            id="mteval_site.W006",
        )
    ]


@register(Tags.database)
def database_is_up(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Report a database that is down, if Django is to check it: `migrate`, `check --database
    default`."""
    if "default" not in (databases or ()) or not embedded_database_is_down():
        return []
    return [Error("The embedded database is not running.", hint=START, id="mteval_site.E003")]


@register(Tags.database)
def database_is_new_enough(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Report partly applied migrations: of those squashed into one, all or none must be applied."""
    if "default" not in (databases or ()) or embedded_database_is_down():
        return []
    error = too_old(MigrationRecorder(connection).applied_migrations())
    return [error] if error else []


def too_old(applied: Container[tuple[str, str]]) -> Error | None:
    """Return the error of a database to which these migrations are applied, if it cannot be
    upgraded."""
    for migration in MigrationLoader(None).disk_migrations.values():
        missing = [key for key in migration.replaces if key not in applied]
        if missing and len(missing) < len(migration.replaces):
            commits = " and then ".join(BEFORE_SQUASHING[FIRST_SQUASHED in applied :])
            return Error(
                f"The database is of a version too old to be upgraded to this one: it lacks "
                f"{'.'.join(missing[0])}.",
                hint=f"Check out commit {commits}, start each once, then upgrade.",
                id="mteval_site.E008",
            )
    return None


@register(Tags.security, deploy=True)
def web_role(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Warn if the role that serves pages can alter tables or switch their triggers off."""
    web = settings.WEB_DATABASE
    if web is not None and web["USER"] != settings.DATABASE_OWNER:
        return []
    return [
        Warning(
            "Web server and workers connect to the database as the owner of its tables.",
            hint="Set DATABASE_WEB_URL to the address of a second role (docs/guide/operator.md, "
            "'Two roles in the database').",
            id="mteval_site.W007",
        )
    ]


@register(Tags.security, deploy=True)
def public_server(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Report in `check --deploy` what a public server would refuse to start with."""
    return [Error(problem, id="mteval_site.E004") for problem in public.problems_of(settings)]


@register(Tags.database, deploy=True)
def public_accounts(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Report the same for the database's accounts: `check --deploy --database default`."""
    if "default" not in (databases or ()) or not public.is_public(settings):
        return []
    if embedded_database_is_down():
        return []
    return [Error(problem, id="mteval_site.E005") for problem in public.problems_of_accounts()]


@register(Tags.security, deploy=True)
def public_demo_sends_nothing(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """What is set to send something, and ignored on a public demo server."""
    return [
        Warning(
            f"{name} is set, and ignored: nothing leaves a public demo server.",
            hint=f"Leave out {name} here, or run what needs it as another site.",
            id="mteval_site.W009",
        )
        for name in settings.IGNORED_VARIABLES
    ]


@register(Tags.database, deploy=True)
def public_demo_has_no_data(
    app_configs: object, databases: Sequence[str] | None = None, **kwargs: object
) -> list[CheckMessage]:
    """Test sets and people of a public demo server that belong to no copy of the demo."""
    if "default" not in (databases or ()) or not settings.PUBLIC_DEMO:
        return []
    if embedded_database_is_down():
        return []
    with connection.cursor() as cursor:
        cursor.execute(OF_NO_DEMO)
        n_test_sets, n_people = cursor.fetchone()
    if not n_test_sets and not n_people:
        return []
    return [
        Warning(
            f"This is a public demo server, and its database has {n_test_sets} test sets and "
            f"{n_people} accounts with a password that belong to no copy of the demo.",
            hint="Give the public demo a database of its own, with one account: the operator's.",
            id="mteval_site.W010",
        )
    ]


OF_NO_DEMO = """
SELECT
    (SELECT count(*) FROM judgments_testset t WHERE NOT EXISTS (
        SELECT FROM judgments_democopy c WHERE t.owner_id IN (c.manager_id, c.annotator_id))),
    (SELECT count(*) FROM auth_user WHERE password NOT LIKE '!%' AND NOT is_superuser)
"""


def embedded_database_is_down() -> bool:
    """Return whether the site is set to the embedded PostgreSQL, and nothing listens on its
    socket."""
    if not settings.EMBEDDED_DATABASE:
        return False
    return not postgres.answers(Path(settings.DATABASES["default"]["HOST"]))
