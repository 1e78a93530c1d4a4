"""Metric scores and jobs as JSON."""

from rest_framework import serializers

from judgments.models import JobStatus
from judgments.web.api.numbers import Count, Number
from metrics.models import ScoringJob
from metrics.scores.comparisons import UNITS
from metrics.scoring import catalog, choices


class SystemMetricSerializer(serializers.Serializer):
    """`low`, `high` and `group` are null until the differences between systems were tested."""

    system = serializers.CharField(source="system.name")
    score = Number(source="cell.score.score")
    low = Number(help_text="Lower end of the bootstrap interval.")
    high = Number()
    group = serializers.IntegerField(
        source="group_or_none",
        allow_null=True,
        help_text="1 for the systems of the best significance group.",
    )
    level_with_best = serializers.BooleanField(
        source="is_level", help_text="No test separates it from the best, which it is not itself."
    )
    n_segments = Count(source="cell.score.n_segments")
    out_of_date = serializers.BooleanField(source="cell.is_stale")
    computed_at = serializers.DateTimeField(source="cell.score.created_at")


class TestsSerializer(serializers.Serializer):
    """How intervals and groups were computed."""

    __test__ = False  # not a test class for pytest to collect

    unit = serializers.CharField()
    n = Count()
    resamples = Count()
    swaps = Count()
    seed = Count()
    level = Number()
    alpha = Number()
    notes = serializers.ListField(child=serializers.CharField())


class MetricSerializer(serializers.Serializer):
    """One metric of all systems."""

    slug = serializers.CharField(help_text="Names these scores in addresses.")
    metric = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    references = serializers.ListField(child=serializers.CharField())
    signature = serializers.CharField()
    higher_is_better = serializers.BooleanField()
    tests = TestsSerializer(allow_null=True)
    systems = SystemMetricSerializer(many=True)


class UnitQuery(serializers.Serializer):
    unit = serializers.ChoiceField(
        choices=list(UNITS), default=UNITS[0], help_text="What the tests draw and swap."
    )


class SegmentScoresSerializer(serializers.Serializer):
    """The scores of all segments by one metric, in the order of the test set."""

    slug = serializers.CharField()
    metric = serializers.CharField()
    signature = serializers.CharField(source="segment_signature")
    higher_is_better = serializers.BooleanField()
    segments = serializers.ListField(child=serializers.CharField(), help_text="Their keys.")
    systems = serializers.DictField(
        child=serializers.ListField(child=Number()),
        help_text="By the system's name; null where a segment has no score.",
    )


class PValuesSerializer(serializers.Serializer):
    raw = Number()
    holm = Number()
    bh = Number(help_text="Benjamini–Hochberg.")


class SystemPairSerializer(serializers.Serializer):
    """Two systems, the better one first."""

    first = serializers.CharField()
    second = serializers.CharField()
    difference = Number()
    low = Number()
    high = Number()
    n = Count()
    randomization = PValuesSerializer(help_text="Approximate randomization, two-sided.")
    bootstrap = PValuesSerializer(help_text="Paired bootstrap, one-sided.")
    reason = serializers.CharField(allow_blank=True)


class PairsSerializer(serializers.Serializer):
    """Every two systems by one metric; empty until the differences were tested."""

    slug = serializers.CharField()
    signature = serializers.CharField()
    tests = TestsSerializer(allow_null=True)
    pairs = SystemPairSerializer(many=True)


class FailureSerializer(serializers.Serializer):
    reason = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())


class ProgressSerializer(serializers.Serializer):
    metric = serializers.CharField(source="label")
    total = Count()
    done = Count()
    failures = FailureSerializer(many=True, source="failure_list")


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


class JobProgressSerializer(JobSerializer):
    """A job and how far each of its metrics is."""

    metrics = ProgressSerializer(many=True, source="progress")

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "metrics"]
        read_only_fields = fields


class MetricsSerializer(serializers.Serializer):
    """Scores of a test set, and the last job requested."""

    test_set = Count()
    metrics = MetricSerializer(many=True)
    job = JobSerializer(allow_null=True)


class MetricRequest(serializers.Serializer):
    metric = serializers.ChoiceField(
        choices=list(catalog.computed_metrics()),
        error_messages={"invalid_choice": "No metric {input} is computed here."},
    )
    options = serializers.DictField(
        default=dict, help_text="Only those that differ from the defaults."
    )

    def to_internal_value(self, data):
        if isinstance(data, dict) and data.get("metric") == "uploaded":
            reason = "Uploaded scores are not computed: POST them to the test set's scores/."
            raise serializers.ValidationError({"metric": [reason]})
        return super().to_internal_value(data)

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
