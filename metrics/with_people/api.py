"""Metrics against people by one campaign: agreement, differences, averages, as JSON."""

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.scores.api import HumanScoreQuery
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.results.selection.selection import Selection
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS, checked_query
from metrics import with_people as agreement
from metrics.with_people.averages import TASKS
from metrics.with_people.differences import Differences
from metrics.with_people.pair_tables import pair_rows
from metrics.with_people.tables import rules


class MetaEvaluationQuery(HumanScoreQuery):
    over = serializers.ChoiceField(
        choices=list(agreement.OVER),
        default="all",
        help_text="Segments that a system is scored on.",
    )
    fewest = serializers.ChoiceField(
        choices=list(agreement.FEWEST),
        default=3,
        help_text="Outputs that a group needs for a correlation; 2 as mt-metrics-eval has it.",
    )
    humans = serializers.ChoiceField(
        choices=list(agreement.HUMANS),
        default="out",
        help_text="Human references among the systems.",
    )
    controls = serializers.ChoiceField(
        choices=list(agreement.CONTROLS),
        default="out",
        help_text="Control systems of known weakness among the systems.",
    )
    donors = serializers.ChoiceField(
        choices=list(agreement.DONORS),
        default="out",
        help_text="Outputs that a reference was made from, for metrics that are given it.",
    )
    grouping = serializers.ChoiceField(
        choices=list(agreement.GROUPINGS), default="item", help_text="How segments are grouped."
    )
    compared = serializers.ChoiceField(
        choices=list(agreement.COMPARED),
        default="system-pearson",
        help_text="The statistic that metrics are compared by.",
    )


class JudgedMetricSerializer(serializers.Serializer):
    slug = serializers.CharField()
    metric = serializers.CharField(source="title")
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField()
    segment_signature = serializers.CharField()
    turned = serializers.ChoiceField(
        choices=["yes", "no"], help_text="Whether its scores were multiplied by −1."
    )
    is_sentinel = serializers.BooleanField(help_text="Knows nothing of translation.")


class MetricFigureSerializer(serializers.Serializer):
    estimate = Number()
    low = Number(help_text="Lower end of the 95 % interval, by the rule for the figure.")
    high = Number()
    p_value = Number(help_text="Two-sided, of no correlation.")
    n = Count()
    n_undefined = Count()
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no estimate.")
    no_interval = serializers.CharField(allow_blank=True, help_text="Why there is no interval.")


class MetricAgreementRowSerializer(serializers.Serializer):
    metric = JudgedMetricSerializer()
    figures = serializers.DictField(child=MetricFigureSerializer(), help_text="By statistic.")
    epsilon = Number(help_text="Differences of the metric up to it count as ties.")


class MetricAgreementSerializer(serializers.Serializer):
    """Metrics of errors have their sign reversed: higher is better everywhere. Best first."""

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
    fewest = Count(help_text="Outputs that a group needs for a correlation.")
    permutations = Count(help_text="Of soft pairwise accuracy.")
    seed = Count()
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


class DonorSerializer(serializers.Serializer):
    system = serializers.CharField()
    n_outputs = Count(help_text="Judged outputs that a reference was made from.")


class DonorChangeSerializer(serializers.Serializer):
    metric = serializers.CharField(source="metric.title")
    n_outputs = Count(source="n", help_text="Judged outputs of donors that it leaves out.")
    counted = serializers.DictField(child=MetricFigureSerializer(), help_text="With them.")
    left_out = serializers.DictField(child=MetricFigureSerializer(), help_text="Without them.")


class DonorEffectSerializer(serializers.Serializer):
    """Over systems, whatever was asked of donors."""

    donors = serializers.SerializerMethodField()
    gone = serializers.ListField(
        child=serializers.CharField(), help_text="Systems of which no output is left."
    )
    metrics = DonorChangeSerializer(many=True, source="rows")

    @extend_schema_field(DonorSerializer(many=True))
    def get_donors(self, found) -> list[dict]:
        return [{"system": name, "n_outputs": n} for name, n in found.donors]


class MetaEvaluationSerializer(Selected):
    n_out_of_date = Count(help_text="Metric scores whose texts have changed since.")
    intervals = serializers.CharField(help_text="The rules of intervals.")
    systems = MetricAgreementSerializer()
    segments = MetricAgreementSerializer()
    differences = MetricDifferencesSerializer()
    averages = MetricAverageSerializer(many=True)
    donors = DonorEffectSerializer(help_text="Outputs that references were made from.")


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


def checked_score(selection: Selection, slug: str | None) -> None:
    """Raises ValidationError for a human score that the campaign has not: what was rated, or what
    the task took."""
    known = [each for each, _ in agreement.human_choices(selection.campaign)]
    if slug is not None and slug not in known:
        raise ValidationError({"dimension": [f"Known: {', '.join(known) or 'none'}."]})


@extend_schema(
    summary="Metrics against people: agreement, differences, averages",
    description="With sentinels, and intervals. Empty lists where there are no scores.",
    tags=["metrics"],
    parameters=[CAMPAIGN, MetaEvaluationQuery, SelectionQuery],
    responses={200: MetaEvaluationSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def meta_evaluation(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    test_set = selection.campaign.test_set
    query = checked_query(MetaEvaluationQuery, request)
    checked_score(selection, query["dimension"])
    board = agreement.board_of(test_set, statistics=query["over"] == "judged")
    page = agreement.MetricsPage(selection, board, agreement.Settings(**query))
    found = {
        "n_out_of_date": board.table.n_stale,
        "intervals": rules("pearson", "share", "jackknife"),
        "systems": page.systems,
        "segments": page.segments,
        "differences": difference_data(page.differences),
        "averages": page.averages.rows,
        "donors": page.donors,
    }
    return Response(MetaEvaluationSerializer(found, context={"selection": selection}).data)
