"""The transactions of judging: claim a batch, store an answer, revise it, return a batch.

An acknowledged answer is durable and counted once: the row of the item is locked while its answer
is stored, the same client key gives the same judgment again, and the database itself allows one
judgment per key, one row per revision and one annotator per seat.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.forms import BaseForm
from django.utils import timezone

from judgments.judging.observations import with_twins, write
from judgments.models import (
    NO_CONTROLS,
    Adjudication,
    Campaign,
    DeviceMark,
    Item,
    ItemOutput,
    Judgment,
    Membership,
    Task,
)
from judgments.models.chains.sealing import digest_of
from judgments.models.new_observations import Observations
from judgments.models.prepared_queries import Prepared, ServerStatement
from judgments.people.staffing.settings import staffing_of
from judgments.people.states import may_work_now
from judgments.people.workload.quota import n_within_quota, within_quota
from judgments.people.workload.release import own_rests, put_back, split
from judgments.people.workload.work import TASK_ORDER, lock_items, take_up
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.test_sets.word_links.screen import record_hints

from .revisions import stored_as, ticket_of_revision
from .screen import ITEM_AND_TEXTS, on_screen, painted, revisions_of, with_texts
from .ticket import Ticket


class NotYours(Exception):
    """The item or the batch is not, or no longer, the annotator's."""


def lease_of(campaign: Campaign) -> timedelta:
    """Return the time after which a batch without answers is freed. No statement: every answer
    calls this."""
    return timedelta(minutes=campaign.plan.get("lease_minutes", PlanSettings.lease_minutes))


def is_pool(campaign: Campaign) -> bool:
    """Return whether blocks are taken one by one, and freed even if they were begun."""
    return bool(campaign.plan.get("pool", PlanSettings.pool))


def seat_in(task: Task) -> Task | None:
    """Return the claimable seat of a locked task: the task, or a new task with its unjudged items.
    None while an answer to it is being stored.

    An answer locks its item before its task (`queue.hold`), so this waits for nothing.
    """
    if task.annotator_id is None:
        return task
    items = Item.objects.filter(task=task).select_for_update(skip_locked=True, of=("self",))
    if len(items.values_list("pk", flat=True)) < task.n_items:
        return None
    return split(task) if task.n_judged else task


@transaction.atomic
def give_up(membership: Membership, task_id: int) -> int:
    """Return a batch: its judged items stay the annotator's, the rest is free for others at once;
    the annotator gets it again only when nothing else is free. Return the number of freed items.

    Raise NotYours.
    """
    lock_items(Item.objects.filter(task=task_id, task__annotator=membership.user_id))
    task = (
        Task.objects.select_for_update(of=("self",))
        .filter(pk=task_id, campaign=membership.campaign_id, annotator=membership.user_id)
        .order_by()  # tasks are ordered by columns of their campaigns by default
        .first()
    )
    if task is None:
        raise NotYours
    return 0 if task.is_done else split(task).n_items


MAX_MS = 2**31 - 1


NOTHING = Observations()


class NotOpen(Exception):
    """The campaign takes no judgments now."""


class NotPainted(Exception):
    """The answer is about other texts than the item has now."""


TAKEN = ("annotator", "claimed_at", "assigned_at", "leased_until", "n_skipped")


