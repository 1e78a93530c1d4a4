"""Links into a project: each lets one person in, for the pairs that it names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from judgments.files.guest_list import Guest
from judgments.models import Membership, Project, ProjectLink, ProjectMember, ProjectRole
from judgments.models.locks import lock_project
from judgments.people import pseudonyms
from judgments.people.access import may_manage_project
from judgments.people.members.members import new_guest

from .sharing import Shared, give_part

MOST_LINKS = 5_000


class LinkUsedUp(Exception):
    """The link was used, closed or ran out before this person could use it."""


def make_links(
    project: Project,
    people: Iterable[tuple[Guest, Sequence[str]]],
    *,
    role: str,
    by,
    expires_at: datetime | None,
) -> list[ProjectLink]:
    """Make a link for each person and their pairs, in one statement."""
    return ProjectLink.objects.bulk_create(
        ProjectLink(
            project=project,
            role=role,
            pairs=list(pairs),
            name=guest.name,
            email=guest.email,
            alias=guest.alias,
            expires_at=expires_at,
            created_by=by,
        )
        for guest, pairs in people
    )


@transaction.atomic
def accept(link: ProjectLink, user, alias: str = "") -> tuple[ProjectMember, Shared]:
    """Give `user` (None: a new guest) the part of a link. Users who already have a part keep it,
    and the link stays unused. Raise LinkUsedUp, NotBlind."""
    project = lock_project(link.project_id)
    if user is not None and (found := project.people.filter(user=user).first()):
        return found, Shared([], [])
    usable = ProjectLink.objects.usable().filter(pk=link.pk).select_for_update(of=("self",))
    if not may_manage_project(link.created_by, project) or not usable.exists():
        raise LinkUsedUp
    alias = free_name(project, alias or link.alias, user)
    if user is not None and link.role != ProjectRole.ANNOTATOR:
        alias = user.get_username()
    user = user or new_guest(alias)
    shared = give_part(
        project, user, role=link.role, pairs=link.pairs, alias=alias, by=link.created_by
    )
    ProjectLink.objects.filter(pk=link.pk).update(used_at=timezone.now(), used_by=user)
    return project.people.get(user=user), shared


def free_name(project: Project, wanted: str = "", user=None) -> str:
    """Return `wanted` if nobody but the user has it in the project and its campaigns, otherwise a
    pseudonym."""
    people = project.people.exclude(user=user).values_list("alias", flat=True)
    members = Membership.objects.filter(campaign__projects=project).exclude(user=user)
    taken = {*people, *members.values_list("alias", flat=True)}
    return wanted if wanted and wanted not in taken else pseudonyms.free(taken)
