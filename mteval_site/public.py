"""What must not be so on a server that others can reach; such a server is not started.

Public is a site that is set up for a proxy with TLS, for names other than this machine's own, or
that listens at other addresses (`./run --host`).
"""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from mteval_site.version import COMMAND

LOOPBACK = {"localhost", "127.0.0.1", "[::1]", "::1"}
# As Django's own check of SECRET_KEY has it (security.W009).
SHORTEST_SECRET = 50
FEWEST_CHARACTERS = 5


def is_public(settings: Any) -> bool:
    """settings: the module, or Django's object that stands for it."""
    return (
        settings.HTTPS
        or settings.EXPOSED
        or any(not is_loopback(name) for name in settings.ALLOWED_HOSTS)
    )


def is_loopback(name: str) -> bool:
    return name in LOOPBACK or name.endswith(".localhost") or name.startswith("127.")


def problems_of(settings: Any, *, demo: bool = False) -> list[str]:
    """Return what is wrong with the settings of a public server; nothing for one that is not
    public.

    demo: whether the demo is about to be loaded.
    """
    if not is_public(settings):
        return []
    problems = []
    secret = settings.SECRET_KEY
    if len(secret) < SHORTEST_SECRET or len(set(secret)) < FEWEST_CHARACTERS:
        problems.append(
            f"SECRET_KEY is too short or too simple: give at least {SHORTEST_SECRET} random "
            "characters, or leave it out to have one generated."
        )
    if settings.DEBUG:
        problems.append("DEBUG shows the site's code and settings to everybody: leave it out.")
    if settings.EXPOSED and all(isinstance(each, str) for each in settings.TRUSTED_PROXIES):
        problems.append(
            "No proxy is named, and without one a few dozen unfinished requests would keep "
            "everybody out: put one in front (docs/guide/operator.md, A public server) and its "
            "address into TRUSTED_PROXIES, or listen on 127.0.0.1."
        )
    if demo:
        problems.append("The demo's passwords are known to everybody: start with --no-demo.")
    return problems


def problems_of_accounts() -> list[str]:
    """Return what is wrong with the accounts of a public server. Asks the database, and takes as
    long as some sign-ins."""
    from django.contrib.auth import get_user_model
    from django.contrib.auth.hashers import check_password

    from .demo_accounts import SIGN_INS

    passwords = {name: password for name, password, _ in SIGN_INS}
    people = get_user_model().objects.filter(username__in=passwords, is_active=True)
    known = [
        person.username
        for person in people.order_by("username")
        if check_password(passwords[person.username], person.password)
    ]
    if not known:
        return []
    return [
        f"The demo's passwords, which are known to everybody, still work for {', '.join(known)}: "
        f"change them ({COMMAND} manage changepassword NAME), or start with another MTEVAL_VAR "
        "or database."
    ]


def refuse_if_unsafe(settings: Any) -> None:
    """Raise ImproperlyConfigured, with all that is wrong, where a public server would not be safe.

    While the database cannot be reached, nobody can sign in, and accounts are not looked at.
    """
    if not is_public(settings):
        return
    from django.db import DatabaseError, connection

    problems = problems_of(settings)
    try:
        problems += problems_of_accounts()
    except DatabaseError:  # it is away, or has no tables yet
        pass
    finally:
        connection.close()  # not to be shared with processes that are forked from this one
    if problems:
        raise ImproperlyConfigured(words(problems))


def words(problems: list[str]) -> str:
    return "This would not be safe as a public server. " + " ".join(problems)