@transaction.atomic
def claim(membership: Membership, now: datetime) -> Task | None:
    """Return the annotator's unfinished task, or else the next free seat; None if nothing is free.

    Claims of one annotator, or of several on one device, wait for each other, so a double click
    claims one batch; claims of other annotators pass each other by. Raise NotOpen, and NotYours for
    an annotator who has been removed or is left out: that decision locks the membership.
    """
    if not membership.campaign.is_open:
        raise NotOpen
    if not any(locked.pk == membership.pk for locked in with_sharers(membership)):
        raise NotYours
    if not may_work_now(membership):
        raise NotYours
    tasks = Task.objects.filter(campaign=membership.campaign_id)
    held = tasks.filter(annotator=membership.user_id, n_items__gt=F("n_judged") + F("n_skipped"))
    task = held.order_by(*TASK_ORDER).select_for_update(of=("self",)).first()
    if task is None:
        task = free_seat(membership) or own_rest(membership)
        if task is None:
            return None
        if task.annotator_id != membership.user_id:  # not what they returned and have again
            take_up(task)
            task.annotator_id = membership.user_id
            task.claimed_at = task.assigned_at = now
        task.leased_until = now + lease_of(membership.campaign)
    elif task.leased_until is not None:
        task.leased_until = now + lease_of(membership.campaign)
    task.save(update_fields=TAKEN)
    return task


@transaction.atomic
def give(membership: Membership, n: int) -> int:
    """Give an annotator the next free batches, at most n, before they ask. These do not expire.
    Return how many there were for them. Raise NotYours for somebody who has been removed or may not
    work."""
    if not any(locked.pk == membership.pk for locked in with_sharers(membership)):
        raise NotYours
    if not may_work_now(membership):
        raise NotYours
    for given in range(n):
        task = free_seat(membership)
        if task is None:
            return given
        take_up(task)
        task.annotator_id = membership.user_id
        task.claimed_at = task.leased_until = None
        task.assigned_at = timezone.now()
        task.save(update_fields=TAKEN)
    return n


def with_sharers(membership: Membership) -> list[Membership]:
    """Return the membership and those that share a device with it, locked, without removed ones."""
    own = Membership.objects.filter(pk=membership.pk).order_by().values("pk")
    sharers = DeviceMark.objects.shared_with(membership.user_id).order_by().values("membership")
    found = Membership.objects.current().filter(pk__in=own.union(sharers))
    return list(found.order_by("pk").select_for_update(of=("self",)))


def free_seats(membership: Membership):
    """Return the seats that the annotator may claim, in the order of distribution; empty once the
    annotator has reached the batch limit or the quota."""
    tasks = Task.objects.filter(campaign=membership.campaign_id, n_items__gt=0)
    free = tasks.free_for(membership.user_id, from_pool=is_pool(membership.campaign))
    return open_to(membership, free).order_by("batch", "seat")


def open_rests(membership: Membership):
    """Return what the annotator gave back, nobody has taken since, and they may take again."""
    rests = own_rests(membership)
    return open_to(membership, rests).order_by("pk") if rests.exists() else rests


def open_to(membership: Membership, tasks):
    """Return those of a campaign's free tasks that the annotator may take, by its limits and by
    what they have had in other batches."""
    campaign = membership.campaign
    # The third judge of a clash gets no seat in the batches of the two judgments.
    asked = Adjudication.objects.filter(campaign=campaign.pk, item__task__annotator=membership.user)
    for of in ("first", "second"):
        tasks = tasks.exclude(batch__in=asked.order_by().values(f"{of}__task__batch"))
    allowed = within_quota(tasks, membership)
    fit = protocol_of(campaign).fit_for(membership.user_id, allowed)
    if campaign.plan.get("design", "paired") != "paired":
        fit = in_one_version(fit, membership)
    return fit


