"""The data about an act, and its row in the log. For recording an act where it is done, see
`acting`."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponseBase, UnreadablePostError
from django.urls import Resolver404, resolve

from judgments.models import Act, Membership, Refusals, Result, Role
from judgments.web.limits import Exceeded

from . import facts
from .admin import AdminRows
from .words import TAKEN, WITHOUT_FACTS

# These count failures, make accounts and begin sessions: none of that may be rolled back.
COMING_IN = {
    *(
        "login",
        "logout",
        "demo-enter",
        "demo-take",
        "demo-switch",
        "demo-end",
        "join",
        "project-join",
        "oidc-start",
        "oidc-return",
        "oidc-connect",
    ),
    *("password-change", "password-reset", "password-reset-confirm"),
}
# Annotators who sign in or change a password: not acts on a campaign.
UNRECORDED_ROLE = Role.ANNOTATOR
OF_ANNOTATORS = {"join", "project-join", "my-data-erase"}


def is_an_answer(problem: Exception) -> bool:
    """Return whether an exception leads to the response 400, 404 or 429."""
    known = Http404 | BadRequest | SuspiciousOperation | UnreadablePostError | Exceeded
    return isinstance(problem, known)


class Draft:
    """Data about an act before its view has run."""

    def __init__(self, request: HttpRequest, name: str, named: dict[str, Any]) -> None:
        self.request = request
        self.name = name
        self.named = dict(named)
        facts.read_json_first(request)
        # Nobody is signed in after signing out or before signing in.
        self.before = request.user if request.user.is_authenticated else None
        # Nobody has a part in a campaign after deleting it.
        self.role = ""
        if self.before and name == "campaign-delete":
            self.role = role_of(self.before, number(named.get("campaign_id")))
        self.admin = AdminRows(name, named) if name.startswith("admin:") else None
        self.is_open = False  # while a block of `acting` writes
        self.is_recorded = False  # whether the end is recorded
        self.has_row = False  # about a done act

    def made(self, **named: Any) -> None:
        """Name the created objects, with the names used in addresses: campaign_id, test_set_id,
        …"""
        self.named = named | self.named

    def done(self) -> None:
        """Store the row of an act, in its transaction."""
        self.has_row = True
        self.write(Result.DONE)

    def answered(self, response: HttpResponseBase) -> None:
        """Record sign-ins and downloads before the response is sent, and refusals and failures that
        have a response. Other acts are recorded where they are done."""
        if self.is_recorded:
            return
        if self.name in COMING_IN:
            self.record(response, changed=300 <= response.status_code < 400)
        elif self.name in TAKEN and not self.has_row:
            self.record(response, changed=True)
        if response.status_code == 403:
            self.write(Result.REFUSED)
        elif response.status_code >= 500:
            self.write(Result.FAILED)

    def failed(self, problem: Exception) -> None:
        """Record an exception of the view that is no response to a request."""
        self.is_recorded = True
        if isinstance(problem, PermissionDenied):
            self.write(Result.REFUSED)
        elif not is_an_answer(problem):
            self.write(Result.FAILED)

    def record(self, response: HttpResponseBase, *, changed: bool) -> None:
        if not changed or response.status_code >= 400:
            return
        if 300 <= response.status_code < 400:  # the response redirects to the created object
            self.named = named_in(response.get("Location", "")) | self.named
        self.write(Result.DONE)

    def write(self, result: Result) -> None:
        user = self.before or self.request.user
        if not user.is_authenticated:
            return
        campaign = number(self.named.get("campaign_id"))
        role = self.role or role_of(user, campaign)
        # An annotator's own account is their own affair; who joined, was erased or was refused is
        # recorded.
        if role == UNRECORDED_ROLE and result == Result.DONE and self.name not in OF_ANNOTATORS:
            return
        is_nameless = role == Role.ANNOTATOR or self.name == "my-data-erase"
        others = {k: v for k, v in self.named.items() if k not in ("campaign_id", "test_set_id")}
        row = Act(
            request=getattr(self.request, "request_id", ""),
            # Annotators can have their names erased, but nobody can erase here.
            account=f"account {user.pk}" if is_nameless else user.get_username(),
            user=user.pk,
            role=role,
            act=self.name[:100],
            result=result,
            campaign=campaign,
            test_set=number(self.named.get("test_set_id")),
            objects_named=facts.named(others),
            facts={} if self.name in WITHOUT_FACTS else facts.facts_of(self.request),
        )
        if self.admin is not None:
            self.admin.fill(row)
        if result == Result.REFUSED:
            write_refusal(row)
        else:
            row.save(force_insert=True)


COUNT = """
INSERT INTO judgments_refusals AS r ("user", act, campaign, test_set, hour, times)
VALUES (%s, %s, %s, %s, date_trunc('hour', now(), 'UTC'), 1)
ON CONFLICT ON CONSTRAINT one_count_an_hour DO UPDATE SET times = r.times + 1
RETURNING id, times
"""


def write_refusal(row: Act) -> None:
    """Store a refusal, or count it if the account was refused the same act within this hour: other
    objects named in the address and submitted values are stored only the first time."""
    values = [row.user, row.act, row.campaign or 0, row.test_set or 0]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(COUNT, values)  # concurrent refusals wait here for the first
        key, times = cursor.fetchone()
        if times == 1:
            row.save(force_insert=True)
            Refusals.objects.filter(pk=key).update(first=row.pk)


def number(value: object) -> int | None:
    """Return the number of a row from an address if a column can hold it."""
    return value if isinstance(value, int) and value < 2**63 else None


def named_in(location: str) -> dict[str, Any]:
    """Return the objects named in an address of this site."""
    try:
        return resolve(urlsplit(location).path).kwargs
    except (Resolver404, ValueError):
        return {}


def role_of(user: Any, campaign: int | None) -> str:
    """Return the user's role in the campaign; without one, their highest role anywhere."""
    if user.is_superuser:
        return "operator"
    memberships = Membership.objects.filter(user=user)
    if campaign is not None:
        memberships = memberships.filter(campaign=campaign)
    roles = set(memberships.values_list("role", flat=True))
    for role in (Role.OWNER, Role.RESEARCHER):
        if role in roles:
            return str(role)
    return "staff" if user.is_staff else str(Role.ANNOTATOR) if roles else "no role"
