"""A file → a project with its campaigns and links, all or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from judgments.files.copying import analyze
from judgments.files.guest_list import Guest
from judgments.models import (
    Campaign,
    Item,
    ItemOutput,
    Project,
    ProjectCampaign,
    ProjectRole,
    Task,
    TestSet,
)
from judgments.people.projects.links import MOST_LINKS, make_links
from judgments.people.projects.sharing import pairs_of
from judgments.plans.projects.forms import MOST_CAMPAIGNS

from ..campaign_files.loader import apply, read
from ..campaign_files.misfits import faults_in
from ..campaign_files.nodes import BadCampaignFile, Fault, FileMapping, place_in
from ..campaign_files.section import Desk
from ..campaign_files.text import read_text
from .matrix import PlannedCampaign, cells, project_shape

DAYS = 60


def create_project(
    content: bytes | str,
    user: Any,
    *,
    name: str = "",
    folder: Path | None = None,
    is_trusted: bool = False,
) -> Project:
    """Make the project that a file describes, with `user` as the owner of all of it.

    name: of the file, whose ending says YAML or JSON. folder, is_trusted: as for a campaign's file.
    Raises BadCampaignFile with all that is wrong; nothing is stored then.
    """
    root = read_text(content, name)
    refuse(faults_in(root, project_shape()))
    found = list(cells(root))
    if len(found) > MOST_CAMPAIGNS:
        words = f"these are {len(found):,} campaigns; a project has {MOST_CAMPAIGNS} at most."
        refuse([Fault(*place_in(root, ["pairs"]), "pairs", words)])
    desks = [Desk(user, cell.document, folder, is_trusted) for cell in found]
    for desk in desks:
        read(desk)
    refuse(fault for desk in desks for fault in desk.faults)
    with transaction.atomic():
        project = project_of(root, user)
        campaigns = made(found, desks)
        joined = [
            ProjectCampaign(project=project, campaign=campaign, round=cell.round)
            for campaign, cell in zip(campaigns, found, strict=True)
        ]
        ProjectCampaign.objects.bulk_create(joined)
        if "links" in root:
            bring_links(project, root, pairs_of(campaigns), user)
    return project


def refuse(faults: Iterable[Fault]) -> None:
    """Raise BadCampaignFile where there are any; what is wrong in the common part is said once."""
    if found := list(dict.fromkeys(faults)):
        raise BadCampaignFile(found)


def project_of(root: FileMapping, user: Any) -> Project:
    """Raise BadCampaignFile."""
    name = root["name"].strip()
    project = Project(
        name=name,
        slug=root.get("address") or slugify(name)[:60],
        description=root.get("description", ""),
        owner=user,
    )
    try:
        project.full_clean()
    except ValidationError as problem:
        keys = {"slug": "address"}
        said = problem.message_dict.items()
        known = [(keys.get(key, key), " ".join(words)) for key, words in said]
        refuse(Fault(*place_in(root, [key]), key, words) for key, words in known)
    project.save()
    return project


def made(found: list[PlannedCampaign], desks: list[Desk]) -> list[Campaign]:
    """Return the campaigns. Texts that several bring alike come in once. Raise BadCampaignFile."""
    known: dict[str, TestSet] = {}
    campaigns = []
    faults: list[Fault] = []
    for cell, desk in zip(found, desks, strict=True):
        campaign = Campaign()
        texts = desk.values["texts"]
        brought = "" if isinstance(texts, TestSet) else json.dumps(texts, sort_keys=True)
        if brought in known:
            desk.values["texts"] = known[brought]
        apply(campaign, desk)
        # Else PostgreSQL records the last campaigns as if those before were not there: 7 s for one.
        analyze(Item, ItemOutput, Task)
        faults += [replace(each, reason=f"{cell.name}: {each.reason}") for each in desk.faults]
        if brought and not desk.faults:
            known[brought] = campaign.test_set
        campaigns.append(campaign)
    refuse(faults)
    return campaigns


def bring_links(project: Project, root: FileMapping, pairs: list[str], user: Any) -> None:
    """Raise BadCampaignFile for more than are made at once."""
    said = root["links"]
    each = int(said["for_each_pair"])
    if each * len(pairs) > MOST_LINKS:
        words = (
            f"these are {each * len(pairs):,} links; at most {MOST_LINKS:,} can be created at once."
        )
        refuse([Fault(*place_in(root, ["links"]), "links.for_each_pair", words)])
    make_links(
        project,
        [(Guest(), [pair]) for pair in pairs for _ in range(each)],
        role=ProjectRole.ANNOTATOR,
        by=user,
        expires_at=timezone.now() + timedelta(days=int(said.get("days", DAYS))),
    )
