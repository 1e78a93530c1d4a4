"""Runs of a judge: which request is sent when, and what is stored of it.

Requests run in threads, which touch no table; only the main thread reads and writes. Each answer is
stored with its judgment in one transaction, so a run that is killed continues with the items
without an answer. Requests pending at that time, at most `at_once`, are sent again.
"""

from __future__ import annotations

import random
import uuid
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from time import monotonic, sleep

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from judgments.judging.queue import NotOpen, NotPainted, NotYours, submit
from judgments.judging.ticket import Ticket
from judgments.models import AT_WORK, Item, Judge, JudgeAnswer, JudgeStatus, Judgment, Membership
from judgments.models.worker_locks import WorkerLock
from judgments.protocols import protocol_of
from judgments.web.extension_points import registered

from .conversation import OUTSIDE, WAS_CUT_OFF, Fits, StoredAnswer, next_step, problem_with
from .endpoints import Caller, EndpointBusy, EndpointRefused, Reply
from .price import most_tokens, spent, tokens_in_text, tokens_of
from .prompts import PROMPTS, Ask
from .questions import AskedScreen, screen_for
from .set_up import close_for, open_for

JUDGES = WorkerLock(0x6A756467)
TURN = 60.0  # seconds, after which others in the queue have their turn
LOOK = 0.25  # seconds between checks for answers and for a cancellation
MOST_ATTEMPTS = 10  # about four minutes
MOST_REFUSED = 20  # items in a row
NOTED = 30.0  # seconds between two signs of life
NOT_ANY_MORE = "The texts of the test set are no longer allowed to leave this site."
LONGEST_WAIT = 60.0  # seconds before the same is asked again
KEYS = uuid.UUID("6c0e0a86-8d5b-4f2b-9c0e-3f7c5c1a4a55")


@dataclass
class Pending:
    """A request about an item that is pending, or waits for its turn."""

    screen: AskedScreen
    before: list[StoredAnswer]
    ask: Ask
    opened_at: datetime
    attempts: int = 0
    not_before: float = 0.0
    tokens: float = 0.0
    n_others: int = 0  # answers to others when it first failed

    @property
    def most_tokens(self) -> int:
        """The limit of its answer; higher if the last one was cut off."""
        is_cut = bool(self.before) and self.before[-1].problem == WAS_CUT_OFF
        return most_tokens(self.screen.questions) * (3 if is_cut else 1)


class Stopped(Exception):
    """The run ends here; the message says why."""


@dataclass
class JudgeRun:
    """State of a worker's run of a judge."""

    judge: Judge
    caller: Caller
    members: dict[int, Membership]
    waiting: Iterator[int]  # ids of items
    again: list[Pending] = field(default_factory=list)
    on_its_way: dict[Future[Reply], Pending] = field(default_factory=dict)
    sent: deque[tuple[float, float]] = field(default_factory=deque)
    cost: Decimal = Decimal(0)
    n_answers: int = 0  # of this turn, and of earlier ones
    n_before: int = 0
    n_refused: int = 0
    noted_at: float = 0.0
    is_empty: bool = False
    is_over: bool = False


def work_on(judge_id: int, *, seconds: float = TURN) -> bool:
    """Send requests for this long. Return whether any are left."""
    if not JUDGES.take(judge_id):
        return False
    try:
        judge = Judge.objects.select_related("answers__test_set").filter(pk=judge_id).first()
        if judge is None:
            return False
        if not change(judge, JudgeStatus.RUNNING):
            close_for(judge)
            return False
        return turn(judge, monotonic() + seconds)
    finally:
        JUDGES.unlock(judge_id)


