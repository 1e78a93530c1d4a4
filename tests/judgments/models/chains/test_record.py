"""The record of what a campaign's judgments are of: whatever is done to systems, outputs, texts,
items and decisions behind the site's back is named, and no act of the site is."""

import hashlib
import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from judgments.models import (
    AnnotatorState,
    CampaignRecord,
    ConsentRecord,
    Decision,
    DeletedCampaign,
    Judgment,
    Output,
    QualityRule,
    RecordedPart,
    RegisteredPlan,
    RemovedItem,
    Status,
    System,
)
from judgments.models.chains import publication, record
from judgments.models.chains.record_checking import check_record
from judgments.people.states import hold
from judgments.plans.campaigns.opening import set_status
from judgments.quality.decisions.decisions import decide, decide_item
from judgments.quality.rules.verdicts import write_rule
from judgments.test_sets.deletion.rows import delete_campaign
from tests import factory

from .test_chain import answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Opened; two annotators, four judgments each, a decision about each kind of thing."""
    owner, *people = (factory.make_user(name) for name in ("owner", "ada", "bela"))
    campaign = factory.make_campaign(
        factory.make_test_set(owner),
        owner=owner,
        annotators=people,
        name="Recorded",
        status=Status.DRAFT,
    )
    tasks = [factory.make_task(campaign, user, seat=n) for n, user in enumerate(people, 1)]
    set_status(campaign, Status.OPEN)
    write_rule(campaign, text="Whoever hurries.", by=owner, seconds_per_word=0.1)
    for task, user in zip(tasks, people, strict=True):
        for item in task.items.order_by("position"):
            answer(campaign, user, item, 3)
    hold(campaign, people[1], reason="Hurried.")
    decide(campaign, people[1], excluded=True, reason="Hurried.", by=owner)
    segment = campaign.test_set.segments.first()
    decide_item(campaign, segment, None, removed=True, reason="Broken.", by=owner)
    return campaign


def verify(*arguments, **options):
    out = io.StringIO()
    call_command("verify_judgments", *arguments, stdout=out, **options)
    return out.getvalue()


def refused(*arguments, **options):
    """What the command names before it ends with 1."""
    out = io.StringIO()
    with pytest.raises(CommandError, match="wrong"):
        call_command("verify_judgments", *arguments, stdout=out, **options)
    return out.getvalue()


def run(statement):
    """As somebody would who may write to the database as its superuser."""
    with factory.rewriting(), connection.cursor() as cursor:
        cursor.execute(statement)
        assert cursor.rowcount


def test_what_is_as_it_was_recorded(campaign):
    assert "as they were stored" in verify(campaign.pk)
    acts = CampaignRecord.objects.filter(campaign_id=campaign.pk).values_list("act", flat=True)
    decided = ["annotator's state changed", "annotator decided about", "item decided about"]
    assert list(acts) == ["opened", "rule written", *decided]


SWAP_NAMES = """
UPDATE judgments_system SET name = name || ' ';
UPDATE judgments_system SET name = CASE name WHEN 'System-A ' THEN 'System-C'
    WHEN 'System-C ' THEN 'System-A' ELSE trim(name) END
"""
# Foreign keys are not checked meanwhile: ids below 0 are used in between.
SWAP_OUTPUTS = """
UPDATE judgments_itemoutput SET output_id = -output_id WHERE position < 2;
UPDATE judgments_itemoutput SET output_id = -other.output_id
FROM (SELECT item_id, position, output_id FROM judgments_itemoutput) AS other
WHERE other.item_id = judgments_itemoutput.item_id
    AND other.position = 1 - judgments_itemoutput.position
"""
SWAP_SYSTEMS = """
UPDATE judgments_output SET system_id = -system_id
    WHERE system_id IN (SELECT id FROM judgments_system WHERE name <> 'System-C');
UPDATE judgments_output SET system_id =
    (SELECT id FROM judgments_system WHERE name <> 'System-C' AND id <> -system_id)
    WHERE system_id < 0
