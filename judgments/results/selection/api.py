"""What an address of the API selects, and how answers say it."""

from django.core.exceptions import BadRequest
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from judgments.results.figure_addresses import described
from judgments.results.observations import observations
from judgments.results.selection import from_address
from judgments.results.selection.filters import COUNTED
from judgments.results.selection.selection import ANNOTATORS, Selection
from judgments.stats.mqm import SCHEMES
from judgments.web.api.refusals import Refused
from judgments.web.api.serializers import names
from judgments.web.api.views import checked_query


class SelectionQuery(serializers.Serializer):
    """Which judgments count; what is left out lets all through. Lists by repeating the name."""

    annotators = serializers.ChoiceField(
        choices=ANNOTATORS,
        default=ANNOTATORS[0],
        help_text="Those that were kept, or all, with those that the owners excluded.",
    )
    without = names("Aliases of annotators to leave out in addition, to see what changes.")
    annotator = names("Only these annotators, by their aliases.")
    system = names("Only these systems.")
    document = names("Only these documents.")
    domain = names("Only documents of these domains.")
    original_language = names("Only documents written in these languages, as tags.")
    kind = names("Only items of these kinds: regular, repeat, reference, degraded, control, third.")
    system_kind = names("Only systems that the facts say are of these kinds.")
    wave = names("Only judgments of these waves of the plan, by their numbers.")
    fewest_words = serializers.IntegerField(
        required=False, min_value=0, help_text="Words of a segment's source."
    )
    most_words = serializers.IntegerField(required=False, min_value=0)
    since = serializers.DateField(required=False, help_text="The first day of submission.")
    until = serializers.DateField(required=False, help_text="The last day of submission.")
    adjudicated = serializers.ChoiceField(
        choices=[COUNTED],
        required=False,
        allow_blank=True,
        help_text="Third judgments of clashes count as those of the two.",
    )
    weights = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text=(
            f"Weights of marked errors, instead of the stored scores: {', '.join(SCHEMES)}, or "
            "pairs such as minor:1,major:5,minor/fluency/punctuation:0.1."
        ),
    )
    error_category = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="Only marked errors of this category, or below it, count and weigh.",
    )
    error_severity = serializers.CharField(
        required=False, allow_blank=True, help_text="Only marked errors of this severity."
    )
    with_metric = names(
        "Metrics that one estimate is made of together with people, by their slugs; no other "
        "figure changes."
    )


class SelectionSerializer(serializers.Serializer):
    """Which judgments the figures are of."""

    sentence = serializers.CharField()
    query = serializers.CharField(allow_blank=True, help_text="Asks for the same judgments.")
    annotators = serializers.ChoiceField(choices=ANNOTATORS)
    left_out = serializers.ListField(child=serializers.CharField(), help_text="Aliases.")
    left_out_of_dimensions = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Alias and dimension.",
    )
    removed_items = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(allow_blank=True)),
        help_text="Key of the segment, and name of the system; empty: all systems.",
    )
    filters = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Name and value."
    )
    weights = serializers.CharField(
        allow_blank=True, help_text="Of marked errors; empty for the stored scores."
    )
    fingerprint = serializers.CharField(help_text="Changes whenever a figure may.")
    address = serializers.CharField(help_text="A short link that opens these figures again.")


class Selected(serializers.Serializer):
    """An answer with figures; needs the selection as context."""

    selection = serializers.SerializerMethodField(help_text="Which judgments count.")

    @extend_schema_field(SelectionSerializer)
    def get_selection(self, found) -> dict:
        context = self.context
        return described(context["selection"], context.get("page", ""), context.get("slug", ""))


class DimensionQuery(serializers.Serializer):
    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )


def selection_asked(request, campaign_id: int) -> Selection:
    """Return the judgments that the query string asks for, of a campaign that the user may read.
    Raises ValidationError for a query that is none."""
    checked_query(SelectionQuery, request)
    try:
        # Its parameters are those that the schema has: `AsksOnlyForWhatIsKnown`.
        return from_address.selected(request, campaign_id, request.GET)
    except BadRequest as problem:
        raise Refused(str(problem)) from None


def figures_asked(
    request, campaign_id: int, query: type[DimensionQuery] = DimensionQuery
) -> tuple[Selection, dict]:
    """Return the selection of a request for figures of a dimension, and what else its query string
    says. Raise ValidationError for a dimension that the campaign has not; comparisons have
    none."""
    selection = selection_asked(request, campaign_id)
    asked = checked_query(query, request)
    known = [dimension.slug for dimension in observations.dimensions_of(selection.campaign)]
    if asked["dimension"] is not None and asked["dimension"] not in known:
        raise ValidationError({"dimension": [f"Known: {', '.join(known) or 'none'}."]})
    return selection, asked
