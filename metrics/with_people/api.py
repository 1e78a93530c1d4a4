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
from metrics.with_people.ridge_metric import LearnedMetric, weight_table
from metrics.with_people.span_figures import data_of, marks_errors
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
    is_sentinel = serializers.BooleanField(help_text="Knows nothing about translation.")


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


class ExplainedShareSerializer(serializers.Serializer):
    estimate = Number()
    low = Number(help_text="Lower end of the 95 % interval, by the jackknife over documents.")
    high = Number()


class LearnedWeightSerializer(serializers.Serializer):
    metric = serializers.CharField()
    weight = Number(help_text="Points of people's score per standard deviation; mean over folds.")
    sd = Number(help_text="Over folds.")
    lowest = Number()
    highest = Number()


class LearnedMetricSerializer(serializers.Serializer):
    """Ridge regression of these people's scores on the metrics, each document predicted without
    it: a baseline of this campaign, kept nowhere as a score."""

    reason = serializers.CharField(allow_blank=True, help_text="Why nothing was learned.")
    n_outputs = Count()
    n_documents = Count()
    n_folds = Count()
    seed = Count()
    r_squared = ExplainedShareSerializer(source="share", help_text="R² of unseen documents.")
    best = serializers.CharField(
        source="best.title", default="", help_text="The metric that explains most by itself."
    )
    best_r_squared = ExplainedShareSerializer(source="best_share")
    difference = ExplainedShareSerializer(source="gain")
    figures = serializers.DictField(
        child=serializers.DictField(child=MetricFigureSerializer()),
        help_text="Its agreement with people by level, and by statistic.",
    )
    weights = LearnedWeightSerializer(many=True)
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="Metrics that lack a score of a judged output."
    )


class KindFoundSerializer(serializers.Serializer):
    n = Count(help_text="People's errors of that kind.")
    characters = Number(help_text="Credit of their characters.")
    met = Number(help_text="Share of them that any error overlaps.")


class ErrorsFoundSerializer(serializers.Serializer):
    """Errors that a metric marks against people's, or one person's against another's."""

    metric = serializers.CharField(allow_blank=True, help_text="Empty for people.")
    f1 = Number(help_text="Of characters, all outputs together, half credit for severity.")
    low = Number(help_text="Lower end of the 95 % interval of F1.")
    high = Number()
    precision = Number()
    recall = Number()
    macro_f1 = Number(help_text="Mean of the outputs' own F1.")
    exact_f1 = Number()
    partial_f1 = Number(help_text="Assigned one to one by overlap.")
    matthews = Number(help_text="Of outputs free of errors.")
    threshold = Number(help_text="Score from which an output counts as free of errors.")
    auc = Number()
    n = Count(help_text="Pairs of judgments.")
    n_own = Count(help_text="Errors of the metric, or of the other person.")
    n_people = Count(help_text="People's errors.")
    severities = serializers.DictField(child=KindFoundSerializer())
    categories = serializers.DictField(child=KindFoundSerializer())


class MarkedErrorsSerializer(serializers.Serializer):
    metrics = ErrorsFoundSerializer(many=True)
    people = ErrorsFoundSerializer(allow_null=True, help_text="Where two judged an output.")


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
    learned = LearnedMetricSerializer()
    marked_errors = MarkedErrorsSerializer(allow_null=True, help_text="Where people mark errors.")
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


def learned_data(found: LearnedMetric) -> dict:
    names = ("metric", "turned", "weight", "sd", "lowest", "highest")
    weights = weight_table(found)
    return {key: getattr(found, key) for key in vars(found)} | {
        "n_folds": found.n_folds,
        "left_out": [metric.title for metric in found.left_out],
        "figures": {place: row.figures for place, row in found.rows.items()},
        "weights": [dict(zip(names, row, strict=True)) for row in weights.rows] if weights else [],
    }


def error_data(page: agreement.MetricsPage) -> dict | None:
    if not marks_errors(page.selection):
        return None
    found = page.spans.report
    people = found.people and data_of(found.people)
    return {"metrics": [data_of(row) for row in found.rows], "people": people}


def checked_score(selection: Selection, slug: str | None) -> None:
    """Raise ValidationError for a human score that the campaign has not: what was rated, or what
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
        "learned": learned_data(page.learned),
        "marked_errors": error_data(page),
        "donors": page.donors,
    }
    return Response(MetaEvaluationSerializer(found, context={"selection": selection}).data)
