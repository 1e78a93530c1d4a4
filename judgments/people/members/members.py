"""Joining and leaving campaigns: the writes behind invitations, personal links and removals."""

import secrets
from collections.abc import Mapping

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judgments.models import (
    Campaign,
    Erasure,
    Invitation,
    Membership,
    ProjectMember,
    ProjectRole,
    Role,
)
from judgments.models.campaign import new_token
from judgments.models.locks import lock_campaign

from .. import external_ids, pseudonyms
from ..access import may_manage_project
from ..accounts import oidc
from ..my_data.erasure import NotAnAnnotator, erase, lock_campaigns_of, require_annotator
from ..states import state_of
from ..workload.release import release, restore_rests


class InvitationUsedUp(Exception):
    """The invitation was closed, used up or expired before this person could use it."""


class AlreadyHere(Exception):
    """A member already came from another site with the same identifier."""


def new_guest(name: str = ""):
    """Return a new account without a password, shown by that name; only its personal link signs it
    in."""
    user = get_user_model()(username=f"guest-{secrets.token_hex(8)}", first_name=name[:150])
    user.set_unusable_password()
    user.save()
    return user


def is_link_only_guest(user) -> bool:
    """Return whether an account has no password and no right beyond its campaigns."""
    has_more = user.has_usable_password() or user.is_staff or user.is_superuser
    return user.is_active and not has_more


def opens_by_link(user) -> bool:
    """Return whether a personal link signs somebody in: never if they have another way."""
    return is_link_only_guest(user) and user.pk not in oidc.connected([user.pk])


def add_first_owner(campaign: Campaign, user) -> None:
    """Add the user of a new campaign as its first owner, under the name of the account."""
    Membership.objects.create(
        campaign=campaign, user=user, role=Role.OWNER, alias=user.get_username()
    )


def free_alias(campaign: Campaign, wanted: str) -> str:
    """Return `wanted`; if it is taken the first free "wanted N", if it is empty a pseudonym."""
    taken = set(campaign.memberships.values_list("alias", flat=True))
    if not wanted:
        return pseudonyms.free(taken)
    if wanted not in taken:
        return wanted
    number = len(taken)
    while f"{wanted} {number}" in taken:
        number += 1
    return f"{wanted} {number}"


@transaction.atomic
def accept(
    invitation: Invitation, user, alias: str = "", ids: Mapping[str, str] | None = None
) -> Membership:
    """Make `user` (None: a new guest) a member by an invitation, counting its use.

    ids: identifiers of the site that sent them. Existing members keep their role, and no use is
    counted. Raise InvitationUsedUp and AlreadyHere. The campaign's row is locked, so that two
    people who join at once get two names, and one identifier lets one person in.
    """
    campaign = lock_campaign(invitation.campaign_id)
    if user is not None:
        found = campaign.memberships.filter(user=user).first()
        if found:
            return found
    if ids and external_ids.is_taken(campaign, ids):
        raise AlreadyHere
    if not Invitation.objects.usable().filter(pk=invitation.pk).update(uses=F("uses") + 1):
        raise InvitationUsedUp
    alias = free_alias(campaign, alias)
    user = user or new_guest(alias)
    return Membership.objects.create(
        campaign=campaign,
        user=user,
        role=invitation.role,
        alias=alias,
        external_ids=dict(ids or {}),
        invitation=invitation,
    )


def has_other_owner(membership: Membership) -> bool:
    """Return whether the campaign has another owner who is not one only by a project, so that this
    one may stop being an owner."""
    owners = Membership.objects.current().filter(campaign=membership.campaign_id, role=Role.OWNER)
    return owners.filter(by_project=None).exclude(pk=membership.pk).exists()


LAST_OWNER = "A campaign needs an owner; make somebody else its owner first."


@transaction.atomic
def add_member(campaign: Campaign, user, role: str, alias: str = "") -> Membership:
    """Give an account a role in a campaign, independent of projects. Existing members get the new
    role; removed ones are taken back. Unjudged items of somebody who no longer judges go to others.

    Raise ValueError if that would leave the campaign without an owner.
    """
    campaign = lock_campaign(campaign.pk)
    membership = campaign.memberships.select_for_update(of=("self",)).filter(user=user).first()
    if membership is None:
        name = free_alias(campaign, alias or user.get_username())
        return Membership.objects.create(campaign=campaign, user=user, role=role, alias=name)
    if membership.role == Role.OWNER and role != Role.OWNER and not has_other_owner(membership):
        raise ValueError(LAST_OWNER)
    judged = membership.role == Role.ANNOTATOR
    membership.role, membership.by_project, membership.role_before = role, None, ""
    membership.save(update_fields=["role", "by_project", "role_before"])
    if membership.removed_at:
        return take_back(membership)
    if judged and role != Role.ANNOTATOR:
        release(membership)
    elif not judged:
        _give_rests_back(membership)
    return membership


