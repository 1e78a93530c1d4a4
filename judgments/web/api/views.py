"""What the views of the API share."""

from drf_spectacular.utils import OpenApiParameter
from drf_spectacular.views import SpectacularAPIView
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import LimitOffsetPagination

from judgments.web.api.serializers import ProblemSerializer

# A number in an address: Django's converter knows neither signs nor fractions.
NUMBER = {"type": "integer", "minimum": 1}
CAMPAIGN = OpenApiParameter("campaign_id", NUMBER, OpenApiParameter.PATH)
REFUSALS = {403: ProblemSerializer, 404: ProblemSerializer}


class Pagination(LimitOffsetPagination):
    """At most 500 rows; an offset is never larger than PostgreSQL can count."""

    max_limit = 500

    def get_offset(self, request) -> int:
        return min(super().get_offset(request), 2**31)


schema = SpectacularAPIView.as_view()


def checked_query(serializer_class, request) -> dict:
    """Return the clean query string. Raise ValidationError, which answers 400."""
    query = serializer_class(data=request.query_params)
    if not query.is_valid():
        errors = {name: [each] for name, each in query.errors.items()}
        for name in errors:
            if choices := getattr(query.fields.get(name), "choices", None):
                errors[name].append(f"Known: {', '.join(map(str, choices))}.")
        raise ValidationError(errors)
    return {"dimension": None} | query.validated_data
