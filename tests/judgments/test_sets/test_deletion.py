"""Deleting campaigns, test sets and systems: what goes, what stays, and what is in the way."""

import io
import json
import re

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, connection, transaction

from judgments.exchange.demo import loading
from judgments.models import (
    Act,
    Campaign,
    Chain,
    DeletedCampaign,
    ErasedJudgment,
    Grade,
    Item,
    ItemOutput,
    JobStatus,
    Judgment,
    Membership,
    Note,
    NoteKind,
    Output,
    Rating,
    RemovedItem,
    Seal,
    Segment,
    Status,
    System,
    Task,
    TestSet,
)
from judgments.models.chains import checking, publication
from judgments.protocols.kinds import KINDS
from judgments.quality.decisions.decisions import decide, decide_item
from judgments.test_sets.deletion.rows import (
    NotDeleted,
    contents,
    delete_campaign,
    delete_system,
    delete_test_set,
)
from metrics.models import Comparison, MetricScore, ScoringPart
from metrics.scores import comparisons
from metrics.scores import tasks as scores_tasks
from metrics.scoring import claims, jobs
from metrics.scoring import tasks as scoring_tasks
from metrics.scoring.choices import MetricChoice
from metrics.with_people import tasks as with_people_tasks
from tests import factory
from tests.gates.world import World
from tests.judgments.models.chains.test_chain import answer, campaign, found  # noqa: F401

pytestmark = pytest.mark.django_db
REASON = "The file had the wrong systems."


def close(campaign):  # noqa: F811
    campaign.status = Status.CLOSED
    campaign.save()
    return campaign


@pytest.fixture
def twin(campaign):  # noqa: F811
    """Another campaign on the same texts by the same people, which is to stay as it is."""
    people = list(campaign.members.filter(memberships__role="annotator").order_by("pk"))
    other = factory.make_campaign(campaign.test_set, annotators=people, name="Twin")
    task = factory.make_task(other, people[0])
    for item in task.items.order_by("position"):
        answer(other, people[0], item, 2)
    return other


def rows_that_name(campaign_id, tables=("task", "item", "judgment", "rating", "seal", "chain")):
    models = {
        "task": Task.objects.filter(campaign=campaign_id),
        "item": Item.objects.filter(task__campaign=campaign_id),
        "judgment": Judgment.objects.filter(campaign=campaign_id),
        "rating": Rating.objects.filter(judgment__campaign=campaign_id),
        "chain": Chain.objects.filter(campaign=campaign_id),
        "seal": Seal.objects.filter(
            task_id__in=Chain.objects.filter(campaign=campaign_id).values("task_id")
        ),
    }
    return {name: models[name].count() for name in tables}


def test_all_of_it_goes_and_a_record_stays(campaign, twin):  # noqa: F811
    owner = campaign.test_set.owner
    ada = campaign.members.get(username="ada")
    item = campaign.tasks.first().items.first()
    Note.objects.create(item=item, annotator=ada, kind=NoteKind.FLAG, comment="Cut off.")
    decide(campaign, ada, excluded=True, reason="Hurried.", by=owner)
    decide_item(campaign, item.segment, None, removed=True, reason="Broken.", by=owner)
    heads, before = publication.heads(campaign), rows_that_name(twin.pk)
    sealed = set(Seal.objects.filter(task_id__in=campaign.tasks.values("pk")).values_list("pk"))
    n = contents(campaign)
    assert (n.judgments, n.annotators, n.tasks, n.items, n.decisions) == (9, 2, 2, 8, 2)
    number = campaign.pk
    record = delete_campaign(close(campaign), by="owner", reason=REASON)
    assert not Campaign.objects.filter(pk=number).exists()
    assert set(rows_that_name(number).values()) == {0}
    assert len(sealed) == 9 and not Seal.objects.filter(pk__in=[pk for (pk,) in sealed]).exists()
    assert not Note.objects.exists() and not RemovedItem.objects.exists()
    assert (record.campaign, record.name, record.judgments) == (number, "Chained", 9)
    assert (record.annotators, record.tasks) == (2, 2)
    assert (record.deleted_by, record.reason) == ("owner", REASON)
    # With a file of the judgments one can still check whether it is of these.
    assert (record.head, record.chains) == (heads["head"], heads["tasks"])
    assert publication.head_of(record.chains) == record.head
    # The other campaign, its people and the texts are as they were.
    assert rows_that_name(twin.pk) == before and before["rating"] == 24
    assert found(twin) == []
    assert Membership.objects.filter(campaign=twin, user=ada).exists()
    assert Output.objects.filter(segment__test_set=twin.test_set_id).count() == 12


def test_the_record_cannot_be_changed(campaign):  # noqa: F811
    delete_campaign(close(campaign), by="owner", reason=REASON)
    for change in (
        lambda: DeletedCampaign.objects.update(reason="Another."),
        lambda: DeletedCampaign.objects.all()._raw_delete("default"),
    ):
        with pytest.raises(IntegrityError, match="only ever added"), transaction.atomic():
            change()
    assert DeletedCampaign.objects.get().reason == REASON


