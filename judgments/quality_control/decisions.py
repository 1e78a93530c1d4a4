"""Leaving annotators out of a campaign's results, and taking them in again."""

from django.db import transaction

from judgments.models import Campaign, Decision, Judgment, QualityRule


class AlreadyDecided(ValueError):
    """The annotator is left out already, or was never."""


@transaction.atomic
def decide(campaign: Campaign, annotator, *, excluded: bool, reason: str, by) -> Decision:
    """Log the decision to leave a user out of the results (or to take them in again).

    Raises AlreadyDecided when it would change nothing: two owners may have had the same thought.
    """
    # One decision at a time, so that the log has no two of the same kind in a row.
    Campaign.objects.select_for_update(of=["self"]).get(pk=campaign.pk)
    last = campaign.decisions.filter(annotator=annotator).last()
    if excluded == (last is not None and last.excluded):
        raise AlreadyDecided("left out already" if excluded else "not left out")
    return Decision.objects.create(
        campaign=campaign, annotator=annotator, excluded=excluded, reason=reason, decided_by=by
    )


def write_rule(campaign: Campaign, *, text: str, seconds_per_word: float | None, by) -> QualityRule:
    """Log the rule by which annotators will be left out, with the number of judgments so far."""
    return QualityRule.objects.create(
        campaign=campaign,
        text=text,
        seconds_per_word=seconds_per_word,
        n_judgments=Judgment.objects.filter(campaign=campaign).count(),
        written_by=by,
    )
