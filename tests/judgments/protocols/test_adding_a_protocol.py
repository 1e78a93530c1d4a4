"""CONTRIBUTING.md says that a preset is data, and a protocol a module and a template: both are
taken from it unchanged, and used through pages that do not depend on them."""

import json
import re
from subprocess import run
from sys import executable

import pytest
from django.urls import reverse

from judgments.models import Campaign, ErrorSpan, Rating
from tests import added_protocol, factory
from tests.packages import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(client):
    """Signs users in: site(user) is the client."""

    def as_user(user):
        client.force_login(user)
        return client

    return as_user


@pytest.fixture
def people():
    return factory.make_user("owner", is_staff=True), factory.make_user("annotator")


def make(site, people, preset, **data):
    """Create a campaign from the page New campaign, with a task."""
    owner, annotator = people
    test_set = factory.make_test_set(owner)
    url = reverse("campaign-new-preset", args=[preset])
    data = {"name": "Added", "test_set": test_set.pk} | data
    response = site(owner).post(url, data)
    assert response.status_code == 302, response.content.decode()
    campaign = Campaign.objects.get(name="Added")
    campaign.memberships.create(user=annotator, role="annotator", alias="annotator")
    campaign.status = "open"
    campaign.save()
    factory.make_task(campaign, annotator, n_outputs=2)
    return campaign


def answer(site, people, campaign, **answers):
    url = reverse("judge-item", args=[campaign.pk, 1])
    client = site(people[1])
    page = client.get(url).content.decode()
    ticket = re.search(r'name="ticket" value="([^"]+)"', page)[1]
    return page, client.post(url, answers | {"ticket": ticket})


def read_results(site, people, campaign):
    for page in ("campaign", "agreement", "scores", "power", "quality", "exports"):
        response = site(people[0]).get(reverse(page, args=[campaign.pk]))
        assert response.status_code == 200, page
    return site(people[0]).get(reverse("api-scores", args=[campaign.pk])).json()


def test_a_preset_is_data(monkeypatch, site, people):
    added_protocol.add_preset(monkeypatch)
    weights = "minor = 1\nmajor = 5\nminor/language = 0.5"
    data = {"weights": weights, "most_errors": 9, "context": "none", "outputs_per_item": 2}
    campaign = make(site, people, "mqm-brief", **data, mark_by="reader")
    marks = [{"start": 0, "end": 6, "side": "target", "severity": "minor", "category": "language"}]
    answers = {"output1-spans": json.dumps(marks), "output2-spans": "[]"}
    assert "MQM in brief" in site(people[0]).get(reverse("campaign-new")).content.decode()
    page, response = answer(site, people, campaign, **answers)
    assert "Meaning" in page
    assert response.status_code == 302
    assert ErrorSpan.objects.get().category == "language"
    found = read_results(site, people, campaign)
    assert {row["system"]: row["score"] for row in found["systems"]} == {
        "System-A": -0.5,
        "System-B": 0,
    }


def test_a_protocol_is_a_module_and_a_template(monkeypatch, settings, tmp_path, site, people):
    added_protocol.add_protocol(monkeypatch, settings, tmp_path)
    campaign = make(site, people, "stumbles", outputs_per_item=2)
    page, response = answer(site, people, campaign, **{"output1-stumbles": "3"})
    assert 'data-widget="stumbles"' in page and "js/protocols/stumbles.js" in page
    assert response.status_code == 400 and "Count the stumbles" in response.content.decode()
    answers = {"output1-stumbles": "3", "output2-stumbles": "0"}
    _page, response = answer(site, people, campaign, **answers)
    assert response.status_code == 302
    assert list(Rating.objects.order_by("pk").values_list("value", flat=True)) == [-3, 0]
    page, _response = answer(site, people, campaign, **answers)
    assert 'value="3"' in page  # the answer is shown again for revision
    found = read_results(site, people, campaign)
    assert [row["system"] for row in found["systems"]] == ["System-B", "System-A"]


@pytest.mark.parametrize("path", [p for p in added_protocol.blocks() if p.startswith("judgments/")])
def test_the_modules_keep_the_style(path):
    text = added_protocol.blocks()[path]
    for command in (["format", "--check"], ["check"]):
        done = run(
            [executable, "-m", "ruff", *command, "--stdin-filename", path, "-"],
            input=text,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
