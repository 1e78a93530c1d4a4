"""Owners' actions on a running campaign: its status, its links, imports of judgments.

Each action uses the form and the function of the page that offers it.
"""

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from judgments.models import Campaign, Role, Status
from judgments.people import access
from judgments.people.invitations.forms import InvitationForm
from judgments.people.invitations.links import close_link, make_link
from judgments.people.workload.progress import counters, watched_rows
from judgments.plans.campaigns.forms import StatusForm
from judgments.plans.campaigns.opening import StatusRefused, set_status
from judgments.web.api.numbers import Count, Number
from judgments.web.api.refusals import Conflict, refuse
from judgments.web.api.serializers import CampaignSerializer, ProblemSerializer
from judgments.web.api.views import CAMPAIGN, NUMBER, REFUSALS, Pagination
from judgments.web.audit.acting import acting

INVITATION = OpenApiParameter("invitation_id", NUMBER, OpenApiParameter.PATH)


class WorkerSerializer(serializers.Serializer):
    """One annotator's work."""

    annotator = serializers.CharField(source="alias")
    status = serializers.CharField(help_text="at work, away, done, not begun, removed …")
    items = Count()
    judged = Count()
    batches = Count(help_text="Judged completely.")
    active_seconds = serializers.SerializerMethodField()
    last = serializers.DateTimeField(allow_null=True, help_text="When they last judged.")

    def get_active_seconds(self, row) -> float:
        return row["active_ms"] / 1000


class CampaignProgressSerializer(serializers.Serializer):
    """Progress of a campaign."""

    status = serializers.ChoiceField(choices=Status.choices)
    n_items = Count()
    n_judged = Count()
    n_judgments = Count(help_text="Revised ones counted once.")
    n_at_work = Count(help_text="Annotators who have judged within ten minutes.")
    n_free = Count(help_text="Batches that nobody has taken.")
    active_hours = Number()
    last = serializers.DateTimeField(allow_null=True)
    annotators = WorkerSerializer(many=True)


@extend_schema(
    summary="Progress of a campaign and of each annotator in it",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    responses={200: CampaignProgressSerializer, **REFUSALS},
)
@api_view(["GET"])
def progress(request, campaign_id: int) -> Response:
    campaign = access.readable_campaign(request.user, campaign_id)
    now = timezone.now()
    counted = counters(campaign, now)
    found = vars(counted) | {
        "status": campaign.status,
        "n_judgments": counted.n_judgments,
        "active_hours": counted.active_ms / 3_600_000,
        "annotators": watched_rows(campaign, now),
    }
    return Response(CampaignProgressSerializer(found).data)


class StatusRequest(serializers.Serializer):
    """Open it, pause it, or close it."""

    status = serializers.ChoiceField(choices=Status.choices)


@extend_schema(
    summary="Open, pause or close a campaign",
    description="The status to set; a campaign that already has it keeps it. 409 if the campaign "
    "cannot change to it: a draft can be opened; an open or paused campaign can be "
    "paused, opened or closed; a closed campaign can be opened. No campaign becomes "
    "a draft again.",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    request=StatusRequest,
    responses={200: CampaignSerializer, 400: dict, 409: ProblemSerializer, **REFUSALS},
)
@api_view(["POST"])
def status(request, campaign_id: int) -> Response:
    campaign = access.managed_campaign(request.user, campaign_id)
    asked = StatusRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    form = StatusForm(asked.validated_data)
    if not form.is_valid():
        raise refuse(form)
    try:
        with acting(request):
            set_status(campaign, form.cleaned_data["status"])
    except StatusRefused as reason:
        raise Conflict(str(reason)) from None
    return Response(CampaignSerializer(campaign).data)


class InvitationRequest(serializers.Serializer):
    """A link through which people join."""

    role = serializers.ChoiceField(
        choices=[Role.ANNOTATOR, Role.RESEARCHER], default=Role.ANNOTATOR.value
    )
    kind = serializers.ChoiceField(
        choices=["shared", "single"], default="shared", help_text="single: for one person."
    )
    max_uses = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    expires_at = serializers.DateTimeField(required=False)
    note = serializers.CharField(required=False, allow_blank=True, max_length=200)


class InvitationSerializer(serializers.Serializer):
    """A link through which people join; anybody with the address can join as long as it is
    usable."""

    id = Count()
    role = serializers.CharField()
    url = serializers.SerializerMethodField()
    note = serializers.CharField(allow_blank=True)
    uses = Count()
    max_uses = serializers.IntegerField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    usable = serializers.SerializerMethodField()

    def get_url(self, invitation) -> str:
        return self.context["request"].build_absolute_uri(invitation.get_absolute_url())

    def get_usable(self, invitation) -> bool:
        return invitation.pk in self.context["usable"]


def links(request, campaign, found, *, many: bool = False) -> dict:
    usable = set(campaign.invitations.usable().values_list("pk", flat=True))
    context = {"request": request, "usable": usable}
    return InvitationSerializer(found, many=many, context=context).data


@extend_schema(
    methods=["GET"],
    summary="Invitation links, newest first",
    description="Links of sheets, which are made for many people at once, are not included.",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    responses={200: InvitationSerializer(many=True), **REFUSALS},
)
@extend_schema(
    methods=["POST"],
    summary="Create an invitation link",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    request=InvitationRequest,
    responses={201: InvitationSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET", "POST"])
def invitations(request, campaign_id: int) -> Response:
    campaign = access.managed_campaign(request.user, campaign_id)
    if request.method == "GET":
        return Response(
            links(request, campaign, campaign.invitations.filter(sheet=None), many=True)
        )
    asked = InvitationRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    form = InvitationForm(asked.validated_data)
    if not form.is_valid():
        raise refuse(form)
    with acting(request):
        made = make_link(campaign, form.save(commit=False), by=request.user)
    return Response(links(request, campaign, made), status=201)


@extend_schema(
    summary="Close an invitation link; people who joined with it stay",
    tags=["campaigns"],
    parameters=[CAMPAIGN, INVITATION],
    request=None,
    responses={200: InvitationSerializer, **REFUSALS},
)
@api_view(["POST"])
def invitation_close(request, campaign_id: int, invitation_id: int) -> Response:
    campaign = access.managed_campaign(request.user, campaign_id)
    invitation = get_object_or_404(campaign.invitations, pk=invitation_id)
    with acting(request):
        close_link(invitation)
    return Response(links(request, campaign, invitation))


@extend_schema(
    summary="Campaigns whose results you may read",
    tags=["campaigns"],
    responses={200: CampaignSerializer(many=True), 403: ProblemSerializer},
)
class CampaignList(ListAPIView):
    serializer_class = CampaignSerializer
    pagination_class = Pagination
    queryset = Campaign.objects.none()  # for the schema

    def get_queryset(self):
        return Campaign.objects.visible_to(self.request.user).of_people()


campaigns = CampaignList.as_view()


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
