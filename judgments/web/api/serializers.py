"""Results as JSON: shapes only, everything is computed in judgments.results."""

from rest_framework import serializers

from judgments.models import Campaign, Status


class ProblemSerializer(serializers.Serializer):
    """Why a request was refused: problem details (RFC 9457)."""

    type = serializers.CharField(help_text="about:blank: the status says what kind it is.")
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong, in words.")
    instance = serializers.CharField(help_text="The path of the address that was asked for.")
    errors = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="Reasons by the names of fields, of forms and of queries."
    )
    faults = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="What is wrong with a file."
    )


class CampaignSerializer(serializers.ModelSerializer):
    test_set = serializers.IntegerField(source="test_set_id")
    status = serializers.ChoiceField(choices=Status.choices)
    starts_at = serializers.DateTimeField(allow_null=True, help_text="Nobody judges before.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="Nobody judges after.")

    class Meta:
        model = Campaign
        fields = [
            "id",
            "name",
            "test_set",
            "protocol",
            "preset",
            "status",
            "starts_at",
            "deadline",
            "simulated",
            "by_model",
            "guideline_version",
            "created_at",
        ]
        read_only_fields = fields


def names(help_text: str) -> serializers.ListField:
    """Return a name that may stand several times in a query string."""
    return serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        default=list,
        help_text=help_text,
    )
