"""The segments of a campaign with people's judgments, as JSON."""

import numpy as np
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.segments import one_segment
from judgments.results.segments import page as pages
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, NUMBER, REFUSALS, Pagination, checked_query

NOTE_FIELDS = ("kind", "reason", "comment", "side", "start", "end", "quote")
SEGMENT = OpenApiParameter("segment_id", NUMBER, OpenApiParameter.PATH)


class SegmentsQuery(serializers.Serializer):
    """The requested segments, and their order."""

    sort = serializers.CharField(
        required=False,
        help_text="position, lowest, highest or disagreement; metric- or clash- and the slug of a "
        "metric.",
    )
    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )
    by = serializers.CharField(required=False, help_text="Only what this annotator rated, by name.")
    low = serializers.FloatField(required=False, help_text="Of the scores, or of that annotator's.")
    high = serializers.FloatField(required=False)
    severity = serializers.CharField(required=False, help_text="Only with such a marked error.")
    category = serializers.CharField(required=False, help_text="The same; a branch has its leaves.")
    show = serializers.ChoiceField(
        choices=["flagged", "shared"],
        required=False,
        help_text="Only what the team flagged, or with outputs that two or more annotators judged.",
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=Pagination.max_limit)
    offset = serializers.IntegerField(required=False, min_value=0, max_value=2**31)


class PlaceSerializer(serializers.Serializer):
    """The place of a segment."""

    id = serializers.IntegerField()
    key = serializers.CharField()
    document = serializers.CharField(source="document.name")
    position = serializers.IntegerField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]


class OutputScoreSerializer(serializers.Serializer):
    system = serializers.CharField()
    score = Number()


class ListedSegmentSerializer(serializers.Serializer):
    segment = PlaceSerializer()
    address = serializers.CharField(help_text="Of the page that shows it.")
    n_judgments = Count()
    n_annotators = Count()
    mean = Number(help_text="Of the scores of its outputs.")
    scores = OutputScoreSerializer(many=True, help_text="By people, of each output.")
    disagreement = Number(help_text="Of annotators; the page says how it is measured.")
    sorted_by = Number(help_text="What the list is sorted by.")
    is_flagged = serializers.BooleanField()
    comment = serializers.CharField(allow_blank=True)


class SegmentListSerializer(Selected):
    """The list described in a sentence, and a page of it."""

    sentence = serializers.CharField()
    count = Count()
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = ListedSegmentSerializer(many=True)


class ReferenceSerializer(serializers.Serializer):
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)


class MeanSerializer(serializers.Serializer):
    question = serializers.CharField(allow_blank=True, help_text="Empty: the share of wins.")
    score = Number(source="value")
    n = Count()


class MarkedErrorSerializer(serializers.Serializer):
    """Offsets are code points, the end exclusive."""

    side = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    severity = serializers.CharField()
    category = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)


class GivenRatingSerializer(serializers.Serializer):
    question = serializers.CharField()
    value = Number()


class GivenEditSerializer(serializers.Serializer):
    outcome = serializers.CharField()
    text = serializers.CharField(allow_blank=True)


class GivenAnswerSerializer(serializers.Serializer):
    question = serializers.CharField()
    answer = serializers.CharField(allow_blank=True, help_text="Empty: the text does not say.")
    is_right = serializers.BooleanField(allow_null=True)


class GivenLinkSerializer(serializers.Serializer):
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    target = serializers.CharField(allow_blank=True)
    is_sure = serializers.BooleanField()


class GivenPressSerializer(serializers.Serializer):
    second = Number(help_text="Of the recording.")
    value = serializers.IntegerField(allow_null=True, help_text="Null: nothing from here on.")


class VoiceSerializer(serializers.Serializer):
    """One annotator's judgment of an output."""

    annotator = serializers.CharField()
    kind = serializers.CharField(allow_blank=True, help_text="Of the item; empty: a regular one.")
    submitted_at = serializers.DateTimeField(source="judgment.submitted_at", allow_null=True)
    active_ms = serializers.IntegerField(source="judgment.active_ms", allow_null=True)
    ratings = GivenRatingSerializer(many=True)
    marked = MarkedErrorSerializer(
        many=True, allow_null=True, help_text="Null where nobody is asked for errors."
    )
    edits = GivenEditSerializer(many=True)
    answers = GivenAnswerSerializer(many=True)
    links = GivenLinkSerializer(many=True)
    presses = GivenPressSerializer(many=True)


class FindingSerializer(serializers.Serializer):
    sentence = serializers.CharField()
    address = serializers.CharField()


class OutputSaidSerializer(serializers.Serializer):
    """An output; for an altered copy that a control item showed, its text."""

    system = serializers.CharField(source="name")
    text = serializers.CharField(allow_null=True, allow_blank=True)
    remark = serializers.CharField(allow_blank=True)
    is_altered = serializers.BooleanField()
    human = MeanSerializer(many=True, source="means")
    voices = VoiceSerializer(many=True)
    metrics = serializers.DictField(child=serializers.FloatField(allow_null=True))
    findings = FindingSerializer(many=True)


