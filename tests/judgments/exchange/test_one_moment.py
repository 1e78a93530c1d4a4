"""Every export is a consistent snapshot, while somebody answers with a separate connection."""

import io
import re
import threading
import zipfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection, connections
from django.test import Client
from django.urls import reverse

from judgments.models import Download, DownloadKind, Judgment
from judgments.models.moments import read_moment
from judgments.publishing.bundles.verification import verify
from judgments.publishing.downloads import files as downloads
from judgments.publishing.downloads import making
from judgments.results.observations import observations
from judgments.results.scores.figures import system_scores
from judgments.results.selection.selection import Selection
from tests import factory
from tests.judgments.judging.judge_pages import answers, ticket_in

# Statements that are part of no export: who asks, how often, and what was done; whether the
# campaign is large, and whether anything was erased; which file a worker is to make.
BESIDE = re.compile(
    "session|auth_user|membership|attempts|judgments_act|xact_id|SUM.*n_judged|judgments_erasure"
    "|advisory|judgments_download"
)
# When a file was made, and what keeps forms of a page from others: no two have them in common.
MADE_AT = re.compile(
    rb'\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+00:00|Z| UTC)?|"[a-zA-Z0-9]{64}"'
)


@pytest.fixture
def aliases(transactional_db, settings):
    """The connections of this thread, that of moments among them, as on a real site."""
    settings.MOMENT_DATABASE = "moment"
    return list(settings.DATABASES)


pytestmark = pytest.mark.django_db(transaction=True, databases=list(settings.DATABASES))


class Site:
    """A campaign with some judgments, and an annotator who goes on judging."""

    def __init__(self, preset: str) -> None:
        self.owner = factory.make_user("owner", is_staff=True)
        self.annotator = factory.make_user("annotator-1")
        test_set = factory.make_test_set(self.owner, n_segments=8)
        self.campaign = factory.make_campaign(
            test_set, preset=preset, owner=self.owner, annotators=[self.annotator]
        )
        factory.make_task(self.campaign, self.annotator)
        self.next = 1
        for _ in range(4):
            self.answer()

    def answer(self) -> None:
        """One more answer, through the page."""
        client = Client()
        client.force_login(self.annotator)
        address = reverse("judge-item", args=[self.campaign.pk, self.next])
        ticket = ticket_in(client.get(address))
        data = answers(2 + self.next % 3) if self.campaign.protocol == "rating" else spans()
        response = client.post(address, data | {"ticket": ticket})
        assert response.status_code == 302, response.content.decode()[-3000:]
        self.next += 1

    def answer_elsewhere(self) -> None:
        """The same on another connection; it is stored when this returns."""
        problems = []

        def work() -> None:
            try:
                self.answer()
            except BaseException as problem:  # noqa: BLE001
                problems.append(problem)
            finally:
                connections.close_all()

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert not problems, problems


def spans() -> dict[str, str]:
    """One error in each of three translations, and a score of each."""
    marks = '[{"start": 0, "end": 6, "side": "target", "severity": "minor", "category": ""}]'
    return {
        name: value
        for place in (1, 2, 3)
        for name, value in (
            (f"output{place}-spans", marks),
            (f"output{place}-esa", "50"),
            (f"output{place}-confirmed", "1"),
        )
    }


