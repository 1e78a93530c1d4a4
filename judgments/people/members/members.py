"""How people come into campaigns and leave them: the writes behind invitations, personal links and
removals."""

import secrets
from collections.abc import Mapping

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judgments.models import Campaign, Erasure, Invitation, Membership, Role
from judgments.models.campaign import new_token
from judgments.models.locks import lock_campaign

from .. import external_ids, pseudonyms
from ..accounts import oidc
from ..my_data.erasure import NotAnAnnotator, erase, lock_campaigns_of, require_annotator
from ..states import state_of
from ..workload.release import give_back, release


class InvitationUsedUp(Exception):
    """The invitation was closed, ran out or expired before this person could use it."""


class AlreadyHere(Exception):
    """Somebody takes part who came from another site under the same identifier."""


def new_guest(name: str = ""):
    """Return an account without a password, shown by that name; only its personal link signs it
    in."""
    user = get_user_model()(username=f"guest-{secrets.token_hex(8)}", first_name=name[:150])
    user.set_unusable_password()
    user.save()
    return user


def is_link_only_guest(user) -> bool:
    """Return whether an account has neither a password nor any right beyond its campaigns."""
    has_more = user.has_usable_password() or user.is_staff or user.is_superuser
    return user.is_active and not has_more


def opens_by_link(user) -> bool:
    """Return whether a personal link signs somebody in: never where there is another way."""
    return is_link_only_guest(user) and user.pk not in oidc.connected([user.pk])


def add_first_owner(campaign: Campaign, user) -> None:
    """The campaign was made by or for this user, who goes by the name of the account in it."""
    Membership.objects.create(
        campaign=campaign, user=user, role=Role.OWNER, alias=user.get_username()
    )


def free_alias(campaign: Campaign, wanted: str) -> str:
    """`wanted`, where it is taken the first free "wanted N", where it is empty a pseudonym."""
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

    ids: who they are to the site that sent them. Who is a member already stays what they are, and
    no use is counted. Raise InvitationUsedUp and AlreadyHere. The campaign's row is locked, so
    that two people who join at once get two names, and one identifier lets one person in.
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
    """Return whether the campaign keeps an owner who is not one by a project, and so may stop to
    be."""
    owners = Membership.objects.current().filter(campaign=membership.campaign_id, role=Role.OWNER)
    return owners.filter(by_project=None).exclude(pk=membership.pk).exists()


LAST_OWNER = "A campaign needs an owner; make somebody else its owner first."


@transaction.atomic
def add_member(campaign: Campaign, user, role: str, alias: str = "") -> Membership:
    """Give an account a part in a campaign; whoever has one keeps it, with the new role, and who
    was removed is taken back.

    Raises ValueError when that would leave the campaign without an owner.
    """
    campaign = lock_campaign(campaign.pk)
    membership = campaign.memberships.select_for_update(of=("self",)).filter(user=user).first()
    if membership is None:
        name = free_alias(campaign, alias or user.get_username())
        return Membership.objects.create(campaign=campaign, user=user, role=role, alias=name)
    if membership.role == Role.OWNER and role != Role.OWNER and not has_other_owner(membership):
        raise ValueError(LAST_OWNER)
    membership.role = role
    membership.save(update_fields=["role"])
    return take_back(membership) if membership.removed_at else membership


@transaction.atomic
def remove(membership: Membership) -> None:
    """Take somebody out of a campaign: no access from now on, what they judged stays, and what they
    did not judge goes back to the others. Raise ValueError for the last owner."""
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
    """Undo a removal; what nobody has taken since is theirs again, unless they are
    left out."""
    lock_campaign(membership.campaign_id)
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    if membership.removed_at is not None:
        membership.removed_at = None
        membership.save(update_fields=["removed_at"])
        if state_of(membership).counts:
            give_back(membership)
    return membership


class OpensMore(Exception):
    """A link opens an account, and this one has a part in campaigns of other people."""


@transaction.atomic
def revoke_link(membership: Membership) -> None:
    """From now on the link opens nothing, and every session of its guest is over."""
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    membership.link_revoked_at = timezone.now()
    membership.save(update_fields=["link_revoked_at"])
    end_sessions(membership.user)


@transaction.atomic
def renew_link(membership: Membership, by) -> Membership:
    """Return another link in place of the old one, which opens nothing from now on.

    The owner `by` passes it on; when it is used it is exchanged for one that only its guest sees.
    Raises OpensMore where the new link would show an owner other people's campaigns.
    """
    membership = Membership.objects.select_for_update(of=("self",)).get(pk=membership.pk)
    owned = Membership.objects.current().filter(user=by, role=Role.OWNER).values("campaign")
    elsewhere = Membership.objects.current().filter(user=membership.user_id)
    if not by.is_superuser and elsewhere.exclude(campaign__in=owned).exists():
        raise OpensMore
    membership.token = new_token()
    membership.link_is_passed_on = True
    membership.link_revoked_at = membership.link_used_at = None
    membership.save(update_fields=["token", "link_is_passed_on", "link_revoked_at", "link_used_at"])
    end_sessions(membership.user)
    return membership


def end_sessions(guest) -> None:
    """Sessions hold a hash of the password that there was; another one, as unusable, ends them.
    Tokens of the guest's programs end with them."""
    guest.set_unusable_password()
    guest.save(update_fields=["password"])
    guest.api_tokens.all().delete()


@transaction.atomic
def use_link(token: str) -> Membership | None:
    """Note that a link is used; None if it is not, or no longer, to be used. What comes back has
    another token where an owner has seen this one."""
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
def erase_person(user, *, by: str, reason: str) -> Erasure:
    """Erase an annotator's name and data, and give what they did not judge to others; what they
    judged stays. Raise NotAnAnnotator."""
    require_annotator(user)
    lock_campaigns_of(user)
    # Removed first: that locks membership, items and tasks in the order of claims and answers,
    # which `erase` then finds done with.
    parts = Membership.objects.current().filter(user=user.pk).select_related("campaign")
    for membership in parts.order_by("campaign"):
        remove(membership)
    return erase(user, by=by, reason=reason, judgments=False)


def why_not_erased(membership: Membership, by) -> str:
    """Return why the owner `by` may not erase a member, in words; empty if they may: a guest who
    takes part in nobody else's campaigns."""
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
