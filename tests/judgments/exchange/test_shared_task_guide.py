"""The guide of shared tasks leads from its file to the table of findings."""

import csv
import io
import re
import shlex
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from judgments.models import Campaign, Item, Project, Status
from judgments.models.chains.sealing import seal_all
from tests import factory

GUIDE = Path(__file__).resolve().parents[3] / "docs/guide/shared-task.md"
BLOCK = re.compile(r"```(yaml|sh)\n(.*?)```", re.DOTALL)
pytestmark = pytest.mark.django_db


def lines_of_commands():
    """The lines of the guide that run a command of the project, without loops."""
    blocks = [text for kind, text in BLOCK.findall(GUIDE.read_text()) if kind == "sh"]
    lines = [line for text in blocks for line in text.splitlines()]
    return [shlex.split(line)[2:] for line in lines if line.startswith("./run manage ")]


def judge_all():
    """Judge everything: the later a system is in the alphabet, the worse it is."""
    people = {}
    for item in Item.objects.select_related("task__campaign").prefetch_related(
        "shown__output__system"
    ):
        campaign = item.task.campaign
        if campaign.pk not in people:
            user = factory.make_user(f"annotator-{campaign.pk}")
            campaign.memberships.create(user=user, role="annotator", alias=user.username)
            people[campaign.pk] = user
        factory.seat(item.task, people[campaign.pk])
        shown = item.shown.all()
        worse = [ord(row.output.system.name[-1]) - ord("A") for row in shown]
        spread = item.segment_id % 5
        factory.judge(item, {"esa": [90 - 20 * each + spread for each in worse]})


@pytest.mark.proof
def test_from_the_file_to_the_findings(client, tmp_path, monkeypatch, capsys):
    (text,) = [text for kind, text in BLOCK.findall(GUIDE.read_text()) if kind == "yaml"]
    owner = factory.make_user("lea", is_staff=True)
    pairs = yaml.safe_load(text)["pairs"]
    assert len(pairs) == len(set(pairs)) == 23
    for name in pairs:
        source, target = name.split("-")
        factory.make_test_set(
            owner, name=name, source_language=source, target_language=target, n_segments=6
        )
    monkeypatch.chdir(tmp_path)
    # Nothing opens after its deadline, so the guide's year is always the next one here.
    Path("task26.yaml").write_text(text.replace("2027-", f"{timezone.now().year + 1}-"))
    make, report, release, verify = lines_of_commands()
    call_command(*make)
    project = Project.objects.get(slug="task26")
    assert project.campaigns.count() == 23 and project.links.count() == 920
    assert {campaign.status for campaign in project.campaigns.all()} == {Status.OPEN}

    client.force_login(owner)
    links = client.get(reverse("project-links-file", args=["task26"])).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(links)))
    assert {row["pairs"] for row in rows} == set(pairs)

    judge_all()
    seal_all()
    assert client.get(reverse("project-watch", args=["task26"])).status_code == 200
    call_command(*report)
    findings = Path("findings/task26.tex").read_text()
    assert "en–mas & en–ro & en–ru" in findings
    assert "en-{}ar: All judgments count" not in findings
    assert len(list(Path("findings").glob("*.md"))) == 24
    call_command(*release)
    capsys.readouterr()
    call_command(*verify)
    assert "WRONG" not in capsys.readouterr().out
    assert Campaign.objects.count() == 23
