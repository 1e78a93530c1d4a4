"""Erasure of a person's data: the only way in which judgments leave the database, and it is
recorded.

Erased judgments leave an entry in a log that nobody can change, each with its hash, so that the
chains of the others still hold and show it as erased, not as missing.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from judgments.files.names import free_name
from judgments.models import (
    ApiToken,
    Campaign,
    ConsentRecord,
    Delivery,
    DeviceMark,
    Download,
    Erasure,
    Grade,
    Invitation,
    Item,
    Judgment,
    Membership,
    Note,
    Payment,
    ProjectLink,
    ProjectMember,
    ProjectRole,
    ReadingSettings,
    Role,
    Star,
    Task,
)
from judgments.models.campaign import new_token
from judgments.models.chains import record
from judgments.models.chains.content import digest
from judgments.models.chains.judgment_rows import MODELS, JudgmentContent, read
from judgments.people.accounts import oidc
from judgments.people.accounts.tasks import mail_new_password
from judgments.people.workload.work import lock_items
from mteval_site.erased_files import forget_erased

# Fields of a membership.
PERSONAL = (
    "alias",
    "token",
    "external_ids",
    "about",
    "consent_version",
    "invitation",
    "removed_at",
)


class NotAnAnnotator(ValueError):
    """The account does more than judging; the message says what."""


@transaction.atomic
def erase(user: Any, *, by: str, reason: str, judgments: bool) -> Erasure:
    """Erase the name, the account, the remarks and all other data of an annotator; with `judgments`
    also their judgments, after which others can take their seats.

    The account's number stays, since judgments need an owner. Raise NotAnAnnotator for accounts
    with other roles.
    """
    campaigns = lock_campaigns_of(user)
    Download.objects.with_judgments_of(campaigns).delete()  # they contain names of annotators
    tasks = _locked_tasks(user)  # before the account, as closing a personal link does
    user = get_user_model().objects.select_for_update(of=("self",), no_key=True).get(pk=user.pk)
    require_annotator(user)
    ids = list(Judgment.objects.filter(annotator=user).order_by("pk").values_list("pk", flat=True))
    stored = list(read(ids)) if judgments else []
    found: dict[str, QuerySet] = {
        kind: model._default_manager.filter(judgment__in=ids) for kind, model in MODELS.items()
    }
    found["grades"] = Grade.objects.filter(answer__judgment__in=ids)
    others = {kind: rows.count() for kind, rows in found.items()} if judgments else {}
    others |= {"remarks": Note.objects.filter(annotator=user).exclude(comment="").count()}
    grades = list(found["grades"].values_list("pk", flat=True)) if judgments else []
    erasure = _erase_judgments(
        user, by, reason, {what: n for what, n in others.items() if n}, stored
    )
    if judgments:
        _free_seats(tasks)
        for campaign in campaigns:
            record.note(campaign, "judgments erased", "grade", ids=grades)
    _erase_person(user, erasure)
    return erasure


def _erase_judgments(
    user: Any, by: str, reason: str, others: dict[str, int], stored: list[JudgmentContent]
) -> Erasure:
    """List an erasure and delete these judgments with everything that depends on them: by a
    function of the database, as the role that serves may do neither (migration 0044)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT judgments_erase(%s, %s, %s, %s, %s::bigint[], %s::bytea[])",
            [
                *(user.pk, by, reason, json.dumps(others)),
                [row.pk for row in stored],
                [digest(row.content) for row in stored],
            ],
        )
        return Erasure.objects.get(pk=cursor.fetchone()[0])


def lock_campaigns_of(user: Any) -> list[int]:
    """Lock the campaigns of an annotator, before all else, like code that records an act, and
    return their numbers."""
    own = Membership.objects.filter(user=user).values("campaign")
    campaigns = Campaign.objects.filter(pk__in=own).order_by("pk")
    locked = campaigns.select_for_update(of=("self",), no_key=True)
    return [pk for (pk,) in locked.values_list("pk")]


