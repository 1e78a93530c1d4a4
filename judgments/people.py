"""How people come into campaigns: the writes behind invitations and personal links."""

import secrets

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F

from .models import Campaign, Invitation, Membership, Role


class InvitationUsedUp(Exception):
    """The invitation was closed, ran out or expired before this person could use it."""


def new_guest(name: str = ""):
    """An account without a password, shown by that name; only its personal link signs it in."""
    user = get_user_model()(username=f"guest-{secrets.token_hex(8)}", first_name=name[:150])
    user.set_unusable_password()
    user.save()
    return user


def free_alias(campaign: Campaign, wanted: str) -> str:
    """`wanted` or, where it is taken or empty, the first free "annotator N" or "wanted N"."""
    taken = set(campaign.memberships.values_list("alias", flat=True))
    if wanted and wanted not in taken:
        return wanted
    stem = wanted or "annotator"
    number = len(taken)
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"


@transaction.atomic
def accept(invitation: Invitation, user, alias: str = "") -> Membership:
    """Make `user` (None: a new guest) a member by an invitation, counting its use.

    Who is a member already stays what they are, and no use is counted. Raises InvitationUsedUp.
    The campaign's row is locked, so that two people who join at once get two names.
    """
    campaign = Campaign.objects.select_for_update().get(pk=invitation.campaign_id)
    if user is not None:
        found = campaign.memberships.filter(user=user).first()
        if found:
            return found
    if not Invitation.objects.usable().filter(pk=invitation.pk).update(uses=F("uses") + 1):
        raise InvitationUsedUp
    alias = free_alias(campaign, alias)
    user = user or new_guest(alias)
    return Membership.objects.create(
        campaign=campaign, user=user, role=invitation.role, alias=alias
    )


@transaction.atomic
def add_member(campaign: Campaign, user, role: str, alias: str = "") -> Membership:
    """Give an account a part in a campaign; whoever has one keeps it, with the new role.

    Raises ValueError when that would leave the campaign without an owner.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    membership = campaign.memberships.filter(user=user).first()
    if membership is None:
        name = free_alias(campaign, alias or user.get_username())
        return Membership.objects.create(campaign=campaign, user=user, role=role, alias=name)
    others = campaign.memberships.filter(role=Role.OWNER).exclude(pk=membership.pk)
    if membership.role == Role.OWNER and role != Role.OWNER and not others.exists():
        raise ValueError("A campaign needs an owner; make somebody else its owner first.")
    membership.role = role
    membership.save(update_fields=["role"])
    return membership
