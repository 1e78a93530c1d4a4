"""Saving the instructions of a campaign. An edit says from which version it was made, so that of
two people who write at the same time neither overwrites what they have not seen."""

from collections.abc import Mapping

from django.conf import settings
from django.db import transaction

from judgments.models import Campaign
from judgments.models.chains import record
from judgments.models.locks import lock_campaign


class SavedMeanwhile(Exception):
    """Other instructions have been saved since; the campaign that was given has them now."""


@transaction.atomic
def save_instructions(campaign: Campaign, texts: Mapping[str, str], *, version: int) -> None:
    """Store texts by language; those in languages that the site's pages have not, which an import
    may have brought, stay. Other texts are another version, which judgments carry.

    version: the one from which the texts were made. Raise SavedMeanwhile if it is not the last,
    unless the texts are those that are stored.
    """
    locked = lock_campaign(campaign.pk)
    asked = {code for code, _name in settings.LANGUAGES}
    others = {code: text for code, text in locked.instructions.items() if code not in asked}
    wanted = others | dict(texts)
    is_stored = wanted == locked.instructions
    is_late = version != locked.guideline_version
    if not is_stored and not is_late:
        locked.instructions = wanted
        locked.guideline_version += 1
        locked.save(update_fields=["instructions", "guideline_version"])
        record.note(campaign.pk, "instructions written", "instructions")
    campaign.instructions = locked.instructions
    campaign.guideline_version = locked.guideline_version
    if is_late and not is_stored:
        raise SavedMeanwhile
