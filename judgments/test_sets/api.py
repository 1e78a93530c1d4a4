"""Test sets and their texts, as JSON."""

from django.db.models import Prefetch
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from judgments.models import (
    CloningStep,
    Document,
    Output,
    Reference,
    ReferenceFacts,
    ReferenceKind,
    Segment,
    TestSet,
)
from judgments.people import access
from judgments.web.api.numbers import Count
from judgments.web.api.views import NUMBER, REFUSALS, Pagination

TEST_SET = OpenApiParameter("test_set_id", NUMBER, OpenApiParameter.PATH)


class TextsSerializer(serializers.Serializer):
    """A test set by its names."""

    id = Count()
    name = serializers.CharField()
    source_language = serializers.CharField()
    target_language = serializers.CharField()
    has_texts = serializers.BooleanField(
        help_text="False: the test set has keys only, without texts."
    )
    release = serializers.CharField(allow_blank=True)


class DocumentSerializer(serializers.ModelSerializer):
    class Meta:
        model = Document
        fields = ("name", "domain", "original_language", "instructions")
        read_only_fields = fields


class ReferenceFactsSerializer(serializers.ModelSerializer):
    """Where a reference comes from, as the owner of the test set states it."""

    kind = serializers.ChoiceField(choices=ReferenceKind.choices)
    system = serializers.CharField(
        source="system.name",
        default=None,
        allow_null=True,
        help_text=(
            "The donor of the whole set: the system whose outputs were edited or chosen, or that "
            "wrote it."
        ),
    )
    step = serializers.ChoiceField(choices=CloningStep.choices, allow_blank=True)

    class Meta:
        model = ReferenceFacts
        fields = ("name", "kind", "system", "original", "step")
        read_only_fields = fields


class WholeSetSerializer(TextsSerializer):
    """What is in a test set."""

    note = serializers.CharField(allow_blank=True)
    gloss_language = serializers.CharField(allow_blank=True)
    n_segments = serializers.IntegerField(source="segments.count")
    systems = serializers.SerializerMethodField()
    references = serializers.ListField(child=serializers.CharField(), source="reference_names")
    reference_facts = serializers.SerializerMethodField(
        help_text="For references about which anything is stated."
    )
    documents = DocumentSerializer(many=True)

    def get_systems(self, test_set) -> list[str]:
        return list(test_set.systems.order_by("name").values_list("name", flat=True))

    @extend_schema_field(ReferenceFactsSerializer(many=True))
    def get_reference_facts(self, test_set):
        found = test_set.reference_facts.select_related("system")
        return ReferenceFactsSerializer(found, many=True).data


class SegmentSerializer(serializers.Serializer):
    """A segment with everything that translates it."""

    key = serializers.CharField()
    document = serializers.CharField(source="document.name")
    text = serializers.CharField(source="source", allow_blank=True, help_text="The source.")
    gloss = serializers.CharField(allow_blank=True, help_text="The source word by word, if given.")
    references = serializers.SerializerMethodField(help_text="By the name of their set.")
    donors = serializers.SerializerMethodField(
        help_text="The systems that references were made from, where that is stated by segment; by "
        "the name of the reference set."
    )
    outputs = serializers.SerializerMethodField(help_text="By the name of the system.")

    def get_references(self, segment) -> dict[str, str]:
        return {each.name: each.text for each in segment.references.all()}

    def get_donors(self, segment) -> dict[str, str]:
        return {each.name: each.donor.name for each in segment.references.all() if each.donor}

    def get_outputs(self, segment) -> dict[str, str]:
        return {each.system.name: each.text for each in segment.outputs.all()}


@extend_schema(
    summary="Test sets that you may read",
    tags=["test sets"],
    responses={200: TextsSerializer(many=True)},
)
class SetList(ListAPIView):
    serializer_class = TextsSerializer
    pagination_class = Pagination
    queryset = TestSet.objects.none()  # the model, for the schema

    def get_queryset(self):
        return TestSet.objects.visible_to(self.request.user)


test_sets = SetList.as_view()


@extend_schema(
    summary="One test set: its systems, references and documents",
    tags=["test sets"],
    parameters=[TEST_SET],
    responses={200: WholeSetSerializer, **REFUSALS},
)
@api_view(["GET"])
def test_set(request, test_set_id: int) -> Response:
    found = access.readable_test_set(request.user, test_set_id)
    return Response(WholeSetSerializer(found).data)


@extend_schema(
    summary="The texts of a test set, segment by segment",
    tags=["test sets"],
    parameters=[TEST_SET],
    responses={200: SegmentSerializer(many=True), **REFUSALS},
)
class SetTexts(ListAPIView):
    serializer_class = SegmentSerializer
    pagination_class = Pagination
    queryset = Segment.objects.none()

    def get_queryset(self):
        found = access.readable_test_set(self.request.user, self.kwargs["test_set_id"])
        outputs = Output.objects.select_related("system").order_by("system__name")
        return found.segments.select_related("document").prefetch_related(
            Prefetch("references", Reference.objects.select_related("donor")),
            Prefetch("outputs", outputs),
        )


test_set_segments = SetTexts.as_view()