@pytest.mark.parametrize("table", ["rating", "judgment", "seal", "chain"])
def test_one_listed_campaign_opens_no_other(campaign, twin, table):  # noqa: F811
    """Somebody lists a campaign as deleted by hand: the rows of others stay all the same."""
    refused = pytest.raises(IntegrityError, match="DELETE refused")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        DeletedCampaign.objects.create(
            campaign=campaign.pk,
            name="x",
            test_set=1,
            preset="x",
            simulated=False,
            judgments=0,
            annotators=0,
            tasks=0,
            head="",
            deleted_by="x",
            reason="x",
        )
        cursor.execute(f"DELETE FROM judgments_{table}")
    assert found(twin) == [] and found(campaign) == []


def test_what_was_erased_before_stays_listed(campaign):  # noqa: F811
    call_command(
        "erase_annotator",
        "ada",
        reason="They asked.",
        judgments=True,
        yes=True,
        stdout=io.StringIO(),
    )
    assert checking.check(campaign).erased == 5
    record = delete_campaign(close(campaign), by="owner", reason=REASON)
    assert record.judgments == 4 and ErasedJudgment.objects.count() == 5
    assert sum(length for _, length, _ in record.chains) == 9


def test_an_open_campaign_is_not_deleted(campaign):  # noqa: F811
    for reason in (REASON, " "):
        with pytest.raises(NotDeleted, match=r"Close it first|needs a reason"):
            delete_campaign(campaign, by="owner", reason=reason)
    assert Judgment.objects.filter(campaign=campaign).count() == 9
    assert not DeletedCampaign.objects.exists()
    with pytest.raises(NotDeleted, match="needs a reason"):
        delete_campaign(close(campaign), by="owner", reason="x" * 2001)


def test_every_kind_of_campaign():
    """The demo has judgments of most protocols, the rest has tasks at least."""
    world = World()
    loading.load()
    kinds = [kind.model for kind in KINDS.values()]
    assert sum(kind._default_manager.exists() for kind in kinds) > 3
    for each in Campaign.objects.order_by("-pk"):
        n = each.judgments.count()
        assert delete_campaign(close(each), by="owner", reason=REASON).judgments == n
    for model in (Campaign, Judgment, *kinds, Grade, Seal, Chain, Task, Item, ItemOutput):
        assert not model._default_manager.exists(), model
    for test_set in TestSet.objects.all():
        delete_test_set(test_set)
    assert not Segment.objects.exists() and not MetricScore.objects.exists()
    assert world.people["owner"].pk and Membership.objects.count() == 0


def test_edits_that_others_judge(campaign):  # noqa: F811
    judging = factory.make_campaign(
        campaign.test_set, preset="pairwise", name="Judging", options={"edits_of": campaign.pk}
    )
    with pytest.raises(NotDeleted, match="judged in other campaigns") as raised:
        delete_campaign(close(campaign), by="owner", reason=REASON)
    assert raised.value.campaigns == (judging,)


# The command


def run(*arguments, **options):
    out = io.StringIO()
    call_command("delete_campaign", *arguments, stdout=out, **options)
    return out.getvalue()


def test_the_command(campaign):  # noqa: F811
    said = {"by": "the operator", "reason": REASON}
    assert "9 judgments by 2 annotators in 2 tasks. Nothing was done" in run(campaign.pk, **said)
    assert Campaign.objects.filter(pk=campaign.pk).exists()
    with pytest.raises(CommandError, match="Close it first"):
        run(campaign.pk, yes=True, **said)
    head = publication.heads(close(campaign))["head"]
    assert f"The head of its chains was {head}" in run(campaign.pk, yes=True, **said)
    assert DeletedCampaign.objects.get().deleted_by == "the operator"
    with pytest.raises(CommandError, match="There is no campaign"):
        run(campaign.pk, yes=True, **said)
    out = io.StringIO()
    call_command("verify_judgments", stdout=out)
    assert re.search(rf"Chained: 9 judgments, head {head}: deleted 2\S+ by the op", out.getvalue())


def test_a_file_of_what_was_deleted_can_still_be_told(campaign, twin, tmp_path):  # noqa: F811
    files = {}
    for each in (campaign, twin):
        files[each] = tmp_path / f"{each.pk}.jsonl"
        files[each].write_text("".join(publication.lines(each)))
    whole = tmp_path / "campaign.json"
    whole.write_text(json.dumps({"chain": publication.heads(campaign)}, indent=1))
    altered = tmp_path / "altered.jsonl"
    lines = files[campaign].read_text().splitlines()
    last = json.loads(lines[-1])
    altered.write_text("\n".join([*lines[:-1], json.dumps(last | {"hash": "0" * 64})]))
    number = campaign.pk
    delete_campaign(close(campaign), by="owner", reason=REASON)
    for file in (files[campaign], whole):
        call_command("verify_judgments", number, against=file, stdout=io.StringIO())
    for file in (altered, files[twin]):
        with pytest.raises(CommandError, match="1 thing is wrong"):
            call_command("verify_judgments", number, against=file, stdout=io.StringIO())


