"""Excluding annotators, segments and translations from the results, like the page Quality."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import get_user_model
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from judgments.models import Campaign
from judgments.people import access
from judgments.quality.decisions.decisions import AlreadyDecided, decide, decide_item
from judgments.quality.decisions.exclusions import LONGEST_REASON
from judgments.quality.decisions.forms import (
    LEAVE_OUT,
    TAKE_IN,
    DecisionForm,
    ItemForm,
    all_who_judged,
)
from judgments.results.selection.decisions import decisions as annotator_log
from judgments.results.selection.decisions import removed_items
from judgments.results.selection.selection import Selection
from judgments.web.api.refusals import Conflict, refuse
from judgments.web.api.serializers import ProblemSerializer
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.audit.acting import acting

from ..rules.api import DecisionSerializer


class DecisionRequest(serializers.Serializer):
    annotator = serializers.CharField(max_length=200, help_text="The alias.")
    action = serializers.ChoiceField(choices=[LEAVE_OUT, TAKE_IN])
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Stays in the history.")
    dimension = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Whose ratings are meant; empty: everything.",
    )


class ItemDecisionRequest(serializers.Serializer):
    segment = serializers.CharField(max_length=200, help_text="Its key.")
    system = serializers.CharField(
        required=False, allow_blank=True, max_length=200, help_text="Empty: of all systems."
    )
    action = serializers.ChoiceField(choices=[LEAVE_OUT, TAKE_IN])
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Stays in the history.")


class ItemDecisionSerializer(serializers.Serializer):
    segment = serializers.CharField()
    system = serializers.CharField(allow_blank=True)
    decision = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField()
    when = serializers.DateTimeField()


def described(of: str, act: str, log: type, asked: type) -> Callable:
    """Return the decorator for a view that responds with a log, and adds entries to it."""
    many = log(many=True)
    read = extend_schema(
        methods=["GET"],
        summary=f"The decisions on {of}, the first one first",
        tags=["campaigns"],
        parameters=[CAMPAIGN],
        responses={200: many, **REFUSALS},
    )
    write = extend_schema(
        methods=["POST"],
        summary=act,
        tags=["campaigns"],
        parameters=[CAMPAIGN],
        request=asked,
        responses={201: many, 400: dict, 409: ProblemSerializer, **REFUSALS},
    )
    return lambda view: read(write(view))


@described(
    "annotators",
    "Leave an annotator out of the results, or include them again",
    DecisionSerializer,
    DecisionRequest,
)
@api_view(["GET", "POST"])
def decisions(request, campaign_id: int) -> Response:
    if request.method == "GET":
        campaign = access.readable_campaign(request.user, campaign_id)
        return Response(log_of(campaign))
    campaign = access.managed_campaign(request.user, campaign_id)
    asked = DecisionRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    form = decision_form(campaign, asked.validated_data)
    if not form.is_valid():
        raise refuse(form)
    annotator = get_user_model().objects.get(pk=form.cleaned_data["annotator"])
    try:
        with acting(request):
            decide(
                campaign,
                annotator,
                excluded=form.leaves_out,
                reason=form.cleaned_data["reason"],
                dimension=form.cleaned_data.get("dimension", ""),
                by=request.user,
            )
    except AlreadyDecided as problem:
        raise Conflict(f"This annotator is {problem}.") from None
    return Response(log_of(campaign), status=201)


def log_of(campaign: Campaign) -> Any:
    return DecisionSerializer(annotator_log(Selection.of(campaign)), many=True).data


def decision_form(campaign: Campaign, asked: dict) -> DecisionForm:
    """Return the form of the page, which identifies annotators by number. Raise ValidationError for
    an alias of nobody who judged, and for a dimension if there is only one."""
    report = all_who_judged(campaign)
    numbers = {each.alias: each.user for each in report.annotators}
    if asked["annotator"] not in numbers:
        raise ValidationError({"annotator": ["Nobody of this name has judged in the campaign."]})
    form = DecisionForm(campaign, report, asked | {"annotator": numbers[asked["annotator"]]})
    if asked.get("dimension") and "dimension" not in form.fields:
        raise ValidationError({"dimension": ["There is one dimension: leave this out."]})
    return form


@described(
    "segments and translations",
    "Leave a segment, or one system's translation of it, out of the results",
    ItemDecisionSerializer,
    ItemDecisionRequest,
)
@api_view(["GET", "POST"])
def item_decisions(request, campaign_id: int) -> Response:
    if request.method == "GET":
        campaign = access.readable_campaign(request.user, campaign_id)
        return Response(items_of(campaign))
    campaign = access.managed_campaign(request.user, campaign_id)
    asked = ItemDecisionRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    form = ItemForm(campaign, asked.validated_data)
    if not form.is_valid():
        raise refuse(form)
    chosen = (campaign, form.cleaned_data["segment"], form.cleaned_data["system"])
    reason = form.cleaned_data["reason"]
    try:
        with acting(request):
            decide_item(*chosen, removed=form.removes, reason=reason, by=request.user)
    except AlreadyDecided as problem:
        raise Conflict(f"This is {problem}.") from None
    return Response(items_of(campaign), status=201)


def items_of(campaign: Campaign) -> Any:
    return ItemDecisionSerializer(removed_items(Selection.of(campaign)), many=True).data
