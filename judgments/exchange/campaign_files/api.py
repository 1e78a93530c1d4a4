"""Campaigns from files, and as files, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import parsers
from rest_framework.decorators import api_view, parser_classes
from rest_framework.response import Response

from judgments.exchange.campaign_files.loader import create_campaign, document_of
from judgments.exchange.campaign_files.nodes import LARGEST, BadCampaignFile
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.web.api.refusals import Refused
from judgments.web.api.serializers import CampaignSerializer, ProblemSerializer
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.audit.acting import acting


class WholeFile(parsers.BaseParser):
    """The unparsed body: lines and columns in errors refer to the text as it was sent."""

    media_type = "application/json"

    def parse(self, stream, media_type=None, parser_context=None) -> Any:
        return stream.read(LARGEST + 1)


class WholeYaml(WholeFile):
    media_type = "application/yaml"


DOCUMENT: dict[str, Any] = {"type": "object", "additionalProperties": True}


@extend_schema(
    operation_id="campaigns_from_file",
    summary="Create the campaign that a file describes: all of it, or nothing",
    description="The body is the file, as JSON or as YAML (application/yaml). Texts are named by "
    "their test set, or given in it as rows.",
    tags=["campaigns"],
    request={"application/json": DOCUMENT, "application/yaml": DOCUMENT},
    responses={201: CampaignSerializer, 400: ProblemSerializer, 403: ProblemSerializer},
)
@api_view(["POST"])
@parser_classes([WholeFile, WholeYaml])
def campaign_from_file(request) -> Response:
    access.require_creator(request.user)
    content = request.data if isinstance(request.data, bytes) else b""
    kind = "yaml" if "yaml" in (request.content_type or "") else "json"
    try:
        with acting(request) as act:
            campaign = create_campaign(content, request.user, name=f"file.{kind}")
            act.made(campaign_id=campaign.pk)
    except BadCampaignFile as bad:
        raise Refused(str(bad), faults=[asdict(fault) for fault in bad.faults]) from None
    return Response(CampaignSerializer(campaign).data, status=201)


@extend_schema(
    operation_id="campaigns_file",
    summary="A campaign as a file from which it can be created again, without its judgments",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    responses={200: DOCUMENT, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def campaign_file(request, campaign_id: int) -> Response:
    return Response(document_of(access.managed_campaign(request.user, campaign_id)))
