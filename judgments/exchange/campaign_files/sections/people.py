"""The people of a campaign: existing accounts, and links for others.

Other settings about people (such as consent and pay) should be separate sections next to this
one. Nothing here reveals a secret: the links of invitations are made again, and personal ones are
not written at all.
"""

from __future__ import annotations

import re

from django.contrib.auth import get_user_model
from django.utils import timezone

from judgments.models import Role
from judgments.people.invitations.forms import InvitationForm
from judgments.people.members import members as people
from judgments.protocols.options import schema_of

from ..section import FileSection
from ..shapes import list_of, mapping, one_of, shape

ADDRESS = re.compile(r"[^\s@]+@[^\s@]+")  # e-mail addresses, which no file may contain
MOST_MEMBERS = 1_000
MOST_INVITATIONS = 1_000
LONGEST_USERNAME = 150


class PeopleSection(FileSection):
    key = "people"

    def schema(self):
        member = {
            "account": shape("string", maxLength=LONGEST_USERNAME),
            "role": one_of(Role.values),
            "alias": shape(
                "string",
                "The name in results; without it, that of the account.",
                maxLength=LONGEST_USERNAME,
            ),
        }
        fields = InvitationForm.base_fields
        invitation = {
            "role": {**schema_of(fields["role"]), "default": Role.ANNOTATOR.value},
            **{name: schema_of(fields[name]) for name in ("max_uses", "note")},
            "expires": shape(
                ["string", "null"],
                "When the link closes, in UTC, such as 2027-01-31T12:00.",
                pattern=r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?$",
                examples=["2027-01-31T12:00"],
            ),
        }
        keys = {
            "members": list_of(
                mapping(member, required=["account", "role"]),
                MOST_MEMBERS,
                "Existing accounts.",
            ),
            "invitations": list_of(
                mapping(invitation),
                MOST_INVITATIONS,
                "Invitation links; each is created anew.",
            ),
        }
        return mapping(keys, "Who takes part. Whoever creates the campaign owns it.")

    def read(self, value, desk):
        said = value or {}
        members = []
        taken: dict[str, int] = {}
        for number, row in enumerate(said.get("members", []), 1):
            path = f"people.members.{number}"
            user = get_user_model().objects.filter(username=row["account"], is_active=True).first()
            if user is None:
                desk.fault(f"{path}.account", f"there is no account {row['account']}.")
            elif user == desk.user and row["role"] != Role.OWNER:
                desk.fault(f"{path}.role", "whoever creates the campaign owns it.")
            else:
                members.append((user, row["role"], row.get("alias", "").strip()))
            if taken.setdefault(row["account"], number) != number:
                desk.fault(path, f"{row['account']} occurs twice.")
        invitations = []
        for number, row in enumerate(said.get("invitations", []), 1):
            named = {"role": Role.ANNOTATOR, "kind": "shared", **row}
            named["expires_at"] = row.get("expires")
            form = InvitationForm({k: v for k, v in named.items() if v is not None})
            if form.is_valid():
                invitations.append(form)
            else:
                path = f"people.invitations.{number}"
                desk.form_faults(path, form, {"expires_at": "expires"})
        return members, invitations

    def apply(self, campaign, value, desk):
        members, invitations = value or ((), ())
        own = {user.pk: alias for user, _, alias in members}.get(desk.user.pk, "")
        people.add_member(campaign, desk.user, Role.OWNER, own)
        for user, role, alias in members:
            if user.pk != desk.user.pk:
                people.add_member(campaign, user, role, alias)
        for form in invitations:
            invitation = form.save(commit=False)
            invitation.campaign = campaign
            invitation.created_by = desk.user
            invitation.save()

    def export(self, campaign):
        """Return the people without guests, whose accounts have no names, and without e-mail
        addresses."""
        rows = campaign.memberships.current().select_related("user").order_by("joined_at", "pk")
        members = [
            {"account": each.user.get_username(), "role": each.role}
            | ({} if each.alias == each.user.get_username() else {"alias": each.alias})
            for each in rows
            if each.user.is_active and not people.opens_by_link(each.user)
        ]
        found = {
            "members": [row for row in members if not any(map(ADDRESS.search, row.values()))],
            "invitations": [
                exported_link(each) for each in campaign.invitations.usable().order_by("pk")
            ],
        }
        return {key: rows for key, rows in found.items() if rows} or None


def exported_link(invitation) -> dict:
    said = {
        "role": invitation.role,
        "max_uses": invitation.max_uses,
        "note": "" if ADDRESS.search(invitation.note) else invitation.note,
        "expires": invitation.expires_at
        and invitation.expires_at.astimezone(timezone.get_default_timezone()).strftime(
            "%Y-%m-%dT%H:%M:%S"
        ),
    }
    return {key: value for key, value in said.items() if value}
