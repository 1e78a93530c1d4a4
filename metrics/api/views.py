"""Metric scores of test sets, and how far they agree with people."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import api_view
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from judgments import access
from judgments.api.serializers import ErrorSerializer
from judgments.api.views import CAMPAIGN, NUMBER, REFUSALS, checked_dimension, checked_query
from judgments.models import TestSet
from metrics import jobs, tasks
from metrics.evaluation import segment_level, system_level
from metrics.tables import score_table

from .serializers import (
    CorrelationQuery,
    CorrelationSerializer,
    JobRequest,
    JobSerializer,
    MetricsSerializer,
)

TEST_SET = OpenApiParameter("test_set_id", NUMBER, OpenApiParameter.PATH)


@extend_schema(
    methods=["GET"],
    summary="Metric scores of a test set",
    tags=["metrics"],
    parameters=[TEST_SET],
    responses={200: MetricsSerializer, **REFUSALS},
)
@extend_schema(
    methods=["POST"],
    summary="Ask for metric scores",
    description="Starts a background job. Only the owner of the test set may.",
    tags=["metrics"],
    parameters=[TEST_SET],
    request=JobRequest,
    responses={201: JobSerializer, 400: dict, 409: ErrorSerializer, **REFUSALS},
)
@api_view(["GET", "POST"])
def test_set_metrics(request, test_set_id: int) -> Response:
    if request.method == "POST":
        return start(request, access.managed_test_set(request.user, test_set_id))
    test_set = access.readable_test_set(request.user, test_set_id)
    table = score_table(test_set)
    rows = table.rows()
    metrics = [
        {
            "metric": column.metric,
            "label": column.label,
            "references": column.references,
            "signature": column.signature,
            "higher_is_better": column.higher_is_better,
            "systems": [
                {"system": system, "score": cells[i].score, "is_stale": cells[i].is_stale}
                for system, cells in rows
                if cells[i].score is not None
            ],
        }
        for i, column in enumerate(table.columns)
    ]
    found = {"test_set": test_set.pk, "metrics": metrics, "job": test_set.scoring_jobs.first()}
    return Response(MetricsSerializer(found).data)


def start(request, test_set: TestSet) -> Response:
    """Queue a job, unless one is at work."""
    asked = JobRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    references = asked.validated_data.get("references", test_set.reference_names)
    try:
        job = jobs.create_job(test_set, asked.validated_data["metrics"], references, request.user)
    except jobs.JobRunning as error:
        return Response({"detail": str(error)}, status=status.HTTP_409_CONFLICT)
    except ValueError as error:
        raise ValidationError({"detail": str(error)}) from None
    tasks.enqueue(job)
    return Response(JobSerializer(job).data, status=status.HTTP_201_CREATED)


@extend_schema(
    summary="Metrics against people",
    tags=["metrics"],
    parameters=[CAMPAIGN, CorrelationQuery],
    responses={200: CorrelationSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
def correlation(request, campaign_id: int) -> Response:
    campaign = access.readable_campaign(request.user, campaign_id)
    query = checked_query(CorrelationQuery, request)
    checked_dimension(campaign, query["dimension"])
    over = query["over"]
    table = score_table(campaign.test_set, statistics=over == "judged")
    score = {"dimension": query["dimension"], "method": query["method"], "table": table}
    found = {
        "systems": system_level(campaign, over=over, **score),
        "segments": segment_level(campaign, **score),
    }
    return Response(CorrelationSerializer(found).data)
