"""Who somebody is to the site that sent them: what Prolific and MTurk add to a link.

They say who somebody claims to be. Anybody can write them into an address, so they open nothing:
who comes again under the same identifier needs the session or the personal link that they have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from judgments.models import Campaign

# By the sites' own names of them. The first of each names the person, the others the occasion.
PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
MTURK = ("workerId", "assignmentId", "hitId")
NAMES = (*PROLIFIC, *MTURK)
PERSONS = (PROLIFIC[0], MTURK[0])
# What MTurk sends to those who only look at a task.
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
VALUE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class BadIdentifier(ValueError):
    """An address has an identifier that no site sends; the message says which."""


def in_address(query: Mapping[str, str]) -> dict[str, str]:
    """Return the identifiers in an address; none where nobody is named. Raise BadIdentifier."""
    found = {name: query[name] for name in NAMES if query.get(name)}
    for name, value in found.items():
        if not VALUE.fullmatch(value):
            raise BadIdentifier(name)
    return found if set(found) & set(PERSONS) else {}


def is_preview(query: Mapping[str, str]) -> bool:
    return query.get("assignmentId") == PREVIEW


def person_in(ids: Mapping[str, str]) -> dict[str, str]:
    """Only what names the person."""
    return {name: ids[name] for name in PERSONS if name in ids}


def is_taken(campaign: Campaign, ids: Mapping[str, str]) -> bool:
    """Return whether a member of the campaign, even one who was removed, came under one of them."""
    return any(
        campaign.memberships.filter(external_ids__contains={name: value}).exists()
        for name, value in person_in(ids).items()
    )
