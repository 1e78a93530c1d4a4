"""Results as JSON: shapes only, everything is computed in judgments.results."""

from rest_framework import serializers

from judgments.models import Campaign, Status
from judgments.results.scores import METHODS

from .numbers import Count, Number


class ErrorSerializer(serializers.Serializer):
    """Why a request was refused."""

    detail = serializers.CharField()


class CampaignSerializer(serializers.ModelSerializer):
    test_set = serializers.IntegerField(source="test_set_id")
    status = serializers.ChoiceField(choices=Status.choices)

    class Meta:
        model = Campaign
        fields = [
            "id",
            "name",
            "test_set",
            "protocol",
            "preset",
            "status",
            "simulated",
            "guideline_version",
            "created_at",
        ]
        read_only_fields = fields


class HumanScoreQuery(serializers.Serializer):
    """Which of people's scores is wanted."""

    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )
    method = serializers.ChoiceField(
        choices=METHODS, default="raw", help_text="Raw ratings, or z-scores for each annotator."
    )


class DimensionQuery(serializers.Serializer):
    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )


class SystemScoreSerializer(serializers.Serializer):
    system = serializers.CharField()
    score = Number()
    low = Number(help_text="Lower end of the 95 % interval.")
    high = Number()
    n_segments = Count()
    n_judgments = Count()
    rank_low = Number()
    rank_high = Number()
    cluster = Count(help_text="1 is the best; 0 without a ranking.")


class ScoresSerializer(serializers.Serializer):
    """Scores of the systems, best first, with what is needed to trace them."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    method = serializers.CharField()
    interval = serializers.CharField()
    rule = serializers.CharField(help_text="The rule of ranks and clusters.")
    test = serializers.CharField()
    seed = Count()
    resamples = Count()
    reason = serializers.CharField(allow_blank=True, help_text="Why there are no scores.")
    systems = SystemScoreSerializer(many=True)


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


class AgreementSerializer(serializers.Serializer):
    """Agreement between annotators, and of annotators with themselves."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    name = serializers.CharField()
    level = serializers.CharField(help_text="Level of measurement.")
    n_annotators = Count()
    n_rows = Count()
    between = CoefficientSerializer(many=True)
    within = CoefficientSerializer(many=True)
    resampled = serializers.CharField()
    resamples = Count()
    seed = Count()
