"""The commands of docs/guide/coming-from.md, run on files as the other tools write them.

The CSV is what the converter of label-studio-sdk 2.1.2 has written for a made-up project, the TSV
what the exporter of potato-annotation 2.12.1 has; lines of Appraise as in the study of WMT23.
"""

import re
import shlex
import subprocess
import sys

import pytest
from django.core.management import call_command

from docs.site.pages import ROOT
from judgments.models import Campaign, Rating, Status
from tests import factory
from tests.judgments.exchange.releases import pearmut_files

pytestmark = pytest.mark.django_db
GUIDE = (ROOT / "docs/guide/coming-from.md").read_text(encoding="utf-8")
LABEL_STUDIO = """\
"adequacy","annotation_id","annotator","created_at","fluency","id","lead_time","segment","source",\
"system","translation","updated_at"
"[{""rating"":5}]",1,"anna@example.org","2026-11-02T09:00:00Z","5",1,13.5,1,"Guten Tag.",\
"online-A","Good day.","2026-11-02T09:00:11Z"
"[{""rating"":4}]",2,"ben@example.org","2026-11-02T09:00:00Z","4",1,14.5,1,"Guten Tag.",\
"online-A","Good day.","2026-11-02T09:00:12Z"
"[{""rating"":2}]",3,"anna@example.org","2026-11-02T09:00:00Z","3",2,15.5,1,"Guten Tag.",\
"online-B","Day good.","2026-11-02T09:00:13Z"
"""
POTATO = (
    "instance_id\tuser_id\tadequacy.5\tadequacy.4\tadequacy.3\n"
    "1-A\tanna\t5\t\t\n1-A\tben\t\t4\t\n1-B\tanna\t\t\t3\n"
)
POTATO_DATA = (
    '{"id": "1-A", "segment": 1, "system": "online-A", "source": "Guten Tag.", '
    '"translation": "Good day."}\n'
    '{"id": "1-B", "segment": 1, "system": "online-B", "source": "Guten Tag.", '
    '"translation": "Day good."}\n'
)
APPRAISE = (
    "engdeu6905,wmt23.refA,100,TGT,eng,deu,87,news.1#refA,False,[],1711317347.6,1711317359.6\n"
    "engdeu6905,wmt23.ONLINE-B,101,TGT,eng,deu,41,news.1#ONLINE-B,False,[],1711317360,1711317371\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    factory.make_user("manager", is_staff=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def blocks(tool: str, language: str) -> list[str]:
    section = GUIDE.split(f"\n## {tool}\n")[1].split("\n## ")[0]
    found = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found, f"{tool} has no {language}"
    return found


def run(command: str) -> None:
    """A command of the guide that starts with `./run manage`."""
    words = shlex.split(command.replace("\\\n", " "))
    assert words[:2] == ["./run", "manage"]
    call_command(*words[2:])


def said() -> list[tuple[str, str, str, float]]:
    found = Rating.objects.order_by("pk").select_related("output__system")
    return [
        (each.output.system.name, each.output.text, each.dimension, each.value) for each in found
    ]


def test_pearmut(folder):
    (folder / "campaign.json").write_text(pearmut_files.json.dumps(pearmut_files.campaign()))
    entry = pearmut_files.entry(
        "anna", [pearmut_files.HOUSE], [{"A": pearmut_files.said(90), "B": pearmut_files.said(20)}]
    )
    pearmut_files.lines(folder / "annotations.jsonl", entry)
    (command,) = blocks("Pearmut", "sh")
    run(command)
    draft = Campaign.objects.exclude(status=Status.CLOSED).get()
    judged = Campaign.objects.get(status=Status.CLOSED)
    assert draft.tasks.count() == 2
    assert judged.test_set.segments.filter(source="a house").exists()
    assert sorted((system, value) for system, _, _, value in said()) == [("A", 90), ("B", 20)]


def test_appraise(folder):
    (folder / "scores.csv").write_text(APPRAISE)
    (command,) = blocks("Appraise", "sh")
    run(command)
    campaign = Campaign.objects.get()
    assert campaign.status == Status.CLOSED
    assert (campaign.test_set.source_language, campaign.test_set.target_language) == ("en", "de")
    assert [(system, value) for system, _, _, value in said()] == [("refA", 87), ("ONLINE-B", 41)]


def test_label_studio(folder):
    (folder / "export.csv").write_text(LABEL_STUDIO)
    (recipe,) = blocks("Label Studio", "json")
    (folder / "label-studio.json").write_text(recipe)
    (command,) = blocks("Label Studio", "sh")
    run(command)
    assert said() == [
        ("online-A", "Good day.", "adequacy", 5),
        ("online-A", "Good day.", "fluency", 5),
        ("online-A", "Good day.", "adequacy", 4),
        ("online-A", "Good day.", "fluency", 4),
        ("online-B", "Day good.", "adequacy", 2),
        ("online-B", "Day good.", "fluency", 3),
    ]


def test_potato(folder):
    (folder / "annotations.tsv").write_text(POTATO)
    (folder / "data.jsonl").write_text(POTATO_DATA)
    (script,) = blocks("Potato", "python")
    (folder / "potato.py").write_text(script)
    join, command = blocks("Potato", "sh")
    words = shlex.split(join)
    assert words[0] == "python3" and words[-2:] == [">", "table.tsv"]
    done = subprocess.run([sys.executable, *words[1:-2]], capture_output=True, check=True)
    (folder / "table.tsv").write_bytes(done.stdout)
    run(command)
    assert said() == [
        ("online-A", "Good day.", "adequacy", 5),
        ("online-A", "Good day.", "adequacy", 4),
        ("online-B", "Day good.", "adequacy", 3),
    ]
    assert Campaign.objects.get().members.count() >= 2


def test_a_command_with_a_wrong_answer_fails(folder):
    """What `run` does would else prove nothing."""
    (folder / "scores.csv").write_text("nothing,of,the,kind\n")
    with pytest.raises(Exception, match=r"imported|recognized"):
        run("./run manage import_release scores.csv --owner manager")