def in_one_version(tasks, membership: Membership):
    """Exclude tasks in which a document has another translation than the annotator has had of it in
    other batches of this campaign.

    Their earlier screens are read first: as part of the statement they would be looked up again for
    every place on every screen of the campaign, which takes seconds.
    """
    places = ItemOutput.objects.filter(item__task__campaign=membership.campaign_id).order_by()
    of_campaign = Task.objects.filter(campaign=membership.campaign_id).order_by()
    had = places.filter(item__task__in=of_campaign.had_by(membership.user_id).values("pk"))
    systems_in: dict[int, dict[int, set[int]]] = {}  # by document and batch
    names = ("item__segment__document", "item__task__batch", "output__system")
    for document, batch, system in had.values_list(*names).distinct():
        systems_in.setdefault(document, {}).setdefault(batch, set()).add(system)
    if not systems_in:
        return tasks
    documents_in: dict[frozenset[int], list[int]] = {}
    other = Q()
    for document, of_batch in systems_in.items():
        documents_in.setdefault(frozenset().union(*of_batch.values()), []).append(document)
        for batch in of_batch:  # they may have given it back, and had another translation since
            rest = set().union(*(of_batch[each] for each in of_batch if each != batch))
            if rest and not of_batch[batch] <= rest:
                of_rest = Q(item__segment__document=document, item__task__batch=batch)
                other |= of_rest & ~Q(output__system__in=rest)
    for versions, documents in documents_in.items():
        other |= Q(item__segment__document__in=documents) & ~Q(output__system__in=versions)
    # Finished batches cannot be claimed, and in the end contain nearly all the screens.
    others = places.filter(other, item__task__is_unfinished=True)
    return tasks.exclude(pk__in=others.values("item__task"))


def free_seat(membership: Membership) -> Task | None:
    """Return the first free seat, locked; skip a seat while an answer to it is being stored."""
    passed: list[int] = []
    for seats in in_turn(membership, free_seats(membership)):
        free = seats.select_for_update(skip_locked=True, of=("self",))
        while (task := free.exclude(pk__in=passed).first()) is not None:
            seat = seat_in(task)
            if seat is not None:
                return seat
            passed.append(task.pk)
    return None


def own_rest(membership: Membership) -> Task | None:
    """Return the annotator's task with the first of `open_rests`, merged back; None if there is
    none."""
    rest = open_rests(membership).select_for_update(skip_locked=True, of=("self",)).first()
    return rest and put_back(membership, rest)


def in_turn(membership: Membership, free) -> list:
    """Return the queries of free seats in the order in which they are tried. In a pool with control
    items: first blocks that follow the annotator's blocks, since these contain items that belong to
    them; then the first of each row; then blocks that others left."""
    if not is_pool(membership.campaign):
        return [free]
    own = Task.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    had = own.order_by().values_list("batch", flat=True)
    return [free.filter(follows__in=list(had)), free.filter(follows=None), free]


def next_free(membership: Membership) -> Task | None:
    """Return the batch that a claim would return now. Claims nothing."""
    waiting = (seats.first() for seats in in_turn(membership, free_seats(membership)))
    return next(filter(None, waiting), None) or open_rests(membership).first()


def n_free(membership: Membership) -> int:
    """Return how many batches successive claims would return now, within the quotas of batches and
    items."""
    free, rests = free_seats(membership), open_rests(membership)
    staffing = staffing_of(membership.campaign)
    if staffing.batches is None and staffing.items is None:
        return free.order_by().values("batch").distinct().count() + rests.count()
    columns = ("batch", "n_items", "is_adjudication")
    return n_within_quota([*free.values_list(*columns), *rests.values_list(*columns)], membership)


@dataclass(frozen=True)
class Submission:
    """form: bound; invalid if judgment is None. step: from this item to the next waiting one in the
    same task; None if none waits after it. is_first: it was stored now, and is no revision. said:
    the observations on the outputs that were `shown`."""

    form: BaseForm
    judgment: Judgment | None
    step: int | None = None
    shown: Sequence[ItemOutput] = ()
    said: Observations = NOTHING
    is_control: bool = False
    is_first: bool = False


