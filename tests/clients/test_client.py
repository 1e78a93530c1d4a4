"""The client for programs, against a running site, and the notebooks that use it."""

import ast
import json
import sys

import pytest

from judgments.models import Item
from judgments.people.tokens import tokens as api_tokens
from metrics.scoring import jobs
from tests import factory
from tests.shared import ROOT

CLIENT = ROOT / "clients" / "python"
sys.path.insert(0, str(CLIENT))

import mteval_client  # noqa: E402
from mteval_client import Job, Site, SiteRefusal  # noqa: E402

NOTEBOOKS = sorted((CLIENT / "notebooks").glob("*.ipynb"))
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def owner():
    return factory.make_user("owner", is_staff=True)


@pytest.fixture
def campaign(owner):
    annotator = factory.make_user("annotator")
    made = factory.make_campaign(factory.make_test_set(owner), owner=owner, annotators=[annotator])
    factory.make_task(made, annotator)
    for place, item in enumerate(Item.objects.all()):
        row = [1.0 + place % 3, 3.0, 5.0 - place % 2]
        factory.judge(item, {"adequacy": row, "fluency": row[::-1]})
    return made


@pytest.fixture
def site(live_server, owner, monkeypatch):
    """A job that a page waits for is done meanwhile, as by a worker."""
    monkeypatch.setenv("MTEVAL_SITE", live_server.url + "/")
    monkeypatch.setenv("MTEVAL_TOKEN", api_tokens.create(owner, "notebook", "write", days=1)[1])
    monkeypatch.setattr(mteval_client.time, "sleep", lambda seconds: work())
    return Site()


def work():
    from metrics.models import ScoringJob

    for job in ScoringJob.objects.filter(status="queued"):
        jobs.work_on(job.pk)


def test_campaigns_and_tables(site, campaign):
    (found,) = site.campaigns()
    assert (found.id, found.name, found.status) == (campaign.pk, campaign.name, campaign.status)
    slugs = {table["slug"] for table in found.tables()}
    assert {"observations", "segment-scores"} <= slugs
    frame, rows = found.table("observations"), found.rows("observations")
    assert frame["value"].tolist() == [row["value"] for row in rows]
    assert frame.attrs["selection"]
    some = found.table("observations", system=["System-A", "System-B"])
    assert set(some["system"]) == {"System-A", "System-B"}
    page = found.get("pages/scores/")
    slug = next(chart["slug"] for section in page["sections"] for chart in section["charts"])
    assert found.chart(slug).startswith(b"<svg")


def test_projects_and_their_tables(site, campaign):
    made = site.create_project("Year", [campaign.pk], slug="year")
    assert [each.slug for each in site.projects()] == ["year"]
    assert made.facts["campaigns"][0]["id"] == campaign.pk
    found = site.project("year")
    assert found.facts["pairs"][0]["campaigns"] == [campaign.pk]
    assert "project-scores" in {table["slug"] for table in found.tables()}
    first = {row["system"]: row["score"] for row in found.rows("project-scores")}
    found.change(dimensions={campaign.pk: "fluency"})
    second = found.table("project-scores").set_index("system")["score"].to_dict()
    scores = {each["system"]: each["score"] for each in campaign_scores(site, campaign, "fluency")}
    assert second == pytest.approx(scores) and second != pytest.approx(first)
    assert found.rows("project-one-system", system="System-B")[0]["score"] == second["System-B"]
    found.change(remove=[campaign.pk])
    assert found.facts["campaigns"] == []


def campaign_scores(site, campaign, dimension):
    return site.campaign(campaign.pk).get("scores/", dimension=dimension)["systems"]


def test_what_is_refused(site, campaign, owner):
    found = site.campaign(campaign.pk)
    with pytest.raises(SiteRefusal, match="404") as refused:
        found.table("nothing")
    assert refused.value.status == 404
    with pytest.raises(SiteRefusal) as refused:
        found.get("scores/", dimension="beauty")
    assert refused.value.status == 400 and "dimension" in refused.value.errors
    reading = Site(token=api_tokens.create(owner, "reading", "read", days=1)[1])
    with pytest.raises(SiteRefusal, match="403"):
        reading.campaign(campaign.pk).set_status("paused")
    with pytest.raises(SiteRefusal, match="401"):
        Site(token="wrong").campaigns()


def test_what_owners_do(site, campaign, tmp_path):
    found = site.campaign(campaign.pk)
    found.set_status("paused")
    assert site.campaign(campaign.pk).status == found.status == "paused"
    assert found.invite(kind="single")["url"].startswith(site.address)
    file = tmp_path / "judgments.tsv"
    file.write_text("nothing\n")
    with pytest.raises(SiteRefusal, match="400"):
        found.add_judgments(file)


def test_jobs_are_waited_for(site, campaign):
    test_set = site.campaign(campaign.pk).test_set
    assert len(list(test_set.segments())) == campaign.test_set.segments.count()
    job = test_set.compute(["bleu"]).wait()
    assert job.facts["status"] == "done"
    failed = {**job.facts, "status": "failed", "message": "no room"}
    with pytest.raises(RuntimeError, match="no room"):
        Job(site, failed).wait()
    with pytest.raises(TimeoutError):
        Job(site, {**job.facts, "status": "queued"}).wait(seconds=-1)


def test_too_many_requests_are_asked_again(site, campaign, settings, monkeypatch):
    """As long as the site says."""
    waited = []
    answers = iter([429, 429])
    asked = site._session.request

    def sometimes(*arguments, **options):
        answer = asked(*arguments, **options)
        answer.status_code = next(answers, answer.status_code)
        answer.headers["Retry-After"] = "7"
        return answer

    monkeypatch.setattr(site._session, "request", sometimes)
    monkeypatch.setattr(mteval_client.time, "sleep", waited.append)
    assert site.campaigns()
    assert waited == [7, 7]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs(path, site, campaign, monkeypatch, tmp_path):
    monkeypatch.setenv("MTEVAL_CAMPAIGN", str(campaign.pk))
    monkeypatch.chdir(tmp_path)
    names = executed(path)
    LOOKS[path.stem](names, tmp_path)


def executed(path) -> dict:
    """What the cells of a notebook have defined, one after the other, as a kernel does."""
    names: dict = {"__name__": "__main__"}
    for number, cell in enumerate(json.loads(path.read_text())["cells"]):
        if cell["cell_type"] == "code":
            code = "".join(cell["source"])
            exec(compile(ast.parse(code), f"{path.name}, cell {number}", "exec"), names)
    return names


def campaign_is_open(names, folder):
    assert names["campaign"].status == "open"
    assert names["progress"]["n_items"] > 0
    assert names["link"].startswith("http")


def figure_is_there(names, folder):
    assert names["figure"].read_bytes().startswith(b"<svg")
    assert (folder / "scores.tex").read_text().count("System-") == 3
    assert names["means"].loc["System-B"].tolist() == [3.0, 3.0]


def metric_is_compared(names, folder):
    found = names["agreement"]
    assert any("letters" in name for name in found.index), found
    assert any("chrF" in name for name in found.index), found
    assert found.notna().any(axis=1).all(), found
    assert len(names["both"]) == len(names["rows"]) > 0


LOOKS = {
    "texts_to_campaign": campaign_is_open,
    "judgments_to_figure": figure_is_there,
    "own_metric": metric_is_compared,
}


def test_notebooks_are_kept_without_outputs():
    assert {path.stem for path in NOTEBOOKS} == set(LOOKS)
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] == "code":
                assert (cell["outputs"], cell["execution_count"]) == ([], None), path.name
