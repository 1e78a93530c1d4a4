"""Results as JSON: shapes only, everything is computed in judgments.results."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from judgments.models import Campaign, Status
from judgments.results.agreement import marks as agreement_marks
from judgments.results.figure_addresses import described
from judgments.results.scores.comparisons import MODELS
from judgments.results.scores.figures import ADJUSTMENTS, METHODS, NORMALIZATIONS, OVER, RULES
from judgments.results.selection.selection import ANNOTATORS
from judgments.stats.mqm import SCHEMES
from judgments.stats.pair_tests import TESTS

from .numbers import Count, Number


class ProblemSerializer(serializers.Serializer):
    """Why a request was refused: problem details (RFC 9457)."""

    type = serializers.CharField(help_text="about:blank: the status says what kind it is.")
    title = serializers.CharField(help_text="The status in words.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="What is wrong, in words.")
    instance = serializers.CharField(help_text="The path of the address that was asked for.")
    errors = serializers.DictField(  # type: ignore[assignment]
        required=False, help_text="Reasons by the names of fields, of forms and of queries."
    )
    faults = serializers.ListField(
        child=serializers.DictField(), required=False, help_text="What is wrong with a file."
    )


class CampaignSerializer(serializers.ModelSerializer):
    test_set = serializers.IntegerField(source="test_set_id")
    status = serializers.ChoiceField(choices=Status.choices)

    class Meta:
        model = Campaign
        fields = [
            "id",
            "name",
            "test_set",
            "protocol",
            "preset",
            "status",
            "simulated",
            "guideline_version",
            "created_at",
        ]
        read_only_fields = fields


def names(help_text: str) -> serializers.ListField:
    """A name that may stand several times in a query string."""
    return serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        default=list,
        help_text=help_text,
    )


class HumanScoreQuery(serializers.Serializer):
    """Which of people's scores is wanted."""

    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )
    method = serializers.ChoiceField(
        choices=METHODS, default="raw", help_text="Raw ratings, or z-scores for each annotator."
    )


class SelectionQuery(serializers.Serializer):
    """Which judgments count; what is left out lets all through. Lists by repeating the name."""

    annotators = serializers.ChoiceField(
        choices=ANNOTATORS,
        default=ANNOTATORS[0],
        help_text="Those that were kept, or all, with those that the owners excluded.",
    )
    without = names("Aliases of annotators to leave out besides, to see what changes.")
    annotator = names("Only these annotators, by their aliases.")
    system = names("Only these systems.")
    document = names("Only these documents.")
    domain = names("Only documents of these domains.")
    original_language = names("Only documents written in these languages, as tags.")
    kind = names("Only items of these kinds: regular, repeat, reference, degraded, control.")
    system_kind = names("Only systems that the facts say are of these kinds.")
    fewest_words = serializers.IntegerField(
        required=False, min_value=0, help_text="Words of a segment's source."
    )
    most_words = serializers.IntegerField(required=False, min_value=0)
    since = serializers.DateField(required=False, help_text="The first day of submission.")
    until = serializers.DateField(required=False, help_text="The last day of submission.")
    weights = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text=(
            "Weights of marked errors, in the place of the stored scores: "
            f"{', '.join(SCHEMES)}, or pairs such as minor:1,major:5,minor/fluency/punctuation:0.1."
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


class ScoreQuery(serializers.Serializer):
    """How the scores of systems are computed."""

    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )
    method = serializers.ChoiceField(
        choices=NORMALIZATIONS,
        default="raw",
        help_text="Ratings: raw; z-scores, or less the mean, of each annotator; a mixed model.",
    )
    over = serializers.ChoiceField(
        choices=list(OVER),
        default="regular",
        help_text="The kinds of items that an annotator's mean and standard deviation are of.",
    )
    rule = serializers.ChoiceField(
        choices=list(RULES), default="wmt25", help_text="Of ranks and clusters of rated systems."
    )
    test = serializers.ChoiceField(
        choices=TESTS, required=False, help_text="Between two systems; the rule's own if left out."
    )
    adjust = serializers.ChoiceField(
        choices=ADJUSTMENTS, default="none", help_text="Of the p-values that the rule reads."
    )
    model = serializers.ChoiceField(
        choices=MODELS, default="expected-wins", help_text="Of comparisons and rankings."
    )


class DimensionQuery(serializers.Serializer):
    dimension = serializers.CharField(
        required=False, help_text="The campaign's first dimension if it is left out."
    )


