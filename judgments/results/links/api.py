"""Word alignment, and annotators' agreement on it, as JSON."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.links.figures import word_links
from judgments.results.selection.api import Selected, SelectionQuery, selection_asked
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS

from . import page


class LinkAgreementSerializer(serializers.Serializer):
    aer = Number(help_text="Alignment error rate, from 0 (identical) to 1.")
    low = Number(help_text="Lower end of the 95 % interval of AER.")
    high = Number()
    ae = Number(help_text="Alignment error: all links treated as sure.")
    n_texts = Count(help_text="Texts that both linked; of all pairs, comparisons.")
    n_links = Count(help_text="Links of both together.")
    n_shared = Count(help_text="Links that both drew, sure or not.")
    test = serializers.CharField()
    resamples = Count()
    n_units = Count(help_text="How many segments or documents were resampled.")
    reason = serializers.CharField(allow_blank=True)


class LinkPairSerializer(LinkAgreementSerializer):
    annotators = serializers.ListField(child=serializers.CharField())


class LinkerSerializer(serializers.Serializer):
    annotator = serializers.CharField()
    n_judgments = Count()
    n_links = Count()
    n_sure = Count()
    n_without = Count(help_text="Judgments that say that no words correspond.")
    kept = Count(help_text="Proposed links kept unchanged.")
    changed = Count()
    removed = Count()
    own = Count(help_text="Links that were added to a proposal.")


class LinksSerializer(Selected):
    agreement = LinkAgreementSerializer(help_text="Over all pairs of annotators.")
    pairs = LinkPairSerializer(many=True)
    annotators = LinkerSerializer(many=True)
    resampled = serializers.CharField()
    seed = Count()
    tokenization = serializers.CharField()
    n_judgments = Count()
    n_links = Count()
    n_proposed = Count()


@extend_schema(
    summary="Word alignment",
    tags=["campaigns"],
    parameters=[CAMPAIGN, SelectionQuery],
    responses={200: LinksSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def links(request, campaign_id: int) -> Response:
    selection = selection_asked(request, campaign_id)
    if not page.has_links(selection.campaign):
        raise NotFound("This campaign is not about word alignment.")
    report = word_links(selection)
    names = [linker.annotator for linker in report.linkers]
    data = {
        "agreement": report.every,
        "pairs": [
            vars(pair) | {"annotators": [names[pair.first], names[pair.second]]}
            for pair in report.pairs
        ],
        "annotators": report.linkers,
        "resampled": report.resampled,
        "seed": report.seed,
        "tokenization": report.tokenization,
        "n_judgments": report.n_judgments,
        "n_links": report.n_links,
        "n_proposed": report.n_proposed,
    }
    return Response(LinksSerializer(data, context={"selection": selection}).data)
