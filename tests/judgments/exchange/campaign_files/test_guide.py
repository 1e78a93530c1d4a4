"""What README and the guide show, works; and the guide tells of every section."""

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from judgments.exchange.campaign_files.registry import SECTIONS
from judgments.exchange.campaign_files.schema import schema
from judgments.models import Campaign, Status
from tests import factory

ROOT = Path(__file__).resolve().parents[4]
GUIDE = ROOT / "docs/guide/campaign-files.md"
README = ROOT / "README.md"
BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
jsonschema = pytest.importorskip("jsonschema")


def misfits(said):
    """What the published schema has against a document."""
    found = jsonschema.validators.validator_for(schema())(schema()).iter_errors(said)
    return [error.message for error in found]


def blocks(path):
    return BLOCK.findall(path.read_text())


def put_texts(folder):
    folder.mkdir()
    for name, lines in (
        ("source", ["Guten Tag.", "Bis bald."]),
        ("online-A", ["Good day.", "See you."]),
        ("online-B", ["Day good.", "Until soon."]),
    ):
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


@pytest.mark.django_db
@pytest.mark.parametrize("path", [README, GUIDE], ids=["README", "guide"])
def test_the_first_file_makes_an_open_campaign(path, tmp_path, capsys):
    text = blocks(path)[0]
    if path == README:
        assert len(text.splitlines()) == 10
    factory.make_user("manager", is_staff=True)
    put_texts(tmp_path / "texts")
    file = tmp_path / "campaign.yaml"
    file.write_text(text)
    call_command("create_campaign", str(file), owner="manager")
    campaign = Campaign.objects.get()
    assert (campaign.name, campaign.status) == ("Which one reads better?", Status.OPEN)
    assert campaign.tasks.count() == 2
    assert sorted(campaign.test_set.systems.values_list("name", flat=True)) == [
        "online-A",
        "online-B",
    ]
    output = capsys.readouterr().out
    assert f"See /campaigns/{campaign.pk}/" in output
    assert "Planned: 2 batches with 4 items in all." in output
    assert f"links are at /campaigns/{campaign.pk}/people/" in output
    call_command("export_campaign", campaign.pk)
    exported = yaml.safe_load(capsys.readouterr().out)
    assert exported["plan"] == {"seats": 2, "block_length": 3}
    assert not misfits(exported)


@pytest.mark.django_db
def test_the_command_says_what_is_wrong_and_makes_nothing(tmp_path, capsys):
    factory.make_user("manager", is_staff=True)
    file = tmp_path / "campaign.yaml"
    file.write_text("name: x\ntexts: Nowhere\npreset: mqm\n")
    with pytest.raises(CommandError, match="Nothing was created"):
        call_command("create_campaign", str(file), owner="manager")
    assert "line 2, texts: there is no test set Nowhere." in capsys.readouterr().err
    assert not Campaign.objects.exists()
    with pytest.raises(CommandError, match="cannot be opened"):
        call_command("create_campaign", str(tmp_path / "none.yaml"), owner="manager")


@pytest.mark.parametrize("text", blocks(GUIDE)[1:])
def test_pieces_of_the_guide_fit_the_schema(text):
    said = {"name": "x", "preset": "mqm", **yaml.safe_load(text)}
    assert not misfits(said)
    assert misfits({**said, "nonsense": 1})


def test_the_guide_tells_of_every_section():
    text = GUIDE.read_text()
    assert not [section.key for section in SECTIONS if f"| `{section.key}` |" not in text]


@pytest.mark.parametrize("path", sorted((ROOT / "judgments/exchange/demo").glob("*.yaml")), ids=str)
def test_the_files_of_the_demo_fit_the_schema(path):
    assert not misfits(yaml.safe_load(path.read_text()))


def test_the_command_writes_the_schema(capsys):
    import json

    call_command("campaign_schema")
    assert json.loads(capsys.readouterr().out) == schema()
