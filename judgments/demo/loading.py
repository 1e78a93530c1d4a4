"""Write the demo into the database, once."""

import uuid
from datetime import timedelta
from pathlib import Path

import numpy as np
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from judgments.assignment import design
from judgments.chain.sealing import seal
from judgments.formats.texts import from_table
from judgments.importing.corpus import import_test_set
from judgments.models import (
    Campaign,
    Item,
    Judgment,
    Membership,
    Output,
    Preference,
    Rating,
    Role,
    Status,
    TestSet,
)
from judgments.people import new_guest
from judgments.protocols import PRESETS

from . import comprehension, marked_errors, simulation

TEST_SET = "Demo: the ferry and the workshop"
PASSWORD = "demo-mteval"
# (user name, password, role): the accounts of the demo, shown by ./run.
SIGN_INS = [
    ("manager", PASSWORD, "owner of the demo campaigns"),
    ("researcher", PASSWORD, "reads their results"),
    ("annotator", PASSWORD, "judges"),
]
INSTRUCTIONS = {
    "adequacy-fluency": """\
Read the source, then each translation, and answer the two questions for every translation.

- **Adequacy**: how much of the meaning is there? Forgive clumsy wording.
- **Fluency**: how well does it read? Forget the source; a fluent lie is still fluent.

Use the whole scale. There is no right share of good and bad.""",
    "pairwise": """\
Read the source, then both translations, and say which one you would rather use.

- A small slip that changes the meaning weighs more than clumsy wording.
- Choose **equal** when you would be content with either.""",
    "comprehension": PRESETS["comprehension"].instructions,
}


@transaction.atomic
def load() -> str:
    """Load the demo unless it is there already; says in a few words what happened."""
    if TestSet.objects.filter(name=TEST_SET).exists():
        return "already there"
    rng = np.random.default_rng(7)
    manager, researcher, annotator = (account(name, password) for name, password, _ in SIGN_INS)
    manager.is_staff = True
    manager.save()
    test_set = import_test_set(
        TestSet(
            name=TEST_SET,
            source_language="de",
            target_language="en",
            owner=manager,
            note="Thirty segments in two documents, written for the demo; the systems are made up.",
        ),
        from_table(Path(__file__).with_name("texts.tsv")),
    )
    outputs = Output.objects.filter(system__test_set=test_set).order_by("pk")
    quality = simulation.qualities(
        list(outputs.values_list("pk", "segment_id", "system__name")), rng
    )
    simulated = [(person, new_guest()) for person in simulation.ANNOTATORS]
    readers = np.random.default_rng(8)
    campaign = new_campaign(test_set, "comprehension", comprehension.NAME, manager, researcher)
    add_annotators(campaign, simulated, annotator)
    for task in comprehension.plan(campaign, readers):
        # One reader for each translation; the other seat is left to you.
        if task.seat == 1:
            comprehension.simulate(task, simulated[task.batch - 1][1], readers)
    for preset, name, size, write in (
        ("adequacy-fluency", "Demo: adequacy and fluency", 15, write_ratings),
        ("pairwise", "Demo: pairwise comparison", 90, write_preferences),
    ):
        campaign = new_campaign(test_set, preset, name, manager, researcher)
        add_annotators(campaign, simulated, annotator)
        # Four seats for each batch: three are judged, one is left to you.
        tasks = design.plan(campaign, seats=4, batch_size=size, rng=rng)
        for task in tasks:
            if task.seat < 4:
                person, user = simulated[(task.batch * 3 + task.seat) % len(simulated)]
                simulate(task, person, user, quality, rng, write)
    markers = np.random.default_rng(9)
    campaign = new_campaign(test_set, "esa", marked_errors.NAME, manager, researcher)
    add_annotators(campaign, simulated, annotator)
    for task in design.plan(campaign, seats=3, batch_size=40, rng=markers):
        # Two people mark each translation; the third seat is left to you.
        if task.seat < 3:
            person, user = simulated[(task.batch * 2 + task.seat) % (len(simulated) - 1)]
            simulate(task, person, user, quality, markers, marked_errors.write)
    return f"{test_set.segments.count()} segments, 4 campaigns, simulated judgments"


def add_annotators(campaign, simulated, annotator) -> None:
    for person, user in simulated:
        Membership.objects.create(
            campaign=campaign, user=user, role=Role.ANNOTATOR, alias=person.alias
        )
    Membership.objects.create(
        campaign=campaign, user=annotator, role=Role.ANNOTATOR, alias="annotator"
    )


def account(name: str, password: str):
    """The demo's account of that name; one that exists keeps its password."""
    user, made = get_user_model().objects.get_or_create(username=name)
    if made:
        user.set_password(password)
        user.save()
    return user


def new_campaign(test_set, preset, name, manager, researcher) -> Campaign:
    campaign = Campaign.objects.create(
        name=name,
        test_set=test_set,
        protocol=PRESETS[preset].protocol,
        preset=preset,
        options=PRESETS[preset].options,
        instructions={"en": INSTRUCTIONS.get(preset) or PRESETS[preset].instructions},
        status=Status.OPEN,
        simulated=True,
    )
    for user, role in ((manager, Role.OWNER), (researcher, Role.RESEARCHER)):
        Membership.objects.create(campaign=campaign, user=user, role=role, alias=user.username)
    return campaign


def simulate(task, person, user, quality, rng, write) -> None:
    """Let a simulated annotator judge a whole task; `write` stores the answers."""
    items = list(task.items.prefetch_related("shown__output").order_by("position"))
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
                active_ms=active,
            )
        )
    Judgment.objects.bulk_create(judgments)
    write(judgments, person, quality, rng)
    seal(judgments)
    Item.objects.filter(task=task).update(is_judged=True)
    task.annotator, task.claimed_at = user, judgments[0].started_at
    task.n_judged, task.active_ms = len(items), sum(j.active_ms for j in judgments)
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
            value=simulation.rating(person, quality[row.output_id][d], rng),
        )
        for row in judgment.item.shown.all()
        for d, dimension in enumerate(["adequacy", "fluency"])
    ]


def preference_of(judgment, person, quality, rng) -> Preference:
    first, second = (row.output_id for row in judgment.item.shown.all())
    return Preference(
        judgment=judgment,
        output_a_id=first,
        output_b_id=second,
        value=simulation.preference(person, quality[first][0], quality[second][0], rng),
    )