def turn(judge: Judge, until: float) -> bool:
    try:
        run = begin(judge)
        is_left = go_on(run, until)
    except (Stopped, EndpointRefused) as reason:
        end(judge, JudgeStatus.FAILED, str(reason))
        return False
    if not judge.is_at_work:
        close_for(judge)
        return False
    if not is_left:
        n_given_up = judge.raw_answers.filter(is_last=True, judgment=None).count()
        words = f"Items without an answer that fits: {n_given_up}." if n_given_up else ""
        end(judge, JudgeStatus.DONE, words)
        for follow_up in registered("after_model_judged"):
            follow_up(judge)
    return is_left


def begin(judge: Judge) -> JudgeRun:
    """Return a new run. Raise Stopped and EndpointRefused."""
    prompt = PROMPTS.get(judge.prompt)
    if prompt is None or prompt.hash != judge.prompt_hash:
        raise Stopped(
            "The prompt of this judge is different in this version of the site. Add another "
            "judge, so that answers to different prompts are not mixed."
        )
    if not judge.answers.test_set.may_leave:
        raise Stopped(NOT_ANY_MORE)
    caller = Caller(judge.endpoint)
    open_for(judge)
    members = Membership.objects.filter(campaign=judge.answers, role="annotator")
    of_user = {each.user_id: each for each in members.select_related("campaign__test_set")}
    before = spent(judge)
    return JudgeRun(
        judge, caller, of_user, iter(to_ask(judge)), cost=before.cost, n_before=before.n_answers
    )


def to_ask(judge: Judge) -> list[int]:
    """Return the ids of the items without a final answer, in the order of the texts."""
    last = JudgeAnswer.objects.filter(item=OuterRef("pk"), is_last=True)
    items = Item.objects.filter(~Exists(last), task__campaign=judge.answers, is_judged=False)
    return list(
        items.order_by("task__batch", "position", "task__seat").values_list("pk", flat=True)
    )


def go_on(run: JudgeRun, until: float) -> bool:
    """Send requests and store answers until the time is over; return whether any are left."""
    with ThreadPoolExecutor(run.judge.at_once, thread_name_prefix="judge") as threads:
        try:
            while True:
                if monotonic() >= until:
                    wind_up(run)
                send(run, threads)
                if not run.on_its_way and not run.again and (run.is_empty or run.is_over):
                    return run.is_over
                if not run.on_its_way:
                    sleep(LOOK)
                done, _ = wait(run.on_its_way, timeout=LOOK, return_when=FIRST_COMPLETED)
                for future in done:
                    take(run, run.on_its_way.pop(future), future)
                if was_cancelled(run):
                    return True
        finally:
            run.caller.close()
            threads.shutdown()
            for future, pending in run.on_its_way.items():  # arrived while the run was ending
                if future.done() and not future.cancelled() and future.exception() is None:
                    keep(run, pending, future.result())


def wind_up(run: JudgeRun) -> None:
    """Start no other item in this turn. Failed requests are still repeated, or given up, since the
    next turn would not know how often they failed."""
    run.is_over = True
    soon = monotonic() + LONGEST_WAIT
    run.again = [each for each in run.again if each.attempts and each.not_before <= soon]


def was_cancelled(run: JudgeRun) -> bool:
    """Return whether the run was cancelled. Raise Stopped if the texts may no longer leave the
    site."""
    judge = Judge.objects.filter(pk=run.judge.pk)
    status, may_leave = judge.values_list("status", "answers__test_set__may_leave").get()
    run.judge.status = status
    if status == JudgeStatus.RUNNING and not may_leave:
        raise Stopped(NOT_ANY_MORE)
    if monotonic() > run.noted_at + NOTED:  # alive, even if nothing arrives for a while
        run.noted_at = monotonic()
        judge.update(moved_at=timezone.now())
    return status != JudgeStatus.RUNNING