"""
# What is done behind the site's back, and what the command has to name.
TAMPERED = {
    "names": (SWAP_NAMES, "The system “System-A”: its name was “System-A” and is “System-C”."),
    "outputs of systems": (
        SWAP_SYSTEMS,
        "it belonged to system “System-A” and now belongs to system “System-B”",
    ),
    "outputs on screens": (SWAP_OUTPUTS, "segment “1”): its outputs on its screen was"),
    "a text": (
        "UPDATE judgments_output SET text = 'x' WHERE id = (SELECT max(id) FROM judgments_output)",
        "The output of system “System-C” for segment “4”: its text is not the one",
    ),
    "a source": (
        "UPDATE judgments_segment SET source = 'x' WHERE key = '2'",
        "The segment “2”: its source is not the one that was recorded.",
    ),
    "a reference": (
        "UPDATE judgments_reference SET text = 'x' WHERE segment_id ="
        " (SELECT id FROM judgments_segment WHERE key = '3')",
        "The reference “ref” of segment “3”: its text is not",
    ),
    "kinds": (
        "UPDATE judgments_item SET kind = 'repeat' WHERE position = 2",
        "segment “3”): its kind was “regular” and is “repeat”.",
    ),
    "positions": (
        "UPDATE judgments_item SET position = 10 WHERE position = 1",
        "seat 1): its items, in their order, was [",
    ),
    "the item of another segment": (
        "UPDATE judgments_item SET segment_id = (SELECT max(id) FROM judgments_segment)"
        " WHERE position = 0",
        "segment “1”): it belonged to segment “1” and now belongs to segment “4”.",
    ),
    "an item put in": (
        "INSERT INTO judgments_item (task_id, position, segment_id, kind, part, is_judged)"
        " SELECT task_id, 9, segment_id, kind, part, true FROM judgments_item"
        " WHERE position = 0",
        "inserted outside the record.",
    ),
    "options": (
        """UPDATE judgments_campaign SET options = options || '{"weights": {"minor": 9}}'""",
        "The campaign itself: its options was",
    ),
    "a decision taken out": ("DELETE FROM judgments_decision", "about annotator"),
    "a decision altered": (
        "UPDATE judgments_decision SET excluded = false",
        "its exclusion was true and is false.",
    ),
    "a decision put in": (
        "INSERT INTO judgments_decision"
        " (campaign_id, annotator_id, excluded, reason, decided_by_id, decided_at)"
        " SELECT campaign_id, decided_by_id, true, 'x', decided_by_id, now()"
        " FROM judgments_decision",
        "inserted outside the record.",
    ),
    "a state altered": (
        "UPDATE judgments_annotatorstate SET state = 'working'",
        "its state was “held” and is “working”.",
    ),
    "a removed item": ("DELETE FROM judgments_removeditem", "about segment “1”: removed."),
    "a rule": ("UPDATE judgments_qualityrule SET text = 'x'", "its text is not the one"),
    "the record itself": (
        """UPDATE judgments_recordedpart SET content = '["Better", ""]' WHERE kind = 'system'""",
        "Record 1 (opened): what it says was altered.",
    ),
    "an act of the record": (
        "UPDATE judgments_campaignrecord SET act = 'x' WHERE place = 2",
        "Record 2 (x): altered",
    ),
    "a record taken out": (
        "DELETE FROM judgments_campaignrecord WHERE place = 2",
        "Record 3: what was recorded before it is missing.",
    ),
    "the whole record": ("DELETE FROM judgments_campaignrecord", "was removed."),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_is_named(campaign, what):
    statement, sentence = TAMPERED[what]
    run(statement)
    assert sentence in refused(campaign.pk)


def test_a_stranger_recomputes_the_record(campaign):
    """With what docs/guide/formats.md says and nothing else."""
    before = bytes(32)
    for row in CampaignRecord.objects.order_by("place"):
        parts = {}
        for kind in sorted(row.parts):
            said = RecordedPart.objects.filter(record_id=row.pk, kind=kind).order_by("object_id")
            lines = [f"{part.object_id} {part.content}" for part in said]
            parts[kind] = [len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()]
        text = {
            "act": row.act,
            "campaign": campaign.pk,
            "made": row.made_at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            "parts": parts,
            "place": row.place,
            "task": 0,
            "v": 1,
        }
        content = json.dumps(text, separators=(",", ":"), ensure_ascii=False).encode()
        before = hashlib.sha256(before + hashlib.sha256(content).digest()).digest()
        assert before == bytes(row.hash)
    chains = [[0, 5, before.hex()]]
    heads = publication.record_heads(campaign)
    assert heads["chains"] == chains
    ends = json.dumps(chains, separators=(",", ":")).encode()
    assert heads["head"] == hashlib.sha256(ends).hexdigest()


def test_an_act_covers_up_nothing(campaign):
    """What the site does after somebody has changed a name and a text states its own change."""
    run(SWAP_NAMES)
    run(TAMPERED["a text"][0])
    run(TAMPERED["a removed item"][0])
    decide(campaign, campaign.members.get(username="ada"), excluded=True, reason="x",
           by=campaign.members.get(username="owner"))  # fmt: skip
    said = refused(campaign.pk)
    assert all(TAMPERED[what][1] in said for what in ("names", "a text", "a removed item"))


@pytest.fixture
def published(campaign, client, tmp_path):
    """{name: file} of what was downloaded before anything was changed."""
    client.force_login(campaign.members.get(username="owner"))
    files = {}
    for name in ("export-json", "export-chain"):
        files[name] = tmp_path / name
        address = reverse(name, args=[campaign.pk])
        files[name].write_bytes(b"".join(client.get(address).streaming_content))
        assert "as they were stored" in verify(campaign.pk, against=files[name])
    return files


def begin_anew(campaign):
    """Somebody who knows the algorithm makes another record."""
    with factory.rewriting():
        RecordedPart.objects.all().delete()
        CampaignRecord.objects.all().delete()
    record.begin(campaign.pk, "opened")
    assert check_record(campaign).found == []


@pytest.mark.parametrize("what", ["names", "outputs of systems", "a text", "a source"])
def test_what_was_published_shows_texts_that_were_changed(campaign, published, what):
    """Also where the record was made anew: the texts are compared first."""
    run(TAMPERED[what][0])
    begin_anew(campaign)
    first, second, *_ = refused(campaign.pk, against=published["export-json"]).splitlines()
    assert "The texts are not those that were published" in first
    assert "Record 5: not the one that was published" in second
    # A file from before there were records.
    file = published["export-json"]
    old = json.loads(file.read_text())
    del old["record"]
    file.write_text(json.dumps(old, indent=1))
    assert "The texts are not those" in refused(campaign.pk, against=file)


@pytest.mark.parametrize("what", ["kinds", "outputs on screens", "a decision altered", "options"])
def test_what_was_published_shows_a_record_that_was_made_anew(campaign, published, what):
    run(TAMPERED[what][0])
    begin_anew(campaign)
    said = refused(campaign.pk, against=published["export-json"])
    assert "Record 5: not the one that was published" in said


def test_published_judgments_show_names_that_were_changed(campaign, published):
    run(SWAP_NAMES)
    begin_anew(campaign)
    said = refused(campaign.pk, against=published["export-chain"])
    assert "was published as one of system “System-A” and now belongs to “System-C”" in said
    run(SWAP_NAMES)
    run("UPDATE judgments_segment SET key = 'x' || key")
    begin_anew(campaign)
    said = refused(campaign.pk, against=published["export-chain"])
    assert "was published as one of segment “1” and now belongs to “x1”" in said


def test_an_altered_file_is_refused(campaign, published):
    file = published["export-json"]
    found = json.loads(file.read_text())
    found["record"]["chains"][0][2] = "0" * 64
    file.write_text(json.dumps(found, indent=1))
    with pytest.raises(CommandError, match="altered: its head"):
        verify(campaign.pk, against=file)


def test_later_acts_change_nothing_of_what_was_published(campaign, published):
    system = System.objects.create(test_set=campaign.test_set, name="Later")
    for segment in campaign.test_set.segments.all():
        Output.objects.create(segment=segment, system=system, text="Later.")
    owner = campaign.members.get(username="owner")
    decide(campaign, campaign.members.get(username="bela"), excluded=False, reason="x", by=owner)
    answer(campaign, campaign.tasks.first().annotator, campaign.tasks.first().items.first(), 5)
    for file in published.values():
        verify(campaign.pk, against=file)


# What the database refuses


LISTED = """
INSERT INTO judgments_deletedcampaign (campaign, name, test_set, preset, simulated, judgments,
    annotators, tasks, head, chains, deleted_by, reason, deleted_at)
