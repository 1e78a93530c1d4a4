"""Acts of annotators and managers in a campaign, by name, for `large_judging.py`."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from large_site import BATCH, Judged, slug_of

N_IMPORTED = 5000
Step = tuple[str, Callable[[], object]]


def annotator_steps(judged: Judged) -> Iterator[Step]:
    """Yield the steps of a new annotator, who takes a batch, opens an item, gets the next one, and
    answers it."""
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from judgments.models import Membership, Role

    campaign, name = judged.campaign, f"new-{time.time_ns()}"
    user = User.objects.create(username=name, password="!")
    Membership.objects.create(campaign=campaign, user=user, role=Role.ANNOTATOR, alias=name)
    client = Client()
    client.force_login(user)
    judge = reverse("judge", args=[campaign.pk])
    page = reverse("judge-item", args=[campaign.pk, 1])
    tickets: list[str] = []

    def ok(response) -> None:
        assert response.status_code == 200, response.content

    def row() -> None:
        text = client.get(page, headers={"x-rows": "1"}).json()["rows"]["1"]
        tickets.extend(re.findall(r'name="ticket" value="([^"]+)"', text))

    def answer() -> None:
        given = {"ticket": tickets[-1], f"output1-{slug_of(campaign)}": "50"}
        assert client.post(page, given).status_code == 302

    yield "offer of a batch", lambda: ok(client.get(judge))
    yield "first page", lambda: ok(client.post(judge, follow=True))
    yield "row", row
    yield "submission", answer
    yield "start page of an annotator", lambda: ok(client.get("/"))
    yield "list of items", lambda: ok(client.get(reverse("judge-items", args=[campaign.pk])))


def old_hand_steps(judged: Judged) -> Iterator[Step]:
    """Yield the steps of an annotator who has judged from the beginning; earlier batches that were
    not begun are free again."""
    from django.test import Client
    from django.urls import reverse

    from judgments.models import Task

    taken = Task.objects.filter(campaign=judged.campaign, annotator=judged.task.annotator)
    taken.filter(n_judged=0).update(annotator=None, claimed_at=None, leased_until=None)
    client = Client()
    client.force_login(judged.task.annotator)
    judge = reverse("judge", args=[judged.campaign.pk])

    def took() -> None:
        assert client.post(judge, follow=True).status_code == 200

    yield "next batch of an old hand", took


def manager_steps(judged: Judged) -> Iterator[Step]:
    from django.test import Client
    from django.urls import reverse

    client = Client()
    client.force_login(judged.owner)

    def page(name: str, *more: object) -> Callable[[], None]:
        def opened() -> None:
            response = client.get(reverse(name, args=[judged.campaign.pk, *more]))
            assert response.status_code == 200, response.content

        return opened

    yield "list of campaigns", lambda: client.get(reverse("campaigns"))
    yield "campaign", page("campaign")
    yield "design", page("campaign-design")
    yield "people", page("campaign-people")
    yield "watch", page("watch")
    for part in ("counters", "progress", "annotators", "notes"):
        yield f"watch: {part}", page("watch-part", part)
    yield "exports", page("exports")


def plan_steps(judged: Judged) -> Iterator[Step]:
    """Yield the steps of planning 2,000 items in another campaign of the same test set, and
    importing 5,000 judgments into another one and into the campaign itself."""
    from judgments.exchange.judgments.importer import import_judgments
    from judgments.plans import design
    from judgments.plans.settings import PlanSettings
    from tests import factory

    texts, name = judged.campaign.test_set, f"{time.time_ns()}"
    given = {"preset": "direct-assessment", "owner": judged.owner}
    other = factory.make_campaign(texts, name=name, **given)
    settings = PlanSettings(batch_items=BATCH, repeats=1, degraded=1)
    yield "plan", lambda: design.plan(other, settings)
    imported = factory.make_campaign(texts, name=f"{name} imported", **given)
    for what, campaign in (("import", imported), ("import here", judged.campaign)):
        file = Path(tempfile.mkdtemp(prefix="mteval-bench-", dir="/tmp")) / "judgments.tsv"
        file.write_text(ratings(judged, name))

        def bring(campaign=campaign, file=file) -> None:
            assert import_judgments(campaign, file).judgments == N_IMPORTED

        yield what, bring


def ratings(judged: Judged, name: str) -> str:
    """Return ratings by ten annotators with new names each time."""
    texts = judged.campaign.test_set
    keys = list(texts.segments.values_list("key", flat=True))
    systems = list(texts.systems.values_list("name", flat=True))
    lines = ["annotator\tsegment\tsystem\tdimension\tvalue"]
    lines += [
        f"{name}-{n // 500}\t{keys[n % 500 % len(keys)]}\t"
        f"{systems[n % 500 // len(keys)]}\t{slug_of(judged.campaign)}\t50"
        for n in range(N_IMPORTED)
    ]
    return "\n".join(lines) + "\n"


def all_steps(judged: Judged) -> Iterator[Step]:
    for steps in (annotator_steps, old_hand_steps, manager_steps, plan_steps):
        yield from steps(judged)
