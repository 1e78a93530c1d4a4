"""A campaign for judgments that were collected elsewhere, or for a plan from there."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from judgments.models import Campaign, Status, TestSet
from judgments.people.members.members import add_first_owner
from judgments.protocols import PRESETS, PROTOCOLS, RELEASED

NUMBER = r"-?[0-9]{1,6}(?:\.[0-9]{1,6})?"
DIMENSION = re.compile(
    rf"(?P<slug>[a-z][a-z0-9_]{{0,39}}):(?P<low>{NUMBER})?:(?P<high>{NUMBER})?(?P<step>:({NUMBER})?)?"
)


def parse_dimension(text: str) -> dict:
    """`slug:low:high` or `slug:low:high:step` → the campaign's option for a dimension of its own.

    An empty end is none: `mqm::0:` has no lowest value. Steps are whole numbers where none are
    named; an empty step lets any number between count. Raise ValueError for another form and for
    a scale without two values.
    """
    match = DIMENSION.fullmatch(text)
    if not match:
        raise ValueError(
            f"“{text}” should look like adequacy:1:5, believability:0:100 or mqm::0: (without a "
            "lowest value, and any number counts)."
        )
    low, high = _number(match["low"]), _number(match["high"])
    step = 1 if match["step"] is None else _number(match["step"][1:])
    if step is not None and step <= 0:
        raise ValueError(f"“{text}”: a step is a number above 0, or empty.")
    if low is not None and high is not None and (low >= high or low + (step or 0) > high):
        raise ValueError(f"“{text}” should look like adequacy:1:5, the lowest value first.")
    return {"slug": match["slug"], "low": low, "high": high} | ({} if step == 1 else {"step": step})


def _number(text: str | None) -> float | int | None:
    if not text:
        return None
    return float(text) if "." in text else int(text)


def new_campaign(
    test_set: TestSet,
    owner,
    name: str,
    preset: str,
    *,
    dimensions: tuple[dict, ...] = (),
    outputs_per_item: int | None = None,
    options: Mapping[str, Any] = MappingProxyType({}),
    instructions: str = "",
    status: str = Status.CLOSED,
) -> Campaign:
    """Return a campaign with its owner; closed where its judgments are complete.

    dimensions: what `parse_dimension` gives, for a preset that leaves them to the campaign, and
    for no other. options: of the protocol, above those of the preset; a release names its own.
    Raises ValueError for an unknown preset and for dimensions that do not go with it.
    """
    named = RELEASED.get(preset) or PRESETS.get(preset)
    if named is None:
        raise ValueError(f"There is no preset “{preset}”. The presets are {', '.join(PRESETS)}.")
    taking = [p.slug for p in PRESETS.values() if PROTOCOLS[p.protocol].takes_dimensions(p)]
    are_named = bool(dimensions) or "dimensions" in options
    if (preset in taking and not are_named) or (dimensions and preset not in taking):
        names = " and ".join(taking)
        raise ValueError(f"Dimensions belong to the preset {names}, which needs at least one.")
    slugs = [dimension["slug"] for dimension in dimensions]
    if len(set(slugs)) != len(slugs):
        raise ValueError("Two dimensions have the same name.")
    chosen = {**named.options, **options}
    if dimensions:
        chosen["dimensions"] = list(dimensions)
    if outputs_per_item is not None:
        if outputs_per_item < 1:
            raise ValueError("A screen shows at least one output.")
        chosen["outputs_per_item"] = outputs_per_item
    campaign = Campaign(
        name=name,
        test_set=test_set,
        protocol=named.protocol,
        preset=preset,
        options=chosen,
        instructions={"en": instructions} if instructions else {},
        status=status,
    )
    campaign.full_clean()
    campaign.save()
    add_first_owner(campaign, owner)
    return campaign
