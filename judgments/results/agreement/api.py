"""Agreement as JSON."""

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.agreement import figures as agreement_figures
from judgments.results.agreement import marks as agreement_marks
from judgments.results.selection.api import (
    DimensionQuery,
    Selected,
    SelectionQuery,
    figures_asked,
)
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS


class AgreementQuery(DimensionQuery):
    """The requested agreement."""


class CoefficientSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    reading = serializers.CharField(allow_blank=True)
    estimate = Number(source="result.estimate")
    low = Number(source="result.low")
    high = Number(source="result.high")
    p_observed = Number(source="result.p_observed")
    p_expected = Number(source="result.p_expected")
    n_items = Count(source="result.n_items")
    n_annotators = Count(source="result.n_annotators")
    n_pairs = Count(source="result.n_pairs")
    reason = serializers.CharField(source="result.reason", allow_blank=True)
    interval_reason = serializers.CharField(source="result.interval_reason", allow_blank=True)
    further = serializers.BooleanField(help_text="Shown behind the others on the page.")


class MarksSerializer(serializers.Serializer):
    """Agreement on marked errors."""

    coefficients = CoefficientSerializer(many=True)
    n_judgments = Count()
    n_spans = Count()
    n_unmarked = Count(help_text="Imported judgments with a score and no errors, left out.")
    resampled = serializers.CharField()
    resamples = Count()
    seed = Count()


class AgreementSerializer(Selected):
    """Agreement between annotators, and of annotators with themselves."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    name = serializers.CharField()
    level = serializers.CharField(help_text="Level of measurement.")
    n_annotators = Count()
    n_rows = Count()
    between = CoefficientSerializer(many=True)
    within = CoefficientSerializer(many=True)
    labels = serializers.ListField(child=serializers.CharField(), help_text="Values or bins.")
    confusion = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        help_text="Pairs of values that two annotators gave, each in both orders.",
    )
    repeated = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        help_text="The same for an annotator's repeats.",
    )
    resampled = serializers.CharField()
    resamples = Count()
    seed = Count()
    marks = serializers.SerializerMethodField(
        help_text="Agreement on marked errors; null where none are marked."
    )

    @extend_schema_field(MarksSerializer(allow_null=True))
    def get_marks(self, report) -> dict | None:
        found = agreement_marks.marks(self.context["selection"])
        return None if found is None else MarksSerializer(found).data


@extend_schema(
    summary="Agreement of the annotators",
    tags=["campaigns"],
    parameters=[CAMPAIGN, AgreementQuery, SelectionQuery],
    responses={200: AgreementSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def agreement(request, campaign_id: int) -> Response:
    selection, query = figures_asked(request, campaign_id, AgreementQuery)
    report = agreement_figures.agreement(selection, query["dimension"])
    return Response(AgreementSerializer(report, context={"selection": selection}).data)
