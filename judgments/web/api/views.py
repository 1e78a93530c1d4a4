"""Campaigns, their scores and agreement. Who may read a campaign's pages may read these."""

from django.core.exceptions import BadRequest
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.decorators import api_view
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.response import Response

from judgments.models import Campaign
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.results.agreement import figures as agreement_figures
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.scores import head_to_head
from judgments.results.scores import strengths as scores_strengths
from judgments.results.selection import from_address
from judgments.results.selection.selection import Selection

from .refusals import Refused
from .serializers import (
    AgreementQuery,
    AgreementSerializer,
    CampaignSerializer,
    ProblemSerializer,
    ScoreQuery,
    ScoresSerializer,
    SelectionQuery,
)

# A number in an address: Django's converter knows neither signs nor fractions.
NUMBER = {"type": "integer", "minimum": 1}
CAMPAIGN = OpenApiParameter("campaign_id", NUMBER, OpenApiParameter.PATH)
SCORED = ("dimension", "method", "interval", "rule", "test", "adjust")
SCORE_FIELDS = (*SCORED, "seed", "resamples", "notes", "reason")
REFUSALS = {403: ProblemSerializer, 404: ProblemSerializer}


class Pagination(LimitOffsetPagination):
    """At most 500 rows; an offset is never larger than PostgreSQL can count."""

    max_limit = 500

    def get_offset(self, request) -> int:
        return min(super().get_offset(request), 2**31)


@extend_schema(
    summary="Campaigns whose results you may read",
    tags=["campaigns"],
    responses={200: CampaignSerializer(many=True), 403: ProblemSerializer},
)
class CampaignList(ListAPIView):
    serializer_class = CampaignSerializer
    pagination_class = Pagination
    queryset = Campaign.objects.none()  # tells the schema the model

    def get_queryset(self):
        return Campaign.objects.visible_to(self.request.user)


campaigns = CampaignList.as_view()
schema = SpectacularAPIView.as_view()


def checked_query(serializer_class, request) -> dict:
    """The clean query string. Raises ValidationError, which answers 400."""
    query = serializer_class(data=request.query_params)
    if not query.is_valid():
        errors = {name: [each] for name, each in query.errors.items()}
        for name in errors:
            if choices := getattr(query.fields.get(name), "choices", None):
                errors[name].append(f"Known: {', '.join(map(str, choices))}.")
        raise ValidationError(errors)
    return {"dimension": None} | query.validated_data


def selection_asked(request, campaign_id: int) -> Selection:
    """The judgments that the query string asks for, of a campaign that the user may read. Raises
    ValidationError for a query that is none."""
    checked_query(SelectionQuery, request)
    try:
        # Its parameters are those that the schema has: `AsksOnlyForWhatIsKnown`.
        return from_address.selected(request, campaign_id, request.GET)
    except BadRequest as problem:
        raise Refused(str(problem)) from None


def checked_dimension(campaign: Campaign, slug: str | None) -> None:
    """Raises ValidationError for a dimension that the campaign has not; comparisons have none."""
    known = [dimension.slug for dimension in observations.dimensions_of(campaign)]
    if slug is not None and slug not in known:
        raise ValidationError({"dimension": [f"Known: {', '.join(known) or 'none'}."]})


@extend_schema(
    summary="One campaign",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    responses={200: CampaignSerializer, **REFUSALS},
)
@api_view(["GET"])
def campaign(request, campaign_id: int) -> Response:
    found = access.readable_campaign(request.user, campaign_id)
    return Response(CampaignSerializer(found).data)


@extend_schema(
    summary="People's scores of the systems",
    tags=["campaigns"],
    parameters=[CAMPAIGN, ScoreQuery, SelectionQuery],
    responses={200: ScoresSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def scores(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    query = checked_query(ScoreQuery, request)
    checked_dimension(selection.campaign, query["dimension"])
    score = scores_figures.system_scores(selection, **query)
    systems = [
        {
            "system": score.names[i],
            "score": score.mean[i],
            "low": score.low[i],
            "high": score.high[i],
            "n_segments": score.n_segments[i],
            "n_judgments": score.n_judgments[i],
            "rank_low": score.rank_low[i],
            "rank_high": score.rank_high[i],
            "cluster": score.cluster[i],
        }
        for i in score.order
    ]
    found_fields = {field: getattr(score, field) for field in SCORE_FIELDS}
    found_fields["spread"] = [{"name": name, "sd": sd} for name, sd in score.spread]
    pairs = head_to_head.pair_objects(selection, score)
    strengths = scores_strengths.pair_objects(selection)
    found_fields |= {"systems": systems, "pairs": pairs, "strengths": strengths}
    return Response(ScoresSerializer(found_fields, context={"selection": selection}).data)


@extend_schema(
    summary="Agreement of the annotators",
    tags=["campaigns"],
    parameters=[CAMPAIGN, AgreementQuery, SelectionQuery],
    responses={200: AgreementSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def agreement(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    query = checked_query(AgreementQuery, request)
    checked_dimension(selection.campaign, query["dimension"])
    report = agreement_figures.agreement(selection, query["dimension"])
    return Response(AgreementSerializer(report, context={"selection": selection}).data)