def send(run: JudgeRun, threads: ThreadPoolExecutor) -> None:
    """Send as many requests as allowed."""
    while len(run.on_its_way) < run.judge.at_once:
        pending = following(run)
        if pending is None:
            return
        if not has_room(run, pending):
            run.again.append(pending)
            return
        run.sent.append((monotonic(), pending.tokens))
        future = threads.submit(
            run.caller.ask,
            run.judge.model,
            pending.ask.messages,
            schema=pending.ask.schema,
            most_tokens=pending.most_tokens,
            temperature=run.judge.temperature,
            seed=seed_of(run.judge, pending.screen),
        )
        run.on_its_way[future] = pending


def seed_of(judge: Judge, screen: AskedScreen) -> int | None:
    """Return a seed that differs between samples of the same item."""
    return None if judge.seed is None else judge.seed + screen.item.task.seat - 1


def following(run: JudgeRun) -> Pending | None:
    """Return the next request; None if there is none yet."""
    now = monotonic()
    for pending in run.again:
        if pending.not_before <= now:
            run.again.remove(pending)
            return pending
    if run.is_empty or run.is_over or len(run.again) >= 4 * run.judge.at_once:
        return None
    while item := next(run.waiting, None):
        found = pending_of(run, Item.objects.select_related("task").get(pk=item))
        if found is not None:
            return found
    run.is_empty = True
    return None


def pending_of(run: JudgeRun, item: Item) -> Pending | None:
    """Return the request about an item, given its stored answers; None if these are enough, which
    cannot happen even after a kill between two transactions."""
    screen = screen_for(protocol_of(run.judge.answers), item)
    screen.item.task = item.task
    stored = JudgeAnswer.objects.filter(item=item).order_by("number")
    before = [StoredAnswer(*row) for row in stored.values_list("text", "problem")]
    step = next_step(PROMPTS[run.judge.prompt], screen, before)
    if not isinstance(step, Ask):
        return None
    return Pending(screen, before, step, timezone.now(), tokens=tokens_of(step))


def has_room(run: JudgeRun, pending: Pending) -> bool:
    """Return whether a request is within the limits. Raise Stopped if the budget is used up."""
    judge, now = run.judge, monotonic()
    while run.sent and run.sent[0][0] < now - 60:
        run.sent.popleft()
    reserved = [*run.on_its_way.values(), pending]
    at_most = sum(judge.cost(each.tokens, each.most_tokens) for each in reserved)
    if run.cost + at_most > judge.budget:
        if run.on_its_way:
            return False  # pending answers are stored first
        raise Stopped(
            f"The budget of {judge.budget:.2f} {judge.currency} does not allow another request."
        )
    tokens = sum(tokens for _, tokens in run.sent)
    fits = not run.sent or tokens + pending.tokens <= judge.tokens_a_minute
    return fits and len(run.sent) < judge.requests_a_minute


def take(run: JudgeRun, pending: Pending, future: Future[Reply]) -> None:
    """Store an answer, or ask again later. Raise Stopped and EndpointRefused."""
    try:
        reply = future.result()
    except EndpointBusy as problem:
        ask_later(run, pending, problem)
    except EndpointRefused as problem:
        run.n_refused += 1
        if problem.is_for_all or run.n_refused >= MOST_REFUSED:
            raise
        give_up(run, pending, str(problem))
    else:
        run.n_answers += 1
        run.n_refused = 0
        keep(run, pending, reply)


def ask_later(run: JudgeRun, pending: Pending, problem: EndpointBusy) -> None:
    """Wait longer each time. Give up an item that fails while others are answered; if none are, end
    the run. Raise Stopped."""
    if problem.tokens_in or problem.tokens_out:
        count_lost(run, problem)
    if not pending.attempts:
        pending.n_others = run.n_answers
    pending.attempts += 1
    if pending.attempts >= MOST_ATTEMPTS:
        # The last remaining item has no others to be compared with.
        is_last = run.n_before + run.n_answers > 0 and not run.again and not run.on_its_way
        if run.n_answers == pending.n_others and not is_last:
            raise Stopped(str(problem))
        give_up(run, pending, str(problem))
        return
    pause = min(LONGEST_WAIT, 2.0**pending.attempts) * random.uniform(0.5, 1.0)
    pending.not_before = monotonic() + max(pause, problem.seconds)
    run.again.append(pending)


