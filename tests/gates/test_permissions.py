"""Every address × method × role, against the table in permissions.py.

A refused request also writes nothing, and no form is accepted from another site.
"""

import copy
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from . import addresses
from .permissions import ADMIN_FOR_ALL, ADMIN_FOR_STAFF, TABLE
from .world import ROLES, World

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
PROOF = pytest.mark.proof
WRITES = re.compile(r'\s*(INSERT INTO|UPDATE|DELETE FROM|COPY|TRUNCATE)\s+"?(\w+)', re.IGNORECASE)
# Refusals are stored, and the number of attempts.
KEPT_OF_REFUSED = {"django_session", "judgments_act", "judgments_attempts", "judgments_refusals"}


class Undo(Exception):
    """Rolls back everything that a request has done."""


class Asked:
    """The answer to a request, as a word of the table, and the tables that it wrote to."""

    def __init__(self, response: HttpResponse, written: set[str]) -> None:
        self.status, self.written = response.status_code, written
        self.to = response.get("Location", "")

    @property
    def word(self) -> str:
        if self.status in {301, 302} and "/sign-in/" in self.to:
            return "in"
        if self.status in {401, 403, 404}:
            return "--" if self.status == 404 else "no"
        return "ok" if self.status < 400 or self.status in {400, 409, 422} else str(self.status)


class Writes:
    """The tables that are written to, and not rolled back again."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def look(self, execute, sql, params, many, context):
        words = sql.replace('"', " ").split(None, 5)
        if words[:1] == ["SAVEPOINT"]:
            self.log.append(f"savepoint {words[1]}")
        elif words[:3] == ["ROLLBACK", "TO", "SAVEPOINT"]:
            del self.log[self.log.index(f"savepoint {words[3]}") :]
        elif match := WRITES.match(sql):
            self.log.append(match[2])
        return execute(sql, params, many, context)

    @property
    def tables(self) -> set[str]:
        return {each for each in self.log if not each.startswith("savepoint ")}


@contextmanager
def writes() -> Iterator[Writes]:
    found = Writes()
    with connection.execute_wrapper(found.look):
        yield found


class Browsers:
    """A browser for every role; the effects of one request are not visible to the next."""

    def __init__(self, world: World) -> None:
        self.clients = world.clients()
        self.cookies = {role: copy.deepcopy(each.cookies) for role, each in self.clients.items()}

    def ask(self, role: str, method: str, address: str, form: str = "") -> Asked:
        client = self.clients[role]
        client.cookies = copy.deepcopy(self.cookies[role])
        try:
            with transaction.atomic(), writes() as written:
                response = client.generic(method, address, form, FORM)
                if response.streaming:
                    b"".join(response.streaming_content)
                raise Undo
        except Undo:
            return Asked(response, written.tables)


def test_the_table_names_every_address():
    found = list(addresses.names())
    assert sorted(found) == sorted(set(found))
    assert set(found) == set(TABLE)


@pytest.mark.parametrize(
    ("methods", "is_whole"),
    [
        pytest.param(("GET", "POST"), False, id="GET POST"),
        pytest.param(("GET",), True, marks=PROOF, id="GET by all"),
        pytest.param(("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"), True, marks=PROOF, id="others"),
    ],
)
def test_every_address_method_and_role(methods, is_whole):
    """is_whole: whether each page opens for all roles that may open it, not only for the first of
    them."""
    world = World()
    browsers = Browsers(world)
    faults = []
    for name, named in TABLE.items():
        address = addresses.address(name, world)
        for method in methods:
            answers = named.get(method)
            form = urlencode(addresses.FORMS.get(name, {})) if method == "POST" else ""
            for i, role in enumerate(ROLES):
                if not is_whole and opened_before(method, answers, i):
                    continue
                asked = browsers.ask(role, method, address, form)
                expected = {answers.split()[i]} if answers else refusals(named, i, method)
                if asked.word not in expected:
                    faults.append(f"{method} {name}, {role}: {asked.word}, not {expected}")
                refused = answers is None or asked.word != "ok"
                if refused and asked.written - KEPT_OF_REFUSED:
                    faults.append(f"{method} {name}, {role}: wrote {asked.written}")
    assert not faults, "\n".join(faults)


def opened_before(method: str, answers: str | None, role: int) -> bool:
    """Return whether a page opens for this role, after it has opened for another."""
    words = (answers or "").split()
    return method == "GET" and words[role : role + 1] == ["ok"] and "ok" in words[:role]


def refusals(named: dict[str, str], role: int, method: str) -> set[str]:
    """Return the possible answers for a method not listed for a URL: the error of the role or of
    the method, whichever is checked first."""
    words = {answers.split()[role] for answers in named.values()} - {"ok"}
    if method == "HEAD" and "GET" in named:  # pages answer it like GET, the API refuses it
        return {named["GET"].split()[role], *words, "405"}
    # Django REST framework reveals the available methods, but nothing about the object.
    return words | {"405"} | ({"ok"} if method == "OPTIONS" else set())


@pytest.mark.slow
def test_no_form_of_another_site_is_taken():
    world = World()
    taken = []
    for role in ("annotator", "owner"):
        client = Client(enforce_csrf_checks=True, raise_request_exception=False)
        client.force_login(world.people[role])
        for name, named in TABLE.items():
            if named.get("POST", "").split()[ROLES.index(role) :][:1] == ["ok"]:
                # The API does not read forms; with data it reads, it refuses for the same reason.
                kind = {"content_type": "application/json"} if name.startswith("api-") else {}
                response = client.post(addresses.address(name, world), **kind)
                taken.append((name, response.status_code))
    assert len(taken) > 40
    assert {status for _, status in taken} == {403}, taken


@pytest.mark.proof
@pytest.mark.slow
def test_the_admin_is_for_operators():
    browsers = Browsers(World())
    faults, n_refused = [], 0
    for name in sorted(addresses.admin_names()):
        address = admin_address(name)
        short = name.removeprefix("admin:")
        for role in ROLES:
            if role == "operator" or short in ADMIN_FOR_ALL:
                continue
            staff = role in {"owner", "owner elsewhere", "staff"}
            for method in ("GET", "POST"):
                asked = browsers.ask(role, method, address)
                allowed = staff and short in ADMIN_FOR_STAFF
                inside = asked.word == "ok" and not asked.to.startswith("/admin/")
                wrong_method = asked.status == 405
                if allowed != inside and not (allowed and wrong_method):
                    faults.append(f"{method} {name}, {role}: {asked.status} {asked.to}")
                if not allowed and asked.written - KEPT_OF_REFUSED:
                    faults.append(f"{method} {name}, {role}: wrote {asked.written}")
                n_refused += not allowed
    assert n_refused > 500
    assert not faults, "\n".join(faults)


def admin_address(name: str) -> str:
    """Return the URL with any id: a refused user does not learn whether it exists."""
    special = {
        "admin:password_change": {},
        "admin:auth_user_password_change": {"id": "1"},
        "admin:app_list": {"app_label": "judgments"},
        "admin:view_on_site": {"content_type_id": "0", "object_id": "1"},
    }
    of_one = name.endswith(("_change", "_delete", "_history"))
    return reverse(name, kwargs=special.get(name, {"object_id": "1"} if of_one else {}))
