"""Corrections of outputs, as JSON."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.edits.figures import edits_report
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS


class EditingSerializer(serializers.Serializer):
    """The edits of one system's outputs, or of one annotator."""

    name = serializers.CharField()
    n = Count()
    n_edited = Count()
    n_untouched = Count(help_text="Needed no correction.")
    n_unable = Count(help_text="Could not be corrected.")
    untouched = Number(source="untouched.estimate", help_text="Share that needed no correction.")
    low = Number(source="untouched.low", help_text="Lower end of Wilson's 95 % interval.")
    high = Number(source="untouched.high")
    median_keystrokes = Number(help_text="Of edited texts.")
    median_seconds = Number(help_text="Active time in edited texts.")


class EditsSerializer(Selected):
    """By system and by annotator; empty for campaigns without edits."""

    n_edits = Count()
    n_copies = Count(help_text="Of identical outputs, which were shown once.")
    systems = EditingSerializer(many=True)
    editors = EditingSerializer(many=True, source="annotators")


@extend_schema(
    summary="What became of outputs that people corrected",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: EditsSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def edits(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    report = edits_report(selection)
    return Response(EditsSerializer(report, context={"selection": selection}).data)