def count_lost(run: JudgeRun, problem: EndpointBusy) -> None:
    """Count the tokens of an answer that is not stored."""
    run.cost += run.judge.cost(problem.tokens_in, problem.tokens_out)
    Judge.objects.filter(pk=run.judge.pk).update(
        lost_in=F("lost_in") + problem.tokens_in, lost_out=F("lost_out") + problem.tokens_out
    )


def give_up(run: JudgeRun, pending: Pending, words: str) -> None:
    JudgeAnswer.objects.create(
        judge=run.judge,
        item=pending.screen.item,
        number=len(pending.before) + 1,
        text="",
        problem=OUTSIDE + words,
        is_last=True,
    )


def keep(run: JudgeRun, pending: Pending, reply: Reply) -> None:
    """Store an answer with its judgment, and continue with the item."""
    prompt, screen = PROMPTS[run.judge.prompt], pending.screen
    problem = problem_with(prompt, screen, pending.before, reply.text, reply.finish)
    number = len(pending.before) + 1
    pending.before.append(StoredAnswer(reply.text, problem))
    # Not every endpoint reports tokens.
    tokens_in = reply.tokens_in or round(pending.tokens)
    tokens_out = reply.tokens_out or round(tokens_in_text(reply.text))
    run.cost += run.judge.cost(tokens_in, tokens_out)
    step = next_step(prompt, screen, pending.before)
    with transaction.atomic():
        judgment = None
        if isinstance(step, Fits):
            judgment, problem = stored(run, pending, step, problem)
        JudgeAnswer.objects.create(
            judge=run.judge,
            item=screen.item,
            judgment=judgment,
            number=number,
            text=reply.text,
            problem=problem,
            is_last=not isinstance(step, Ask),
            n_unplaced=step.form_data.n_unplaced if isinstance(step, Fits) else 0,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            milliseconds=reply.milliseconds,
            model=reply.model,
        )
        Judge.objects.filter(pk=run.judge.pk).update(moved_at=timezone.now())
    if isinstance(step, Ask):
        pending.ask, pending.attempts, pending.not_before = step, 0, 0.0
        pending.tokens = tokens_of(step)
        run.again.append(pending)


def stored(
    run: JudgeRun, pending: Pending, step: Fits, problem: str
) -> tuple[Judgment | None, str]:
    """Store a judgment like a person's answer; return it, and the reason if there is none."""
    item, now = pending.screen.item, timezone.now()
    membership = run.members[item.task.annotator_id or 0]
    membership.campaign = run.judge.answers
    ticket = Ticket(
        item.pk, membership.user_id, 1, uuid.uuid5(KEYS, str(item.pk)), pending.opened_at,
        run.judge.answers.guideline_version, 0, pending.screen.painted,
    )  # fmt: skip
    try:
        with transaction.atomic():
            said = submit(membership, ticket, step.form_data.data, active_ms=None, now=now)
    except NotPainted:
        return None, f"{OUTSIDE}the texts were changed meanwhile."
    except (NotOpen, NotYours):
        return None, f"{OUTSIDE}its campaign was closed meanwhile."
    return said.judgment, problem


def change(judge: Judge, status: JudgeStatus) -> bool:
    """Change the status of a running judge; return False if somebody has cancelled it."""
    at_work = Judge.objects.filter(pk=judge.pk, status__in=AT_WORK)
    is_changed = at_work.update(status=status, moved_at=timezone.now()) > 0
    if is_changed:
        judge.status = status
    return is_changed


def end(judge: Judge, status: JudgeStatus, message: str) -> None:
    if change(judge, status):
        judge.message, judge.finished_at = message, timezone.now()
        judge.save(update_fields=["message", "finished_at"])
    close_for(judge)
