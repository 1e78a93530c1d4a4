"""Workers of judges that are killed, share a judge, or are asked to stop: processes of their own
against an endpoint on this machine."""

import http.client
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from judgments.judges.endpoints import Caller, EndpointBusy
from judgments.judges.runs import JUDGES
from judgments.judges.tasks import run_judge
from judgments.models import Item, Judge, JudgeAnswer, JudgeStatus, Judgment, Status
from mteval_site.local import postgres
from tests import factory, model_endpoint
from tests.settings import POSTGRES_HOME
from tests.waiting import wait_until

from .test_runs import new_judge

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

N_SEGMENTS, N_SYSTEMS, N_KILLS = 20, 3, 6
TRANSLATION = re.compile(r"^Translation 1 \(.*\):\n(.*)$", re.MULTILINE)


@pytest.fixture
def start(tmp_path):
    """`start(endpoint)` starts the site's worker of judges; all are ended afterwards."""
    children = []
    environment = os.environ | {
        "DATABASE_URL": postgres.url(POSTGRES_HOME, str(connection.settings_dict["NAME"])),
        "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
    }

    def start_one(endpoint):
        child = subprocess.Popen(
            [sys.executable, "-m", "mteval_site.local.db_worker", "judge"],
            env=environment | {"JUDGE_ENDPOINTS": f"stub={endpoint.address}"},
            cwd=site.BASE_DIR,
            stdout=subprocess.DEVNULL,
            stderr=(tmp_path / "errors").open("ab"),
        )
        children.append(child)
        return child

    yield start_one
    for child in children:
        child.kill()
        child.wait()


def make_judge(**fields):
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=N_SYSTEMS)
    campaign = factory.make_campaign(test_set, owner=owner)
    factory.make_task(campaign)
    judge = new_judge(campaign, owner, **fields)
    run_judge.enqueue(judge.pk)
    return judge


def asked(bodies):
    """How often each translation was asked about, over some requests."""
    return Counter(TRANSLATION.findall(body["messages"][1]["content"])[-1] for body in bodies)


def is_done(judge):
    return Judge.objects.filter(pk=judge.pk, status=JudgeStatus.DONE).exists()


def assert_each_once(judge):
    """Every item has one answer with one judgment, and the chain of them is whole."""
    items = set(Item.objects.filter(task__campaign=judge.answers).values_list("pk", flat=True))
    assert len(items) == N_SEGMENTS * N_SYSTEMS
    answers = Counter(JudgeAnswer.objects.filter(judge=judge).values_list("item", flat=True))
    judged = Counter(Judgment.objects.filter(campaign=judge.answers).values_list("item", flat=True))
    assert answers == judged == dict.fromkeys(items, 1)
    assert not JudgeAnswer.objects.filter(judge=judge, judgment=None).exists()
    assert not Judgment.objects.exclude(campaign=judge.answers).exists()
    call_command("verify_judgments", judge.answers_id, verbosity=0)


@pytest.mark.proof
def test_killed_workers_lose_no_answer_and_ask_none_twice(start):
    judge = make_judge(at_once=4)
    rng = random.Random(30)
    with model_endpoint.serving(model_endpoint.answer_to, delay=0.06) as endpoint:
        n_again = 0
        for _ in range(N_KILLS):
            worker = start(endpoint)
            wanted = len(endpoint.got) + rng.randint(5, 9)
            wait_until(lambda wanted=wanted: len(endpoint.got) >= wanted)
            time.sleep(rng.uniform(0, 0.06))
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            wait_until(lambda: not JUDGES.is_taken(judge.pk))
            stored = set(
                JudgeAnswer.objects.filter(judge=judge).values_list(
                    "item__shown__output__text", flat=True
                )
            )
            # What is asked and not stored was on its way: no more than may be at once.
            n_lost = len(endpoint.got) - len(stored) - n_again
            assert 0 <= n_lost <= judge.at_once
            n_again += n_lost
        assert not is_done(judge)
        n_before = len(endpoint.got)
        start(endpoint)
        wait_until(lambda: is_done(judge))
        # The last worker asks about what nobody had an answer to, and nothing else.
        assert not set(asked(endpoint.got[n_before:])) & stored
    assert len(endpoint.got) == N_SEGMENTS * N_SYSTEMS + n_again
    assert n_again > 0  # or the kills were at no bad moment
    assert_each_once(judge)


@pytest.mark.proof
def test_two_workers_on_one_judge_ask_each_item_once(start):
    judge = make_judge(at_once=3)
    run_judge.enqueue(judge.pk)
    with model_endpoint.serving(model_endpoint.answer_to, delay=0.05) as endpoint:
        for _ in range(2):
            start(endpoint)
        wait_until(lambda: is_done(judge))
        time.sleep(1)  # the other looks once more
    assert set(asked(endpoint.got).values()) == {1}
    assert_each_once(judge)


@pytest.mark.proof
def test_cancel_ends_a_run_within_two_seconds(start):
    judge = make_judge(at_once=4)
    client = Client()
    client.force_login(judge.campaign.memberships.get(role="owner").user)
    with model_endpoint.serving(model_endpoint.answer_to, delay=5) as endpoint:
        start(endpoint)
        wait_until(lambda: len(endpoint.got) == judge.at_once)
        begun = time.monotonic()
        client.post(reverse("campaign-judge-cancel", args=[judge.campaign_id, judge.pk]))
        wait_until(lambda: not JUDGES.is_taken(judge.pk), 2)
        assert time.monotonic() - begun < 2
        judge.refresh_from_db()
        assert judge.status == JudgeStatus.CANCELLED
        assert judge.answers.status == Status.CLOSED
        time.sleep(5)  # until all would have come
        assert len(endpoint.got) == judge.at_once
    assert not JudgeAnswer.objects.exists()


def test_a_request_that_still_connects_is_dropped(monkeypatch, settings):
    """Else one of a run that ends would go out after it, and nobody would wait for its answer."""
    connect = http.client.HTTPConnection.connect

    def closed_meanwhile(connection):
        caller.close()
        connect(connection)

    monkeypatch.setattr(http.client.HTTPConnection, "connect", closed_meanwhile)
    with model_endpoint.serving(lambda body, number: "70") as endpoint:
        settings.JUDGE_ENDPOINTS = {"stub": endpoint.address}
        caller = Caller("stub")
        with pytest.raises(EndpointBusy, match="dropped"):
            caller.ask("m", [], schema=None, most_tokens=1, temperature=0, seed=None)
        assert endpoint.got == []
