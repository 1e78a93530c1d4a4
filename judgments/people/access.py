"""Access rules: who may see and do what. One loader per kind of object, used by every view.

Outsiders get 404, as if nothing existed; members without the right get 403.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from judgments.models import (
    Campaign,
    Download,
    Item,
    Judge,
    MediaFile,
    Membership,
    Project,
    ProjectMember,
    ProjectRole,
    Role,
    TestSet,
    Upload,
)
from judgments.models.downloads import FOR_READERS
from judgments.models.prepared_queries import Prepared
from judgments.people.messages.messages import HAS_MESSAGE
from judgments.people.states import CHANGED_TO, DECIDED
from mteval_site.problems import Removed

if TYPE_CHECKING:
    from django.db.models import QuerySet


# What each role may do, besides judging the work assigned to it.
READS = {Role.OWNER, Role.RESEARCHER}
MANAGES = {Role.OWNER}


def may_create(user) -> bool:
    """Return whether the user may create test sets and campaigns, as people with staff accounts
    may."""
    return user.is_active and user.is_staff


def require_creator(user) -> None:
    """Raise PermissionDenied unless the user may create test sets and campaigns."""
    if not may_create(user):
        raise PermissionDenied("Your account is not allowed to create test sets or campaigns.")


memberships = Prepared(
    lambda campaign, user: Membership.objects.filter(campaign=campaign, user=user).annotate(
        decided=DECIDED, changed_to=CHANGED_TO, has_message=HAS_MESSAGE
    ),
    related=["campaign", "campaign__test_set"],
    annotated=["decided", "changed_to", "has_message"],
)


def member(user, campaign_id: int) -> Membership:
    """Return the user's membership with its campaign and test set, in one query. Raise Http404 for
    outsiders, including removed members."""
    found = memberships.first(campaign_id, user.pk) or _reader_of_model(user, campaign_id)
    if found is None:
        raise Http404("No such campaign.")
    if found.removed_at is not None:
        raise Removed("You no longer take part in this campaign.")
    return found


def _reader_of_model(user, campaign_id: int) -> Membership | None:
    """Return the membership of a user who may read a campaign judged by a language model: readers
    of the people's campaign, with the same rights."""
    judge = Judge.objects.filter(answers=campaign_id).select_related("answers__test_set").first()
    found = memberships.first(judge.campaign_id, user.pk) if judge else None
    if judge is None or found is None or found.role not in READS:
        return None
    found.campaign = judge.answers
    return found


def _with_members(campaign: Campaign) -> Campaign:
    """Return the campaign whose members decide who may do what: for a model's campaign, the
    people's."""
    return campaign.judge.campaign if campaign.by_model else campaign


def _campaign(user, campaign_id: int, roles) -> Campaign:
    return campaign_and_rights(user, campaign_id, roles)[0]


def campaign_and_rights(user, campaign_id: int, roles=READS) -> tuple[Campaign, bool]:
    """Return the campaign, and whether the user runs it: as `may_manage`, without another
    statement."""
    if user.is_superuser:
        return get_object_or_404(Campaign.objects.select_related("test_set"), pk=campaign_id), True
    membership = member(user, campaign_id)
    if membership.role not in roles:
        raise PermissionDenied("Your role in this campaign does not allow this.")
    return membership.campaign, membership.role in MANAGES


def readable_campaign(user, campaign_id: int) -> Campaign:
    """Return a campaign whose results the user may read, as its owners and researchers may."""
    return _campaign(user, campaign_id, READS)


def managed_campaign(user, campaign_id: int) -> Campaign:
    """Return a campaign that the user runs."""
    return _campaign(user, campaign_id, MANAGES)


def run_campaigns(user) -> QuerySet[Campaign]:
    """Return the campaigns that the user runs as a member."""
    running = Membership.objects.current().filter(user=user, role__in=MANAGES)
    return Campaign.objects.filter(pk__in=running.values("campaign"))


def owned_campaign(user, campaign_id: int) -> Campaign:
    """Return a campaign that the user owns; operators delete campaigns of others by a command."""
    campaign = _campaign(user, campaign_id, MANAGES)
    if not may_delete(user, campaign):
        raise PermissionDenied("Only an owner can delete a campaign.")
    return campaign


def may_delete(user, campaign: Campaign) -> bool:
    """Return whether pages should offer to delete a campaign: not to people who run it by a
    project."""
    members = _with_members(campaign).memberships.current()
    own = members.filter(user=user, role=Role.OWNER, by_project=None)
    return own.exists()


def may_manage(user, campaign: Campaign) -> bool:
    """Return whether pages should offer actions that only owners may take."""
    members = _with_members(campaign).memberships.current()
    managing = members.filter(user=user, role__in=MANAGES)
    return user.is_superuser or managing.exists()


def annotator(user, campaign_id: int) -> Membership:
    """Return the membership of somebody who judges in this campaign. Refuse owners and researchers
    without that part, since they know which system is which."""
    found = member(user, campaign_id)
    if found.role != Role.ANNOTATOR:
        raise PermissionDenied("Only annotators judge; you are this campaign's " + found.role + ".")
    return found


def readable_test_set(user, test_set_id: int) -> TestSet:
    return get_object_or_404(TestSet.objects.visible_to(user), pk=test_set_id)


