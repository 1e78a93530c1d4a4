"""A project → the file that makes it again, without its judgments and its links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judgments.models import Project, ProjectCampaign

from ..campaign_files.loader import document_of
from ..campaign_files.misfits import faults_in
from ..campaign_files.section import NotInAFile
from .matrix import project_shape


def document_of_project(project: Project) -> dict[str, Any]:
    """Return what a file says of a project: what its campaigns have in common once, and the rest
    under one pair for each campaign. Raise NotInAFile where no file can say it."""
    joined = project.joined.select_related("campaign__test_set")
    parts = [part_of(each) for each in joined.order_by("campaign_id")]
    common = in_common(parts)
    document: dict[str, Any] = {"name": project.name, "address": project.slug}
    if project.description:
        document["description"] = project.description
    if common:
        document["campaigns"] = common
    document["pairs"] = [
        {key: value for key, value in part.items() if key not in common} for part in parts
    ]
    if fault := next(faults_in(document, project_shape()), None):
        raise NotInAFile(f"No file can describe this project: {fault}")
    return document


def part_of(joined: ProjectCampaign) -> dict[str, Any]:
    try:
        document = document_of(joined.campaign)
    except NotInAFile as problem:
        raise NotInAFile(f"{joined.campaign.name}: {problem}") from None
    return document | ({"round": joined.round} if joined.round else {})


def in_common(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the keys that all campaigns say alike. Texts and name stay with each, so that a pair
    is seen where it stands."""
    if len(parts) < 2:
        return {}
    first, *others = parts
    return {
        key: value
        for key, value in first.items()
        if key not in ("name", "texts", "round")
        and all(key in other and other[key] == value for other in others)
    }
