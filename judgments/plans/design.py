"""The design: which tasks a campaign has, and what is on their screens."""

from dataclasses import replace

import numpy as np
from django.db import transaction

from judgments.models import AlteredOutput, Campaign, Judgment, Status, Task
from judgments.models.chains import record
from judgments.models.locks import lock_campaign
from judgments.protocols import protocol_of
from judgments.test_sets.deletion.rows import delete_items
from judgments.test_sets.word_links.asking import ask_for_plan

from . import layout, rows
from .composition import Composition, PlanError, compose, hidden_reference
from .controls.hidden_references import planned_reference
from .errors import check_size
from .previews import Preview, numbers
from .settings import PlanSettings


def preview(campaign: Campaign, settings: PlanSettings) -> Preview:
    """Return the numbers of what `plan` would write; writes nothing."""
    # What a race will leave out is not known: reckoned is what it takes at most.
    whole = replace(settings, choice="all") if settings.is_race else settings
    return numbers(campaign, settings, composed(campaign, whole))


@transaction.atomic
def plan(campaign: Campaign, settings: PlanSettings) -> list[Task]:
    """Write the tasks of a campaign in place of those it has, and keep its settings.

    Every seat of a batch sees the same screens, each in an order of its own. Raise PlanError when
    nothing can be judged, or when people have begun.
    """
    if settings.choice != "all" and campaign.stopping_plans.exists():
        raise PlanError("A stopping plan is registered, so all systems have to be shown.")
    kept = planned_reference(campaign)
    clear(campaign)
    made = composed(campaign, settings, kept=kept, write=True)
    check_size(made.n_items)
    orderer = None if keeps_order(campaign) else layout.Orderer(order_rng(settings))
    tasks = rows.write(campaign, made, orderer)
    campaign.plan = settings.stored()
    campaign.save(update_fields=["plan"])
    record.note(campaign.pk, "planned anew", "campaign", *record.WORK)
    ask_for_plan(campaign)
    return tasks


def keeps_order(campaign: Campaign) -> bool:
    """Return whether what a screen holds stays in its order, as the segments of a document do."""
    return protocol_of(campaign).unit in ("document", "whole document")


def composed(
    campaign: Campaign, settings: PlanSettings, *, kept: str | None = None, write=False
) -> Composition:
    """Return the plan of these settings. write: whether the hidden reference is stored. kept: the
    one that stays, of a plan that is no longer there."""
    if problems := list(settings.problems()):
        raise PlanError("; ".join(problems))
    hidden = hidden_reference(campaign, settings, kept=kept, write=write)
    return compose(campaign, settings, hidden=hidden)


def order_rng(settings: PlanSettings, wave: int = 1):
    """Return orders on screens have chance of their own, so that they change nothing else of a
    plan."""
    return np.random.default_rng([settings.seed, wave])


def clear(campaign: Campaign) -> None:
    """Delete the tasks of a campaign on which nobody has begun.

    The campaign's row is locked, as by an import, so that neither sees half of the other.
    """
    lock_campaign(campaign.pk)
    if campaign.by_model:
        raise PlanError("The plan of a language model belongs to its judge.")
    tasks = list(campaign.tasks.select_for_update(of=("self",)).order_by("pk"))
    if Judgment.objects.filter(campaign=campaign).exists():
        raise PlanError(
            "There are judgments, so the work cannot be planned again. Create another campaign."
        )
    if campaign.status == Status.OPEN and any(task.annotator_id for task in tasks):
        raise PlanError("Annotators are at work. Pause the campaign before you plan again.")
    delete_items(campaign)
    campaign.tasks.all().delete()
    AlteredOutput.objects.filter(campaign=campaign).delete()
    record.note(campaign.pk, "plan discarded", *record.WORK)
