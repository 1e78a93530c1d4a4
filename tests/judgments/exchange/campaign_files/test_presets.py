"""Every preset has a file that makes a campaign, which gives the file that makes it again."""

import pytest
import yaml

from judgments.exchange.campaign_files.loader import as_json, as_yaml, create_campaign, document_of
from judgments.exchange.campaign_files.schema import schema
from judgments.models import Campaign, Status, TestSet
from tests import factory
from tests.presets import EACH

jsonschema = pytest.importorskip("jsonschema")
pytestmark = pytest.mark.django_db
TEST_SET = "Small set"


@pytest.fixture
def owner():
    user = factory.make_user("owner", is_staff=True)
    factory.make_test_set(user)
    return user


def first_file(preset: str, owner) -> dict:
    """The least that makes an open campaign of a preset."""
    said = {"name": preset, "texts": TEST_SET, "preset": preset, "plan": {}, "status": "open"}
    if preset == "custom-rating":
        said["options"] = {"dimensions": [{"slug": "adequacy", "low": 1, "high": 5}]}
    if preset == "comprehension":
        row = {"document": "doc0", "level": 1, "question": "Who?"}
        said["materials"] = {"questions": [row, {**row, "document": "doc1"}]}
    if preset == "acceptability":
        said["options"] = {"edits_of": edited(owner).pk}
    return said


def edited(owner) -> Campaign:
    """A campaign of sentence editing with edits to judge."""
    from judgments.models import PostEdit

    campaign = factory.make_campaign(TestSet.objects.get(), preset="sentence-editing", owner=owner)
    annotator = factory.make_user("editor")
    task = factory.make_task(campaign, annotator)
    for item in task.items.all():
        judgment = factory.judge(item, {})
        for shown in item.shown.all():
            PostEdit.objects.create(
                judgment=judgment, output=shown.output, outcome="edited", text="It reads well."
            )
    return campaign


@pytest.mark.parametrize("preset", EACH)
def test_every_preset_has_a_file_and_comes_back_from_its_export(preset, owner):
    said = first_file(preset, owner)
    jsonschema.validate(said, schema())
    campaign = create_campaign(yaml.safe_dump(said), owner)
    assert campaign.status == Status.OPEN
    assert campaign.tasks.exists()
    exported = document_of(campaign)
    jsonschema.validate(exported, schema())
    for content, name in ((as_yaml(campaign), "a.yaml"), (as_json(campaign), "a.json")):
        again = create_campaign(content, owner, name=name)
        assert document_of(again) == exported
        assert (again.preset, again.protocol) == (campaign.preset, campaign.protocol)
        assert (again.options, again.instructions) == (campaign.options, campaign.instructions)
        assert [(t.batch, t.seat, t.n_items) for t in again.tasks.order_by("batch", "seat")] == [
            (t.batch, t.seat, t.n_items) for t in campaign.tasks.order_by("batch", "seat")
        ]


def test_the_schema_is_a_schema():
    of_schemas = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    assert not [error.message for error in of_schemas.iter_errors(schema())]
