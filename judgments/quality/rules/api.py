"""Quality of annotators' work, and exclusions from the results, as JSON."""

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.quality.rules.figures import FLAGS
from judgments.results.selection import decisions as selection_decisions
from judgments.results.selection.api import (
    DimensionQuery,
    Selected,
    SelectionQuery,
    figures_asked,
)
from judgments.stats.quality_control import FAIL, INSUFFICIENT, PASS
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS

from . import figures


class ControlSerializer(serializers.Serializer):
    """Degraded copies against the originals, by one-sided tests that these score higher."""

    n_pairs = Count()
    n_zero = Count(help_text="Pairs scored alike, which the signed-rank test drops.")
    mean_drop = Number()
    low = Number(help_text="Lower end of the 95 % interval of the mean drop.")
    high = Number()
    test = serializers.CharField(allow_blank=True)
    p = Number(source="p_value")
    p_holm = Number(help_text="Adjusted over the annotators with enough pairs.")
    p_t = Number(help_text="Paired t test.")
    p_mann_whitney = Number(help_text="Unpaired, as Appraise tests.")
    verdict = serializers.ChoiceField(choices=[PASS, FAIL, INSUFFICIENT])
    reason = serializers.CharField(allow_blank=True)


class RepeatsSerializer(serializers.Serializer):
    n_pairs = Count()
    mean_difference = Number(help_text="Absolute, between both times.")
    exact = Number(help_text="Share of equal scores.")
    icc = Number(help_text="ICC(3,1).")
    reason = serializers.CharField(allow_blank=True)


class ReferencesSerializer(serializers.Serializer):
    n_references = Count()
    median_references = Number()
    median_outputs = Number()
    share = Number(help_text="Share of references that score at least the median of outputs.")
    reason = serializers.CharField(allow_blank=True)


class AnnotatorSerializer(serializers.Serializer):
    annotator = serializers.CharField(source="alias")
    excluded = serializers.SerializerMethodField(
        help_text="Left out of the results in this dimension."
    )
    n_judgments = Count()
    n_scores = Count()
    control = ControlSerializer()
    n_unmatched = Count(help_text="Degraded copies without an original.")
    repeats = RepeatsSerializer()
    references = ReferencesSerializer()
    sd = Number()
    run = Count(source="run.length", help_text="Longest run of one score.")
    run_expected = Number(source="run.expected", help_text="Bounds the chance of such a run.")
    median_seconds = Number()
    seconds_per_word = Number(help_text="Of the source.")
    n_overlapping = Count()
    flags = serializers.ListField(child=serializers.ChoiceField(choices=list(FLAGS)))

    def get_excluded(self, found) -> bool:
        decided = self.context["selection"].decided
        pair = (found.user, self.context["dimension"])
        return found.user in decided.annotators or pair in decided.partly


class DecisionSerializer(serializers.Serializer):
    annotator = serializers.CharField()
    dimension = serializers.CharField(
        allow_blank=True, help_text="Whose ratings are meant; empty: whatever was judged."
    )
    decision = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField()
    when = serializers.DateTimeField()


class QualitySerializer(Selected):
    """All annotators, whether or not they are excluded from the results, and the log of
    decisions."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    name = serializers.CharField()
    usual_seconds = Number(help_text="Median of the annotators' median seconds.")
    floor = Number(help_text="The least seconds for a word of the source.")
    annotators = AnnotatorSerializer(many=True)
    decisions = serializers.SerializerMethodField()

    @extend_schema_field(DecisionSerializer(many=True))
    def get_decisions(self, found) -> list[dict[str, str]]:
        return selection_decisions.decisions(self.context["selection"])


@extend_schema(
    summary="How carefully annotators judged",
    tags=["campaigns"],
    parameters=[CAMPAIGN, DimensionQuery, SelectionQuery],
    responses={200: QualitySerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def quality(request, campaign_id: int) -> Response:
    selection, query = figures_asked(request, campaign_id)
    report = figures.quality(selection, query["dimension"])
    context = {"selection": selection, "dimension": report.dimension}
    return Response(QualitySerializer(report, context=context).data)