class AgreementQuery(DimensionQuery):
    """Which agreement is wanted."""


class SystemScoreSerializer(serializers.Serializer):
    system = serializers.CharField()
    score = Number()
    low = Number(help_text="Lower end of the 95 % interval.")
    high = Number()
    n_segments = Count()
    n_judgments = Count()
    rank_low = Number()
    rank_high = Number()
    cluster = Count(help_text="1 is the best; 0 without a ranking.")


class PairSerializer(serializers.Serializer):
    """Two systems, the one with the better score first; p is one-sided, that it is better."""

    system = serializers.CharField()
    against = serializers.CharField()
    difference = Number(help_text="Of their scores on shared segments; null for comparisons.")
    low = Number(help_text="95 % interval of the difference; of the share, for comparisons.")
    high = Number()
    d_z = Number(help_text="Difference over the standard deviation of differences (Cohen).")
    superiority = Number(
        help_text="Share of shared segments, ties half, or of decided comparisons, that it won."
    )
    p = Number()
    p_holm = Number(help_text="Adjusted after Holm for all pairs, both ways.")
    n = Count(help_text="Shared segments, or decided comparisons.")


class SpreadSerializer(serializers.Serializer):
    name = serializers.CharField()
    sd = Number()


class StrengthSerializer(serializers.Serializer):
    """How often one of two systems was clearly or slightly better."""

    first = serializers.CharField()
    second = serializers.CharField()
    first_clearly = Count()
    first_slightly = Count()
    equal = Count()
    second_slightly = Count()
    second_clearly = Count()
    n = Count()


class ScoresSerializer(Selected):
    """Scores of the systems, best first, with what is needed to trace them."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    method = serializers.CharField()
    interval = serializers.CharField()
    rule = serializers.CharField(help_text="The rule of ranks and clusters.")
    test = serializers.CharField()
    adjust = serializers.CharField(help_text="Of the p-values that the rule read.")
    seed = Count()
    resamples = Count()
    spread = SpreadSerializer(many=True, help_text="What a mixed model tells apart.")
    notes = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(allow_blank=True, help_text="Why there are no scores.")
    systems = SystemScoreSerializer(many=True)
    pairs = PairSerializer(many=True)
    strengths = StrengthSerializer(many=True, help_text="Of comparisons that ask how much better.")


class CoefficientSerializer(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    reading = serializers.CharField(allow_blank=True)
    estimate = Number(source="result.estimate")
    low = Number(source="result.low")
    high = Number(source="result.high")
    p_observed = Number(source="result.p_observed")
    p_expected = Number(source="result.p_expected")
    n_items = Count(source="result.n_items")
    n_annotators = Count(source="result.n_annotators")
    n_pairs = Count(source="result.n_pairs")
    reason = serializers.CharField(source="result.reason", allow_blank=True)
    interval_reason = serializers.CharField(source="result.interval_reason", allow_blank=True)
    further = serializers.BooleanField(help_text="Shown behind the others on the page.")


class MarksSerializer(serializers.Serializer):
    """Agreement on marked errors."""

    coefficients = CoefficientSerializer(many=True)
    n_judgments = Count()
    n_spans = Count()
    n_unmarked = Count(help_text="Imported judgments with a score and no errors, left out.")
    resampled = serializers.CharField()
    resamples = Count()
    seed = Count()


class AgreementSerializer(Selected):
    """Agreement between annotators, and of annotators with themselves."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    name = serializers.CharField()
    level = serializers.CharField(help_text="Level of measurement.")
    n_annotators = Count()
    n_rows = Count()
    between = CoefficientSerializer(many=True)
    within = CoefficientSerializer(many=True)
    labels = serializers.ListField(child=serializers.CharField(), help_text="Values or bins.")
    confusion = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        help_text="Pairs of values that two annotators gave, each in both orders.",
    )
    repeated = serializers.ListField(
        child=serializers.ListField(child=serializers.FloatField()),
        help_text="The same for an annotator's repeats.",
    )
    resampled = serializers.CharField()
    resamples = Count()
    seed = Count()
    marks = serializers.SerializerMethodField(
        help_text="Agreement on marked errors; null where none are marked."
    )

    @extend_schema_field(MarksSerializer(allow_null=True))
    def get_marks(self, report) -> dict | None:
        found = agreement_marks.marks(self.context["selection"])
        return None if found is None else MarksSerializer(found).data
