"""Marked errors as JSON."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS

from . import figures, page


class SystemErrorsSerializer(serializers.Serializer):
    system = serializers.CharField()
    mean = Number(help_text="Errors in a judged translation.")
    low = Number(help_text="Lower end of the 95 % interval: t, over segments.")
    high = Number()
    score = Number(help_text="Minus the weights of the errors, mean of segments.")
    by_severity = serializers.DictField(child=serializers.IntegerField())
    by_category = serializers.DictField(child=serializers.IntegerField())
    n_missing = Count(help_text="Marked as left out.")
    n_source = Count(help_text="Marked in the source.")
    n_judgments = Count()
    n_segments = Count()
    n_words = Number(
        help_text="Words of the judged sources, once for each judgment; null without texts."
    )


class SuggestedSerializer(serializers.Serializer):
    """What an annotator made of the errors that a program suggested."""

    annotator = serializers.CharField()
    suggested = Count()
    kept = Count()
    changed = Count()
    deleted = Count()
    own = Count(help_text="Marked besides.")


class ErrorsSerializer(Selected):
    systems = SystemErrorsSerializer(many=True)
    suggestions = SuggestedSerializer(many=True)
    weights = serializers.CharField(help_text="Of the errors, in words.")
    n_unmarked = Count(help_text="Judgments that were imported without their errors.")


@extend_schema(
    summary="Marked errors",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: ErrorsSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def errors(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    if not page.has_errors(selection.campaign):
        raise NotFound("No errors are marked in this campaign.")
    report = figures.errors(selection)
    systems = [
        {
            "system": name,
            "mean": report.mean[i],
            "low": report.low[i],
            "high": report.high[i],
            "score": report.score[i],
            "by_severity": dict(zip(report.severities, report.counts[i].tolist(), strict=True)),
            "by_category": dict(zip(report.categories, report.kinds_of[i].tolist(), strict=True)),
            "n_missing": report.n_missing[i],
            "n_source": report.n_source[i],
            "n_judgments": report.n_judgments[i],
            "n_segments": report.n_segments[i],
            "n_words": report.n_words[i],
        }
        for i, name in enumerate(report.names)
    ]
    data = {
        "systems": systems,
        "suggestions": report.suggestions,
        "weights": report.weights,
        "n_unmarked": report.n_unmarked,
    }
    return Response(ErrorsSerializer(data, context={"selection": selection}).data)
