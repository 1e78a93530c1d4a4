"""Who the numbers in the log are today. The log itself keeps no name that can be erased."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import Q

from judgments.models import Act, Membership, Role
from judgments.web.audit.rows import listed

MEMBER = "membership_id"
# Fields of forms whose value is the number of an annotator's account.
DECIDED_ON = "decision-annotator"


class Names:
    """The aliases of members that some acts are by or about, in one statement."""

    def __init__(self, acts: Iterable[Act]) -> None:
        members = [act.objects_named[MEMBER] for act in acts if MEMBER in act.objects_named]
        asked = {pair for act in acts for pair in pairs(act)}
        campaigns, users = {campaign for campaign, _ in asked}, {user for _, user in asked}
        found = Membership.objects.filter(
            Q(pk__in=members) | Q(campaign__in=campaigns, user__in=users)
        )
        self.of_member: dict[int, str] = {}
        self.of_user: dict[tuple[int | None, int | None], str] = {}
        for pk, campaign, user, alias in found.values_list("pk", "campaign", "user", "alias"):
            self.of_member[pk] = self.of_user[campaign, user] = alias

    def who(self, act: Act) -> str:
        """Return for annotators the alias; of all others the account."""
        alias = self.of_user.get((act.campaign, act.user)) if is_by_annotator(act) else None
        return alias or act.account

    def objects(self, act: Act) -> dict[str, Any]:
        named = {k: v for k, v in act.objects_named.items() if k != MEMBER}
        if MEMBER in act.objects_named:
            number = act.objects_named[MEMBER]
            named = {"member": self.of_member.get(number, number)} | named
        return named

    def facts(self, act: Act) -> dict[str, Any]:
        if (number := decided_on(act)) is None:
            return act.facts
        return act.facts | {DECIDED_ON: self.of_user.get((act.campaign, number), number)}


def is_by_annotator(act: Act) -> bool:
    return act.role == Role.ANNOTATOR


def decided_on(act: Act) -> int | None:
    value = act.facts.get(DECIDED_ON, "")
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 19 else None


def pairs(act: Act) -> Iterator[tuple[int | None, int | None]]:
    """Yield campaign and account of the annotators that an act is by or about."""
    if is_by_annotator(act):
        yield act.campaign, act.user
    if (number := decided_on(act)) is not None:
        yield act.campaign, number


def named(acts: Sequence[Act]) -> Iterator[tuple[Act, str, str, str]]:
    """Yield each act with who did it, what its address named, and what its form said."""
    names = Names(acts)
    for act in acts:
        yield act, names.who(act), listed(names.objects(act)), listed(names.facts(act))
