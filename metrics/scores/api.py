"""Metric scores of test sets, and their agreement with people."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models import System, TestSet
from judgments.models.moments import at_one_moment
from judgments.people import access
from judgments.web.api.refusals import Conflict, Refused
from judgments.web.api.serializers import ProblemSerializer
from judgments.web.api.views import NUMBER, REFUSALS, checked_query
from judgments.web.audit.acting import acting
from metrics.models import ScoringJob
from metrics.scores.comparisons import compare_column
from metrics.scores.overview import TestedCell, names_of, overview
from metrics.scores.tables import MetricColumn, ScoreTable, score_table, segment_matrix
from metrics.scoring import jobs
from metrics.scoring import tasks as scoring_tasks

from .serializers import (
    JobProgressSerializer,
    JobRequest,
    JobSerializer,
    MetricsSerializer,
    PairsSerializer,
    SegmentScoresSerializer,
    UnitQuery,
)

TEST_SET = OpenApiParameter("test_set_id", NUMBER, OpenApiParameter.PATH)
JOB = OpenApiParameter("job_id", NUMBER, OpenApiParameter.PATH)
COLUMN = OpenApiParameter(
    "slug",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    OpenApiParameter.PATH,
    description="As the list of metric scores gives it.",
)


@extend_schema(
    methods=["GET"],
    summary="Metric scores of a test set",
    tags=["metrics"],
    parameters=[TEST_SET, UnitQuery],
    responses={200: MetricsSerializer, 400: dict, **REFUSALS},
)
@extend_schema(
    methods=["POST"],
    summary="Ask for metric scores",
    description="Starts a background job. Only the owner of the test set may.",
    tags=["metrics"],
    parameters=[TEST_SET],
    request=JobRequest,
    responses={201: JobSerializer, 400: dict, 409: ProblemSerializer, **REFUSALS},
)
@api_view(["GET", "POST"])
def test_set_metrics(request, test_set_id: int) -> Response:
    if request.method == "POST":
        return start(request, access.managed_test_set(request.user, test_set_id))
    test_set = access.readable_test_set(request.user, test_set_id)
    view = overview(score_table(test_set), unit=checked_query(UnitQuery, request)["unit"])
    rows = view.rows()
    metrics = [
        metric_data(column)
        | {
            "tests": view.tested[column.slug],
            "systems": [
                SystemRow(system, cells[i]) for system, cells in rows if cells[i].cell.score
            ],
        }
        for i, column in enumerate(view.shown)
    ]
    found = {"test_set": test_set.pk, "metrics": metrics, "job": test_set.scoring_jobs.first()}
    return Response(MetricsSerializer(found).data)


class SystemRow:
    """A system with its tested cell, in one object for the serializer."""

    def __init__(self, system: System, tested: TestedCell) -> None:
        self.system = system
        self.tested = tested

    def __getattr__(self, name: str):
        return getattr(self.tested, name)


def metric_data(column: MetricColumn) -> dict:
    names = ("slug", "metric", "label", "references", "signature", "higher_is_better")
    return {name: getattr(column, name) for name in names}


def column_or_404(test_set: TestSet, slug: str) -> tuple[ScoreTable, MetricColumn]:
    table = score_table(test_set, check_stale=False)
    for column in table.columns:
        if column.slug == slug:
            return table, column
    raise Http404("No such scores.")


@extend_schema(
    summary="Scores of all segments by one metric",
    tags=["metrics"],
    parameters=[TEST_SET, COLUMN],
    responses={200: SegmentScoresSerializer, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def segment_scores(request, test_set_id: int, slug: str) -> Response:
    test_set = access.readable_test_set(request.user, test_set_id)
    table, column = column_or_404(test_set, slug)
    systems = [system for system in table.systems if system.pk in column.scores]
    matrix = segment_matrix(column, [system.pk for system in systems], table.n_segments)
    found = {
        "slug": column.slug,
        "metric": column.metric,
        "segment_signature": column.segment_signature,
        "higher_is_better": column.higher_is_better,
        "segments": list(test_set.segments.order_by("position").values_list("key", flat=True)),
        "systems": {s.name: row for s, row in zip(systems, matrix.tolist(), strict=True)},
    }
    return Response(SegmentScoresSerializer(found).data)


@extend_schema(
    summary="Every pair of systems by one metric",
    tags=["metrics"],
    parameters=[TEST_SET, COLUMN, UnitQuery],
    responses={200: PairsSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def pairs(request, test_set_id: int, slug: str) -> Response:
    test_set = access.readable_test_set(request.user, test_set_id)
    table, column = column_or_404(test_set, slug)
    tested = compare_column(column, table, unit=checked_query(UnitQuery, request)["unit"])
    names = names_of(table.systems)
    found = {
        "slug": column.slug,
        "signature": column.signature,
        "tests": tested,
        "pairs": [
            vars(pair) | {"first": names[pair.first], "second": names[pair.second]}
            for pair in (tested.pairs if tested else ())
        ],
    }
    return Response(PairsSerializer(found).data)


@extend_schema(
    summary="Progress of a scoring job",
    tags=["metrics"],
    parameters=[TEST_SET, JOB],
    responses={200: JobProgressSerializer, **REFUSALS},
)
@api_view(["GET"])
def job(request, test_set_id: int, job_id: int) -> Response:
    test_set = access.readable_test_set(request.user, test_set_id)
    return progress(get_object_or_404(test_set.scoring_jobs, pk=job_id))


def progress(found: ScoringJob) -> Response:
    found.progress = jobs.progress_of(found)  # type: ignore[attr-defined]
    return Response(JobProgressSerializer(found).data)


@extend_schema(
    summary="Cancel a scoring job",
    description="What was computed is kept. A job that has ended stays as it is.",
    tags=["metrics"],
    parameters=[TEST_SET, JOB],
    request=None,
    responses={200: JobProgressSerializer, **REFUSALS},
)
@api_view(["POST"])
def job_cancel(request, test_set_id: int, job_id: int) -> Response:
    test_set = access.managed_test_set(request.user, test_set_id)
    found = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    with acting(request):
        jobs.cancel(found.pk)
    found.refresh_from_db()
    return progress(found)


@extend_schema(
    summary="Resume a scoring job",
    description="What failed or was cancelled is computed again. A job that is done stays so. "
    "Another job of the test set must not be active.",
    tags=["metrics"],
    parameters=[TEST_SET, JOB],
    request=None,
    responses={200: JobProgressSerializer, 409: ProblemSerializer, **REFUSALS},
)
@api_view(["POST"])
def job_retry(request, test_set_id: int, job_id: int) -> Response:
    test_set = access.managed_test_set(request.user, test_set_id)
    found = get_object_or_404(test_set.scoring_jobs, pk=job_id)
    try:
        with acting(request):
            if jobs.reopen(found.pk):
                scoring_tasks.enqueue(found)
    except jobs.JobRunning as error:
        raise Conflict(str(error)) from None
    found.refresh_from_db()
    return progress(found)


def start(request, test_set: TestSet) -> Response:
    """Queue a job, unless one is running."""
    asked = JobRequest(data=request.data)
    asked.is_valid(raise_exception=True)
    references = asked.validated_data.get("references", test_set.reference_names)
    try:
        with acting(request):
            metrics = asked.validated_data["metrics"]
            job = jobs.create_job(test_set, metrics, references, request.user)
            scoring_tasks.enqueue(job)
    except jobs.JobRunning as error:
        raise Conflict(str(error)) from None
    except ValueError as error:
        raise Refused(str(error)) from None
    return Response(JobSerializer(job).data, status=status.HTTP_201_CREATED)