@transaction.atomic
def submit(
    membership: Membership, ticket: Ticket, data, *, active_ms: int | None, now: datetime
) -> Submission:
    """Store the answer to an item, or a revision of it.

    data: the posted answers, which the protocol's form checks. The same key with the same answer,
    or an answer equal to the last one, stores nothing. Raise NotOpen, NotYours, NotPainted, and
    JudgedMeanwhile.
    """
    campaign = membership.campaign
    if not campaign.is_open:
        raise NotOpen
    rows = hold(membership, ticket)
    item = rows[0].item
    protocol = protocol_of(campaign)
    shown = on_screen(protocol, rows, item.control_output_id)
    form = protocol.form(item, shown, data)
    are_others = ticket.painted not in (None, painted(protocol, shown))
    if not form.is_valid():
        if are_others:  # such as marks beyond the end of a shorter text
            raise NotPainted
        return Submission(form, None)
    following: int | None = vars(rows[0])["next_position"]
    step = None if following is None else following - item.position
    said = protocol.observations(item, shown, form.cleaned_data)
    if protocol.shares_places:
        said = with_twins(said, rows, item.control_output_id)
    last = None
    if item.is_judged:
        revisions = revisions_of(item.pk)
        stored = stored_as(protocol.kinds, revisions, ticket, said)
        if stored is not None:
            return Submission(form, stored, step, shown, said)
        ticket = ticket_of_revision(protocol.kinds, revisions, ticket, said)
        last = revisions[0]
    if are_others:
        raise NotPainted
    elapsed = max(0, round((now - ticket.opened_at).total_seconds() * 1000))
    if active_ms is not None:
        active_ms = max(0, min(active_ms, elapsed, MAX_MS))
    judgment = store(campaign, item, ticket, said, last=last, active_ms=active_ms, now=now)
    record_hints(protocol, judgment, item, rows, data.get("hints", ""))
    is_control = item.kind not in NO_CONTROLS or item.control_kind != ""
    return Submission(form, judgment, step, shown, said, is_control, is_first=last is None)


def held_rows(item, annotator, campaign):
    """Return the query of an item's outputs, annotated with the position of the next open item and
    the texts that its screen shows."""
    waiting = Item.objects.filter(
        task=OuterRef("item__task"),
        position__gt=OuterRef("item__position"),
        is_judged=False,
        is_skipped=False,
    )
    following = waiting.order_by("position").values("position")[:1]  # the first in an index
    return (
        with_texts(ItemOutput.objects.all())
        .annotate(next_position=Subquery(following))
        .filter(item=item, item__task__annotator=annotator, item__task__campaign=campaign)
        .order_by("position")
    )


rows_held = Prepared(
    held_rows,
    related=[*ITEM_AND_TEXTS, "item__task"],
    annotated=["reference", "next_position"],
    locked=["judgments_item", "judgments_task"],
)


def hold(membership: Membership, ticket: Ticket) -> list[ItemOutput]:
    """Lock the item and its task until the transaction ends; the annotator must hold the task.
    Return the item's outputs, each with the item.

    The locked rows are read after waiting for the lock: `is_judged` is certain. `next_position` is
    not, and only says where to go on.
    """
    if ticket.annotator != membership.user_id:
        raise NotYours
    rows = rows_held(ticket.item, membership.user_id, membership.campaign_id)
    if not rows:
        raise NotYours
    return rows


def store(
    campaign: Campaign,
    item: Item,
    ticket: Ticket,
    said: Observations,
    *,
    last: Judgment | None,
    active_ms: int | None,
    now: datetime,
) -> Judgment:
    """Store a judgment with its observations, and update the counters that depend on it."""
    judgment = Judgment(
        item=item,
        campaign=campaign,
        annotator_id=ticket.annotator,
        revision=last.revision + 1 if last else 1,
        supersedes=last,
        client_key=ticket.key,
        started_at=ticket.opened_at,
        submitted_at=now,
        active_ms=active_ms,
        guideline_version=ticket.guideline_version,
    )
    outputs, dimensions, values = unzip(said.ratings, 3)
    firsts, seconds, signs, strengths = unzip(said.preferences, 4)
    parameters: dict[str, Any] = {
        field.attname: getattr(judgment, field.attname) for field in judgment._meta.fields
    }
    parameters |= {
        "client_key": str(ticket.key),
        "outputs": outputs,
        "dimensions": dimensions,
        "values": values,
        "copies": [output in said.copies for output in outputs],
        "firsts": firsts,
        "seconds": seconds,
        "signs": signs,
        "strengths": strengths,
        "task_id": item.task_id,
        "spent_ms": active_ms or 0,
        "leased_until": now + lease_of(campaign),
        "was_skipped": int(item.is_skipped),
        "digest": digest_of(judgment, item.task_id, said).hex(),
    }
    ((judgment.pk,),) = STORE.rows([parameters[name] for name in STORED])
    judgment._state.adding = False
    write(judgment, said)
    return judgment


