"""A model's judgments are in no page and no file of people: each is the same before and after."""

import difflib
import gzip
import html
import io
import re
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from unittest import mock

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from judgments.judges import set_up
from judgments.models import Download, DownloadKind, Item, JobStatus, JudgeStatus, Judgment
from judgments.models.chains.sealing import seal_all
from judgments.models.downloads import FOR_READERS
from judgments.publishing.downloads.making import MAKERS
from judgments.results import page_views
from judgments.web import sections
from metrics.models import MetricScore
from tests import factory, model_endpoint
from tests.judgments.judges.test_runs import new_judge, run

from . import addresses
from .permissions import TABLE
from .world import ROLES, World

pytestmark = [pytest.mark.django_db, pytest.mark.proof]
# Pages about judges, which do change.
ABOUT_JUDGES = {"campaign-judges", "campaign-judge", "campaign-judge-answers"}
ABOUT_JUDGES |= {"campaign-judge-worth", "campaign-judge-worth-file", "campaign-judge-worth-json"}
# Lists of the owner's campaigns, of what would be deleted with the test set, and of judges that can
# be shown next to people on request: by name.
ABOUT_JUDGES |= {"my-data", "my-data-file", "test-set-delete", "system-delete"}
ABOUT_JUDGES |= {"compare-campaigns"}
# Suggests a random name.
OFFERS_A_NAME = {"join", "project-join"}
# The state of the site itself: sessions, statements, space.
ABOUT_THE_SITE = {"operator", "worker", "health", "health-ready", "prometheus", "site-log-file"}
# Of charts, whose numbers are exported as tables.
PICTURES = (".svg", ".png", ".pdf")
JUDGED = ("rating", "spans", "questions")
SITE = "http://testserver/"
LINK = re.compile(r"/(?:api/)?campaigns/\d+/[^\s\"'<>#]*")
# Random parts of each request, its time; and that somebody downloaded a log.
FLEETING = re.compile(
    rb"""(nonce|value)="[\w:-]{20,}"
    | \d{4}-\d\d-\d\d[T_ ]\d\d[:-]?\d\d([:-]?\d\d)?(\.\d+)?(Z|\+00:00)?
    | \w+(\ |\xc2\xa0)(second|minute|hour)s?\ ago
    | ^.*,campaign-log-file,downloaded\ the\ log,.*$""",
    re.VERBOSE | re.MULTILINE,
)


def test_pages_and_files_of_people_hold_nothing_of_a_model():
    world = World()
    set_up.delete(world.judge)
    before = dict(walk(world))
    assert len(before) > 400
    let_models_judge(world)
    after = dict(walk(world))
    assert set(after) == set(before)
    changed = {name: other_lines(before[name], after[name]) for name in before}
    assert {name: lines for name, lines in changed.items() if lines} == {}
    one_more(world)  # which is noticed
    figures = ("scores", "agreement", "segments", "api-scores", "export-observations")
    assert [name for name, body in walk(world, figures) if body == before[name]] == []


def test_releases_of_people_hold_nothing_of_a_model():
    world = World()
    set_up.delete(world.judge)
    seal_all()
    kinds = (DownloadKind.RELEASE, DownloadKind.RELEASE_OF_HASHES)
    before = dict(made(world, kinds))
    let_models_judge(world)
    seal_all()
    assert dict(made(world, kinds)) == before
    one_more(world)
    seal_all()
    assert all(body != before[name] for name, body in made(world, kinds))


def one_more(world: World) -> None:
    """Store one more judgment by a person."""
    left = Item.objects.filter(task__campaign=world.campaigns["rating"], is_judged=False)
    factory.judge(left.first(), {"adequacy": [1.0, 2.0, 3.0], "fluency": [3.0, 2.0, 1.0]})


def let_models_judge(world: World) -> None:
    for campaign in JUDGED:
        judge = new_judge(world.campaigns[campaign], world.people["owner"], samples=2)
        # Pages of the test set offer the test of differences between its scores.
        untested = mock.patch("metrics.scores.model_judges.enqueue_comparisons")
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint, untested:
            run(judge, endpoint)
        assert judge.status == JudgeStatus.DONE, judge.message
        assert Judgment.objects.filter(campaign=judge.answers).count() > 4
    # As a metric of the test set it is meant to be visible, under a metric's name.
    assert MetricScore.objects.filter(options__origin="judge").delete()[0]


def walk(world: World, only: Collection[str] = ()) -> Iterator[tuple[str, bytes]]:
    """Yield each URL that the owner may read and each file that a worker makes, with the content;
    none of it is stored."""
    client = Client(raise_request_exception=False)
    for name, address in addresses_of(world, client).items():
        if only and name not in only:
            continue
        client.force_login(world.people["owner"])
        with transaction.atomic():
            response = client.get(address)
            body = b"".join(response.streaming_content) if response.streaming else response.content
            transaction.set_rollback(True)
        assert response.status_code < 500, name
        yield name, without_fleeting(body)
    if not only:
        yield from made(world, FOR_READERS)


def other_lines(before: bytes, after: bytes) -> list[str]:
    """Return the first few lines that differ."""
    if before == after:
        return []
    lines = (each.decode(errors="replace").splitlines() for each in (before, after))
    return list(difflib.unified_diff(*lines, n=0, lineterm=""))[3:7]


def made(world: World, kinds: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of these kinds that a worker makes of a campaign."""
    for kind in kinds:
        with transaction.atomic(), tempfile.NamedTemporaryFile() as file:
            campaign, owner = world.campaigns["rating"], world.people["owner"]
            asked = Download.objects.create(
                owner=owner, campaign=campaign, kind=kind, status=JobStatus.RUNNING, site=SITE
            )
            MAKERS[kind](asked, Path(file.name))
            yield f"made: {kind}", without_fleeting(Path(file.name).read_bytes())
            transaction.set_rollback(True)


def addresses_of(world: World, client: Client) -> dict[str, str]:
    """Return the URLs of the table, and for every campaign those of all tables, charts, pages and
    formats."""
    owner = ROLES.index("owner")
    found = {
        name: addresses.address(name, world)
        for name, named in TABLE.items()
        if named.get("GET", "").split()[owner : owner + 1] == ["ok"]
        if name not in ABOUT_JUDGES | ABOUT_THE_SITE | OFFERS_A_NAME
    }
    client.force_login(world.people["owner"])
    for name, campaign in world.campaigns.items():
        for page in sections.all_pages():
            found[f"{name}: {page.slug}"] = page_views.address_of(page, campaign.pk)
        for listing in ("exports", "report", "api-formats", "segments") if name in JUDGED else ():
            text = client.get(reverse(listing, args=[campaign.pk])).content.decode()
            links = {html.unescape(link) for link in LINK.findall(text)}
            found |= {link: link for link in links if not link.endswith(PICTURES)}
    # Otherwise it is computed while the page is viewed.
    found["metric-references"] += "?several=1&words=1"
    return found


def without_fleeting(body: bytes) -> bytes:
    return FLEETING.sub(b"", b"\n".join(unpacked(body)))


def unpacked(body: bytes) -> Iterator[bytes]:
    """Yield the files of an archive, or the body itself."""
    if body.startswith(b"\x1f\x8b"):
        body = gzip.decompress(body)
    if not body.startswith(b"PK\x03\x04"):
        yield body
        return
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        for name in sorted(archive.namelist()):
            yield name.encode()
            yield from unpacked(archive.read(name))