@contextmanager
def somebody_answers(site: Site, aliases: list[str]):
    """An answer is stored after the first statement that an export has asked."""
    done: list[int] = []

    def between(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if not done and str(sql).startswith(("SELECT", "\n    SELECT")) and not BESIDE.search(sql):
            done.append(1)
            site.answer_elsewhere()
        return found

    with ExitStack() as stack:
        for alias in aliases:
            stack.enter_context(connections[alias].execute_wrapper(between))
        yield done
    assert done, "no statement was found between which somebody could answer"


def taken(site: Site, name: str, *arguments, method="get", **extra) -> bytes:
    """What an address answers, computed anew, without the times at which it was made."""
    caches["results"].clear()
    observations.forget()
    client = Client()
    client.force_login(site.owner)
    address = reverse(name, args=[site.campaign.pk, *arguments])
    response = getattr(client, method)(address, **extra)
    assert response.status_code == 200, response.content[:2000]
    content = response.getvalue()
    response.close()
    return unpacked(content)


def unpacked(content: bytes) -> bytes:
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return MADE_AT.sub(b"", content)
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        # The library that draws numbers its gradients anew in each picture.
        names = [name for name in packed.namelist() if not name.endswith(".svg")]
        return b"".join(name.encode() + unpacked(packed.read(name)) for name in names)


def first_difference(one: bytes, other: bytes) -> str:
    if one == other:
        return ""
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    return f"{one[max(0, at - 100) : at + 50]!r} for {other[max(0, at - 100) : at + 50]!r}"


EXPORTS = [
    ("rating", "export-json", ()),
    ("rating", "export-observations", ()),
    ("rating", "export-chain", ()),
    ("rating", "export-table", ("annotators",)),
    ("rating", "export-format", ("mt-metrics-eval",)),
    ("rating", "report-file", ("md",)),
    ("rating", "report", ()),
    ("spans", "export-errors", ("tsv",)),
    ("spans", "export-errors", ("jsonl",)),
    ("rating", "api-segments", ()),
    ("rating", "api-scores", ()),
    ("rating", "api-agreement", ()),
    ("rating", "api-table", ("annotators",)),
    ("rating", "api-table-file", ("observations", "csv")),
    ("rating", "api-table-file", ("annotators", "json")),
    ("spans", "api-table-file", ("spans", "json")),
    ("rating", "api-page", ("agreement",)),
]
PRESETS = {"rating": "adequacy-fluency", "spans": "esa"}


@pytest.mark.proof
@pytest.mark.parametrize(("kind", "name", "arguments"), EXPORTS)
def test_an_answer_between_two_parts_is_in_none(aliases, kind, name, arguments):
    site = Site(PRESETS[kind])
    before = taken(site, name, *arguments)
    n = Judgment.objects.count()
    with somebody_answers(site, aliases):
        meanwhile = taken(site, name, *arguments)
    assert Judgment.objects.count() == n + 1
    assert first_difference(meanwhile, before) == ""
    assert taken(site, name, *arguments) != before


@pytest.mark.proof
def test_a_file_that_a_worker_makes_is_of_one_moment(aliases):
    """An archive, and the file with all results."""
    site = Site("adequacy-fluency")
    for kind in (DownloadKind.ARCHIVE, DownloadKind.ALL_RESULTS):
        before = made_by_a_worker(site, kind)
        with somebody_answers(site, aliases):
            meanwhile = made_by_a_worker(site, kind)
        assert first_difference(meanwhile, before) == ""
        assert made_by_a_worker(site, kind) != before


def made_by_a_worker(site: Site, kind: str) -> bytes:
    caches["results"].clear()
    observations.forget()
    asked = downloads.ask(site.owner, site.campaign, kind, site="http://testserver/")
    assert making.work(asked.pk)
    content = b"".join(downloads.pieces_of(asked))
    asked.delete()
    return unpacked(content)


@pytest.mark.proof
def test_a_release_made_on_the_page_is_what_it_says(aliases, tmp_path: Path):
    """Its manifest, its rows and its figures are of one moment: our own check accepts it."""
    site = Site("adequacy-fluency")
    client = Client()
    client.force_login(site.owner)
    address = reverse("export-release", args=[site.campaign.pk])
    client.post(address)
    with somebody_answers(site, aliases):
        assert making.work(Download.objects.get().pk)
    file = tmp_path / "release.zip"
    file.write_bytes(b"".join(downloads.pieces_of(Download.objects.get())))
    verdict = verify(file)
    assert not verdict.wrong, verdict.wrong
    assert verdict.manifest["judgments"] == Judgment.objects.count() - 1
    assert not connection.in_atomic_block


def test_a_page_leaves_nothing_to_a_moment_that_came_before(aliases):
    """Somebody answers while a page is computed, and what the page has kept is of another moment
    than that of who began to read before: in memory and in files."""
    site = Site("adequacy-fluency")
    caches["results"].clear()
    observations.forget()
    n = Judgment.objects.count()
    with read_moment():
        selection = Selection.of(site.campaign)

        def open_page() -> None:
            facts = []

            def after_the_facts(execute, sql, params, many, context):
                found = execute(sql, params, many, context)
                if not facts and "judged.last" in sql:
                    facts.append(sql)
                    site.answer_elsewhere()
                return found

            client = Client()
            client.force_login(site.owner)
            with connection.execute_wrapper(after_the_facts):
                page = client.get(reverse("scores", args=[site.campaign.pk]))
            assert page.status_code == 200 and facts
            connections.close_all()

        thread = threading.Thread(target=open_page)
        thread.start()
        thread.join()
        kept = system_scores(selection).mean
        assert len(observations.load(selection).judgments) == n
        caches["results"].clear()
        observations.forget()
        np.testing.assert_array_equal(kept, system_scores(selection).mean)
    assert Judgment.objects.count() == n + 1