def unzip(rows, n_columns: int) -> list[list]:
    return [[row[column] for row in rows] for column in range(n_columns)]


# All writes of one answer in one statement: it is sent once and answered once, which matters to a
# queue with hundreds of answers per second. The chain is that of the task, which is locked.
STORE_SQL = """
WITH judgment AS (
    INSERT INTO judgments_judgment (
        item_id, campaign_id, annotator_id, revision, supersedes_id, client_key,
        started_at, submitted_at, active_ms, guideline_version
    ) VALUES (
        %(item_id)s, %(campaign_id)s, %(annotator_id)s, %(revision)s, %(supersedes_id)s,
        %(client_key)s, %(started_at)s, %(submitted_at)s, %(active_ms)s, %(guideline_version)s
    ) RETURNING id
), rated AS (
    INSERT INTO judgments_rating (judgment_id, output_id, dimension, value, is_copy)
    SELECT judgment.id, said.output, said.dimension, said.value, said.copy
    FROM judgment, unnest(
        %(outputs)s::bigint[], %(dimensions)s::text[], %(values)s::float8[], %(copies)s::boolean[]
    ) WITH ORDINALITY AS said (output, dimension, value, copy, place)
    ORDER BY said.place
), preferred AS (
    INSERT INTO judgments_preference (judgment_id, output_a_id, output_b_id, value, strength)
    SELECT judgment.id, said.a, said.b, said.value, said.strength
    FROM judgment, unnest(
        %(firsts)s::bigint[], %(seconds)s::bigint[], %(signs)s::smallint[],
        %(strengths)s::smallint[]
    ) AS said (a, b, value, strength)
), marked AS (
    UPDATE judgments_item SET is_judged = true, is_skipped = false
    WHERE id = %(item_id)s AND NOT is_judged
    RETURNING id
), counted AS (
    UPDATE judgments_task SET
        n_judged = n_judged + (SELECT count(*) FROM marked),
        n_skipped = n_skipped - %(was_skipped)s,
        active_ms = active_ms + %(spent_ms)s,
        last_judged_at = %(submitted_at)s,
        leased_until = CASE WHEN leased_until IS NOT NULL THEN %(leased_until)s::timestamptz END
    WHERE id = %(task_id)s
), chained AS (
    INSERT INTO judgments_chain (task_id, campaign_id, length, head) VALUES (
        %(task_id)s, %(campaign_id)s, 1,
        sha256(decode(repeat('00', 32) || %(digest)s, 'hex'))
    ) ON CONFLICT (task_id) DO UPDATE SET
        length = judgments_chain.length + 1,
        head = sha256(judgments_chain.head || decode(%(digest)s, 'hex'))
    RETURNING length, head
), sealed AS (
    INSERT INTO judgments_seal (judgment_id, task_id, place, hash)
    SELECT judgment.id, %(task_id)s, chained.length, chained.head FROM judgment, chained
)
SELECT id FROM judgment
"""
# The values in the order of $1, $2, …
STORED = tuple(dict.fromkeys(re.findall(r"%\((\w+)\)s", STORE_SQL)))
STORE = ServerStatement(
    "store", STORE_SQL % {name: f"${i}" for i, name in enumerate(STORED, 1)}, len(STORED)
)
