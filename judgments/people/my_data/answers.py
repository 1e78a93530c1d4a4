"""Data that the site stores about a person, as they may read and download it.

Annotators stay blind: outputs are identified by their places on the screen, and no row shows a
number of the database.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import Model, Q

from judgments.models import (
    ApiToken,
    DeviceMark,
    ItemOutput,
    Judgment,
    Membership,
    Note,
    Project,
    ReadingSettings,
    Star,
    Task,
)
from judgments.models.chains.judgment_rows import MODELS
from judgments.people.accounts import oidc
from judgments.people.reading.forms import ReadingForm, WidthsForm

SCHEMA = "mteval my data"
# For each kind of observation: the fields with the person's answers, and the columns that name
# outputs.
SAID = {
    "ratings": (("dimension", "value"), ("output",)),
    "preferences": (("value", "strength"), ("output_a", "output_b")),
    "spans": (("side", "start", "end", "severity", "category"), ("output",)),
    "edits": (("outcome", "text", "keystrokes", "active_ms"), ("output",)),
    "answers": (("question__text", "text"), ()),
    "links": (("source_token", "target_token", "is_sure"), ("output",)),
    "presses": (("at_ms", "value", "clock_ms"), ("output",)),
}


def stored_about(user) -> dict[str, Any]:
    """Return all stored data, as JSON types except for datetimes."""
    return {
        "schema": SCHEMA,
        "account": {
            "name": user.get_username(),
            "first_name": user.first_name,
            "last_name": user.last_name,
            "email": user.email,
            "has_password": user.has_usable_password(),
            "signs_in_elsewhere": bool(oidc.connected([user.pk])),
            "joined": user.date_joined,
            "last_signed_in": user.last_login,
        },
        "settings": rows_of(
            ReadingSettings.objects.filter(user=user),
            (*ReadingForm.Meta.fields, *WidthsForm.Meta.fields, "own_keys"),
        ),
        "tokens": rows_of(
            ApiToken.objects.filter(user=user),
            ("name", "scope", "created_at", "expires_at", "last_used_at"),
        ),
        "projects": projects_of(user),
        "campaigns": [part(each) for each in parts_of(user)],
        "judgments": judgments_of(user),
    }


def projects_of(user) -> list[dict[str, Any]]:
    """Return the person's part in each project, and the links that they used with the names and
    address in them."""
    has_part, has_link = Q(people__user=user), Q(links__used_by=user)
    return [
        {
            "project": project.name,
            "parts": rows_of(
                project.people.filter(user=user), ("role", "alias", "pairs", "added_at")
            ),
            "links": rows_of(
                project.links.filter(used_by=user),
                ("role", "name", "email", "alias", "pairs", "used_at"),
            ),
        }
        for project in Project.objects.filter(has_part | has_link).distinct().order_by("pk")
    ]


def parts_of(user):
    found = Membership.objects.filter(user=user).select_related("campaign", "invitation")
    return found.order_by("joined_at", "pk")


def rows_of(rows, names: tuple[str, ...]) -> list[dict[str, Any]]:
    return list(rows.order_by("pk").values(*names))


def part(membership: Membership) -> dict[str, Any]:
    """Return the data of a member in a campaign, without the judgments."""
    campaign, user, invited = membership.campaign, membership.user_id, membership.invitation
    return {
        "campaign": campaign.name,
        "role": membership.role,
        "name_in_results": membership.alias,
        "joined": membership.joined_at,
        "removed": membership.removed_at,
        "link_last_used": membership.link_used_at,
        "tutorial_items_done": membership.n_practiced,
        "tutorial_as_a_test": {
            "right": membership.n_tutorial_right,
            "answers": membership.n_tutorial_asked,
            "tries": membership.n_tutorial_tries,
            "passed": membership.qualified_at,
        },
        "identifiers_of_other_sites": membership.external_ids,
        "questionnaire": membership.about,
        "invited_as": invited
        and {"name": invited.name, "email": invited.email, "alias": invited.alias},
        "consent": rows_of(
            membership.consents, ("version", "language", "accepted", "recorded_at", "text")
        ),
        "devices": rows_of(
            DeviceMark.objects.filter(membership=membership), ("kind", "first_seen", "last_seen")
        ),
        "batches": rows_of(
            Task.objects.filter(campaign=campaign, annotator=user),
            ("n_items", "n_judged", "n_skipped", "active_ms", "claimed_at", "last_judged_at"),
        ),
        "remarks": rows_of(
            Note.objects.filter(item__task__campaign=campaign, annotator=user),
            ("kind", "reason", "comment", "side", "start", "end", "quote", "created_at"),
        ),
        "stars": rows_of(
            Star.objects.filter(item__task__campaign=campaign, annotator=user), ("set_at",)
        ),
        "payments": rows_of(
            membership.payments, ("kind", "amount", "reason", "approved_at", "paid_at")
        ),
        "messages": rows_of(
            membership.deliveries, ("message__text", "message__sent_at", "mailed_at", "read_at")
        ),
    }


def judgments_of(user) -> list[dict[str, Any]]:
    """Return all revisions in their order, with their observations."""
    heads = Judgment.objects.filter(annotator=user).order_by("pk")
    columns = ("pk", "item_id", "campaign__name", "revision", "started_at", "submitted_at")
    rows = list(heads.values_list(*columns, "active_ms", "guideline_version"))
    shown = ItemOutput.objects.filter(item__judgments__annotator=user).order_by()
    places = {
        (item, output): place
        for item, output, place in shown.values_list("item", "output", "position")
    }
    items = {pk: item for pk, item, *_ in rows}
    said: dict[int, dict[str, list]] = defaultdict(dict)
    for kind, model in MODELS.items():
        for judgment, row in said_of(kind, model, user, items, places):
            said[judgment].setdefault(kind, []).append(row)
    names = ("campaign", "revision", "opened", "submitted", "active_ms", "guideline_version")
    return [dict(zip(names, rest, strict=True)) | said[pk] for pk, _, *rest in rows]


def said_of(
    kind: str,
    model: type[Model],
    user,
    items: dict[int, int],
    places: dict[tuple[int, int], int],
):
    """Yield (judgment, answer) of a kind of observation, without the copies of identical
    outputs."""
    names, outputs = SAID[kind]
    rows = model._default_manager.filter(judgment__annotator=user).order_by("pk")
    if any(field.name == "is_copy" for field in model._meta.get_fields()):
        rows = rows.filter(is_copy=False)
    for judgment, *values in rows.values_list("judgment", *names, *outputs):
        answers = dict(zip(names, values, strict=False))
        shown = [places.get((items[judgment], output)) for output in values[len(names) :]]
        yield judgment, answers | ({"places": shown} if outputs else {})
