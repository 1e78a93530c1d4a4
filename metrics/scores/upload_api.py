"""Scores that other programs computed, sent as JSON or as files."""

import io
import json

from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.files import ImportProblem
from judgments.people import access
from judgments.web.api.numbers import Count
from judgments.web.api.refusals import Refused
from judgments.web.api.views import REFUSALS
from judgments.web.audit.acting import acting
from metrics.formats.entries import parse_given
from metrics.formats.score_tables import LONGEST_METRIC_NAME
from metrics.scores.importing import MOST_FILES, Instructions, import_scores

from .api import TEST_SET

MOST_NAMES = 100


class ScoreRow(serializers.Serializer):
    """A score of a segment, of a document or, with neither, of a system."""

    system = serializers.CharField()
    segment = serializers.CharField(required=False)
    document = serializers.CharField(required=False)
    score = serializers.FloatField(allow_null=True)


@extend_schema_field(ScoreRow(many=True))
class RowsField(serializers.JSONField):
    """Rows as they come: whoever reads them says what is wrong with which."""


class ScoresRequest(serializers.Serializer):
    """Scores as rows of JSON, or as files; what the fields say goes for all of them."""

    higher_is_better = serializers.BooleanField()
    metric = serializers.CharField(
        max_length=LONGEST_METRIC_NAME,
        required=False,
        help_text="Its name, where the files do not say it.",
    )
    references = serializers.ListField(
        child=serializers.CharField(max_length=100),
        required=False,
        max_length=MOST_NAMES,
        help_text="Reference sets that it read, where the files do not say it; src for none.",
    )
    exceptions = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_METRIC_NAME),
        required=False,
        max_length=MOST_NAMES,
        help_text="Metrics of the files for which the other direction is the better one.",
    )
    skip_unknown = serializers.BooleanField(
        default=False, help_text="Leave out systems that the test set does not have."
    )
    replace = serializers.BooleanField(
        default=False, help_text="Replace existing scores of these metrics."
    )
    scores = RowsField(required=False)
    files = serializers.ListField(
        child=serializers.FileField(),
        required=False,
        max_length=MOST_FILES,
        help_text="METRIC-REF.seg.score, .doc.score, .domain.score, .sys.score, or tables "
        "(.tsv, .csv, .jsonl), of scores or of errors that a metric marks.",
    )

    def validate(self, attrs):
        if bool(attrs.get("scores")) == bool(attrs.get("files")):
            raise serializers.ValidationError("Send either scores or files.")
        if not isinstance(attrs.get("scores", []), list):
            raise serializers.ValidationError({"scores": ["Expected a list of rows."]})
        return attrs

    def sources(self) -> list:
        """Return the files; rows of JSON are read as the lines of one."""
        data = self.validated_data
        if data.get("files"):
            return data["files"]
        lines = io.BytesIO("".join(json.dumps(row) + "\n" for row in data["scores"]).encode())
        lines.name = "scores.jsonl"
        return [lines]

    def instructions(self) -> Instructions:
        data = self.validated_data
        return Instructions(
            higher_is_better=data["higher_is_better"],
            exceptions=frozenset(data.get("exceptions", ())),
            name=data.get("metric", ""),
            references=parse_given(data.get("references", [])),
            skip_unknown=data["skip_unknown"],
            replace=data["replace"],
        )


class ImportedSerializer(serializers.Serializer):
    """What came in."""

    metrics = serializers.ListField(child=serializers.CharField(), source="labels")
    n_scores = Count(help_text="Scores of systems.")
    n_spans = Count(help_text="Errors that the metrics mark.")
    left_out = serializers.ListField(child=serializers.CharField(), source="skipped")


@extend_schema(
    summary="Add scores of another metric",
    description="All of them or, if anything is wrong, none. Only the owner of the test set may.",
    tags=["metrics"],
    parameters=[TEST_SET],
    request=ScoresRequest,
    responses={201: ImportedSerializer, 400: dict, **REFUSALS},
    examples=[
        OpenApiExample(
            "Scores of segments",
            request_only=True,
            value={
                "metric": "COMET-22",
                "references": ["refA"],
                "higher_is_better": True,
                "scores": [
                    {"system": "online-A", "segment": "1", "score": 0.87},
                    {"system": "online-A", "segment": "2", "score": None},
                ],
            },
        )
    ],
)
@api_view(["POST"])
def test_set_scores(request, test_set_id: int) -> Response:
    test_set = access.managed_test_set(request.user, test_set_id)
    asked = ScoresRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    try:
        with acting(request):
            imported = import_scores(test_set, asked.sources(), asked.instructions())
    except ImportProblem as problem:
        raise Refused(f"Nothing was imported. {problem}") from None
    return Response(ImportedSerializer(imported).data, status=status.HTTP_201_CREATED)
