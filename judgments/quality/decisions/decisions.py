"""Leaving annotators and items out of a campaign's results, and taking them in again."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Exists, OuterRef

from judgments.models import Campaign, Decision, Membership, RemovedItem, Segment, System, Task
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members
from judgments.people.states import WORKING, note_change
from judgments.people.workload.release import give_back, release


class AlreadyDecided(ValueError):
    """The annotator or the item is left out already, or was never."""


@transaction.atomic
def decide(
    campaign: Campaign, annotator, *, excluded: bool, reason: str, by, dimension: str = ""
) -> Decision:
    """Log the decision to leave a user out of the results (or to take them in again): of one
    dimension, or of whatever they judged. In the second case they judge nothing more, and what they
    have not judged goes back to the others (or is theirs again, as far as nobody has taken it).

    Raises AlreadyDecided when it would change nothing: two owners may have had the same thought.
    """
    # One decision at a time, so that the log has no two of the same kind in a row.
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
    """Free what users whose memberships are locked have not judged."""
    own = Task.objects.filter(campaign=campaign, annotator=OuterRef("user"), is_unfinished=True)
    members = Membership.objects.filter(Exists(own), campaign=campaign, user__in=users)
    for membership in members.order_by("pk"):
        release(membership)


def take_in(campaign: Campaign, user: int, *, reason: str, by) -> None:
    """Let a user whose membership is locked work again, on what nobody has taken since."""
    was = campaign.annotator_states.filter(annotator=user).order_by("-pk").first()
    if was and was.state != WORKING:
        note_change(campaign, user, WORKING, reason=reason, by=by)
    for membership in Membership.objects.current().filter(campaign=campaign, user=user):
        give_back(membership)


@transaction.atomic
def decide_item(
    campaign: Campaign, segment: Segment, system: System | None, *, removed: bool, reason: str, by
) -> RemovedItem:
    """Log the decision to leave a segment out of the results, of all systems or of one, or to take
    it in again. Raise AlreadyDecided when it would change nothing."""
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
