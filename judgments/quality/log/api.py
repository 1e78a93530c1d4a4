"""The log of a campaign as JSON, for its owners."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from judgments.models import Act
from judgments.people import access
from judgments.web.api.serializers import ProblemSerializer
from judgments.web.api.views import CAMPAIGN, REFUSALS, Pagination
from judgments.web.audit.words import in_words


class ActSerializer(serializers.ModelSerializer):
    """One act: who did what to which campaign or test set, and how it ended."""

    words = serializers.SerializerMethodField()
    objects_named = serializers.DictField(help_text="What else the address named.")
    times = serializers.IntegerField(help_text="How often it was refused within the hour.")
    facts = serializers.DictField(help_text="What the form said: short values, no secrets.")

    class Meta:
        model = Act
        fields = (
            *("id", "at", "account", "role", "act", "words", "result", "campaign", "test_set"),
            *("objects_named", "facts", "request", "times"),
        )

    def get_words(self, act: Act) -> str:
        return in_words(act.act)


@extend_schema(
    summary="What was done to a campaign, and by whom",
    tags=["campaigns"],
    parameters=[CAMPAIGN],
    responses={200: ActSerializer(many=True), **REFUSALS, 403: ProblemSerializer},
)
class Log(ListAPIView):
    serializer_class = ActSerializer
    pagination_class = Pagination
    queryset = Act.objects.none()  # for the schema

    def get_queryset(self):
        campaign = access.managed_campaign(self.request.user, self.kwargs["campaign_id"])
        return Act.objects.about(campaign).with_times()


log = Log.as_view()
