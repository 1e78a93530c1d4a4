"""The end of a copy of the demo: the accounts of its visitor leave, with all that they did."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from judgments.models import (
    Campaign,
    DeletedCampaign,
    DemoCopy,
    Membership,
    Project,
    ProjectMember,
    Refusals,
    Status,
    TestSet,
)
from judgments.test_sets.deletion.rows import delete_campaign, delete_test_set

BY, REASON = "public demo", "The day of this copy of the demo is over."
UNUSABLE = "!"  # what an unusable password begins with, as Django stores it


def close(copy: DemoCopy) -> None:
    """End a copy now: nobody gets in any more, and a worker deletes it in a moment."""
    DemoCopy.objects.filter(pk=copy.pk).update(ends_at=timezone.now())
    sign_out([copy.manager_id, copy.annotator_id])


def sign_out(accounts: Collection[int]) -> None:
    """From the next request on, whoever is signed in to these accounts is not."""
    get_user_model().objects.filter(pk__in=accounts).update(is_active=False)


def end(copy: DemoCopy) -> None:
    """Delete a copy of the demo with all that was done in it, as if it had never been.

    The logs keep none of it either. Fails, and is tried again, where somebody writes to it
    at the same moment.
    """
    sign_out([copy.manager_id, copy.annotator_id])
    with transaction.atomic():
        delete(copy)


def delete(copy: DemoCopy) -> None:
    pair = [copy.manager_id, copy.annotator_id]
    test_sets = list(TestSet.objects.filter(owner__in=pair))
    campaigns = Campaign.objects.filter(test_set__in=test_sets)
    earlier = DeletedCampaign.objects.filter(test_set__in=[each.pk for each in test_sets])
    numbers = [
        *campaigns.values_list("pk", flat=True),
        *earlier.values_list("pk", flat=True),
    ]
    projects = Project.objects.filter(owner__in=pair)
    people = {
        *pair,
        *Membership.objects.filter(campaign__in=numbers).values_list("user", flat=True),
        *ProjectMember.objects.filter(project__in=projects).values_list("user", flat=True),
    }
    campaigns.update(status=Status.CLOSED)
    for campaign in campaigns.of_people().order_by("-pk"):  # later ones may judge edits of earlier
        delete_campaign(campaign, by=BY, reason=REASON)
    projects.delete()
    for test_set in test_sets:
        delete_test_set(test_set)
    leaving = list(who_leave(copy, people).values_list("pk", flat=True))
    end_sessions(leaving)
    get_user_model().objects.filter(pk__in=leaving).delete()
    forget(copy, leaving, numbers, [test_set.pk for test_set in test_sets])


def who_leave(copy: DemoCopy, people: Collection[int]) -> QuerySet:
    """Those of some accounts that belong to no other copy, and to nobody with a password; and
    those made since the copy that belong to nothing any more."""
    elsewhere = Membership.objects.filter(user=OuterRef("pk"))
    in_projects = ProjectMember.objects.filter(user=OuterRef("pk"))
    others = DemoCopy.objects.exclude(pk=copy.pk).filter(
        Q(manager=OuterRef("pk")) | Q(annotator=OuterRef("pk"))
    )
    return get_user_model().objects.filter(
        ~Exists(elsewhere),
        ~Exists(in_projects),
        ~Exists(others),
        Q(pk__in=people) | Q(date_joined__gte=copy.made_at),
        test_sets=None,
        is_staff=False,
        is_superuser=False,
        password__startswith=UNUSABLE,
    )


def end_sessions(accounts: Collection[int]) -> None:
    """Delete the sessions of these accounts, and all that have expired."""
    names = {str(account) for account in accounts}
    gone = [
        session.pk
        for session in Session.objects.all()
        if session.get_decoded().get(SESSION_KEY) in names
    ]
    Session.objects.filter(Q(pk__in=gone) | Q(expire_date__lt=timezone.now())).delete()


def forget(copy: DemoCopy, accounts: list[int], campaigns: list[int], test_sets: list[int]) -> None:
    """Delete a copy's row, and what the logs say of it: by a function of the database, which the
    role that serves may call on a public demo server only (migration 0073)."""
    Refusals.objects.filter(
        Q(user__in=accounts) | Q(campaign__in=campaigns) | Q(test_set__in=test_sets)
    ).delete()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT judgments_forget_demo(%s, %s::bigint[], %s::bigint[], %s::bigint[])",
            [copy.pk, accounts, campaigns, test_sets],
        )
