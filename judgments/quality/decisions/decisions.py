"""Excluding annotators and items from a campaign's results, and including them again."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef

from judgments.models import (
    Campaign,
    Decision,
    Membership,
    RemovedItem,
    Role,
    Segment,
    System,
    Task,
)
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.people.states import WORKING, note_change
from judgments.people.workload.release import release, restore_rests


class AlreadyDecided(ValueError):
    """The annotator or the item is already excluded, or was never excluded."""


@transaction.atomic
def decide(
    campaign: Campaign, annotator, *, excluded: bool, reason: str, by, dimension: str = ""
) -> Decision:
    """Log the decision to exclude a user from the results (or to include them again): for one
    dimension, or for all their judgments. In the second case they judge nothing more, and their
    unjudged items return to the others (or are theirs again, unless somebody has claimed them).

    Raises AlreadyDecided if it would change nothing: two owners may decide the same.
    """
    # One decision at a time, so that the log never has two of the same kind in a row.
    lock_campaign(campaign.pk)
    lock_members(campaign, [annotator.pk])
    decided = campaign.decisions.filter(annotator=annotator).latest_of_each()
    out = {decision.dimension for decision in decided if decision.excluded}
    if excluded and out & {"", dimension}:
        raise AlreadyDecided("left out already")
    if not excluded and dimension not in out:
        raise AlreadyDecided("left out of all dimensions" if "" in out else "not left out")
    decision = Decision.objects.create(
        campaign=campaign,
        annotator=annotator,
        dimension=dimension,
        excluded=excluded,
        reason=reason,
        decided_by=by,
    )
    record.note(campaign.pk, "annotator decided about", "decision", ids=[decision.pk])
    if not dimension and excluded:
        give_to_others(campaign, [annotator.pk])
    elif not dimension:
        take_in(campaign, annotator.pk, reason=reason, by=by)
    return decision


def give_to_others(campaign: Campaign, users: Collection[int]) -> None:
    """Release the unjudged items of users whose memberships are locked."""
    own = Task.objects.filter(campaign=campaign, annotator=OuterRef("user"), is_unfinished=True)
    members = Membership.objects.filter(Exists(own), campaign=campaign, user__in=users)
    for membership in members.order_by("pk"):
        release(membership)


def take_in(campaign: Campaign, user: int, *, reason: str, by) -> None:
    """Let a user whose membership is locked work again, on what nobody has claimed since."""
    was = campaign.annotator_states.filter(annotator=user).order_by("-pk").first()
    if was and was.state != WORKING:
        note_change(campaign, user, WORKING, reason=reason, by=by)
    working = Membership.objects.current().filter(role=Role.ANNOTATOR)
    for membership in working.filter(campaign=campaign, user=user):
        restore_rests(membership)


@transaction.atomic
def decide_item(
    campaign: Campaign, segment: Segment, system: System | None, *, removed: bool, reason: str, by
) -> RemovedItem:
    """Log the decision to exclude a segment from the results, for all systems or one, or to include
    it again. Raise AlreadyDecided if it would change nothing."""
    lock_campaign(campaign.pk)
    of_segment = campaign.removed_items.filter(segment=segment).latest_of_each()
    out = {each.system_id for each in of_segment if each.removed}
    asked = system.pk if system else None
    if removed and out & {None, asked}:
        raise AlreadyDecided("left out already")
    if not removed and asked not in out:
        raise AlreadyDecided("left out of all systems" if None in out else "not left out")
    decision = RemovedItem.objects.create(
        campaign=campaign,
        segment=segment,
        system=system,
        removed=removed,
        reason=reason,
        decided_by=by,
    )
    record.note(campaign.pk, "item decided about", "removed", ids=[decision.pk])
    return decision
