"""Deleting campaigns, test sets and systems, such as were misread from a file.

With a campaign its judgments leave the database: the second way in which they do, besides erasure,
and recorded like it. A row that nobody can change says who deleted it and why, how many judgments
there were, and how their chains ended; a function of the database writes it and deletes them
(migration 0044), as the role that serves may do neither.
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

# What of a plan may be millions of rows, in the order in which it can go; %s is the number of its
# campaign.
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
# What else is not left to Django, which would read it first.
ROWS = (
    *OF_PLAN,
    *((f"judgments_{kind}", OWN) for kind in ("task", "prefilledspan", "prefilledlink")),
)


class NotDeleted(ValueError):
    """Something may not be deleted. The message says why; campaigns: those that are in the way."""

    def __init__(self, reason: str, campaigns: tuple[Campaign, ...] = ()) -> None:
        self.campaigns = campaigns
        super().__init__(reason)


@dataclass(frozen=True)
class Contents:
    """What goes with a campaign: how many of each."""

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
    """Raises NotDeleted for a campaign that is open, or whose edits another one judges."""
    if campaign.status == Status.OPEN:
        raise NotDeleted("The campaign is open. Close it first.")
    if campaign.judges.filter(status__in=AT_WORK).exists():
        raise NotDeleted("A language model is judging for it. Cancel that first.")
    others = tuple(Campaign.objects.filter(options__edits_of=campaign.pk))
    if others:
        raise NotDeleted("Its edits are judged in other campaigns. Delete these first.", others)


@transaction.atomic
def delete_campaign(campaign: Campaign, *, by: str, reason: str) -> DeletedCampaign:
    """Delete a campaign with all that was judged in it, by language models too; what is returned is
    all that stays.

    Accounts of people stay, too. Raises NotDeleted.
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
    # An answer on its way is waited for.
    list(tasks.select_for_update(of=("self",)).values_list("pk"))
    number = campaign.pk
    models = [user for user in campaign.members.filter(is_active=False) if campaign.by_model]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")  # a million foreign keys take a minute
        # What is only ever added leaves by a function that lists the campaign first.
        cursor.execute("SELECT judgments_delete_campaign(%s, %s, %s)", [number, by, reason])
        for table, rows in ROWS:
            cursor.execute(f"DELETE FROM {table} t {rows}", [campaign.pk])
        Download.objects.with_judgments_of([number]).delete()
        campaign.delete()
        for user in models:  # nobody's account
            user.delete()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    transaction.on_commit(forget_erased)  # files with the names of annotators
    return DeletedCampaign.objects.get(pk=number)


def left_of(campaign: int) -> dict[str, int]:
    """What there is of the campaign with this number, which was deleted: nothing, or somebody has
    listed it without deleting it."""
    return {
        "rows of campaigns": Campaign.objects.filter(pk=campaign).count(),
        "judgments": Judgment.objects.filter(campaign=campaign).count(),
        "chains": Chain.objects.filter(campaign=campaign).count(),
        "tasks": Task.objects.filter(campaign=campaign).count(),
        "records": CampaignRecord.objects.filter(campaign_id=campaign).count(),
    }


def delete_items(campaign: Campaign) -> None:
    """Delete the items of a campaign in which nobody has judged, with what their screens show; its
    tasks stay. In three statements: Django would take a hundred items at a time."""
    with connection.cursor() as cursor:
        for table, rows in OF_PLAN:
            cursor.execute(f"DELETE FROM {table} t {rows}", [campaign.pk])


def require_unused(test_set: TestSet) -> None:
    """Raises NotDeleted for a test set with campaigns."""
    if campaigns := tuple(test_set.campaigns.all()):
        raise NotDeleted("Campaigns use this test set. Delete them first.", campaigns)


@transaction.atomic
def delete_test_set(test_set: TestSet) -> None:
    """Delete texts, outputs and scores. Raises NotDeleted while a campaign uses them."""
    test_set = TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    require_unused(test_set)
    # Not one by one, with their texts in memory, as Django would.
    Output.objects.filter(segment__test_set=test_set).delete()
    Reference.objects.filter(segment__test_set=test_set).delete()
    hashes = list(test_set.media.values_list("sha256", flat=True))
    Segment.objects.filter(test_set=test_set).delete()
    test_set.delete()
    if hashes:
        transaction.on_commit(partial(forget, hashes))


def campaigns_with(system: System) -> tuple[tuple[Campaign, ...], tuple[Campaign, ...]]:
    """The campaigns in which translations of a system were judged, and those that only plan to."""
    # Of one campaign after the other, until the first: a join would read all items of the site.
    shown = ItemOutput.objects.filter(item__task__campaign=OuterRef("pk"), output__system=system)
    judged = Exists(shown.filter(item__is_judged=True).order_by())
    campaigns = Campaign.objects.filter(test_set=system.test_set_id)
    of_judged = tuple(campaigns.filter(judged))
    others = campaigns.exclude(pk__in=[campaign.pk for campaign in of_judged])
    return of_judged, tuple(others.filter(Exists(shown.order_by())))


def require_unseen(system: System) -> None:
    """Raises NotDeleted for a system whose translations people were shown or will be."""
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
    """Delete a system with its outputs and scores. Raises NotDeleted where people were shown them.

    What compared it with others goes too, by those who keep it (`system_leaves` of an app).
    """
    TestSet.objects.select_for_update(of=("self",)).get(pk=system.test_set_id)
    require_unseen(system)
    for leaves in registered("system_leaves"):
        leaves(system)
    system.delete()
