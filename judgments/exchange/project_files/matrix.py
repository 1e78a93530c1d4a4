"""What a project's file says, and the campaigns that it makes: each is what all have in common,
with what one language pair, one protocol and one round say besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from judgments.files.texts import LONGEST_NAME
from judgments.plans.projects.forms import MOST_CAMPAIGNS

from ..campaign_files.nodes import FileMapping
from ..campaign_files.shapes import Shape, any_of, list_of, mapping, shape, some_text

MOST_LINKS_OF_A_PAIR = 200
LONGEST_DAYS = 366


def project_shape() -> Shape:
    """Return the JSON Schema of a file, but for what stands within campaigns: a campaign's own
    schema checks that once it is put together."""
    number = shape("integer", "Which round it is of, where there are no rounds.", minimum=1)
    part = shape("object", "Keys of a campaign's file.")
    pair = shape("object", "Keys of a campaign's file.", properties={"round": number})
    texts = some_text(LONGEST_NAME, "The name of an existing test set.")
    links = {
        "for_each_pair": shape("integer", minimum=1, maximum=MOST_LINKS_OF_A_PAIR),
        "days": shape("integer", minimum=1, maximum=LONGEST_DAYS, default=60),
    }
    keys = {
        "name": some_text(200, "What the project is called."),
        "address": shape("string", "A short word for addresses, such as wmt26.", maxLength=60),
        "description": shape("string", maxLength=5000),
        "campaigns": shape("object", "What all campaigns have in common."),
        "pairs": list_of(
            any_of(texts, pair, words="A test set, or keys of a campaign's file."),
            MOST_CAMPAIGNS,
            "One for each language pair.",
            minItems=1,
        ),
        "protocols": list_of(part, 20, "One for each protocol.", minItems=1),
        "rounds": list_of(part, 50, "One for each round.", minItems=1),
        "links": mapping(links, "Links for annotators.", required=["for_each_pair"]),
    }
    return mapping(keys, "A project as a file.", required=["name", "pairs"])


@dataclass(frozen=True)
class PlannedCampaign:
    """A campaign: its document, and which round it is of, None where there are no rounds."""

    document: FileMapping
    round: int | None

    @property
    def name(self) -> str:
        return str(self.document.get("name", ""))


def cells(root: FileMapping) -> Iterator[PlannedCampaign]:
    """Return the campaigns of a file that fits the schema, pair by pair."""
    nothing = FileMapping(root.place)
    common = root.get("campaigns", nothing)
    rounds: list[tuple[int | None, FileMapping]] = [*enumerate(root.get("rounds", ()), 1)]
    several = len(root.get("protocols", ())) > 1
    pairs = [pair_part(root["pairs"], place) for place in range(len(root["pairs"]))]
    for pair, protocol, (number, of_round) in product(
        pairs, root.get("protocols", [nothing]), rounds or [(None, nothing)]
    ):
        document = merged(common, pair, protocol, of_round)
        number = number or document.pop("round", None)
        if not any("name" in each for each in (pair, protocol, of_round)):
            words = [root["name"].strip(), texts_name(document)]
            words += [str(document.get("preset", ""))] if several else []
            words += [f"round {number}"] if number else []
            document["name"] = ", ".join(filter(None, words))
            document.keys_at["name"] = document.places["name"] = pair.place
        yield PlannedCampaign(document, number)


def pair_part(pairs: Any, place: int) -> FileMapping:
    """Return a language pair as keys of a campaign's file, also where it is the name of a test
    set."""
    said, at = pairs[place], pairs.places[f"{place + 1}"]
    if isinstance(said, FileMapping):
        return said
    found = FileMapping(at)
    found["texts"] = said
    found.places["texts"] = found.keys_at["texts"] = at
    return found


def merged(*parts: FileMapping) -> FileMapping:
    """Return one mapping of several; of a key that several have, mappings are merged too, and of
    any other value the last one counts. Each knows where it stands in the file."""
    found = FileMapping(parts[-1].place)
    for part in parts:
        for key, value in part.items():
            before = found.get(key)
            if isinstance(before, FileMapping) and isinstance(value, FileMapping):
                value = merged(before, value)
            found[key] = value
            found.places[key], found.keys_at[key] = part.places[key], part.keys_at[key]
    return found


def texts_name(document: FileMapping) -> str:
    texts = document.get("texts", "")
    return str(texts.get("name", "") if isinstance(texts, dict) else texts).strip()
