"""Answers to comprehension questions as JSON: the shares of right ones."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.answers.figures import answers_report, readers
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS


class AccuracySerializer(serializers.Serializer):
    """The answers of one system's readers at one level."""

    system = serializers.CharField()
    level = Count(help_text="1 facts, 2 actors and events, 3 nuance and intent; 0 all of them.")
    n = Count()
    n_right = Count()
    n_wrong = Count()
    n_ungraded = Count(help_text="Wait for a grade, and count neither as right nor as wrong.")
    n_untold = Count(help_text="Answers that the text does not say.")
    accuracy = Number(source="accuracy.estimate")
    low = Number(source="accuracy.low", help_text="Lower end of Wilson's 95 % interval.")
    high = Number(source="accuracy.high")
    reason = serializers.CharField(source="accuracy.reason", allow_blank=True)


class ReaderSerializer(serializers.Serializer):
    """One annotator's answers, over all systems."""

    annotator = serializers.CharField(source="alias")
    excluded = serializers.SerializerMethodField(help_text="Left out of the results.")
    n_documents = Count()
    n_right = Count()
    n_wrong = Count()
    n_ungraded = Count()
    n_untold = Count()
    accuracy = Number(source="accuracy.estimate")
    low = Number(source="accuracy.low", help_text="Lower end of Wilson's 95 % interval.")
    high = Number(source="accuracy.high")
    median_seconds = Number(help_text="Active time for a document.")

    def get_excluded(self, found) -> bool:
        return found.user in self.context["selection"].excluded


class AnswersSerializer(Selected):
    """Shares of right answers, the best system first; no cells for campaigns without questions."""

    n_answers = Count()
    n_ungraded = Count()
    n_annotators = Count()
    n_documents = Count()
    n_questions = Count()
    cells = AccuracySerializer(many=True)
    readers = serializers.SerializerMethodField(
        help_text="All annotators, including those left out."
    )

    @extend_schema_field(ReaderSerializer(many=True))
    def get_readers(self, found) -> Any:
        everybody = readers(self.context["selection"]).annotators
        return ReaderSerializer(everybody, many=True, context=self.context).data


@extend_schema(
    summary="Right answers to comprehension questions",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: AnswersSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def answers(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    report = answers_report(selection)
    return Response(AnswersSerializer(report, context={"selection": selection}).data)