@transaction.atomic
def remove(membership: Membership) -> None:
    """Remove a member: no access from now on; their judgments stay, and their unjudged items return
    to the others. Raise ValueError for the last owner."""
    lock_campaign(membership.campaign_id)
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    if membership.role == Role.OWNER and not has_other_owner(membership):
        raise ValueError(LAST_OWNER)
    if membership.removed_at is None:
        membership.removed_at = timezone.now()
        membership.save(update_fields=["removed_at"])
        release(membership)


@transaction.atomic
def take_back(membership: Membership) -> Membership:
    """Undo a removal. Items that nobody has taken since are theirs again, unless they are left
    out."""
    lock_campaign(membership.campaign_id)
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    if membership.removed_at is not None:
        membership.removed_at = None
        membership.save(update_fields=["removed_at"])
        _give_rests_back(membership)
    return membership


def _give_rests_back(membership: Membership) -> None:
    if membership.role == Role.ANNOTATOR and state_of(membership).counts:
        restore_rests(membership)


class OpensMore(Exception):
    """The link opens an account that also has a part in campaigns or projects of other people."""


@transaction.atomic
def revoke_link(membership: Membership) -> None:
    """Revoke a link: it opens nothing from now on, and every session of its guest ends."""
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    membership.link_revoked_at = timezone.now()
    membership.save(update_fields=["link_revoked_at"])
    end_sessions(membership.user)


@transaction.atomic
def renew_link(membership: Membership, by) -> Membership:
    """Replace a link, which opens nothing from now on, and return the membership with the new one.

    The owner `by` passes it on; when it is used it is replaced by one that only its guest sees.
    Raise OpensMore if the new link would show an owner other people's campaigns or projects.
    """
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    owned = Membership.objects.current().filter(user=by, role=Role.OWNER).values("campaign")
    elsewhere = Membership.objects.current().filter(user=membership.user_id)
    parts = ProjectMember.objects.filter(user=membership.user_id).select_related("project")
    shown = [each.project for each in parts.exclude(role=ProjectRole.ANNOTATOR)]
    if not by.is_superuser and (
        elsewhere.exclude(campaign__in=owned).exists()
        or not all(may_manage_project(by, project) for project in shown)
    ):
        raise OpensMore
    membership.token = new_token()
    membership.link_is_passed_on = True
    membership.link_revoked_at = membership.link_used_at = None
    membership.save(update_fields=["token", "link_is_passed_on", "link_revoked_at", "link_used_at"])
    end_sessions(membership.user)
    return membership


def end_sessions(guest) -> None:
    """End a guest's sessions and API tokens. Sessions hold a hash of the password, so another
    unusable password ends them."""
    guest.set_unusable_password()
    guest.save(update_fields=["password"])
    guest.api_tokens.all().delete()


@transaction.atomic
def use_link(token: str) -> Membership | None:
    """Note that a link is used and return its membership, with a new token if an owner has seen
    this one; None if the link is not, or no longer, valid."""
    found = Membership.objects.current().filter(token=token, link_revoked_at=None)
    membership = found.select_related("campaign", "user").select_for_update(of=("self",)).first()
    if membership is None:
        return None
    if membership.link_is_passed_on:
        membership.token, membership.link_is_passed_on = new_token(), False
    membership.link_used_at = timezone.now()
    membership.save(update_fields=["token", "link_is_passed_on", "link_used_at"])
    return membership


@transaction.atomic
def erase_person(user, *, by: str, reason: str, judgments: bool = False) -> Erasure:
    """Erase an annotator's name and data and return their unjudged items to others; their judgments
    stay, unless they are erased too, which returns all items. Raise NotAnAnnotator."""
    require_annotator(user)
    lock_campaigns_of(user)
    if not judgments:
        # Removed first: that locks membership, items and tasks in the order of claims and answers,
        # before `erase` needs them.
        parts = Membership.objects.current().filter(user=user.pk).select_related("campaign")
        for membership in parts.order_by("campaign"):
            remove(membership)
    return erase(user, by=by, reason=reason, judgments=judgments)


def why_not_erased(membership: Membership, by) -> str:
    """Explain why the owner `by` may not erase a member. Empty if they may: for a guest who takes
    part in nobody else's campaigns."""
    try:
        require_annotator(membership.user)
    except NotAnAnnotator as problem:
        return f"{problem} Only annotators can be erased."
    if by.is_superuser:
        return ""
    if not opens_by_link(membership.user):
        return (
            "This account belongs to the person: only they, under “Your data”, or an operator "
            "can erase it."
        )
    owned = Membership.objects.current().filter(user=by, role=Role.OWNER).values("campaign")
    elsewhere = Membership.objects.filter(user=membership.user_id).exclude(campaign__in=owned)
    if elsewhere.exists():
        return (
            "They also take part in campaigns that are not yours: only they, under “Your data”, "
            "or an operator can erase them."
        )
    return ""
