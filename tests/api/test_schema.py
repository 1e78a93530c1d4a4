"""Schemathesis makes up requests from the schema: nothing fails, and answers are as documented."""

import os

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client
from drf_spectacular.checks import schema_check
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import ignored_auth

from judgments.models import Item, Project
from judgments.people.tokens import tokens as api_tokens
from metrics.models import ScoringJob
from metrics.scores.tables import score_table
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory

pytestmark = pytest.mark.slow

BOUNDS = settings(
    # `make fuzz` tries more, and others each time.
    max_examples=15 + int(os.environ.get("FUZZ_INPUTS", "0")) // 250,
    deadline=None,
    derandomize="FUZZ_INPUTS" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
OPERATIONS = [
    ("GET", "/api/campaigns/"),
    ("POST", "/api/campaigns/from-file/"),
    ("GET", "/api/campaigns/{campaign_id}/"),
    ("GET", "/api/campaigns/{campaign_id}/file/"),
    ("GET", "/api/campaigns/{campaign_id}/scores/"),
    ("GET", "/api/campaigns/{campaign_id}/agreement/"),
    ("GET", "/api/campaigns/{campaign_id}/errors/"),
    ("GET", "/api/campaigns/{campaign_id}/quality/"),
    ("GET", "/api/campaigns/{campaign_id}/log/"),
    ("GET", "/api/campaigns/{campaign_id}/pages/"),
    ("GET", "/api/campaigns/{campaign_id}/pages/{page}/"),
    ("GET", "/api/campaigns/{campaign_id}/segments/"),
    ("GET", "/api/campaigns/{campaign_id}/segments/{segment_id}/"),
    ("GET", "/api/campaigns/{campaign_id}/formats/"),
    ("GET", "/api/campaigns/{campaign_id}/formats/{name}/"),
    ("GET", "/api/campaigns/{campaign_id}/power/"),
    ("GET", "/api/campaigns/{campaign_id}/answers/"),
    ("GET", "/api/campaigns/{campaign_id}/links/"),
    ("GET", "/api/campaigns/{campaign_id}/edits/"),
    ("GET", "/api/campaigns/{campaign_id}/stopping/"),
    ("GET", "/api/campaigns/{campaign_id}/meta-evaluation/"),
    ("GET", "/api/testsets/{test_set_id}/metrics/"),
    ("POST", "/api/testsets/{test_set_id}/metrics/"),
    ("GET", "/api/testsets/{test_set_id}/metrics/{slug}/segments/"),
    ("GET", "/api/testsets/{test_set_id}/metrics/{slug}/pairs/"),
    ("GET", "/api/testsets/{test_set_id}/jobs/{job_id}/"),
    ("POST", "/api/testsets/{test_set_id}/jobs/{job_id}/cancel/"),
    ("POST", "/api/testsets/{test_set_id}/jobs/{job_id}/retry/"),
    ("POST", "/api/testsets/{test_set_id}/scores/"),
    ("GET", "/api/campaigns/{campaign_id}/tables/{name}/"),
    ("GET", "/api/campaigns/{campaign_id}/tables/"),
    ("GET", "/api/campaigns/{campaign_id}/tables/{name}.{kind}"),
    ("GET", "/api/campaigns/{campaign_id}/charts/{name}/"),
    ("GET", "/api/campaigns/{campaign_id}/charts/{name}.{kind}"),
    ("GET", "/api/campaigns/{campaign_id}/progress/"),
    ("POST", "/api/campaigns/{campaign_id}/status/"),
    ("GET", "/api/campaigns/{campaign_id}/invitations/"),
    ("POST", "/api/campaigns/{campaign_id}/invitations/"),
    ("POST", "/api/campaigns/{campaign_id}/invitations/{invitation_id}/close/"),
    ("POST", "/api/campaigns/{campaign_id}/judgments/"),
    ("GET", "/api/campaigns/{campaign_id}/quality/decisions/"),
    ("POST", "/api/campaigns/{campaign_id}/quality/decisions/"),
    ("GET", "/api/campaigns/{campaign_id}/quality/segments/"),
    ("POST", "/api/campaigns/{campaign_id}/quality/segments/"),
    ("GET", "/api/projects/"),
    ("POST", "/api/projects/"),
    ("GET", "/api/projects/{project}/"),
    ("POST", "/api/projects/{project}/campaigns/"),
    ("GET", "/api/projects/{project}/tables/"),
    ("GET", "/api/projects/{project}/tables/{name}.{kind}"),
    ("GET", "/api/testsets/"),
    ("GET", "/api/testsets/{test_set_id}/"),
    ("GET", "/api/testsets/{test_set_id}/segments/"),
]
# Made-up scores name no system of the test set, and made-up files no preset: these are refused.
START = "/api/testsets/{test_set_id}/metrics/"
REFUSED = {
    ("POST", "/api/testsets/{test_set_id}/scores/"),
    ("POST", "/api/campaigns/from-file/"),
    # Nobody has the made-up alias, no segment the key, no file the columns.
    ("POST", "/api/campaigns/{campaign_id}/judgments/"),
    ("POST", "/api/campaigns/{campaign_id}/quality/decisions/"),
    ("POST", "/api/campaigns/{campaign_id}/quality/segments/"),
}
MADE = {("POST", "/api/campaigns/{campaign_id}/invitations/"), ("POST", "/api/projects/")}


def names_in(path):
    """Names in addresses: a page, a format, a table or a chart."""
    name = (
        "project-scores"
        if "/projects/" in path
        else "agreement"
        if "/tables/" in path
        else "scores-adequacy-raw"
        if "/charts/" in path
        else "tsv"
    )
    kind = "parquet" if "/tables/" in path else "svg"
    return {"page": "scores", "name": name, "kind": kind, "project": "year"}


# Of campaigns of other protocols.
OTHERS = {f"/api/campaigns/{{campaign_id}}/{name}/" for name in ("errors", "links")}


@pytest.fixture
def site(db):
    """A campaign with judgments and scores."""
    owner = factory.make_user("owner", is_staff=True)
    annotator = factory.make_user("annotator")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    for place, item in enumerate(Item.objects.all()):
        row = [1.0 + place % 3, 3.0, 5.0 - place % 2]
        factory.judge(item, {"adequacy": row, "fluency": row[::-1]})
    jobs.work_on(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]).pk)
    Project.objects.create(name="Year", slug="year", owner=owner).campaigns.add(campaign)
    return campaign


