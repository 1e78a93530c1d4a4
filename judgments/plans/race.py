"""The waves of a race: one after the other, each planned when the one before it is judged."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import F, Max

from judgments.models import Campaign
from judgments.models.chains import record
from judgments.models.locks import lock_campaign
from judgments.stats.planning.choice import racing_systems
from judgments.test_sets.word_links.asking import ask_for_plan

from . import layout, rows
from .choice import RaceWave
from .composition import check_screens, chosen_systems, compose, hidden_reference
from .controls.hidden_references import planned_reference
from .design import order_rng
from .errors import PlanError, check_size
from .settings import PlanSettings


@dataclass(frozen=True)
class RaceState:
    """The ``number`` of the last wave that is planned, of ``n_waves``; ``n_waiting``: its items
    that are to be judged; ``systems``: the names of those that take part, which are those of the
    first wave: whatever came to the texts later has no chances in it."""

    number: int
    n_waves: int
    n_waiting: int
    systems: tuple[str, ...]

    @property
    def next(self) -> int:
        return self.number + 1

    @property
    def is_last(self) -> bool:
        return self.number >= self.n_waves


def race_state(campaign: Campaign) -> RaceState | None:
    """Where the race of a campaign is; None where there is none."""
    if not PlanSettings.read(campaign.plan).is_race:
        return None
    last = campaign.tasks.exclude(choice=None).order_by("-batch").first()
    if last is None or last.choice is None:
        return None
    waiting = campaign.tasks.planned().filter(is_unfinished=True)
    n = sum(waiting.values_list(F("n_items") - F("n_judged"), flat=True))
    choice = last.choice
    return RaceState(choice["wave"], choice["waves"], n, tuple(choice["chances"]))


@transaction.atomic
def plan_race_wave(
    campaign: Campaign, *, number: int, find: Callable[[Campaign], Collection[int]]
) -> RaceWave:
    """Plan the wave of this ``number``: systems in question in every block, the others seldom.
    ``find``: which these are, asked for when all else is well. Raise PlanError where it is not the
    next one, or the one before is not judged."""
    check_screens(campaign)
    campaign = lock_campaign(campaign.pk)
    state = race_state(campaign)
    if state is None or state.is_last or number != state.number + 1:
        raise PlanError("There is no such wave to plan.")
    if state.n_waiting:
        raise PlanError(
            f"Wave {state.number} is not judged yet: {state.n_waiting:,} items are waiting."
        )
    settings = replace(PlanSettings.read(campaign.plan), systems=state.systems)
    systems = tuple(sorted(chosen_systems(campaign, settings)))
    contenders = find(campaign)
    choice = racing_systems([system in contenders for system in systems])
    wave = RaceWave(number, systems, choice, settings.wave_documents)
    hidden = hidden_reference(campaign, settings, kept=planned_reference(campaign), write=True)
    made = compose(campaign, settings, hidden=hidden, wave=wave)
    check_size(made.n_items)
    after = campaign.tasks.aggregate(last=Max("batch"))["last"] or 0
    orderer = layout.Orderer(order_rng(settings, number))
    rows.write(campaign, made, orderer, after=after)
    record.note(campaign.pk, "wave planned", *record.WORK, only_new=True)
    ask_for_plan(campaign)
    return wave
