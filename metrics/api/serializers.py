"""Metric scores, jobs and correlations as JSON."""

from rest_framework import serializers

from judgments.api.numbers import Count, Number
from judgments.api.serializers import HumanScoreQuery
from metrics import choices
from metrics.evaluation import OVER
from metrics.models import JobStatus, ScoringJob
from metrics.scorers import SCORERS


class SystemMetricSerializer(serializers.Serializer):
    system = serializers.CharField(source="system.name")
    score = Number(source="score.score")
    n_segments = Count(source="score.n_segments")
    out_of_date = serializers.BooleanField(source="is_stale")
    computed_at = serializers.DateTimeField(source="score.created_at")


class MetricSerializer(serializers.Serializer):
    """One metric of all systems."""

    metric = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField()
    higher_is_better = serializers.BooleanField()
    systems = SystemMetricSerializer(many=True)


class JobSerializer(serializers.ModelSerializer):
    test_set = serializers.IntegerField(source="test_set_id")
    status = serializers.ChoiceField(choices=JobStatus.choices)

    class Meta:
        model = ScoringJob
        fields = [
            "id",
            "test_set",
            "status",
            "total",
            "done",
            "message",
            "created_at",
            "started_at",
            "finished_at",
        ]
        read_only_fields = fields


class MetricsSerializer(serializers.Serializer):
    """Scores of a test set, and the last job that was asked for."""

    test_set = Count()
    metrics = MetricSerializer(many=True)
    job = JobSerializer(allow_null=True)


class MetricRequest(serializers.Serializer):
    metric = serializers.ChoiceField(choices=list(SCORERS))
    options = serializers.DictField(default=dict, help_text="Only those that are to differ.")

    def validate(self, attrs):
        try:
            return choices.choose(attrs["metric"], attrs["options"])
        except ValueError as error:
            raise serializers.ValidationError({"options": [str(error)]}) from None


class JobRequest(serializers.Serializer):
    """What to compute."""

    metrics = MetricRequest(many=True, allow_empty=False, max_length=20)  # type: ignore[call-arg]
    references = serializers.ListField(
        child=serializers.CharField(max_length=100),
        required=False,
        allow_empty=False,
        help_text="Names of reference sets to use together; all of them if it is left out.",
    )


class CorrelationQuery(HumanScoreQuery):
    over = serializers.ChoiceField(
        choices=list(OVER), default="all", help_text="Segments that a system is scored on."
    )


class CorrelationCoefficientSerializer(serializers.Serializer):
    coefficient = serializers.CharField()
    estimate = Number()
    low = Number(help_text="Lower end of the 95 % interval.")
    high = Number()
    p_value = Number()
    n = Count()
    n_missing = Count()
    reason = serializers.CharField(allow_blank=True)


class MetricCorrelationSerializer(serializers.Serializer):
    metric = serializers.CharField(source="column.label")
    references = serializers.ListField(child=serializers.CharField(), source="column.references")
    signature = serializers.CharField(source="column.signature")
    higher_is_better = serializers.BooleanField(source="column.higher_is_better")
    pearson = CorrelationCoefficientSerializer()
    spearman = CorrelationCoefficientSerializer()
    kendall = CorrelationCoefficientSerializer()


class EvaluationSerializer(serializers.Serializer):
    human = serializers.CharField(source="human_name")
    n_out_of_date = Count(source="n_stale")
    reason = serializers.CharField(allow_blank=True)
    metrics = MetricCorrelationSerializer(many=True, source="rows")


class CorrelationSerializer(serializers.Serializer):
    """Every metric against people, over systems and over segments."""

    systems = EvaluationSerializer()
    segments = EvaluationSerializer()
