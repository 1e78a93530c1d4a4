"""What an annotator does before the first item: the consent and the questionnaire."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from judgments.models import ConsentRecord, Membership
from judgments.people.staffing.settings import staffing_of


def entry_step(membership: Membership) -> str | None:
    """The address of what is to be done before the work; None when nothing is. Asks no query: the
    campaign came with the membership."""
    staffing = staffing_of(membership.campaign)
    if staffing.consent and membership.consent_version != staffing.consent_version:
        return "judge-consent"
    answers = membership.about
    if not staffing.questions:
        return None
    if answers is None or any(q.required and q.name not in answers for q in staffing.questions):
        return "judge-questionnaire"
    return None


def has_refused(membership: Membership) -> bool:
    """Whether the last that somebody said to the consent was no. Asks only where they have not
    accepted any."""
    if membership.consent_version is not None or not staffing_of(membership.campaign).consent:
        return False
    last = ConsentRecord.objects.filter(membership=membership).order_by("-pk").first()
    return last is not None and not last.accepted


@transaction.atomic
def record_consent(membership: Membership, *, accepted: bool, language: str, text: str) -> None:
    """Store what somebody said to the consent as it was shown to them."""
    version = staffing_of(membership.campaign).consent_version
    ConsentRecord.objects.create(
        campaign=membership.campaign,
        membership=membership,
        version=version,
        language=language,
        text=text,
        accepted=accepted,
    )
    membership.consent_version = version if accepted else None
    membership.save(update_fields=["consent_version"])


def record_answers(membership: Membership, answers: dict[str, Any]) -> None:
    """Store what somebody said to the questionnaire, in place of what they said before."""
    membership.about = answers
    membership.save(update_fields=["about"])
