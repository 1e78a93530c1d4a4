"""API of projects: list, create, and change their campaigns and the dimensions that rank them."""

from functools import cached_property

from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_view,
)
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from judgments.models import Campaign, Project
from judgments.models.locks import lock_project
from judgments.people import access
from judgments.plans.projects.forms import MOST_CAMPAIGNS, ProjectForm, ranked_by
from judgments.web.api.refusals import refuse
from judgments.web.api.serializers import ProblemSerializer
from judgments.web.api.views import REFUSALS, Pagination
from judgments.web.audit.acting import acting

SLUG = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"}
PROJECT = OpenApiParameter("project", SLUG, OpenApiParameter.PATH, description="Its short word.")


class ProjectSerializer(serializers.ModelSerializer):
    class Meta:
        model = Project
        fields = ["slug", "name", "description", "created_at"]
        read_only_fields = fields


class JoinedSerializer(serializers.Serializer):
    """A campaign of a project."""

    id = serializers.IntegerField(source="campaign.pk")
    name = serializers.CharField(source="campaign.name")
    dimension = serializers.CharField(
        allow_blank=True, help_text="What was chosen to rank its systems; empty: the first."
    )


class WithCampaignsSerializer(ProjectSerializer):
    """A project, and those of its campaigns that you may read."""

    campaigns = serializers.SerializerMethodField()
    hidden_campaigns = serializers.SerializerMethodField(help_text="How many others there are.")

    class Meta(ProjectSerializer.Meta):
        fields = [*ProjectSerializer.Meta.fields, "campaigns", "hidden_campaigns"]
        read_only_fields = fields

    @cached_property
    def readable(self) -> tuple[list[Campaign], int]:
        assert isinstance(self.instance, Project)
        return access.campaigns_of_project(self.context["user"], self.instance)

    @extend_schema_field(JoinedSerializer(many=True))
    def get_campaigns(self, project) -> list[dict]:
        readable, _ = self.readable
        found = project.joined.filter(campaign__in=readable).select_related("campaign")
        return list(JoinedSerializer(found, many=True).data)

    def get_hidden_campaigns(self, project) -> int:
        return self.readable[1]


def numbers(help_text: str) -> serializers.ListField:
    number = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    return serializers.ListField(
        child=number, default=list, max_length=MOST_CAMPAIGNS, help_text=help_text
    )


class DimensionsField(serializers.DictField):
    """Dimensions by numbers of campaigns. Keys are checked first: a refusal repeats them."""

    def to_internal_value(self, data):
        if isinstance(data, dict):
            if len(data) > MOST_CAMPAIGNS:
                raise ValidationError(f"A project has {MOST_CAMPAIGNS} campaigns at most.")
            if not all(is_number(key) for key in data):
                raise ValidationError("The keys are numbers of campaigns.")
        return super().to_internal_value(data)


def is_number(key: object) -> bool:
    text = str(key)
    return text.isascii() and text.isdecimal() and len(text) < 20


class ChangeRequest(serializers.Serializer):
    """Campaigns that join and leave; all others stay."""

    add = numbers("Numbers of campaigns whose results you may read.")
    remove = numbers("Numbers of campaigns.")
    dimensions = DimensionsField(
        child=serializers.CharField(allow_blank=True, max_length=40),
        default=dict,
        help_text="What ranks the systems of a campaign, by its number; empty: what it asks first.",
    )


class ProjectRequest(ChangeRequest):
    """A project, and the campaigns that join."""

    name = serializers.CharField(max_length=200)
    slug = serializers.CharField(required=False, max_length=60, help_text="Of its address.")
    description = serializers.CharField(required=False, allow_blank=True, max_length=5000)


@extend_schema_view(
    get=extend_schema(
        operation_id="projects_list",
        summary="The projects that you may see",
        tags=["projects"],
        responses={200: ProjectSerializer(many=True), 403: ProblemSerializer},
    ),
    post=extend_schema(
        operation_id="projects_create",
        summary="Make a project",
        tags=["projects"],
        request=ProjectRequest,
        responses={201: WithCampaignsSerializer, 400: dict, 403: ProblemSerializer},
    ),
)
class ProjectList(ListAPIView):
    serializer_class = ProjectSerializer
    pagination_class = Pagination
    queryset = Project.objects.none()  # for the schema

    def get_queryset(self):
        return Project.objects.visible_to(self.request.user)

    def post(self, request) -> Response:
        access.require_creator(request.user)
        made = _changed(request, Project(owner=request.user), ProjectRequest(data=request.data))
        context = {"user": request.user}
        return Response(WithCampaignsSerializer(made, context=context).data, status=201)


projects = ProjectList.as_view()


@extend_schema(
    summary="Add campaigns to a project or remove them, and choose what ranks their systems",
    tags=["projects"],
    parameters=[PROJECT],
    request=ChangeRequest,
    responses={200: WithCampaignsSerializer, 400: dict, **REFUSALS},
)
@api_view(["POST"])
def campaigns(request, project: str) -> Response:
    found = access.managed_project(request.user, project)
    made = _changed(request, found, ChangeRequest(data=request.data))
    return Response(WithCampaignsSerializer(made, context={"user": request.user}).data)


def _changed(request, project: Project, asked: serializers.Serializer) -> Project:
    """Fill the form of the page with the stored and the requested values, and save it. Raises
    ValidationError."""
    asked.is_valid(raise_exception=True)
    with acting(request):  # including the reading: otherwise concurrent additions would be lost
        if project.pk:
            project = lock_project(project.pk)
        return _filled(request.user, project, asked.validated_data).save()


def _filled(user, project: Project, wanted: dict) -> ProjectForm:
    joined = _joined(user, project) if project.pk else {}
    texts = {name: getattr(project, name) for name in ("name", "slug", "description")}
    kept = dict.fromkeys([*joined, *wanted["add"]])
    dimensions = {str(pk): said for pk, said in joined.items()} | wanted["dimensions"]
    form = ProjectForm(
        user,
        texts
        | {name: wanted[name] for name in texts if name in wanted}
        | {"campaigns": [pk for pk in kept if pk not in wanted["remove"]]}
        | {"initial-campaigns": list(joined)}
        | {f"dimension_{pk}": said for pk, said in dimensions.items()},
        instance=project,
    )
    if not form.is_valid():
        raise refuse(form)
    for pk, said in wanted["dimensions"].items():
        if said and f"dimension_{pk}" not in form.fields:
            words = f"Campaign {pk} is not in the project, or has no such choice."
            raise ValidationError({"dimensions": [words]})
    return form


def _joined(user, project: Project) -> dict[int, str]:
    """Return the campaigns that the user may read, with the chosen dimension for ranking their
    systems if it still exists."""
    readable, _ = access.campaigns_of_project(user, project)
    chosen = dict(project.joined.values_list("campaign", "dimension"))
    found = {}
    for campaign in readable:
        said = chosen.get(campaign.pk, "")
        found[campaign.pk] = said if said in dict(ranked_by(campaign)) else ""
    return found
