"""Leaving annotators and items out of a campaign's results, and taking them in again."""

from django.db import transaction

from judgments.models import Campaign, Decision, RemovedItem, Segment, System
from judgments.models.chains import record
from judgments.models.locks import lock_campaign, lock_members


class AlreadyDecided(ValueError):
    """The annotator or the item is left out already, or was never."""


@transaction.atomic
def decide(
    campaign: Campaign, annotator, *, excluded: bool, reason: str, by, dimension: str = ""
) -> Decision:
    """Log the decision to leave a user out of the results (or to take them in again): of one
    dimension, or of whatever they judged.

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
    return decision


@transaction.atomic
def decide_item(
    campaign: Campaign, segment: Segment, system: System | None, *, removed: bool, reason: str, by
) -> RemovedItem:
    """Log the decision to leave a segment out of the results, of all systems or of one, or to take
    it in again. Raises AlreadyDecided when it would change nothing."""
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
