"""Who locks what: nobody who changes a campaign holds up its answers, or waits for them in a
circle.

The tests of pools (`test_pool.py`) have a hundred annotators and a manager at once.
"""

import ast
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from django.conf import settings
from django.db import connection, transaction

from judgments.exchange.judgments.importer import JudgmentWriter
from judgments.judging.practice import practice
from judgments.models import Campaign, Judgment, Role, Status
from judgments.models.chains import record
from judgments.models.chains.record_checking import check_record
from judgments.models.locks import lock_campaign
from judgments.people.members import members as people
from judgments.people.staffing.settings import set_staffing
from judgments.people.workload import release
from judgments.plans import design, seats
from judgments.plans.adjudication import Disputed, adjudicate
from judgments.plans.errors import PlanError
from judgments.quality.decisions.decisions import decide, decide_item
from judgments.quality.decisions.exclusions import add_exclusions
from judgments.test_sets.deletion.rows import delete_campaign
from tests import factory

from ..judging.test_queue import submit

pytestmark = pytest.mark.django_db(transaction=True)


def calls_of_locks(path):
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Call(func=ast.Attribute(attr="select_for_update")):
                yield node


def test_every_lock_says_whose_rows_it_locks():
    """Without `of`, Django locks the rows of all tables of the statement, also of those that only
    an order needs: tasks are ordered by their campaigns."""
    found = [
        (path, call)
        for app in ("judgments", "metrics", "mteval_site")
        for path in (settings.BASE_DIR / app).rglob("*.py")
        for call in calls_of_locks(path)
    ]
    assert len(found) > 30
    assert not [
        f"{path.name}:{call.lineno}"
        for path, call in found
        if "of" not in {keyword.arg for keyword in call.keywords}
    ]


@pytest.fixture
def campaign():
    owner, annotator = factory.make_user("owner"), factory.make_user("annotator")
    test_set = factory.make_test_set(owner)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=[annotator])
    factory.make_task(campaign, annotator)
    return campaign


def answer(campaign, position=0):
    task = campaign.tasks.get(seat=1)
    return submit(task.annotator, task.items.get(position=position))


def join(campaign):
    owner = campaign.test_set.owner
    people.accept(campaign.invitations.create(role=Role.ANNOTATOR, created_by=owner), None)


def leave_out(campaign):
    annotator = campaign.memberships.get(role=Role.ANNOTATOR).user
    decide(campaign, annotator, excluded=True, reason="Late.", by=campaign.memberships.first().user)


def leave_out_another(campaign):
    """Whose work goes to others: their own answers wait, and are refused."""
    other = factory.make_user("other")
    people.add_member(campaign, other, Role.ANNOTATOR)
    decide(campaign, other, excluded=True, reason="Late.", by=campaign.test_set.owner)


def leave_out_a_segment(campaign):
    segment = campaign.test_set.segments.first()
    decide_item(campaign, segment, None, removed=True, reason="Cut.", by=campaign.test_set.owner)


def ask_a_third(campaign):
    other, owner = factory.make_user("third"), campaign.test_set.owner
    people.add_member(campaign, other, Role.ANNOTATOR)
    first, second = campaign.tasks.get().items.order_by("position")[:2]
    third = campaign.memberships.get(user=other)
    rng = np.random.default_rng(1)
    adjudicate(campaign, [Disputed(first.pk, second.pk)], third, by=owner, rng=rng)


CHANGES = [
    ask_a_third,
    join,
    leave_out_another,
    leave_out_a_segment,
    lambda campaign: people.add_member(campaign, factory.make_user("new"), Role.ANNOTATOR),
    lambda campaign: add_exclusions(campaign, campaign.test_set.owner, []),
    lambda campaign: practice.replace(campaign, []),
    lambda campaign: set_staffing(
        campaign, {"pay": {"per": "hour", "amount": "12", "currency": "EUR"}}
    ),
    lambda campaign: seats.extend(campaign, seats=1, rng=np.random.default_rng(1)),
    JudgmentWriter,
]


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_does_not_wait_for_who_changes_the_campaign(campaign, change):
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        change(campaign)
        answered = pool.submit(in_a_thread, answer, campaign)
        assert answered.result(timeout=8).judgment.pk


def in_a_thread(function, *arguments):
    try:
        return function(*arguments)
    finally:
        connection.close()


def until_somebody_waits(n: int = 1) -> None:
    """Wait until so many connections wait for a lock."""
    with connection.cursor() as cursor:
        for _ in range(1000):
            cursor.execute("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0] >= n:
                return
            time.sleep(0.01)
    raise AssertionError("Nobody waits for a lock.")


def discard(campaign):
    with transaction.atomic():
        design.clear(campaign)


@pytest.mark.parametrize("status", [Status.CLOSED, Status.PAUSED])
def test_an_answer_on_its_way_is_waited_for_and_not_in_a_circle(campaign, status):
    """By who deletes the campaign, and by who plans it anew."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            answer(campaign)
            pool.submit(in_a_thread, set_status, campaign, status).result(timeout=8)
            change = delete if status == Status.CLOSED else discard
            changed = pool.submit(in_a_thread, change, campaign)
            until_somebody_waits()
        if status == Status.CLOSED:
            assert changed.result(timeout=8).judgments == 1
            assert not Campaign.objects.exists()
        else:
            with pytest.raises(
                PlanError,
                match="There are judgments, so the work cannot be planned again",
            ):
                changed.result(timeout=8)
            assert Judgment.objects.count() == 1


def set_status(campaign, status):
    Campaign.objects.filter(pk=campaign.pk).update(status=status)


def delete(campaign):
    return delete_campaign(campaign, by="owner", reason="The wrong files.")


def test_work_goes_back_while_somebody_changes_the_campaign(campaign):
    """Its record has a separate chain."""
    record.begin(campaign.pk, "opened")
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        lock_campaign(campaign.pk)
        freed = pool.submit(in_a_thread, release.free_rest, campaign.tasks.get())
        assert freed.result(timeout=8) == 4
        leave_out(campaign)
    assert check_record(campaign).found == []


def test_a_first_record_waits_for_work_on_its_way_back(campaign):
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            assert release.free_rest(campaign.tasks.get()) == 4
            begun = pool.submit(in_a_thread, record.begin, campaign.pk, "opened")
            until_somebody_waits()
        begun.result(timeout=8)
    assert check_record(campaign).found == []


def test_what_has_gone_back_meanwhile_is_not_taken_away(campaign):
    task = campaign.tasks.get()
    campaign.tasks.all().delete()
    assert release.free_rest(task) == 0
