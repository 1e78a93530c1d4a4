"""Campaigns in the field's formats, for programs."""

from django.core.exceptions import BadRequest
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments.exchange.releases import out
from judgments.exchange.releases.views import sent
from judgments.people import access
from judgments.web.api.refusals import Refused
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.heavy import heavy

FORMAT = OpenApiParameter("name", str, OpenApiParameter.PATH)


class FormatSerializer(serializers.Serializer):
    """A format; `url` is empty, and `reason` says why, where the campaign cannot go into it."""

    slug = serializers.CharField()
    name = serializers.CharField()
    holds = serializers.CharField()
    url = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)


@extend_schema(
    summary="The formats of the field that a campaign can be written in",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    responses={200: FormatSerializer(many=True), **REFUSALS},
)
@api_view(["GET"])
def formats(request, campaign_id: int) -> Response:
    campaign = access.readable_campaign(request.user, campaign_id)
    found = [
        {
            "slug": each.slug,
            "name": each.name,
            "holds": each.holds,
            "reason": reason,
            "url": ""
            if reason
            else reverse("api-format", [campaign_id, each.slug], request=request),
        }
        for each, reason in out.choices(campaign)
    ]
    return Response(FormatSerializer(found, many=True).data)


@extend_schema(
    operation_id="campaigns_formats_file",
    summary="A campaign in one of these formats: a file, or a zip of a folder",
    tags=["campaigns"],
    parameters=[CAMPAIGN, FORMAT],
    responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@heavy
def format_file(request, campaign_id: int, name: str):
    campaign = access.readable_campaign(request.user, campaign_id)
    try:
        return sent(campaign, [campaign], name)
    except BadRequest as problem:
        raise Refused(str(problem)) from None
