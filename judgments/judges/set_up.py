"""A judge's own campaign: the people's questions about the same texts, one answer at a time."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Judge,
    Judgment,
    Membership,
    Role,
    Status,
    Task,
)
from judgments.models.chains import record
from judgments.models.locks import lock_campaign
from judgments.plans.campaigns.opening import set_status
from judgments.plans.design import clear, plan
from judgments.plans.errors import PlanError
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of

from .prompts import PROMPTS
from .questions import screen_for

# What helps people, and would tell a model what others think.
HELPS = ("prefilled", "word_links", "omission_hints")
WHOLE_BATCH = 1_000_000  # words


def why_not(campaign: Campaign) -> str:
    """Return why no model can judge what people judge here; empty where one can."""
    protocol = protocol_of(campaign)
    if campaign.by_model:
        return "This campaign already contains the answers of a model."
    if not protocol.asks_models:
        return f"Models cannot be asked for this protocol, {protocol.name}."
    if reason := protocol.why_only_read():
        return reason
    if protocol.asks_nothing():
        return "The campaign asks no question."
    if not campaign.test_set.has_texts:
        return "The test set has no texts here."
    if campaign.test_set.has_media is not False:
        return "Sound and pictures are not sent to models."
    return ""


@transaction.atomic
def make(campaign: Campaign, judge: Judge, *, segments: int | None) -> Judge:
    """Store a judge of a campaign with a campaign of its own, in which its work is planned. Who may
    read the people's campaign may read that one, too.

    judge: not stored yet. segments: how many it judges, None for all. Raise PlanError.
    """
    lock_campaign(campaign.pk)
    own = Campaign.objects.create(
        name=f"{campaign.name[:150]} · {judge.name}",
        test_set=campaign.test_set,
        protocol=campaign.protocol,
        preset=campaign.preset,
        options=options_of(campaign),
        instructions=instructions_of(campaign),
        guideline_version=campaign.guideline_version,
    )
    for question in campaign.questions.all():
        question.pk, question.campaign = None, own
        question.save(force_insert=True)
    judge.campaign, judge.answers = campaign, own
    judge.save()
    plan(own, plan_for(campaign, judge, segments))
    if protocol_of(own).in_pairs:
        show_both_orders(own)
    own.by_model = True  # from here on nobody plans in it or is asked to judge
    own.save(update_fields=["by_model"])
    for sample in range(1, judge.samples + 1):
        seat_for(judge, sample)
    require_fitting(judge)
    return judge


def require_fitting(judge: Judge) -> None:
    """Raise PlanError for a prompt that cannot ask what the campaign asks."""
    protocol, prompt = protocol_of(judge.answers), PROMPTS[judge.prompt]
    item = Item.objects.filter(task__campaign=judge.answers).first()
    if item is not None and not prompt.fits(screen_for(protocol, item).questions):
        raise PlanError(f"{prompt.name} asks for {prompt.asks_for}, and this campaign does not.")


def options_of(campaign: Campaign) -> dict[str, Any]:
    """Return the people's options; each translation by itself, unless a screen never shows one
    alone."""
    found = campaign.options | dict.fromkeys(HELPS, False)
    is_alone = protocol_of(campaign).outputs_per_item()[0] == 1
    return found | {"outputs_per_item": 1} if is_alone else found


def instructions_of(campaign: Campaign) -> dict[str, str]:
    """Return the campaign's own words; none where they are the usual ones, which may speak of help
    that a model does not get."""
    usual = protocol_of(campaign).instructions().split()
    return {code: text for code, text in campaign.instructions.items() if text.split() != usual}


def plan_for(campaign: Campaign, judge: Judge, segments: int | None) -> PlanSettings:
    """Return all that people may be asked to judge, or so many segments of it, without control
    items."""
    try:
        theirs = PlanSettings.read(campaign.plan)
    except ValueError:
        theirs = PlanSettings()
    return PlanSettings(
        systems=theirs.systems,
        block_length=theirs.block_length,
        segments=segments,
        equal_once=theirs.equal_once,
        comparisons=theirs.comparisons,
        batch_words=WHOLE_BATCH,
        seats=judge.samples,
        seed=theirs.seed,
    )


def show_both_orders(own: Campaign) -> None:
    """Of two samples, the second sees each pair the other way round."""
    items = Item.objects.filter(task__campaign=own).order_by("task__batch", "position")
    first = dict(
        items.filter(task__seat=1).values_list("pk", F("task__batch") * 1_000_000 + F("position"))
    )
    order: dict[int, list[int]] = {}
    rows = ItemOutput.objects.filter(item__in=first).order_by("item", "position")
    for item, output in rows.values_list("item", "output"):
        order.setdefault(first[item], []).append(output)
    others = items.exclude(task__seat=1)
    places = others.values_list("pk", F("task__batch") * 1_000_000 + F("position"), "task__seat")
    shown = [
        ItemOutput(item_id=item, output_id=output, position=position)
        for item, place, seat in places
        for position, output in enumerate(order[place] if seat % 2 else order[place][::-1])
    ]
    ItemOutput.objects.filter(item__in=others).delete()
    ItemOutput.objects.bulk_create(shown, batch_size=5000)


def seat_for(judge: Judge, sample: int) -> None:
    """The account under which the answers of one sample are stored, with its tasks. Nobody can sign
    in with it."""
    user = get_user_model()(username=f"model-{uuid.uuid4()}", is_active=False)
    user.set_unusable_password()
    user.save()
    alias = judge.name if sample == 1 else f"{judge.name} {sample}"
    Membership.objects.create(campaign=judge.answers, user=user, role=Role.ANNOTATOR, alias=alias)
    tasks = Task.objects.filter(campaign=judge.answers, seat=sample)
    tasks.update(annotator=user, claimed_at=timezone.now())


@transaction.atomic
def open_for(judge: Judge) -> None:
    """Let its judgments be stored, and what it is asked be recorded."""
    own = lock_campaign(judge.answers_id)
    if own.status != Status.OPEN:
        own.status = Status.OPEN
        own.save(update_fields=["status"])
        record.begin(own.pk, "opened")
    judge.answers.status = Status.OPEN


def close_for(judge: Judge) -> None:
    own = Campaign.objects.get(pk=judge.answers_id)
    if own.status == Status.OPEN:
        set_status(own, Status.CLOSED)


@transaction.atomic
def delete(judge: Judge) -> None:
    """Delete a judge that has not judged anything, with its work. Raise PlanError."""
    locked = lock_campaign(judge.answers_id)
    if Judgment.objects.filter(campaign=locked).exists() or judge.raw_answers.exists():
        raise PlanError("It has judged already. Delete the campaign with its answers instead.")
    users = list(
        locked.memberships.filter(role=Role.ANNOTATOR).order_by().values_list("user", flat=True)
    )
    locked.by_model = False
    clear(locked)
    locked.delete()
    get_user_model().objects.filter(pk__in=users, is_active=False).delete()
