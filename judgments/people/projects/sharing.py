"""A part in a project opens its campaigns: as memberships there, which go when the part goes.

Only campaigns that the one who gives the part runs are opened. Nobody becomes a reader of texts
that they judge, or judges texts whose results they read: a campaign with such a test set is left
out, whoever asks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judgments.models import (
    Campaign,
    Membership,
    Project,
    ProjectLink,
    ProjectMember,
    ProjectRole,
    Role,
    Status,
)
from judgments.models.locks import lock_project
from judgments.people.access import MANAGES
from judgments.people.members import members as campaign_members

# What each role is in a campaign; a watcher is nothing there.
IN_CAMPAIGNS: dict[str, Role] = {
    ProjectRole.MANAGER: Role.OWNER,
    ProjectRole.READER: Role.RESEARCHER,
    ProjectRole.ANNOTATOR: Role.ANNOTATOR,
}


class NotBlind(ValueError):
    """Somebody who judges would see how others do, or the names of systems; or the other way."""


JUDGES = "Somebody who judges in this project cannot also get a part that shows how others judge."
READS_ALREADY = "You already have a part in this project, so you cannot also judge in it."


@dataclass(frozen=True)
class Shared:
    """What a part has opened, and the campaigns that stay closed to it because the person judges,
    or reads, the same texts."""

    opened: list[Membership]
    closed: list[Campaign]


def pairs_of(campaigns: Iterable[Campaign]) -> list[str]:
    """Return the language pairs of campaigns, each once, sorted."""
    return sorted({campaign.test_set.pair for campaign in campaigns})


def run_by(user, project: Project):
    """Return the campaigns of a project that the user runs and that are not archived."""
    found = Campaign.objects.filter(projects=project, archived_at=None)
    if not user.is_superuser:
        own = Membership.objects.current().filter(user=user, role__in=MANAGES)
        found = found.filter(pk__in=own.values("campaign"))
    return found.select_related("test_set").order_by("pk")


@transaction.atomic
def give_part(project: Project, user, *, role: str, pairs: list[str], alias: str, by) -> Shared:
    """Make somebody a member of a project who is none, and open its campaigns.

    Raises NotBlind for who judges and would watch, read or manage, or the other way.
    """
    project = lock_project(project.pk)
    joined = Membership.objects.current().filter(user=user, campaign__projects=project)
    judges = joined.filter(role=Role.ANNOTATOR).exists()
    if role == ProjectRole.WATCHER and judges:
        raise NotBlind(JUDGES)
    member = ProjectMember.objects.create(
        project=project, user=user, role=role, pairs=pairs, alias=alias
    )
    shared = share(project, by, [member])
    if shared.closed and not shared.opened:
        raise NotBlind(READS_ALREADY if role == ProjectRole.ANNOTATOR else JUDGES)
    return shared


@transaction.atomic
def share(project: Project, by, members: Collection[ProjectMember] | None = None) -> Shared:
    """Open to the members (None: all) the campaigns that `by` runs, where they have no part yet.
    The number of statements does not depend on how many campaigns or members there are, apart
    from names that are taken."""
    lock_project(project.pk)
    people = [
        each
        for each in (project.people.all() if members is None else members)
        if each.role in IN_CAMPAIGNS
    ]
    campaigns = list(run_by(by, project).select_for_update(of=("self",), no_key=True))
    of_people = Membership.objects.filter(user__in=[each.user_id for each in people])
    judged: dict[int, set[int]] = defaultdict(set)
    read: dict[int, set[int]] = defaultdict(set)
    known: dict[tuple[int, int], Membership] = {}
    for each in of_people.select_related("campaign"):
        known[each.campaign_id, each.user_id] = each
        if each.removed_at is None:
            sets = judged if each.role == Role.ANNOTATOR else read
            sets[each.user_id].add(each.campaign.test_set_id)
    taken = set(
        Membership.objects.filter(
            campaign__in=campaigns, alias__in=[each.alias for each in people]
        ).values_list("campaign", "alias")
    )
    opened, again, closed = [], [], []
    for member in people:
        role = IN_CAMPAIGNS[member.role]
        seen = read if role == Role.ANNOTATOR else judged
        for campaign in campaigns:
            if member.pairs and campaign.test_set.pair not in member.pairs:
                continue
            if role == Role.ANNOTATOR and campaign.status == Status.CLOSED:
                continue
            found = known.get((campaign.pk, member.user_id))
            if campaign.test_set_id in seen[member.user_id]:
                closed.append(campaign)
            elif found and (found.removed_at is None or role == Role.ANNOTATOR):
                # Who has a part keeps it, or more; an annotator who was removed stays so.
                if role == Role.OWNER and found.role == Role.RESEARCHER:
                    if found.by_project_id is None:
                        found.role_before = found.role
                    found.role, found.by_project = role, member
                    again.append(found)
            elif found:
                found.role, found.removed_at, found.by_project = role, None, member
                again.append(found)
            else:
                alias = member.alias
                if (campaign.pk, alias) in taken:
                    alias = campaign_members.free_alias(campaign, alias)
                taken.add((campaign.pk, alias))
                part = Membership(campaign=campaign, user_id=member.user_id, role=role, alias=alias)
                part.by_project = member
                opened.append(part)
    Membership.objects.bulk_create(opened)
    Membership.objects.bulk_update(again, ["role", "role_before", "removed_at", "by_project"])
    return Shared([*opened, *again], closed)


@transaction.atomic
def withdraw(parts, campaigns: Iterable[int] | None = None) -> None:
    """Close what parts in a project have opened (campaigns: only in those of these numbers).
    Whoever judged stays in the results; what they have not judged goes to others. Who had a role of
    their own before has it again."""
    found = Membership.objects.current().filter(by_project__in=parts)
    if campaigns is not None:
        found = found.filter(campaign__in=campaigns)
    found.exclude(role_before="").update(role=F("role_before"), role_before="", by_project=None)
    found.exclude(role=Role.ANNOTATOR).update(removed_at=timezone.now())
    for membership in found.filter(role=Role.ANNOTATOR).order_by("campaign"):
        campaign_members.remove(membership)


@transaction.atomic
def take_part_away(member: ProjectMember) -> None:
    """Somebody is no member of a project any more, nor of its campaigns by it. Links that they made
    and nobody has used are closed: what these open is theirs no more. What a part in another
    project opens as well is open again."""
    parts = member.user.parts_in_projects.exclude(pk=member.pk).select_related("project__owner")
    of_others = {each.project_id: each for each in parts}
    for pk in sorted({member.project_id, *of_others}):
        lock_project(pk)
    links = ProjectLink.objects.usable().filter(project=member.project_id)
    links.filter(created_by=member.user_id).update(closed_at=timezone.now())
    opened = set(member.shared.values_list("campaign", flat=True))
    withdraw([member])
    member.delete()
    for _, other in sorted(of_others.items()):
        if opened & set(other.project.campaigns.values_list("pk", flat=True)):
            share(other.project, other.project.owner, [other])
