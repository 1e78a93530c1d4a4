"""A registered stopping plan and the results of its looks, as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models import Aim, PlanTest, Spending
from judgments.models.moments import at_one_moment
from judgments.plans.stopping import plan_of
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.web.api.numbers import Count, Number
from judgments.web.api.serializers import ProblemSerializer
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.sections import table_objects

from . import figures, page


class RegisteredControlSerializer(serializers.Serializer):
    """A metric whose differences correct for which items were judged."""

    signature = serializers.CharField()
    name = serializers.CharField()


class StoppingPlanSerializer(serializers.Serializer):
    aim = serializers.ChoiceField(choices=Aim.choices)
    dimension = serializers.CharField()
    unit = serializers.CharField(help_text="What is counted: documents, segments or blocks.")
    looks = serializers.ListField(child=Count())
    most = Count(help_text="How many are planned in all.")
    n_systems = Count()
    alpha = Number()
    spending = serializers.ChoiceField(
        choices=Spending.choices, help_text="How the error is spent over the looks."
    )
    block_length = Count(help_text="Segments of a block at most, where blocks are counted.")
    test = serializers.ChoiceField(choices=PlanTest.choices, help_text="What Z is of.")
    controls = RegisteredControlSerializer(many=True)
    registered_by = serializers.CharField()
    registered_at = serializers.DateTimeField()


class LookSerializer(serializers.Serializer):
    """One look. Values of future looks are null."""

    look = Count()
    planned = Count(help_text="Documents or segments.")
    bound = Number(help_text="What |Z| must exceed before any pair is decided.")
    items = Count(allow_null=True)
    decided = Count(allow_null=True, help_text="Pairs decided up to this look.")
    systems = Count(allow_null=True, help_text="Systems still compared after it.")
    futile = Count(allow_null=True, help_text="Open pairs unlikely to be separated.")


class PairAtLookSerializer(serializers.Serializer):
    """A pair at one look at which it was open."""

    first = serializers.CharField()
    second = serializers.CharField()
    state = serializers.CharField()
    look = Count()
    difference = Number()
    low = Number(help_text="Of the interval that holds at all looks together.")
    high = Number()
    z = Number()
    bound = Number()
    n = Count()
    n_clusters = Count()
    conditional_power = Number()
    note = serializers.CharField(allow_blank=True)


class StoppingSerializer(Selected):
    plan = StoppingPlanSerializer(allow_null=True, help_text="Null: none was registered.")
    lead = serializers.CharField(allow_blank=True)
    control_reason = serializers.CharField(
        allow_blank=True, help_text="Why a registered control variate is not used."
    )
    looks = LookSerializer(many=True)
    pairs = PairAtLookSerializer(many=True)


@extend_schema(
    summary="The registered stopping plan, and what its looks found",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: StoppingSerializer, 400: dict, 403: ProblemSerializer, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def stopping(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id).unfiltered
    plan = plan_of(selection.campaign)
    if plan is None:
        answer: dict[str, Any] = {
            "plan": None,
            "lead": "",
            "control_reason": "",
            "looks": [],
            "pairs": [],
        }
        return Response(StoppingSerializer(answer, context={"selection": selection}).data)
    report = figures.stopping(selection, plan)
    answer = {
        "plan": page.plan_data(plan),
        "lead": page.lead(report),
        "control_reason": report.control_reason,
        "looks": table_objects(page.look_table(report)),
        "pairs": table_objects(page.every_look_table(report)),
    }
    return Response(StoppingSerializer(answer, context={"selection": selection}).data)
