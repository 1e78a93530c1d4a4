"""Deletion of campaigns, test sets and systems, such as ones that were misread from a file.

The judgments of a deleted campaign leave the database. This is the second way in which they do,
besides erasure, and recorded like it: a row that nobody can change says who deleted the campaign
and why, how many judgments there were, and how their chains ended. A function of the database
writes it and deletes them (migration 0044), as the role that serves may do neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from judgments.models import (
    AT_WORK,
    Campaign,
    CampaignRecord,
    Chain,
    DeletedCampaign,
    Download,
    Invitation,
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Output,
    Reference,
    RemovedItem,
    Segment,
    Status,
    System,
    Task,
    TestSet,
)
from judgments.models.locks import lock_campaign
from judgments.test_sets.media.store import forget
from judgments.web.extension_points import registered
from mteval_site.erased_files import forget_erased

LONGEST_REASON = 2000

# Parts of a plan that may have millions of rows, in the order in which they can be deleted; %s is
# the number of the campaign.
OF_ITEMS = """USING judgments_item i JOIN judgments_task k ON k.id = i.task_id
    WHERE t.item_id = i.id AND k.campaign_id = %s"""
OF_TASKS = "USING judgments_task k WHERE t.task_id = k.id AND k.campaign_id = %s"
OWN = "WHERE t.campaign_id = %s"
OF_PLAN = (
    ("judgments_note", OF_ITEMS),
    ("judgments_itemoutput", OF_ITEMS),
    ("judgments_expectedscore", OF_ITEMS),
    ("judgments_item", OF_TASKS),
)
# Other rows that are not left to Django, which would read them first.
ROWS = (
    *OF_PLAN,
    *((f"judgments_{kind}", OWN) for kind in ("task", "prefilledspan", "prefilledlink")),
)


class NotDeleted(ValueError):
    """Something may not be deleted. The message says why; campaigns: those that prevent it."""

    def __init__(self, reason: str, campaigns: tuple[Campaign, ...] = ()) -> None:
        self.campaigns = campaigns
        super().__init__(reason)


@dataclass(frozen=True)
class Contents:
    """Numbers of objects that are deleted with a campaign."""

    judgments: int
    annotators: int
    tasks: int
    items: int
    members: int
    invitations: int
    decisions: int
    questions: int
    judges: int


def contents(campaign: Campaign) -> Contents:
    judged = Judgment.objects.filter(campaign=campaign).order_by()
    return Contents(
        judgments=judged.count(),
        annotators=judged.values("annotator").distinct().count(),
        tasks=Task.objects.filter(campaign=campaign).count(),
        items=Item.objects.filter(task__campaign=campaign).count(),
        members=Membership.objects.filter(campaign=campaign).count(),
        invitations=Invitation.objects.filter(campaign=campaign).count(),
        decisions=campaign.decisions.count() + campaign.removed_items.count(),
        questions=campaign.questions.count(),
        judges=campaign.judges.count(),
    )


def require_deletable(campaign: Campaign) -> None:
    """Raise NotDeleted for a campaign that is open, or whose edits another one judges."""
    if campaign.status == Status.OPEN:
        raise NotDeleted("The campaign is open. Close it first.")
    if campaign.judges.filter(status__in=AT_WORK).exists():
        raise NotDeleted("A language model is judging for it. Cancel that first.")
    others = tuple(Campaign.objects.filter(options__edits_of=campaign.pk))
    if others:
        raise NotDeleted("Its edits are judged in other campaigns. Delete these first.", others)


@transaction.atomic
def delete_campaign(campaign: Campaign, *, by: str, reason: str) -> DeletedCampaign:
    """Delete a campaign with all of its judgments, including those of language models; return the
    record that remains.

    Accounts of people stay, too. Raise NotDeleted.
    """
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise NotDeleted(f"A deletion needs a reason, of at most {LONGEST_REASON:,} characters.")
    campaign = lock_campaign(campaign.pk)
    require_deletable(campaign)
    for judge in campaign.judges.select_related("answers"):
        delete_campaign(judge.answers, by=by, reason=reason)
    if campaign.by_model:
        for leaves in registered("model_judge_leaves"):
            leaves(campaign.judge)
    tasks = Task.objects.filter(campaign=campaign).order_by("pk")
    # Wait for answers that are being stored.
    list(tasks.select_for_update(of=("self",)).values_list("pk"))
    number = campaign.pk
    models = [user for user in campaign.members.filter(is_active=False) if campaign.by_model]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")  # a million foreign keys take a minute
        # Tables that are only added to are deleted from by a function that lists the campaign
        # first.
        cursor.execute("SELECT judgments_delete_campaign(%s, %s, %s)", [number, by, reason])
        for table, rows in ROWS:
            cursor.execute(f"DELETE FROM {table} t {rows}", [campaign.pk])
        Download.objects.with_judgments_of([number]).delete()
        campaign.delete()
        for user in models:  # accounts that belong to nobody
            user.delete()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    transaction.on_commit(forget_erased)  # files that contain names of annotators
    return DeletedCampaign.objects.get(pk=number)


def left_of(campaign: int) -> dict[str, int]:
    """Return the number of remaining rows of a deleted campaign by this number: empty, unless
    somebody has listed it without deleting it."""
    return {
        "rows of campaigns": Campaign.objects.filter(pk=campaign).count(),
        "judgments": Judgment.objects.filter(campaign=campaign).count(),
        "chains": Chain.objects.filter(campaign=campaign).count(),
        "tasks": Task.objects.filter(campaign=campaign).count(),
        "records": CampaignRecord.objects.filter(campaign_id=campaign).count(),
    }


def delete_items(campaign: Campaign) -> None:
    """Delete the items of a campaign in which nobody has judged, with the outputs of their screens;
    its tasks stay. In three statements: Django would delete a hundred items at a time."""
    with connection.cursor() as cursor:
        for table, rows in OF_PLAN:
            cursor.execute(f"DELETE FROM {table} t {rows}", [campaign.pk])


def require_unused(test_set: TestSet) -> None:
    """Raise NotDeleted for a test set with campaigns."""
    if campaigns := tuple(test_set.campaigns.all()):
        raise NotDeleted("Campaigns use this test set. Delete them first.", campaigns)


@transaction.atomic
def delete_test_set(test_set: TestSet) -> None:
    """Delete a test set with texts, outputs and scores. Raise NotDeleted while a campaign uses
    it."""
    test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    require_unused(test_set)
    # Not one by one, with their texts in memory, like Django.
    Output.objects.filter(segment__test_set=test_set).delete()
    Reference.objects.filter(segment__test_set=test_set).delete()
    hashes = list(test_set.media.values_list("sha256", flat=True))
    Segment.objects.filter(test_set=test_set).delete()
    test_set.delete()
    if hashes:
        transaction.on_commit(partial(forget, hashes))


def campaigns_with(system: System) -> tuple[tuple[Campaign, ...], tuple[Campaign, ...]]:
    """Return the campaigns in which outputs of a system were judged, and those that only plan to
    show them."""
    # One campaign after the other, up to its first item: a join would read all items of the site.
    shown = ItemOutput.objects.filter(item__task__campaign=OuterRef("pk"), output__system=system)
    judged = Exists(shown.filter(item__is_judged=True).order_by())
    campaigns = Campaign.objects.filter(test_set=system.test_set_id)
    of_judged = tuple(campaigns.filter(judged))
    others = campaigns.exclude(pk__in=[campaign.pk for campaign in of_judged])
    return of_judged, tuple(others.filter(Exists(shown.order_by())))


def require_unseen(system: System) -> None:
    """Raise NotDeleted for a system whose outputs people were shown or will be."""
    decided = RemovedItem.objects.filter(system=system).values("campaign")
    if campaigns := tuple(Campaign.objects.filter(pk__in=decided)):
        raise NotDeleted("Decisions leave its translations out of results.", campaigns)
    judged, planned = campaigns_with(system)
    if judged:
        raise NotDeleted("There are judgments of its translations.", judged)
    if planned:
        raise NotDeleted("Campaigns plan to show its translations. Discard the plans.", planned)


@transaction.atomic
def delete_system(system: System) -> None:
    """Delete a system with its outputs and scores. Raise NotDeleted if people were shown them.

    Comparisons with other systems are deleted too, by the apps that store them (`system_leaves`).
    """
    TestSet.objects.select_for_update(of=("self",)).get(pk=system.test_set_id)
    require_unseen(system)
    for leaves in registered("system_leaves"):
        leaves(system)
    system.delete()
