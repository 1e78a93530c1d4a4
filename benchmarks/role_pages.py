"""Every page of every role on a small site and on one with a hundred campaigns, by turns.

`tests/gates` names all addresses and who may open them, `tests/browser/test_every_page.py` those
that are no pages. Each page is asked for in this process: of the campaign that both sites have, on
the `small` site and `beside` the hundred campaigns, and of the `largest` campaign. Pages that need
what only one campaign of the small site has (an invitation, a model that judges) are of that one.

Times are of the processor, of this process and of those of PostgreSQL that serve it, without
parallel ones: other work on the machine disturbs them less than the time that passes, which is
measured as well.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import hundred_campaigns

KINDS = ("small", "beside", "largest")
ROLES = ("anonymous", "annotator", "researcher", "owner", "operator")
PARTS = ("counters", "progress", "annotators", "notes")  # of Watch, which its page asks for
# A page has grown when it takes this many times as long, and at least so many milliseconds more.
GROWN, GROWN_MS, COLD_MS = 1.5, 10.0, 100.0
SLOW_MS = 2000.0  # a page that takes longer is asked for twice only
SERIAL = "-c max_parallel_workers_per_gather=0"


@dataclass
class Row:
    """A page for a role. By kind: cold, milliseconds of processor time with nothing kept; ms, the
    median when it was asked for before; waited, the same of the time that passed; status and
    queries, of the last time."""

    name: str
    role: str
    cold: dict[str, float] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)
    waited: dict[str, float] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=dict)
    queries: dict[str, int] = field(default_factory=dict)

    def has_grown(self, kind: str) -> bool:
        """Compared with the small site, where both have the page."""
        if self.status["small"] != 200:
            return False
        if self.status[kind] != 200:
            return True
        small, large = self.ms["small"], self.ms[kind]
        was, took = self.cold.get("small", 0.0), self.cold.get(kind, 0.0)
        return (large > GROWN * small and large > small + GROWN_MS) or (
            took > GROWN * was and took > was + COLD_MS
        )


class Site:
    """One of the two databases, with connections of its own, and a browser for each role."""

    def __init__(self, database: str) -> None:
        from django.db import connections

        self.connections: dict[str, Any] = {}
        self.closed = 0.0  # processor time of connections that are closed
        for alias in connections:
            each: Any = connections.create_connection(alias)
            options = {**each.settings_dict["OPTIONS"]}
            options["options"] = f"{options.get('options', '')} {SERIAL}"
            each.settings_dict = {**each.settings_dict, "NAME": database, "OPTIONS": options}
            self.connections[alias] = each
            setattr(each, "close", partial(self.close, each, each.close))  # noqa: B010  mypy
        self.clients: dict[str, Any] = {}
        with self.used():
            self.log_in()

    def log_in(self) -> None:
        from django.contrib.auth.models import User
        from django.test import Client

        for role in ROLES:
            self.clients[role] = Client(raise_request_exception=False)
            if role != "anonymous":
                self.clients[role].force_login(User.objects.get(username=role))

    @contextmanager
    def used(self) -> Iterator[None]:
        """Everything in the block is of this database."""
        from django.db import connections

        kept = {alias: connections[alias] for alias in connections}
        for alias, each in self.connections.items():
            connections[alias] = each
        try:
            yield
        finally:
            for alias, each in kept.items():
                connections[alias] = each

    def close(self, each, close) -> None:
        """Close a connection, whose processor time counts all the same."""
        self.closed += spent_by(each)
        close()

    def spent(self) -> float:
        """Seconds of processor time so far."""
        open_now = sum(map(spent_by, self.connections.values()))
        return time.process_time() + self.closed + open_now

    def ask(self, role: str, address: str) -> Answer:
        statements: list[str] = []

        def count(execute, sql, params, many, context):
            statements.append(sql)
            return execute(sql, params, many, context)

        with self.used(), ExitStack() as stack:
            for each in self.connections.values():
                stack.enter_context(each.execute_wrapper(count))
            self.connections["default"].ensure_connection()
            began, spent = time.perf_counter(), self.spent()
            response = self.clients[role].get(address)
            if response.streaming:
                b"".join(response.streaming_content)
            ms = 1000 * (self.spent() - spent)
            waited = 1000 * (time.perf_counter() - began)
        return Answer(response.status_code, ms, waited, len(statements))


class Answer(NamedTuple):
    """Milliseconds of processor time and of time, and the number of statements."""

    status: int
    ms: float
    waited: float
    queries: int


def spent_by(connection) -> float:
    """Processor time of the process of PostgreSQL that serves a connection, in seconds (Linux)."""
    if connection.connection is None or connection.connection.closed:
        return 0.0
    path = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    return int(path.read_text().split()[0]) / 1e9


def addresses_of(campaign_name: str) -> dict[str, list[str]]:
    """By name, the address of each page of a campaign, and beside it that of the campaign of the
    small site that has one of everything."""
    from tests.browser.test_every_page import NO_PAGES
    from tests.gates import addresses
    from tests.gates.permissions import TABLE

    own, other = world_of(campaign_name), world_of("rating")
    found = {}
    for name, methods in TABLE.items():
        if "GET" in methods and name not in NO_PAGES and not name.startswith("api-"):
            found[name] = [
                each for world in (own, other) if (each := _address(addresses, name, world))
            ]
    for part in PARTS:
        own.part = part
        found[f"watch: {part}"] = [
            _address(addresses, "watch-part", own).replace("annotators", part)
        ]
    return found


def _address(addresses, name: str, world) -> str:
    try:
        return addresses.address(name, world)
    except (AttributeError, KeyError, IndexError, StopIteration):
        return ""  # there is none


def world_of(campaign_name: str) -> Any:
    """What `tests.gates.addresses` puts into addresses, of the database that is used."""
    from judgments.models import Campaign, Invitation, Judge, Project, TestSet, Upload
    from judgments.quality.clashes.figures import clashes
    from judgments.results.selection.selection import Selection
    from metrics.models import Bitext, MonolingualCorpus
    from metrics.scores.tables import score_table
    from tests.gates.world import PRESETS

    named = {each.name: each for each in Campaign.objects.filter(name__in=PRESETS)}
    rating = named["rating"]
    campaign = Campaign.objects.get(name=campaign_name)
    found = clashes(Selection.of(campaign)).clashes
    project = Project.objects.get(slug="project")
    invited = Invitation.objects.filter(campaign=rating)
    member = campaign.memberships.filter(role="annotator").order_by("pk")[0]
    return SimpleNamespace(
        campaigns=named | {"rating": campaign},
        test_set=campaign.test_set,
        job=rating.test_set.scoring_jobs.first(),
        baseline_job=rating.test_set.baseline_jobs.first(),
        question=named["questions"].questions.first(),
        invitation=invited.filter(sheet=None).first(),
        mark=SimpleNamespace(membership_id=member.pk, pk=0),
        token=SimpleNamespace(pk=0),
        note=SimpleNamespace(pk=0),
        corpus=MonolingualCorpus.objects.first(),
        bitext=Bitext.objects.first(),
        upload=Upload.objects.first(),
        download=rating.downloads.first(),
        media=rating.test_set.media.first(),
        judge=Judge.objects.first(),
        rule=rating.notice_rules.first(),
        clash=found[0].key if found else "none",
        sheet=Invitation.objects.filter(campaign=rating).exclude(sheet=None)[0].sheet,
        project=project,
        project_link=project.links.first(),
        project_member=project.people.first(),
        project_download=project.downloads.first(),
        column=score_table(rating.test_set).columns[0],
        keys_only=TestSet.objects.get(name="Keys only"),
        second_annotator=rating.members.get(username="second-annotator"),
    )


def measure(
    small_database: str, large_database: str, repeats: int, names: list[str] | None
) -> list[Row]:
    """All pages, or those of some names, for all roles that may open them."""
    from tests.gates.permissions import TABLE
    from tests.gates.world import ROLES as IN_TABLE

    sites = {"small": Site(small_database)}
    sites["beside"] = sites["largest"] = Site(large_database)
    addresses = {}
    for kind, site in sites.items():
        name = hundred_campaigns.LARGEST if kind == "largest" else hundred_campaigns.SMALL
        with site.used():
            addresses[kind] = addresses_of(name)
            claim(site, name)
    rows = []
    for name in names or addresses["small"]:
        words = TABLE[
            name.partition(":")[0].replace("watch", "watch-part") if ":" in name else name
        ]["GET"].split()
        is_first = True
        for role in ROLES:
            if words[IN_TABLE.index(role)] == "ok":
                asked = {kind: addresses[kind][name] for kind in KINDS}
                rows.append(measured(name, role, sites, asked, repeats, is_cold=is_first))
                is_first = False
    return rows


def claim(site: Site, campaign: str) -> None:
    """The annotator takes a batch."""
    from django.urls import reverse

    from judgments.models import Campaign

    number = Campaign.objects.get(name=campaign).pk
    site.clients["annotator"].post(reverse("judge", args=[number]), follow=True)


def measured(name, role, sites, asked, repeats: int, *, is_cold: bool) -> Row:
    """Once with nothing kept, if asked for, and then by turns."""
    from metric_pages import clear

    row, paths = Row(name, role), {}
    found: dict[str, list[Answer]] = {kind: [] for kind in sites}
    for kind, site in sites.items():
        if is_cold:
            clear()
        row.status[kind] = 404
        for path in asked[kind]:
            answer = site.ask(role, path)
            row.status[kind], paths[kind] = answer.status, path
            if is_cold:
                row.cold[kind] = answer.ms
            if answer.status == 200:
                break
    for _ in range(repeats):
        for kind, site in sites.items():
            is_fast = sum(answer.ms for answer in found[kind][1:]) < SLOW_MS
            if row.status[kind] == 200 and is_fast:
                found[kind].append(site.ask(role, paths[kind]))
    for kind, answers in found.items():
        row.ms[kind] = statistics.median([each.ms for each in answers] or [0.0])
        row.waited[kind] = statistics.median([each.waited for each in answers] or [0.0])
        row.queries[kind] = answers[-1].queries if answers else 0
    return row


COLUMNS = {
    "cold ms": ("cold", ".0f"),
    "ms": ("ms", ".1f"),
    "ms waited": ("waited", ".1f"),
    "queries": ("queries", "d"),
    "status": ("status", "d"),
}


def print_rows(rows: list[Row], file: Path) -> None:
    """All pages into the file; those that grew, and which were not there, printed."""
    head = ["page", "role", *(f"{what}, {kind}" for what in COLUMNS for kind in KINDS)]
    lines = ["\t".join(head)]
    for row in rows:
        cells = [
            format(values[kind], form) if kind in (values := getattr(row, name)) else ""
            for name, form in COLUMNS.values()
            for kind in KINDS
        ]
        lines.append("\t".join([row.name, row.role, *cells]))
    file.write_text("\n".join(lines) + "\n")
    there = [row for row in rows if row.status["small"] == 200]
    print(f"{len(there)} pages by role, {len({row.name for row in there})} addresses; all: {file}")
    for kind in KINDS[1:]:
        grown = [row for row in there if row.has_grown(kind)]
        print(f"\n{kind}: {len(grown)} grew")
        for row in grown:
            print_row(row, kind)
    missing = {row.name for row in rows} - {row.name for row in there}
    print(f"\nnot there: {', '.join(sorted(missing)) or 'none'}")


def print_row(row: Row, kind: str) -> None:
    cold = f"cold {row.cold['small']:.0f} → {row.cold[kind]:.0f} ms, " if row.cold else ""
    print(
        f"  {row.name}, {row.role}: {cold}{row.ms['small']:.0f} → {row.ms[kind]:.0f} ms, "
        f"{row.queries['small']} → {row.queries[kind]} queries, {row.status[kind]}"
    )
