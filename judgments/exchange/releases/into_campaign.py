"""Judgments of any format into a campaign that exists, in place of a new one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from judgments.files.problem import ImportProblem
from judgments.files.texts import SegmentTexts
from judgments.models import Campaign, Output, TestSet
from judgments.people import access
from judgments.protocols import PROTOCOLS, preset_named, protocol_of
from judgments.protocols.tables import ReadTable

from .records import JudgedScreen, JudgmentsPart, OpenQuestion, Release
from .stand_in import StandIn

CAMPAIGN = "campaign"  # the question
SEGMENTS_AT_ONCE = 500
UNKNOWN = {("", ""), ("und", "und")}  # languages
OTHERWISE = "its text reads otherwise in the test set of the campaign"


def questions_of(release: Release, owner: Any) -> list[OpenQuestion]:
    """Return the question to which campaign the judgments belong, if the owner runs any that could
    receive them."""
    languages = {(each.source_language, each.target_language) for each in release.texts}
    campaigns = access.run_campaigns(owner).exclude(by_model=True).order_by("-pk")
    choices = [
        (str(campaign.pk), campaign.name)
        for campaign in (campaigns.select_related("test_set") if release.judgments else ())
        if any(takes(campaign, part) for part in release.judgments)
        and is_of(campaign.test_set, languages)
    ]
    if not choices:
        return []
    hint = "In a campaign that exists, its own texts, scales, errors and weights count."
    new = ("", "a new campaign")
    label = "Add the judgments to"
    return [OpenQuestion(CAMPAIGN, label, hint, [new, *choices], required=False)]


def is_of(test_set: TestSet, languages: set[tuple[str, str]]) -> bool:
    known = StandIn(test_set)
    return bool(languages & UNKNOWN) or any(known.is_of(*pair) for pair in languages)


def chosen(questions: Sequence[OpenQuestion], answers: Mapping[str, str]) -> Campaign | None:
    """Return the campaign that answers the question, if it was asked and one of its choices."""
    number = answers.get(CAMPAIGN)
    choices = [value for each in questions if each.name == CAMPAIGN for value, _ in each.choices]
    found = Campaign.objects.select_related("test_set")
    return found.get(pk=number) if number and number in choices else None


def takes(campaign: Campaign, part: JudgmentsPart) -> bool:
    """Return whether a part has the kind of judgments that a campaign asks for."""
    own = protocol_of(campaign)
    is_same = isinstance(own, PROTOCOLS[preset_named(part.preset).protocol])
    of_people = bool(part.options.get("are_means")) == bool(campaign.options.get("are_means"))
    return is_same and of_people and isinstance(own.table, ReadTable)


def fitting(release: Release, campaign: Campaign) -> Release:
    """Return what a campaign can receive of a release; its notes name the rest. Raise ImportProblem
    if nothing is left."""
    judgments = [part for part in release.judgments if takes(campaign, part)]
    if not judgments:
        reason = f"{campaign.name} asks for other judgments than there are in these files."
        raise ImportProblem(CAMPAIGN, None, "", reason)
    if len(judgments) > 1:
        names = ", ".join(part.name for part in judgments)
        reason = f"{names}: one at a time. Import only the files of one of them."
        raise ImportProblem(CAMPAIGN, None, "", reason)
    keys = {part.texts for part in judgments}
    texts = [
        replace(part, post_edits=None, media=None) for part in release.texts if part.key in keys
    ]
    others = [part.name for part in release.judgments if part not in judgments]
    others += [part.name for part in release.plans]
    others += [part.name for part in release.texts if part.key not in keys]
    more = {
        "post-edits": any(part.post_edits for part in release.texts),
        "media": any(part.media for part in release.texts),
        "scores of metrics": release.scores,
        "published figures": release.published or any(part.published for part in judgments),
        "exclusions": any(part.exclusions for part in judgments),
    }
    others += [name for name, is_there in more.items() if is_there]
    note = f"Left out, since the judgments go into {campaign.name}: {', '.join(others)}."
    return replace(
        release,
        texts=texts,
        judgments=[replace(part, published=(), exclusions=()) for part in judgments],
        plans=[],
        scores=[],
        published=[],
        notes=[*release.notes, *([note] if others else [])],
    )


def differing(segments: Iterable[SegmentTexts], test_set: TestSet) -> set[tuple[str, str]]:
    """Return (segment, system) of the texts that read otherwise in a test set, except for spaces at
    the end; "" in place of a system is the source. Texts that the set lacks are not among them."""
    found: set[tuple[str, str]] = set()
    rows = iter(segments)
    while batch := list(islice(rows, SEGMENTS_AT_ONCE)):
        known: dict[str, dict[str, str]] = defaultdict(dict)
        keys = [row.key for row in batch]
        for key, source in test_set.segments.filter(key__in=keys).values_list("key", "source"):
            known[key][""] = source
        outputs = Output.objects.filter(segment__test_set=test_set, segment__key__in=keys)
        for key, name, text in outputs.values_list("segment__key", "system__name", "text"):
            known[key][name] = text
        found |= {
            (row.key, name)
            for row in batch
            for name, text in {"": row.source, **row.outputs}.items()
            if known[row.key].get(name, text).rstrip() != text.rstrip()
        }
    return found


def check_texts(screen: JudgedScreen, others: Collection[tuple[str, str]]) -> None:
    """Raise ImportProblem for a judgment of texts that are not those of the test set. others: as
    found by `differing`."""
    for name in ("", *screen.outputs):
        if (screen.segment, name) in others:
            raise screen.problem("system" if name else "segment", f"{OTHERWISE}.")
