"""Marked errors as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.results.selection.selection import Selection
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS

from . import figures, page
from .confirmation import MEASURES, confirmation, measures_confirmation


class SystemErrorsSerializer(serializers.Serializer):
    system = serializers.CharField()
    mean = Number(help_text="Errors in a judged translation.")
    low = Number(help_text="Lower end of the 95 % interval: t, over segments.")
    high = Number()
    score = Number(help_text="Negative error weight, averaged over segments.")
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
    """An annotator's treatment of the errors that a program suggested."""

    annotator = serializers.CharField()
    suggested = Count()
    kept = Count()
    changed = Count()
    deleted = Count()
    own = Count(help_text="Marked in addition.")


class ArmSerializer(serializers.Serializer):
    value = Number()
    low = Number(help_text="Lower end of the 95 % interval; null with fewer than 8 clusters.")
    high = Number()
    n = Number(help_text="What it is over: suggestions, translations, or errors.")
    n_clusters = Count(help_text="Documents or segments that have some.")


class ArmsSerializer(serializers.Serializer):
    """One measure on screens with suggestions, on those of the control arm, and the difference."""

    measure = serializers.ChoiceField(choices=list(MEASURES))
    aided = ArmSerializer()
    unaided = ArmSerializer()
    difference = ArmSerializer(help_text="Aided minus unaided.")


class ConfirmedSerializer(serializers.Serializer):
    """An annotator's treatment of false suggestions, and of withheld ones."""

    annotator = serializers.CharField()
    false = Count(help_text="False suggestions that were shown.")
    accepted = Count(help_text="Those of them that were marked.")
    withheld = Count(help_text="Suggestions that were withheld.")
    overlooked = Count(help_text="Those of them that were not marked.")


class ConfirmationSerializer(serializers.Serializer):
    measures = ArmsSerializer(many=True)
    annotators = ConfirmedSerializer(many=True)
    resampled = serializers.CharField(help_text="What intervals draw: documents or segments.")
    n_aided = Count(help_text="Judgments of translations on screens with suggestions.")
    n_unaided = Count(help_text="Those in the control arm.")


class ErrorsSerializer(Selected):
    systems = SystemErrorsSerializer(many=True)
    suggestions = SuggestedSerializer(many=True)
    confirmation = ConfirmationSerializer(
        allow_null=True,
        help_text="How far people only confirm; null without a control arm, false and withheld "
        "suggestions.",
    )
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
        "confirmation": _confirmation(selection),
        "weights": report.weights,
        "n_unmarked": report.n_unmarked,
    }
    return Response(ErrorsSerializer(data, context={"selection": selection}).data)


def _confirmation(selection: Selection) -> dict[str, Any] | None:
    if not measures_confirmation(selection.campaign):
        return None
    report = confirmation(selection)
    measures = [{"measure": slug, **vars(arms)} for slug, arms in report.measures.items()]
    return {**vars(report), "measures": measures}
