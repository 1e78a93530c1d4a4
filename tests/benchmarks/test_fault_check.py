"""The annotators of the benchmarks judge as a browser does, and what is lost, doubled or half-done
afterwards is found: a check that cannot fail would prove nothing."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from annotators import Annotator
from browsers import Browser
from cut_proxy import CutProxy
from fault_check import look
from served import cookies_of, free_port, make_campaign

from judgments.judging.ticket import new_ticket, unseal
from judgments.models import Judgment, Task

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


def in_a_thread(work):
    """Tests in a browser leave a loop of events running in the thread of the tests."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def until(condition) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.02)


def n_acknowledged(people: list[Annotator]) -> int:
    return sum(answer.acknowledged is not None for person in people for answer in person.sent)


def n_resent(people: list[Annotator]) -> int:
    return sum(answer.attempts > 1 for person in people for answer in person.sent)


async def judge(live_server, campaign, cookies) -> list[Annotator]:
    """All annotators work through a wire that is cut for a while; or get nowhere."""
    proxy = CutProxy(free_port(), int(live_server.url.rsplit(":", 1)[1]))
    await proxy.start()
    people = [
        Annotator(
            Browser("127.0.0.1", proxy.port, each),
            campaign.pk,
            random.Random(number),
            lambda: 0.05,
            pause=(0.05, 0.2),
            revises=0.3,
        )
        for number, each in enumerate(cookies)
    ]
    tasks = [asyncio.create_task(person.work()) for person in people]
    await until(lambda: n_acknowledged(people) >= 4 or people[0].trouble)
    proxy.is_cut = True
    await until(lambda: n_resent(people) or people[0].trouble)
    proxy.is_cut = False
    await until(lambda: n_acknowledged(people) >= 14 or people[0].trouble)
    for person in people:
        person.stop.set()
    await asyncio.wait_for(asyncio.gather(*tasks), 60)
    return people


@pytest.fixture
def judged(live_server):
    campaign, _, cookies = make_campaign(2, n_tasks=6, items_each=5, n_segments=6)
    people = in_a_thread(judge(live_server, campaign, cookies))
    return campaign, people


def look_at(judged):
    return look(*judged, lambda answer: "")


def test_all_that_was_acknowledged_is_stored_once(judged) -> None:
    campaign, people = judged
    kept = look_at(judged)
    n_sent = sum(len(person.sent) for person in people)
    assert kept.acknowledged[""] == kept.stored[""] == n_sent
    assert Judgment.objects.filter(campaign=campaign, revision__gt=1).exists()
    assert not (kept.words or kept.refused or kept.unanswered)
    assert not [line for person in people for line in person.trouble]


def test_a_judgment_with_other_values_or_without_some_is_found(judged) -> None:
    _, people = judged
    altered, halved, *_ = people[0].sent
    name, value = next(iter(altered.values.items()))
    altered.values[name] = str(int(value) % 5 + 1)
    halved.values["output9-adequacy"] = "3"
    kept = look_at(judged)
    assert kept.lost[""] == 2
    assert kept.half_done[""] == 1


def test_what_was_never_stored_or_never_sent_is_found(judged) -> None:
    _, people = judged
    first = people[0].sent[0]
    other = unseal(first.ticket)
    ticket = new_ticket(other.item, other.annotator, other.number, other.opened_at, 1).seal()
    people[0].sent[0] = replace(first, ticket=ticket)
    kept = look_at(judged)
    assert kept.lost[""] == 1
    assert sum(kept.doubled.values()) == 1
    assert kept.stored[""] == kept.acknowledged[""] - 1


def test_counts_that_contradict_are_found(judged) -> None:
    campaign, _ = judged
    task = Task.objects.filter(campaign=campaign, n_judged__gt=0)[0]
    Task.objects.filter(pk=task.pk).update(n_judged=task.n_judged - 1)
    kept = look_at(judged)
    assert kept.half_done["at the end"] == 1


def test_somebody_who_is_signed_out_is_noticed(live_server) -> None:
    campaign, owner, _ = make_campaign(1, n_tasks=1, items_each=3, n_segments=3)
    stranger = cookies_of(owner) | {"sessionid": "x" * 32}
    people = in_a_thread(judge(live_server, campaign, [stranger]))
    assert not people[0].sent
    assert "/sign-in/" in people[0].trouble[0]