# Test sets and systems


def scored(test_set):
    job = jobs.create_job(test_set, [MetricChoice("bleu"), MetricChoice("ter")], ["ref"])
    jobs.work_on(job.pk)
    comparisons.compute_comparisons(test_set)
    assert Comparison.objects.filter(test_set=test_set).count() == 2
    return job


@pytest.fixture
def test_set():
    return factory.make_test_set(factory.make_user("somebody"), name="Misread")


def test_a_test_set_goes_with_its_scores(test_set):
    other = factory.make_test_set(test_set.owner, name="Other")
    scored(test_set)
    scored(other)
    delete_test_set(test_set)
    for model, n in ((Segment, 4), (System, 3), (Output, 12), (MetricScore, 6), (Comparison, 2)):
        assert model.objects.count() == n, model
    assert ScoringPart.objects.count() == 6


def test_a_test_set_in_use_stays(test_set):
    campaign = factory.make_campaign(test_set, status=Status.CLOSED)  # noqa: F811
    with pytest.raises(NotDeleted, match="Campaigns use this test set") as raised:
        delete_test_set(test_set)
    assert raised.value.campaigns == (campaign,)
    delete_campaign(campaign, by="somebody", reason=REASON)
    delete_test_set(test_set)


def test_a_system_goes_with_what_compares_it(test_set):
    scored(test_set)
    delete_system(test_set.systems.get(name="System-A"))
    assert Output.objects.filter(segment__test_set=test_set).count() == 8
    assert MetricScore.objects.filter(test_set=test_set).count() == 4
    assert not Comparison.objects.filter(test_set=test_set).exists()
    assert comparisons.compute_comparisons(test_set) == 2


def test_a_comparison_without_the_system_stays(test_set):
    scored(test_set)
    MetricScore.objects.filter(metric="ter", system__name="System-A").delete()
    comparisons.compute_comparisons(test_set)
    delete_system(test_set.systems.get(name="System-A"))
    (kept,) = Comparison.objects.filter(test_set=test_set)
    assert "ter" in kept.signature.lower()
    assert comparisons.compute_comparisons(test_set) == 1


def test_a_system_that_people_were_shown_stays(test_set):
    user = factory.make_user("ada")
    campaign = factory.make_campaign(test_set, annotators=[user])  # noqa: F811
    task = factory.make_task(campaign, user, n_outputs=2)
    first, second, third = test_set.systems.order_by("name")
    with pytest.raises(NotDeleted, match="plan to show") as raised:
        delete_system(first)
    assert raised.value.campaigns == (campaign,)
    factory.judge(task.items.first(), {"adequacy": [1, 2], "fluency": [1, 2]})
    with pytest.raises(NotDeleted, match="There are judgments") as raised:
        delete_system(second)
    assert raised.value.campaigns == (campaign,)
    delete_system(third)
    assert [system.name for system in test_set.systems.all()] == ["System-A", "System-B"]


# What is being computed meanwhile


def test_scoring_ends_when_its_test_set_goes(test_set, monkeypatch):
    job = jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"])
    finish = claims.finish

    def deleted_meanwhile(part, store):
        if TestSet.objects.filter(pk=test_set.pk).exists():
            delete_test_set(test_set)
        finish(part, store)

    monkeypatch.setattr(claims, "finish", deleted_meanwhile)
    assert scoring_tasks.run_scoring.call(job.pk) == 1
    assert scoring_tasks.run_scoring.call(job.pk) == 0
    assert scores_tasks.run_comparisons.call(test_set.pk, "segment") == 0
    assert not MetricScore.objects.exists()


def test_scoring_goes_on_without_a_system_that_went(test_set, monkeypatch):
    job = jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"])
    finish = claims.finish
    gone = test_set.systems.get(name="System-A")

    def deleted_meanwhile(part, store):
        if System.objects.filter(pk=gone.pk).exists():
            delete_system(gone)
        finish(part, store)

    monkeypatch.setattr(claims, "finish", deleted_meanwhile)
    scoring_tasks.run_scoring.call(job.pk)
    job.refresh_from_db()
    assert (job.status, job.total, job.done) == (JobStatus.DONE, 2, 2)
    assert MetricScore.objects.count() == 2


def test_tests_between_systems_end_when_the_test_set_goes(test_set, monkeypatch):
    scored(test_set)
    Comparison.objects.all().delete()
    compare = comparisons.compare

    def deleted_meanwhile(*arguments):
        result = compare(*arguments)
        if TestSet.objects.filter(pk=test_set.pk).exists():
            delete_test_set(test_set)
        return result

    monkeypatch.setattr(comparisons, "compare", deleted_meanwhile)
    assert scores_tasks.run_comparisons.call(test_set.pk, "segment") == 0
    assert not Comparison.objects.exists()


def test_agreement_of_a_campaign_that_went(campaign):  # noqa: F811
    number = campaign.pk
    delete_campaign(close(campaign), by="owner", reason=REASON)
    assert with_people_tasks.run_agreement.call(number, "page") is False
    assert not Act.objects.exists()