class ComparisonSerializer(serializers.Serializer):
    annotator = serializers.CharField()
    said = serializers.CharField(source="words")
    kind = serializers.CharField(allow_blank=True)


class NoteSerializer(serializers.Serializer):
    """An annotator's note; if it is about words, these and their place in the text shown, in code
    points: of the source, or of a system's translation."""

    annotator = serializers.CharField()
    kind = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)
    comment = serializers.CharField(allow_blank=True)
    side = serializers.CharField(allow_blank=True)
    system = serializers.CharField(allow_null=True)
    start = Count(allow_null=True)
    end = Count(allow_null=True)
    quote = serializers.CharField(allow_blank=True)


class SegmentDetailSerializer(Selected):
    """One segment with all judgments of its outputs; `metrics` are by the slug of each."""

    segment = PlaceSerializer()
    references = ReferenceSerializer(many=True)
    n_judgments = Count()
    outputs = OutputSaidSerializer(many=True)
    comparisons = ComparisonSerializer(many=True)
    notes = NoteSerializer(many=True)
    metric_titles = serializers.DictField(child=serializers.CharField())


@extend_schema(
    operation_id="campaigns_segments_list",
    summary="The judged segments, sorted and filtered",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SegmentsQuery, SelectionQuery],
    responses={200: SegmentListSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def segments(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    checked_query(SegmentsQuery, request)
    found = pages.asked_page(selection, request.query_params)
    if found.form.errors:
        raise ValidationError(
            {name: [str(each) for each in errors] for name, errors in found.form.errors.items()}
        )
    paginator = Pagination()
    some = paginator.paginate_queryset(found.listing.segment_ids, request) or []
    start = paginator.offset or 0
    rows = pages.rows(found, start, start + len(some))
    answer = {
        "sentence": pages.sentence(found),
        "count": paginator.count,
        "next": paginator.get_next_link(),
        "previous": paginator.get_previous_link(),
        "results": [_listed(found, row) for row in rows],
    }
    return Response(SegmentListSerializer(answer, context={"selection": selection}).data)


def _listed(found: pages.SegmentsPage, row: pages.SegmentRow) -> dict:
    judged = found.listing.judged
    at = int(np.flatnonzero(judged.segment_ids == row.segment.pk)[0])
    known = np.flatnonzero(~np.isnan(judged.values[:, at]))
    return {
        "segment": row.segment,
        "address": row.address,
        "n_judgments": row.n_judgments,
        "n_annotators": row.n_annotators,
        "mean": row.mean,
        "scores": [{"system": judged.names[s], "score": judged.values[s, at]} for s in known],
        "disagreement": row.disagreement,
        "sorted_by": row.key,
        "is_flagged": bool(row.mark and row.mark.is_flagged),
        "comment": row.mark.comment if row.mark else "",
    }


@extend_schema(
    summary="One segment with all that was said of its outputs",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SEGMENT, SelectionQuery],
    responses={200: SegmentDetailSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def segment(request, campaign_id: int, segment_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    found = one_segment.segment_of(selection, segment_id)
    if found is None:
        raise Http404
    detail = one_segment.detail(selection, found)
    answer = {
        "segment": found,
        "references": [{"name": name, "text": text} for name, text in detail.references],
        "n_judgments": detail.n_judgments,
        "outputs": [_output(detail, output) for output in detail.outputs],
        "comparisons": detail.comparisons,
        "notes": [
            {"annotator": a, "system": n.output and n.output.system.name}
            | {name: getattr(n, name) for name in NOTE_FIELDS}
            for a, n in detail.notes
        ],
        "metric_titles": {column.slug: column.title for column in detail.columns},
    }
    return Response(SegmentDetailSerializer(answer, context={"selection": selection}).data)


def _output(detail: one_segment.SegmentDetail, output: one_segment.OutputSaid) -> dict:
    scores = zip(detail.columns, output.scores, strict=False)  # altered copies have none
    return {
        "name": output.name,
        "text": output.text,
        "remark": output.remark,
        "is_altered": output.is_altered,
        "means": output.means,
        "voices": [_voice(voice) for voice in output.voices],
        "metrics": {c.slug: None if value != value else value for c, value in scores},
        "findings": output.findings,
    }


def _voice(voice) -> dict:
    return {
        "annotator": voice.annotator,
        "kind": voice.kind,
        "judgment": voice.judgment,
        "ratings": [{"question": q, "value": value} for q, value in voice.ratings],
        "marked": voice.errors,
        "edits": voice.edits,
        "answers": [
            {"question": q, "answer": answer, "is_right": right}
            for q, answer, right in voice.answers
        ],
        "links": [{"source": a, "target": b, "is_sure": sure} for a, b, sure in voice.links],
        "presses": [{"second": second, "value": value} for second, value in voice.presses],
    }
