"""Metrics against people by one campaign: agreement, differences, averages, as JSON."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.api.numbers import Count, Number
from judgments.api.serializers import Selected
from judgments.api.views import (
    CAMPAIGN,
    REFUSALS,
    checked_dimension,
    checked_query,
    selection_asked,
)
from metrics import meta_evaluation as meta
from metrics.meta_evaluation.averages import TASKS
from metrics.meta_evaluation.differences import Differences
from metrics.meta_evaluation.rows import Agreement
from metrics.meta_evaluation.shown_pairs import pair_rows

from .serializers import CorrelationQuery


class MetaEvaluationQuery(CorrelationQuery):
    humans = serializers.ChoiceField(
        choices=list(meta.HUMANS), default="out", help_text="Human references among the systems."
    )
    grouping = serializers.ChoiceField(
        choices=list(meta.GROUPINGS), default="item", help_text="How segments are grouped."
    )
    compared = serializers.ChoiceField(
        choices=list(meta.COMPARED),
        default="system-pearson",
        help_text="The statistic that metrics are compared by.",
    )


class JudgedMetricSerializer(serializers.Serializer):
    slug = serializers.CharField()
    metric = serializers.CharField(source="title")
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField()
    segment_signature = serializers.CharField()
    higher_is_better = serializers.BooleanField()
    is_sentinel = serializers.BooleanField(help_text="Knows nothing of translation.")


class MetricFigureSerializer(serializers.Serializer):
    estimate = Number()
    low = Number(help_text="Lower end of the 95 % bootstrap interval.")
    high = Number()
    n = Count()
    n_undefined = Count()
    reason = serializers.CharField(allow_blank=True)


class MetricAgreementRowSerializer(serializers.Serializer):
    metric = JudgedMetricSerializer()
    figures = serializers.DictField(child=MetricFigureSerializer(), help_text="By statistic.")
    epsilon = Number(help_text="Differences of the metric up to it count as ties.")


class MetricAgreementSerializer(serializers.Serializer):
    """Metrics of errors are turned: higher is better everywhere. The best metric first."""

    human = serializers.CharField(source="human_name")
    statistics = serializers.DictField(child=serializers.CharField(), help_text="Their names.")
    systems = serializers.ListField(child=serializers.CharField())
    left_out = serializers.ListField(child=serializers.CharField(), help_text="Human references.")
    outliers = serializers.ListField(child=serializers.CharField())
    n_segments = Count()
    n_pairs = Count()
    n_separated = Count(help_text="Pairs of systems that people tell apart.")
    test = serializers.CharField(allow_blank=True)
    grouping = serializers.CharField(allow_blank=True)
    seed = Count()
    resamples = Count()
    permutations = Count()
    permutation_seed = Count()
    reason = serializers.CharField(allow_blank=True)
    metrics = MetricAgreementRowSerializer(many=True, source="rows")


class MetricPairSerializer(serializers.Serializer):
    metric = serializers.CharField(help_text="The better of the two.")
    against = serializers.CharField()
    difference = Number()
    p = Number(help_text="One-sided, by the permutation test.")
    p_williams = Number()


class MetricClusterSerializer(serializers.Serializer):
    metric = serializers.CharField()
    estimate = Number()
    cluster = Count(help_text="1 for the best; 0 without an estimate.")


class MetricDifferencesSerializer(serializers.Serializer):
    compared = serializers.CharField()
    test = serializers.CharField()
    n = Count()
    unit = serializers.CharField()
    seed = Count()
    resamples = Count()
    alpha = Number()
    metrics = MetricClusterSerializer(many=True)
    pairs = MetricPairSerializer(many=True)


class MetricAverageSerializer(serializers.Serializer):
    metric = serializers.CharField(source="name")
    is_sentinel = serializers.BooleanField()
    wmt23 = Number()
    wmt24 = Number()
    tasks = serializers.DictField(child=Number(), help_text=", ".join(TASKS))


class MetaEvaluationSerializer(Selected):
    systems = MetricAgreementSerializer()
    segments = MetricAgreementSerializer()
    differences = MetricDifferencesSerializer()
    averages = MetricAverageSerializer(many=True)


def difference_data(found: Differences) -> dict:
    names = ("metric", "against", "difference", "p", "p_williams")
    clusters = zip(found.metrics, found.estimates.tolist(), found.ranks.tolist(), strict=True)
    return {key: getattr(found, key) for key in vars(found)} | {
        "metrics": [
            {"metric": metric.title, "estimate": estimate, "cluster": rank}
            for metric, estimate, rank in clusters
        ],
        "pairs": [dict(zip(names, row, strict=True)) for row in pair_rows(found)],
    }


@extend_schema(
    summary="Metrics against people: agreement, differences, averages",
    description="With sentinels, and intervals. Empty lists where there are no scores.",
    tags=["metrics"],
    parameters=[CAMPAIGN, MetaEvaluationQuery],
    responses={200: MetaEvaluationSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
def meta_evaluation(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    campaign = selection.campaign
    query = checked_query(MetaEvaluationQuery, request)
    checked_dimension(campaign, query["dimension"])
    choice = meta.Choice(query["dimension"], query["method"], query["over"], query["humans"])
    board = meta.board_of(campaign.test_set, statistics=query["over"] == "judged")
    systems: Agreement = meta.system_agreement(selection, choice, board)
    found = {
        "systems": systems,
        "segments": meta.segment_agreement(selection, choice, board, query["grouping"]),
        "differences": difference_data(
            meta.differences(selection, choice, board, query["compared"])
        ),
        "averages": meta.averages_of([meta.tasks(selection, choice, board)]).rows,
    }
    return Response(MetaEvaluationSerializer(found, context={"selection": selection}).data)