def _locked_tasks(user: Any) -> QuerySet[Task]:
    """Return an annotator's tasks, locked after memberships and items, in the order of claims and
    answers; wait for an answer that is being stored."""
    parts = Membership.objects.filter(user=user).order_by("pk")
    list(parts.select_for_update(of=("self",)).values_list("pk"))
    tasks = Task.objects.filter(annotator=user).order_by("pk")
    lock_items(Item.objects.filter(task__in=tasks))
    list(tasks.select_for_update(of=("self",)).values_list("pk"))
    return tasks


def require_annotator(user: Any) -> None:
    """Raise NotAnAnnotator for accounts that do more than judge."""
    other = Membership.objects.filter(user=user).exclude(role=Role.ANNOTATOR).first()
    if other is not None:
        raise NotAnAnnotator(f"{other.alias} is also {other.role} of campaign {other.campaign_id}.")
    parts = ProjectMember.objects.filter(user=user).exclude(role=ProjectRole.ANNOTATOR)
    if part := parts.select_related("project").first():
        raise NotAnAnnotator(f"{part.alias} is also {part.role} of {part.project}.")
    if user.is_staff or user.is_superuser or user.test_sets.exists():
        raise NotAnAnnotator(f"{user.get_username()} also manages this site or its test sets.")


def _free_seats(tasks) -> None:
    """Remove the person from tasks without judgments, so that others may claim them."""
    judged = Judgment.objects.filter(item=OuterRef("pk"))
    items = Item.objects.filter(~Exists(judged), task__in=tasks.values("pk"))
    items.update(is_judged=False, is_skipped=False)
    tasks.update(
        annotator=None,
        claimed_at=None,
        leased_until=None,
        n_judged=0,
        n_skipped=0,
        active_ms=0,
        last_judged_at=None,
    )


def delete_mail_tasks(user: Any) -> None:
    """Delete background tasks that were given the person's address."""
    if user.email:
        tasks = DBTaskResult.objects.filter(task_path=mail_new_password.module_path)
        tasks.filter(args_kwargs__args__0__iexact=user.email).exclude(status="RUNNING").delete()


def _erase_person(user: Any, erasure: Erasure) -> None:
    """Erase name, account, links, remarks, settings, devices, messages, tokens, identifiers at
    other sites, answers about themselves, and the names used in invitations. That somebody
    consented stays, not who."""
    delete_mail_tasks(user)
    nobody = f"erased-{erasure.pk}"
    others = get_user_model().objects.filter(username__startswith=nobody)
    user.username = free_name(nobody, others.values_list("username", flat=True))
    user.first_name = user.last_name = user.email = ""
    user.is_active, user.last_login = False, None
    user.set_unusable_password()  # which also ends the person's sessions
    user.save()
    Invitation.objects.filter(members__user=user, max_uses=1).update(
        name="", email="", alias="", mail_problem=""
    )
    ProjectLink.objects.filter(used_by=user).update(name="", email="", alias="")
    ProjectMember.objects.filter(user=user).delete()
    ConsentRecord.objects.filter(membership__user=user).update(membership=None)
    for membership in Membership.objects.filter(user=user):
        members = Membership.objects.filter(campaign=membership.campaign_id)
        taken = members.filter(alias__startswith=nobody).values_list("alias", flat=True)
        membership.alias, membership.token = free_name(nobody, taken), new_token()
        membership.external_ids, membership.about = {}, None
        membership.consent_version, membership.invitation = None, None
        membership.removed_at = membership.removed_at or timezone.now()
        membership.save(update_fields=PERSONAL)
    Note.objects.filter(annotator=user).update(
        comment="", side="", output=None, start=None, end=None, quote=""
    )
    Star.objects.filter(annotator=user).delete()
    ReadingSettings.objects.filter(user=user).delete()
    DeviceMark.objects.filter(membership__user=user).delete()
    Delivery.objects.filter(membership__user=user).delete()
    Payment.objects.filter(membership__user=user).update(
        reason="", prolific=""
    )  # the sums are needed for accounting
    ApiToken.objects.filter(user=user).delete()
    oidc.disconnect(user)
    of_user = ContentType.objects.get_for_model(get_user_model())
    LogEntry.objects.filter(content_type=of_user, object_id=str(user.pk)).update(object_repr=nobody)
    transaction.on_commit(forget_erased)  # files that contain names of annotators
