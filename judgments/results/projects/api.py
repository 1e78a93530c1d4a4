"""API of a project: its campaigns and language pairs."""

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.plans.projects.api import PROJECT, WithCampaignsSerializer
from judgments.results.projects.figures import JoinedCampaigns, ProjectResults
from judgments.web.api.views import REFUSALS
from judgments.web.heavy import heavy


class LanguagePairSerializer(serializers.Serializer):
    """Campaigns of one language pair and protocol, which count as one if they share texts."""

    pair = serializers.CharField(source="pair_name")
    protocol = serializers.CharField(source="protocol_name")
    dimension = serializers.CharField(
        allow_blank=True, help_text="What ranks systems; empty: comparisons of outputs."
    )
    campaigns = serializers.SerializerMethodField(help_text="Their numbers.")
    systems = serializers.SerializerMethodField(help_text="That are ranked, the best first.")

    def get_campaigns(self, column: JoinedCampaigns) -> list[int]:
        return [each.campaign.pk for each in column.selections]

    def get_systems(self, column: JoinedCampaigns) -> list[str]:
        return [each.name for each in column.systems]


class WithPairsSerializer(WithCampaignsSerializer):
    """A project with its campaigns and language pairs."""

    pairs = serializers.SerializerMethodField()

    class Meta(WithCampaignsSerializer.Meta):
        fields = [*WithCampaignsSerializer.Meta.fields, "pairs"]
        read_only_fields = fields

    @extend_schema_field(LanguagePairSerializer(many=True))
    def get_pairs(self, project) -> list[dict]:
        results = ProjectResults.of_campaigns(project, *self.readable)
        return list(LanguagePairSerializer(results.all_columns, many=True).data)


@extend_schema(
    operation_id="projects_retrieve",
    summary="A project: its campaigns and language pairs",
    tags=["projects"],
    parameters=[PROJECT],
    responses={200: WithPairsSerializer, **REFUSALS},
)
@api_view(["GET"])
@heavy
@at_one_moment
def project(request, project: str) -> Response:
    found = access.readable_project(request.user, project)
    return Response(WithPairsSerializer(found, context={"user": request.user}).data)