@pytest.fixture
def schema(site):
    """Read through the application. As with Django's own test client, a request does not close the
    test's connection."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schemathesis.openapi.from_wsgi("/api/schema/?format=json", WSGIHandler())
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def cookies(site):
    """Those of a browser in which the owner is signed in."""
    client = Client()
    client.force_login(site.memberships.get(role="owner").user)
    return {
        "sessionid": client.cookies["sessionid"].value,
        "csrftoken": _get_new_csrf_string(),
    }


@pytest.mark.proof
@pytest.mark.parametrize("numbers", ["known", "made up"])
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_made_up_requests(schema, cookies, site, method, path, numbers):
    column = score_table(site.test_set).columns[0]
    known = {"campaign_id": site.pk, "test_set_id": site.test_set_id, "slug": column.slug}
    known["segment_id"] = site.test_set.segments.first().pk
    known |= names_in(path)
    known["invitation_id"] = site.invitations.create(created_by=site.test_set.owner).pk
    seen = []

    @BOUNDS
    @given(case=schema[path][method].as_strategy())
    def try_one(case):
        ScoringJob.objects.all().delete()  # one that waits would be the answer to all that follow
        known["job_id"] = jobs.create_job(site.test_set, [MetricChoice("ter")], ["ref"]).pk
        if path == START:
            ScoringJob.objects.all().delete()
        if numbers == "known":
            case.path_parameters = {name: known[name] for name in case.path_parameters or {}}
        case.cookies = cookies
        # It takes our cookies for made-up ones; the next test asks with none and with wrong ones.
        answer = case.call_and_validate(
            headers={"X-CSRFToken": cookies["csrftoken"]}, excluded_checks=[ignored_auth]
        )
        seen.append(answer.status_code)

    try_one()
    # Which metrics, options and references are made up is up to chance, so that all of them may be
    # refused; a request that is right is tested in test_access.py.
    if numbers == "known" and (method, path) != ("POST", START):
        is_made, is_refused = (method, path) in MADE, (method, path) in REFUSED
        expected = 201 if is_made else 400 if is_refused else 404 if path in OTHERS else 200
        assert expected in seen


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_nobody_and_wrong_tokens_are_refused(client, site, method, path):
    owner = site.memberships.get(role="owner").user
    reading, text = api_tokens.create(owner, "reading", "read", days=1)
    column = score_table(site.test_set).columns[0]
    known = {"campaign_id": site.pk, "test_set_id": site.test_set_id, "slug": column.slug}
    address = path.format(**known, **names_in(path), job_id=1, invitation_id=1, segment_id=1)

    def status(**headers):
        return client.generic(method, address, headers=headers).status_code

    right = {"authorization": f"Bearer {text}"}
    assert status() == 403
    assert status(authorization=f"Bearer {text[:-1]}") == 401
    assert status(authorization="Bearer \0ü") == 401
    assert status(cookie="sessionid=nobody") == 403
    assert (status(**right) == 403) == (method == "POST"), "for reading only"
    api_tokens.ApiToken.objects.update(scope="write")
    assert status(**right) not in (401, 403), "404, 400 or 415 where there is nothing to do"
    reading.delete()
    assert status(**right) == 401


def test_the_operations_above_are_all(schema):
    found = [operation.ok() for operation in schema.get_all_operations()]
    assert {(operation.method.upper(), operation.path) for operation in found} == set(OPERATIONS)


def test_the_schema_is_made_without_a_warning():
    """Two serializers of one name, for one, would document each other's fields."""
    assert schema_check(None) == []
