"""The design: the tasks of a campaign, and the content of their screens."""

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
    """Return the numbers of the plan that `plan` would write; write nothing."""
    # It is unknown which systems a race will leave out: this counts the maximum.
    whole = replace(settings, choice="all") if settings.is_race else settings
    return numbers(campaign, settings, composed(campaign, whole))


@transaction.atomic
def plan(campaign: Campaign, settings: PlanSettings) -> list[Task]:
    """Replace the tasks of a campaign, and store the plan's settings.

    Every seat of a batch sees the same screens, each in a different order. Raise PlanError if
    nothing can be judged, or if people have begun.
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
    """Return whether the content of a screen keeps its order, like the segments of a document."""
    return protocol_of(campaign).unit in ("document", "whole document")


def composed(
    campaign: Campaign, settings: PlanSettings, *, kept: str | None = None, write=False
) -> Composition:
    """Return the plan of these settings. write: whether to store the hidden reference. kept: the
    reference to keep from a plan that has been deleted."""
    if problems := list(settings.problems()):
        raise PlanError("; ".join(problems))
    hidden = hidden_reference(campaign, settings, kept=kept, write=write)
    return compose(campaign, settings, hidden=hidden)


def order_rng(settings: PlanSettings, wave: int = 1):
    """Return a separate random generator for orders on screens, so that they change nothing else of
    a plan."""
    return np.random.default_rng([settings.seed, wave])


def clear(campaign: Campaign) -> None:
    """Delete the tasks of a campaign on which nobody has begun.

    The campaign's row is locked, as in an import, so that neither sees the other half done.
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
