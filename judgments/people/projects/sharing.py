"""A part in a project opens its campaigns: as memberships there, which end with the part.

Only campaigns run by the person who gives the part are opened. Nobody becomes a reader of texts
that they judge, or judges texts whose results they read: a campaign with such texts is left out for
everybody.
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

# Role in a campaign for each role in a project; a watcher has none.
IN_CAMPAIGNS: dict[str, Role] = {
    ProjectRole.MANAGER: Role.OWNER,
    ProjectRole.READER: Role.RESEARCHER,
    ProjectRole.ANNOTATOR: Role.ANNOTATOR,
}


class NotBlind(ValueError):
    """Somebody who judges would see others' judgments or the names of systems, or the reverse."""


JUDGES = "Somebody who judges in this project cannot also get a part that shows how others judge."
READS_ALREADY = "You already have a part in this project, so you cannot also judge in it."


@dataclass(frozen=True)
class Shared:
    """The campaigns that a part has opened, and those that stay closed to it because the person
    judges, or reads, the same texts."""

    opened: list[Membership]
    closed: list[Campaign]


def pairs_of(campaigns: Iterable[Campaign]) -> list[str]:
    """Return the language pairs of campaigns, each once, sorted."""
    return sorted({campaign.test_set.pair for campaign in campaigns})


def run_by(user, project: Project):
    """Return the unarchived campaigns of a project that the user runs."""
    found = Campaign.objects.filter(projects=project, archived_at=None)
    if not user.is_superuser:
        own = Membership.objects.current().filter(user=user, role__in=MANAGES)
        found = found.filter(pk__in=own.values("campaign"))
    return found.select_related("test_set").order_by("pk")


@transaction.atomic
def give_part(project: Project, user, *, role: str, pairs: list[str], alias: str, by) -> Shared:
    """Add a member to a project and open its campaigns to them.

    Raise NotBlind for somebody who judges and would watch, read or manage, or the reverse.
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
def share(
    project: Project,
    by,
    members: Collection[ProjectMember] | None = None,
    joined: Collection[int] = (),
) -> Shared:
    """Open to the members (None: all) the campaigns that `by` runs and in which they have no part
    yet. A lower role in a campaign is raised when the part is new (`members`) or the campaign is
    (`joined`), not one that an owner has given since. The number of statements does not depend on
    the number of campaigns or members, except for names that are taken."""
    lock_project(project.pk)
    everybody = project.people.all() if members is None else members
    people = [each for each in everybody if each.role in IN_CAMPAIGNS]
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
                # Members keep their role if it allows as much or more; a removed annotator stays
                # removed.
                is_new = members is not None or campaign.pk in joined
                if is_new and role == Role.OWNER and found.role == Role.RESEARCHER:
                    _raise(found, role, member)
                    again.append(found)
            elif found:
                found.role, found.removed_at, found.by_project = role, None, member
                again.append(found)
            else:
                alias = member.alias
                if (campaign.pk, alias) in taken:
                    alias = campaign_members.free_alias(campaign, alias)
                taken.add((campaign.pk, alias))
                part = {"campaign": campaign, "user_id": member.user_id, "by_project": member}
                opened.append(Membership(**part, role=role, alias=alias))
    Membership.objects.bulk_create(opened)
    Membership.objects.bulk_update(again, ["role", "role_before", "removed_at", "by_project"])
    return Shared([*opened, *again], closed)


def _raise(membership: Membership, role: str, member: ProjectMember) -> None:
    if membership.by_project_id is None:
        membership.role_before = membership.role
    membership.role, membership.by_project = role, member


@transaction.atomic
def withdraw(parts, campaigns: Iterable[int] | None = None) -> None:
    """Close the memberships that parts in a project have opened (campaigns: only in those with
    these numbers). Annotators who have judged stay in the results; their unjudged items go to
    others. People who had a separate role before get it back."""
    found = Membership.objects.current().filter(by_project__in=parts)
    if campaigns is not None:
        found = found.filter(campaign__in=campaigns)
    found.exclude(role_before="").update(role=F("role_before"), role_before="", by_project=None)
    found.exclude(role=Role.ANNOTATOR).update(removed_at=timezone.now())
    for membership in found.filter(role=Role.ANNOTATOR).order_by("campaign"):
        campaign_members.remove(membership)


@transaction.atomic
def take_part_away(member: ProjectMember) -> None:
    """Remove somebody from a project, and from its campaigns that the part opened. Unused links
    that they made are closed, since they no longer have what these open. Campaigns that a part in
    another project opens too are open again."""
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
