"""Control items and repeats in files of other tools: with their own texts, or left out."""

import json
from pathlib import Path

import pytest

from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.out import write
from judgments.files.uploads import Folder
from judgments.models import Campaign, ErrorSpan, Item, ItemOutput, Judgment, Status
from judgments.plans import design
from judgments.plans.controls.settings import default_settings
from tests import factory

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    """A planned campaign with the control items that a crowd gets by default."""
    owner = factory.make_user("owner", is_staff=True)
    made = factory.make_campaign(
        factory.make_test_set(owner, n_segments=40, n_systems=3, n_documents=4),
        preset="direct-assessment",
        owner=owner,
        annotators=[factory.make_user("annotator")],
        status=Status.DRAFT,
    )
    design.plan(made, default_settings(made))
    made.refresh_from_db()
    return made


def shown_instead(campaign: Campaign, kind: str) -> set[str]:
    rows = ItemOutput.objects.filter(item__task__campaign=campaign, item__kind=kind)
    return set(rows.exclude(altered=None).values_list("altered__text", flat=True))


def written(campaign: Campaign, name: str, folder: Path) -> list[Path]:
    write([campaign], name, Folder(folder))
    return sorted(folder.iterdir())


def test_batches_of_appraise_have_damaged_texts_and_no_checks(campaign, tmp_path):
    (file, _) = written(campaign, "appraise-batches", tmp_path)
    items = [each for batch in json.loads(file.read_text()) for each in batch["items"]]
    bad = {each["targetText"] for each in items if each["itemType"] == "BAD"}
    assert bad and bad == shown_instead(campaign, "degraded")
    n_checks = Item.objects.filter(task__campaign=campaign, kind="check").count()
    assert n_checks
    assert len(items) == Item.objects.filter(task__campaign=campaign).count() - n_checks


def test_damaged_texts_of_batches_come_back(campaign, tmp_path):
    paths = written(campaign, "appraise-batches", tmp_path)
    findings = import_release(paths, factory.make_user("importer", is_staff=True))
    assert not findings.problems
    again = Campaign.objects.latest("pk")
    assert again != campaign
    rows = ItemOutput.objects.filter(item__task__campaign=again, item__kind="degraded")
    texts = set(rows.values_list("output__text", flat=True))
    assert texts == shown_instead(campaign, "degraded")


def test_pearmut_shows_what_is_shown_here(campaign, tmp_path):
    (file,) = written(campaign, "pearmut", tmp_path)
    data = json.loads(file.read_text())["data"]
    items = [item for person in data for document in person for item in document]
    for kind in ("degraded", "check"):
        found = {
            text for each in items if each.get("kind") == kind for text in each["tgt"].values()
        }
        assert shown_instead(campaign, kind) <= found
    findings = import_release([file], factory.make_user("importer", is_staff=True))
    assert not findings.problems


def test_a_judged_check_is_not_in_appraises_export(campaign, tmp_path):
    campaign.status = Status.OPEN
    campaign.save()
    annotator = campaign.memberships.get(role="annotator").user
    task = campaign.tasks.first()
    factory.seat(task, annotator)
    for item in task.items.order_by("position"):
        factory.judge(item, {"da": [50] * item.shown.count()})
    campaign.status = Status.CLOSED
    campaign.save()
    file, _ = written(campaign, "appraise", tmp_path)  # and its header
    types = [line.split(",")[3] for line in file.read_text().splitlines()]
    n_checks = task.items.filter(kind="check").count()
    assert n_checks and len(types) == task.n_items - n_checks
    assert set(types) <= {"TGT", "BAD", "CHK", "REF"}


@pytest.fixture
def mqm() -> Campaign:
    """Four judged segments with an error each; the first is judged twice."""
    owner, annotator = factory.make_user("owner", is_staff=True), factory.make_user("annotator")
    made = factory.make_campaign(
        factory.make_test_set(owner),
        preset="mqm",
        owner=owner,
        annotators=[annotator],
        instructions={"en": "Read well.", "de": "Lies gut."},
    )
    task = factory.make_task(made, annotator, n_outputs=1)
    items = list(task.items.order_by("position"))
    again = Item.objects.create(
        task=task, position=len(items) + 1, segment=items[0].segment, kind="repeat"
    )
    task.n_items += 1
    task.save()
    first = items[0].shown.get()
    ItemOutput.objects.create(item=again, output=first.output, position=1)
    for item in [*items, again]:
        judgment = factory.judge(item, {"mqm": [-1]})
        ErrorSpan.objects.create(
            judgment=judgment,
            output=item.shown.get().output,
            severity="minor",
            category="accuracy/mistranslation",
            start=0,
            end=6,
        )
    made.status = Status.CLOSED
    made.save()
    return made


def test_a_repeat_is_not_added_to_the_first_judgment_of_googles_table(mqm, tmp_path):
    (file,) = written(mqm, "google-mqm", tmp_path)
    n_items = Judgment.objects.filter(campaign=mqm).count() - 1
    assert len(file.read_text().splitlines()) == 1 + n_items


def test_instructions_come_back_from_tables(mqm, tmp_path):
    paths = written(mqm, "tsv", tmp_path)
    import_release(paths, factory.make_user("importer", is_staff=True))
    assert Campaign.objects.latest("pk").instructions == {"en": "Read well."}
