"""Separated pairs of systems, and the work needed to separate the others, as JSON."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.selection.api import (
    DimensionQuery,
    Selected,
    SelectionQuery,
    figures_asked,
)
from judgments.web.api.numbers import Count, Number
from judgments.web.api.serializers import ProblemSerializer
from judgments.web.api.views import CAMPAIGN, REFUSALS

from . import figures


class PairPowerSerializer(serializers.Serializer):
    first = serializers.CharField(help_text="The better one by mean.")
    second = serializers.CharField()
    separated = serializers.BooleanField()
    difference = Number(source="difference.estimate")
    low = Number(source="difference.low", help_text="Lower end of the 95 % interval.")
    high = Number(source="difference.high")
    se = Number(source="difference.se")
    p = Number(source="p_value", help_text="Two-sided.")
    p_adjusted = Number(source="adjusted", help_text="For all pairs of systems.")
    n = Count(help_text="Items judged of both systems.")
    n_clusters = Count(source="difference.n_clusters")
    detectable = Number(help_text="Difference that these items would show, by formula.")
    detectable_resampled = Number()
    needed = Number(help_text="Items needed in all for the difference seen, by formula.")
    needed_resampled = Number()
    reason = serializers.CharField(allow_blank=True)


class PowerSerializer(Selected):
    """All pairs of systems, those that are not separated first."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    test = serializers.CharField()
    clusters = serializers.CharField(help_text="What goes together: documents or segments.")
    adjust = serializers.CharField(help_text="Of p for all pairs: holm or bh.")
    alpha = Number()
    alpha_open = Number(help_text="What the p of the next open pair must fall below.")
    power = Number()
    draws = Count()
    seed = Count()
    reason = serializers.CharField(allow_blank=True)
    pairs = PairPowerSerializer(many=True)


@extend_schema(
    summary="Separated pairs of systems, and what the others need",
    tags=["campaigns"],
    parameters=[CAMPAIGN, DimensionQuery, SelectionQuery],
    responses={200: PowerSerializer, 400: dict, 403: ProblemSerializer, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def power(request, campaign_id: int) -> Response:
    selection, query = figures_asked(request, campaign_id, DimensionQuery)
    report = figures.power(selection, query["dimension"])
    return Response(PowerSerializer(report, context={"selection": selection}).data)
