"""Import of judgments by the API."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.exchange.judgments.forms import JudgmentsForm
from judgments.exchange.judgments.importer import import_judgments
from judgments.people import access
from judgments.protocols import protocol_of
from judgments.protocols.tables import ReadTable
from judgments.web.api.numbers import Count
from judgments.web.api.refusals import refuse
from judgments.web.api.views import CAMPAIGN, REFUSALS
from judgments.web.audit.acting import acted


class JudgmentsRequest(serializers.Serializer):
    file = serializers.FileField(help_text="The campaign's table, .tsv, .csv or .jsonl.")
    leave_out = serializers.BooleanField(
        required=False, help_text="Leave out rows that cannot be read, up to one percent."
    )


class AddedSerializer(serializers.Serializer):
    """What came in."""

    judgments = Count()
    annotators = Count()
    left_out = Count(help_text="Rows that could not be read.")


@extend_schema(
    summary="Import judgments that were collected elsewhere",
    description="All of them or, if anything is wrong, none.",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    request={"multipart/form-data": JudgmentsRequest},
    responses={201: AddedSerializer, 400: dict, **REFUSALS},
)
@api_view(["POST"])
def judgments(request, campaign_id: int) -> Response:
    campaign = access.managed_campaign(request.user, campaign_id)
    if not isinstance(protocol_of(campaign).table, ReadTable) or campaign.by_model:
        raise Http404("Judgments of this kind cannot be imported.")
    form = JudgmentsForm(request.POST, request.FILES)
    import_them = lambda: import_judgments(campaign, **form.chosen())  # noqa: E731
    added = form.imported(acted(request, import_them))
    if added is None:
        raise refuse(form)
    return Response(AddedSerializer(added).data, status=201)