def media_file(user, media_id: int) -> MediaFile:
    """Return a sound, picture or video of a test set that the user may read, or of a segment that
    the user judges with its source. Raise Http404 for everybody else."""
    found = get_object_or_404(MediaFile.objects.select_related("test_set"), pk=media_id)
    if TestSet.objects.visible_to(user).filter(pk=found.test_set_id).exists():
        return found
    if not any(_gives_source(item) for item in _items_with(user, found)):
        raise Http404("No such file.")
    return found


def _items_with(user, file: MediaFile) -> QuerySet[Item]:
    """Return one item of each campaign and pass in which the user has a segment with the file,
    including items that show a whole document."""
    media = "shown__output__segment__media"
    shown = Q(**{f"{media}__file": file}) | Q(**{f"{media}__captions": file})
    taking_part = Q(
        task__campaign__memberships__user=user, task__campaign__memberships__removed_at=None
    )
    mine = Item.objects.filter(shown, taking_part, task__annotator=user)
    each = mine.order_by("task__campaign_id", "part").distinct("task__campaign_id", "part")
    return each.select_related("task__campaign__test_set")


def _gives_source(item: Item) -> bool:
    from judgments.protocols import protocol_of

    return protocol_of(item.task.campaign).gives_source(item)


def may_manage_test_set(user, test_set: TestSet) -> bool:
    """Return whether pages should offer actions that only the owner of a test set may take."""
    return user.is_superuser or test_set.owner_id == user.pk


def managed_test_set(user, test_set_id: int) -> TestSet:
    test_set = readable_test_set(user, test_set_id)
    if not may_manage_test_set(user, test_set):
        raise PermissionDenied("Only the owner of a test set may change it or score it.")
    return test_set


def readable_project(user, slug: str) -> Project:
    """Return a project in which the user has a part or may read the results of a campaign. Raise
    Http404 for everybody else."""
    return get_object_or_404(Project.objects.visible_to(user), slug=slug)


def part_in(user, project: Project) -> ProjectMember | None:
    return project.people.filter(user=user).first()


def may_manage_project(user, project: Project) -> bool:
    """Return whether pages should offer actions of a project's owner and of its managers."""
    if user.is_superuser or project.owner_id == user.pk:
        return True
    part = part_in(user, project)
    return part is not None and part.role == ProjectRole.MANAGER and not part.pairs


def managed_project(user, slug: str) -> Project:
    project = readable_project(user, slug)
    if not may_manage_project(user, project):
        raise PermissionDenied("Only people who manage the whole project may do this.")
    return project


def owned_project(user, slug: str) -> Project:
    """Return a project that the user owns; its managers neither archive nor delete it."""
    project = readable_project(user, slug)
    if not (user.is_superuser or project.owner_id == user.pk):
        raise PermissionDenied("Only the owner of a project may do this.")
    return project


def watched_campaigns(user, project: Project, readable: list[Campaign]) -> list[Campaign]:
    """Return the campaigns of a project that the user may watch, oldest first: those with results
    that they may read, and for a watcher those of their pairs."""
    part = part_in(user, project)
    if part is None or part.role != ProjectRole.WATCHER:
        return readable
    known = {campaign.pk for campaign in readable}
    joined = project.campaigns.select_related("test_set").order_by("pk")
    return [
        each
        for each in joined
        if each.pk in known or not part.pairs or each.test_set.pair in part.pairs
    ]


def campaigns_of_project(user, project: Project) -> tuple[list[Campaign], int]:
    """Return the campaigns of a project whose results the user may read, oldest first, and the
    number of the others."""
    joined = project.joined.values_list("campaign", flat=True)
    readable = Campaign.objects.visible_to(user).filter(pk__in=joined).select_related("test_set")
    known = {campaign.pk: campaign for campaign in readable}
    return [known[pk] for pk in joined if pk in known], len(
        [pk for pk in joined if pk not in known]
    )


def own_download(
    user, download_id: int, campaign_id: int | None = None, project: str = ""
) -> Download:
    """Return a download of a campaign or project that the user requested, as long as they may still
    request it: for a project, as long as they may release each of its campaigns. Raise Http404 for
    everybody else."""
    of = (
        {"project": managed_project(user, project)}
        if project
        else {"campaign": readable_campaign(user, campaign_id or 0)}
    )
    found = get_object_or_404(
        Download.objects.select_related("campaign", "project", "owner"),
        **of,
        owner=user,
        pk=download_id,
    )
    if campaign_id and found.kind not in FOR_READERS:
        managed_campaign(user, campaign_id)
    if found.project:
        own, _, _ = released_campaigns(user, found.project)
        if not {each.pk for each in own}.issuperset(found.released):
            raise PermissionDenied(
                "You are no longer allowed to release all campaigns in this file."
            )
    return found


def released_campaigns(user, project: Project) -> tuple[list[Campaign], list[Campaign], int]:
    """Return the campaigns of a project that the user may release, those whose results they may
    only read, and the number of the others."""
    readable, n_hidden = campaigns_of_project(user, project)
    running = user.memberships.current().filter(role__in=MANAGES).values_list("campaign", flat=True)
    managed = {each.pk for each in readable} if user.is_superuser else set(running)
    own = [each for each in readable if each.pk in managed]
    return own, [each for each in readable if each.pk not in managed], n_hidden


def own_upload(user, upload_id: int) -> Upload:
    """Return files that the user uploaded for an import, as long as they may create test sets and
    campaigns. Raise Http404 for everybody else."""
    found = get_object_or_404(Upload.objects.select_related("test_set"), owner=user, pk=upload_id)
    require_creator(user)
    return found
