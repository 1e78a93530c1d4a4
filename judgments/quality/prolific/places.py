"""The places of a study at Prolific, and who of a campaign's annotators has which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from judgments.models import Campaign, Membership, Role
from judgments.people import external_ids
from judgments.people.staffing.pay import to_cents
from judgments.people.staffing.settings import staffing_of
from judgments.people.states import HELD, WORKING, states_of

from . import client

PERSON, _, SUBMISSION = external_ids.PROLIFIC
APPROVED, WAITING = "APPROVED", "AWAITING REVIEW"
# Prolific gives these places to others by itself.
GIVEN_ON = ("RETURNED", "TIMED-OUT", "REJECTED")


@dataclass(frozen=True)
class StudyPlace:
    """submission, status: as Prolific has them; reward: what its approval pays. state: the name of
    the annotator's state here (`judgments.people.states`)."""

    member: Membership
    submission: str
    status: str
    reward: Decimal
    state: str

    @property
    def counts(self) -> bool:
        return self.state in (WORKING, HELD)

    @property
    def is_given_on(self) -> bool:
        return self.status in GIVEN_ON


@dataclass(frozen=True)
class StudyPlaces:
    """currency: of the study. free: its places that nobody has; None: Prolific does not say.
    n_strangers: submissions of nobody here."""

    study: str
    currency: str
    free: int | None
    people: list[StudyPlace]
    n_strangers: int

    def of(self, members: set[int]) -> list[StudyPlace]:
        return [place for place in self.people if place.member.pk in members]


def look(campaign: Campaign) -> StudyPlaces:
    """Ask Prolific. Raise ProlificRefused or ProlificSilent."""
    number = staffing_of(campaign).prolific_study
    study, rows = client.study(number), client.submissions(number)
    by_person: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        # Their numbers go into addresses and files.
        if external_ids.VALUE.fullmatch(str(row.get("id"))):
            by_person[str(row.get("participant_id"))].append(row)
    states = states_of(campaign)
    people = []
    members = campaign.memberships.filter(role=Role.ANNOTATOR, external_ids__has_key=PERSON)
    for member in members.order_by("alias"):
        ids = member.external_ids
        if own := own_of(by_person[ids[PERSON]], ids.get(SUBMISSION)):
            state = states[member.user_id].name if member.user_id in states else WORKING
            given = own.get("reward")
            reward = money(study.get("reward") if given is None else given)
            place = StudyPlace(
                member, str(own["id"]), str(own.get("status")).upper(), reward, state
            )
            people.append(place)
    currency = str(study.get("presentment_currency_code") or study.get("currency_code") or "")
    total, taken = study.get("total_available_places"), study.get("places_taken")
    is_known = isinstance(total, int) and isinstance(taken, int)
    free = max(total - taken, 0) if is_known else None  # type: ignore[operator]
    return StudyPlaces(number, currency, free, people, len(rows) - len(people))


def own_of(rows: list[Mapping[str, Any]], named: str | None) -> Mapping[str, Any] | None:
    """Return for one person's submissions, the one that the link named by which they came; where it
    named none, the only one."""
    if named is None:
        return rows[0] if len(rows) == 1 else None
    return next((row for row in rows if row["id"] == named), None)


def money(cents: Any) -> Decimal:
    """Return Prolific gives rewards in hundredths."""
    try:
        amount = Decimal(str(cents)) / 100
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or not 0 <= amount < 1_000_000:
        raise client.ProlificRefused("Prolific does not say the reward of the study.")
    return to_cents(amount)