SELECT id, 'x', 1, 'x', false, 0, 0, 0, '', '[]', 'x', 'x', now() FROM judgments_campaign
"""


@pytest.mark.django_db(transaction=True)
def test_listing_a_campaign_as_deleted_lets_no_judgment_go(campaign):
    """Neither by itself nor with the deletion of some of its judgments, but only with all of it."""
    statements = [LISTED, "DELETE FROM judgments_rating", "DELETE FROM judgments_judgment"]
    for some in (statements[:1], statements):
        with (
            pytest.raises(IntegrityError, match="there are rows of it"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            for statement in some:
                cursor.execute(statement)
    assert Judgment.objects.count() == 8 and not DeletedCampaign.objects.exists()
    assert "as they were stored" in verify(campaign.pk)
    set_status(campaign, Status.CLOSED)
    delete_campaign(campaign, by="owner", reason="Asked for.")
    assert not CampaignRecord.objects.exists() and not RecordedPart.objects.exists()
    assert "deleted" in verify()


def test_a_campaign_that_is_listed_as_deleted_and_still_there_is_named(campaign):
    run(LISTED)
    said = refused(campaign.pk)
    assert "Listed as deleted, but 1 of its rows of campaigns are there." in said
    assert "Listed as deleted, but 8 of its judgments are there." in refused()


DECIDED = [AnnotatorState, Decision, RemovedItem, QualityRule]
ADDED = [*DECIDED, RegisteredPlan, CampaignRecord, RecordedPart]


@pytest.mark.parametrize("model", ADDED, ids=lambda model: model.__name__)
@pytest.mark.parametrize("statement", ["UPDATE {0} SET id = id", "TRUNCATE {0}"])
def test_rows_cannot_be_altered(campaign, model, statement):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            cursor.execute(statement.format(model._meta.db_table))


def test_rows_cannot_be_deleted(campaign):
    consent(campaign)
    for model in (*DECIDED, CampaignRecord, RecordedPart, ConsentRecord):
        assert model.objects.exists()
        with pytest.raises(IntegrityError, match="DELETE refused"), transaction.atomic():
            model.objects.all()._raw_delete("default")


def consent(campaign):
    member = campaign.memberships.get(alias="ada")
    return ConsentRecord.objects.create(
        campaign=campaign, membership=member, version=1, language="en", text="Yes?", accepted=True
    )


def test_of_a_consent_only_an_erased_person_is_taken_out(campaign):
    given = consent(campaign)
    for change in ({"accepted": False}, {"membership": None}, {"text": "No?"}):
        with pytest.raises(IntegrityError, match="UPDATE refused"), transaction.atomic():
            ConsentRecord.objects.filter(pk=given.pk).update(**change)
    call_command(
        "erase_annotator", "ada", reason="Asked.", judgments=True, yes=True, stdout=io.StringIO()
    )
    given.refresh_from_db()
    assert given.membership is None and given.accepted
    assert "4 erased" in verify(campaign.pk)
