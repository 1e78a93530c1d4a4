"""A campaign for judgments that were collected elsewhere."""

import re

from judgments.models import Campaign, Membership, Role, Status, TestSet
from judgments.protocols import PRESETS, PROTOCOLS

DIMENSION = re.compile(
    r"(?P<slug>[a-z][a-z0-9_]{0,39}):(?P<low>-?[0-9]{1,6}):(?P<high>-?[0-9]{1,6})"
)


def parse_dimension(text: str) -> dict:
    """`slug:low:high` → the campaign's option for a dimension of its own.

    Raises ValueError for another form and for a scale without two values.
    """
    match = DIMENSION.fullmatch(text)
    if not match or int(match["low"]) >= int(match["high"]):
        raise ValueError(f"“{text}” should look like adequacy:1:5 or believability:0:100.")
    return {"slug": match["slug"], "low": int(match["low"]), "high": int(match["high"])}


def new_campaign(
    test_set: TestSet,
    owner,
    name: str,
    preset: str,
    *,
    dimensions: tuple[dict, ...] = (),
    outputs_per_item: int | None = None,
) -> Campaign:
    """A closed campaign (its judgments are complete) with its owner.

    dimensions: what `parse_dimension` gives, for a preset that leaves them to the campaign, and
    for no other.
    Raises ValueError for an unknown preset and for dimensions that do not go with it.
    """
    if preset not in PRESETS:
        raise ValueError(f"There is no preset “{preset}”. The presets are {', '.join(PRESETS)}.")
    taking = [p.slug for p in PRESETS.values() if PROTOCOLS[p.protocol].takes_dimensions(p)]
    if bool(dimensions) != (preset in taking):
        names = " and ".join(taking)
        raise ValueError(f"Dimensions belong to the preset {names}, which needs at least one.")
    slugs = [dimension["slug"] for dimension in dimensions]
    if len(set(slugs)) != len(slugs):
        raise ValueError("Two dimensions have the same name.")
    options = dict(PRESETS[preset].options)
    if dimensions:
        options["dimensions"] = list(dimensions)
    if outputs_per_item is not None:
        if outputs_per_item < 1:
            raise ValueError("A screen shows at least one output.")
        options["outputs_per_item"] = outputs_per_item
    campaign = Campaign(
        name=name,
        test_set=test_set,
        protocol=PRESETS[preset].protocol,
        preset=preset,
        options=options,
        status=Status.CLOSED,
    )
    campaign.full_clean()
    campaign.save()
    Membership.objects.create(
        campaign=campaign, user=owner, role=Role.OWNER, alias=owner.get_username()
    )
    return campaign
