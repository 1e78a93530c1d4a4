"""Loads the demo into the database, once."""

import json
import uuid
from datetime import timedelta
from pathlib import Path

import numpy as np
import yaml
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from judgments.exchange.campaign_files.loader import create_campaign
from judgments.files.copying import analyze
from judgments.models import (
    Campaign,
    ErrorSpan,
    Item,
    JudgeAnswer,
    Judgment,
    Membership,
    Output,
    Preference,
    Project,
    Rating,
    Role,
    Task,
    TestSet,
)
from judgments.models.chains.sealing import seal
from judgments.people.members.members import new_guest
from mteval_site.demo_accounts import SIGN_INS, TEST_SET

from . import comprehension, marked_errors, model_judge, simulation

FOLDER = Path(__file__).parent


@transaction.atomic
def load() -> str:
    """Load the demo unless it exists; return a short message about the result."""
    if TestSet.objects.filter(name=TEST_SET).exists():
        return "already there"
    manager, _, annotator = (account(name, password) for name, password, _ in SIGN_INS)
    manager.is_staff = True
    manager.save()
    test_set = fill(manager, annotator, slug="demo")
    n_segments = test_set.segments.count()
    return f"{n_segments} segments, 4 campaigns in a project, simulated judgments, also of a model"


def fill(manager, annotator, *, slug: str) -> TestSet:
    """Write the demo for these accounts: its test set, its campaigns and their project.

    slug: the address of the project.
    """
    rng = np.random.default_rng(7)
    campaign = new_campaign("comprehension", manager)  # this file contains the texts
    outputs = Output.objects.filter(system__test_set=campaign.test_set).order_by("pk")
    quality = simulation.qualities(
        list(outputs.values_list("pk", "segment_id", "system__name")), rng
    )
    simulated = [(person, new_guest()) for person in simulation.ANNOTATORS]
    # With this seed readers understand the systems in the order in which they are listed.
    readers = np.random.default_rng(90)
    add_annotators(campaign, simulated, annotator)
    for task in tasks_of(campaign):
        # One reader for each translation; the other seat is left to you.
        if task.seat == 1:
            comprehension.simulate(task, simulated[task.batch - 1][1], readers)
    for name, write in (("adequacy-fluency", write_ratings), ("pairwise", write_preferences)):
        campaign = new_campaign(name, manager)
        add_annotators(campaign, simulated, annotator)
        # Four seats for each batch: three are judged, one is left to you.
        for task in tasks_of(campaign):
            if task.seat < 4:
                person, user = simulated[(task.batch * 3 + task.seat) % len(simulated)]
                simulate(task, person, user, quality, rng, write)
        analyze_answers(campaign)
    markers = np.random.default_rng(9)
    campaign = new_campaign("esa", manager)
    add_annotators(campaign, simulated, annotator)
    for task in tasks_of(campaign):
        # Two people mark each translation; the third seat is left to you.
        if task.seat < 3:
            person, user = simulated[(task.batch * 2 + task.seat + 1) % len(simulated)]
            simulate(task, person, user, quality, markers, marked_errors.write)
    analyze_answers(campaign)
    make_project(manager, campaign.test_set, slug)
    add_judge(campaign, quality)
    return campaign.test_set


def analyze_answers(campaign: Campaign) -> None:
    n_judgments = campaign.judgments.count()
    analyze(ErrorSpan, JudgeAnswer, Judgment, Preference, Rating, added=n_judgments)


def new_campaign(name: str, manager) -> Campaign:
    """Return the campaign that a file of the demo describes."""
    document = yaml.safe_load((FOLDER / f"{name}.yaml").read_bytes())
    if manager.get_username() != SIGN_INS[0][0]:  # a copy, whose people are its own
        del document["people"]
    return create_campaign(json.dumps(document), manager, folder=FOLDER)


def make_project(manager, test_set: TestSet, slug: str) -> None:
    """Create a project with all campaigns of the demo."""
    project = Project.objects.create(
        name="Demo: one test set, four protocols",
        slug=slug,
        description="The same translations, rated, compared, marked and asked about.",
        owner=manager,
    )
    project.campaigns.add(*test_set.campaigns.order_by("pk"))


def add_judge(campaign: Campaign, quality) -> None:
    """Add a simulated language model that judges the same items as people."""
    judge = model_judge.make(campaign)
    rng = np.random.default_rng(11)
    for task in tasks_of(judge.answers):
        simulate(task, simulation.MODEL, task.annotator, quality, rng, marked_errors.write)
    model_judge.finish(judge)


def tasks_of(campaign: Campaign) -> list[Task]:
    return list(campaign.tasks.order_by("batch", "seat"))


def add_annotators(campaign, simulated, annotator) -> None:
    for person, user in simulated:
        Membership.objects.create(
            campaign=campaign, user=user, role=Role.ANNOTATOR, alias=person.alias
        )
    Membership.objects.create(
        campaign=campaign, user=annotator, role=Role.ANNOTATOR, alias="annotator"
    )


def account(name: str, password: str):
    """Return the demo's account of that name; an existing one keeps its password."""
    user, made = get_user_model().objects.get_or_create(username=name)
    if made:
        user.set_password(password)
        user.save()
    return user


def simulate(task, person, user, quality, rng, write) -> None:
    """Let a simulated annotator judge a whole task; `write` stores the answers."""
    items = list(
        task.items.prefetch_related("shown__output", "shown__altered").order_by("position")
    )
    moment = timezone.now() - timedelta(days=2) + timedelta(hours=task.batch)
    judgments = []
    for item in items:
        active = simulation.milliseconds(person, rng)
        started, moment = moment, moment + timedelta(milliseconds=active)
        judgments.append(
            Judgment(
                item=item,
                campaign=task.campaign,
                annotator=user,
                client_key=uuid.uuid4(),
                started_at=started,
                submitted_at=moment,
                active_ms=None if person.is_model else active,
            )
        )
    Judgment.objects.bulk_create(judgments)
    write(judgments, person, quality, rng)
    seal(judgments)
    Item.objects.filter(task=task).update(is_judged=True)
    task.annotator = user
    task.claimed_at = task.assigned_at = judgments[0].started_at
    task.n_judged, task.active_ms = len(items), sum(j.active_ms or 0 for j in judgments)
    task.last_judged_at = moment
    task.save()


def write_ratings(judgments, person, quality, rng) -> None:
    Rating.objects.bulk_create(
        row for judgment in judgments for row in ratings_of(judgment, person, quality, rng)
    )


def write_preferences(judgments, person, quality, rng) -> None:
    Preference.objects.bulk_create(
        preference_of(judgment, person, quality, rng) for judgment in judgments
    )


def ratings_of(judgment, person, quality, rng) -> list[Rating]:
    return [
        Rating(
            judgment=judgment,
            output_id=row.output_id,
            dimension=dimension,
            value=simulation.rating(person, simulation.seen(person, row, quality)[d], rng),
        )
        for row in judgment.item.shown.all()
        for d, dimension in enumerate(["adequacy", "fluency"])
    ]


def preference_of(judgment, person, quality, rng) -> Preference:
    first, second = judgment.item.shown.all()
    one, other = (simulation.seen(person, row, quality)[0] for row in (first, second))
    return Preference(
        judgment=judgment,
        output_a_id=first.output_id,
        output_b_id=second.output_id,
        value=simulation.preference(person, one, other, rng),
    )
