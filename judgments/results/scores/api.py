"""Scores as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.response import Response

from judgments.models.moments import at_one_moment
from judgments.results.scores import figures as scores_figures
from judgments.results.scores import head_to_head, wmt_ranks
from judgments.results.scores import strengths as scores_strengths
from judgments.results.scores.annotator_check import AnnotatorCheck
from judgments.results.scores.comparisons import MODELS
from judgments.results.scores.figures import (
    ALL_PAIRS,
    CHECKS,
    METHODS,
    NORMALIZATIONS,
    OVER,
    RULES,
)
from judgments.results.selection.api import (
    DimensionQuery,
    Selected,
    SelectionQuery,
    figures_asked,
)
from judgments.web.api.numbers import Count, Number
from judgments.web.api.views import CAMPAIGN, REFUSALS


class HumanScoreQuery(DimensionQuery):
    """The requested kind of people's scores."""

    method = serializers.ChoiceField(
        choices=METHODS, default="raw", help_text="Raw ratings, or z-scores for each annotator."
    )


class ScoreQuery(DimensionQuery):
    """How the scores of systems are computed."""

    method = serializers.ChoiceField(
        choices=NORMALIZATIONS,
        required=False,
        help_text="Ratings: raw; z-scores, or less the mean, of each annotator; a mixed model. "
        "Without it, the scores by which the campaign says which systems differ.",
    )
    over = serializers.ChoiceField(
        choices=list(OVER),
        default="regular",
        help_text="The kinds of items that an annotator's mean and standard deviation are of.",
    )
    rule = serializers.ChoiceField(
        choices=list(RULES),
        default=ALL_PAIRS,
        help_text="Of ranks and clusters: by the pairs that differ, or as WMT ranked.",
    )
    check = serializers.ChoiceField(
        choices=CHECKS,
        default="rule",
        help_text="Of annotators: the rule's own, by which wmt26 leaves some out, or none.",
    )
    model = serializers.ChoiceField(
        choices=MODELS, default="expected-wins", help_text="Of comparisons and rankings."
    )


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
    """Two systems, the one with the better score first, and the campaign's decision whether they
    differ: the same whatever scores and ranks were requested."""

    system = serializers.CharField()
    against = serializers.CharField()
    difference = Number(help_text="Of their scores on shared segments; null for comparisons.")
    low = Number(help_text="95 % interval of the difference; of the share, for comparisons.")
    high = Number()
    d_z = Number(help_text="Difference over the standard deviation of differences (Cohen).")
    superiority = Number(
        help_text="Share of shared segments, ties half, or of decided comparisons, that it won."
    )
    p = Number(help_text="Two-sided.")
    p_adjusted = Number(help_text="For all pairs of systems.")
    separated = serializers.BooleanField()
    n = Count(help_text="Shared segments, or decided comparisons.")


class SpreadSerializer(serializers.Serializer):
    name = serializers.CharField()
    sd = Number()


class LeftOutSerializer(serializers.Serializer):
    annotator = serializers.CharField(help_text="The alias.")
    probability = Number(help_text="Mean over pairs of systems that were rated side by side.")


class AnnotatorCheckSerializer(serializers.Serializer):
    """The annotators left out by the rule of these scores; it excludes nobody from the
    campaign."""

    threshold = Number(help_text="Annotators below it are left out.")
    unit = serializers.CharField(help_text="What is counted: documents, or items.")
    fewest = Count(help_text="Who rated fewer of these is not checked.")
    n_annotators = Count()
    n_checked = Count()
    left_out = LeftOutSerializer(many=True)


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
    """Scores of the systems, best first, with the data needed to trace them."""

    dimension = serializers.CharField(allow_blank=True, help_text="Empty for comparisons.")
    method = serializers.CharField()
    interval = serializers.CharField()
    rule = serializers.CharField(help_text="The rule of ranks and clusters.")
    test = serializers.CharField(help_text="Of the ranks: of all pairs, or of a rule of WMT.")
    unit = serializers.CharField(help_text="What goes together in a test: documents or segments.")
    adjust = serializers.CharField(help_text="Of p for all pairs: holm or bh; none in WMT's.")
    seed = Count()
    resamples = Count()
    spread = SpreadSerializer(many=True, help_text="What a mixed model tells apart.")
    notes = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField(allow_blank=True, help_text="Why there are no scores.")
    annotator_check = AnnotatorCheckSerializer(
        allow_null=True, help_text="Null where the rule asks nothing of annotators."
    )
    systems = SystemScoreSerializer(many=True)
    pairs = PairSerializer(many=True)
    strengths = StrengthSerializer(many=True, help_text="Of comparisons that ask how much better.")


SCORED = ("dimension", "method", "interval", "rule", "test", "unit", "adjust")
SCORE_FIELDS = (*SCORED, "seed", "resamples", "notes", "reason")


def _checked(check: AnnotatorCheck | None) -> dict[str, Any] | None:
    if check is None:
        return None
    left_out = [{"annotator": alias, "probability": mean} for alias, mean in check.left_out]
    return vars(check) | {"left_out": left_out}


@extend_schema(
    summary="People's scores of the systems",
    tags=["campaigns"],
    parameters=[CAMPAIGN, ScoreQuery, SelectionQuery],
    responses={200: ScoresSerializer, 400: dict, **REFUSALS},
)
@api_view(["GET"])
@at_one_moment
def scores(request, campaign_id: int) -> Response:
    selection, query = figures_asked(request, campaign_id, ScoreQuery)
    possible = (ALL_PAIRS, *wmt_ranks.rules_of(selection))
    if query["rule"] not in possible:
        reason = f"this campaign's systems are ranked by {' or '.join(possible)}."
        raise serializers.ValidationError({"rule": [reason]})
    score = scores_figures.system_scores(selection, **query)
    systems = [
        {
            "system": score.names[i],
            "score": score.mean[i],
            "low": score.low[i],
            "high": score.high[i],
            "n_segments": score.n_segments[i],
            "n_judgments": score.n_judgments[i],
            "rank_low": score.rank_low[i],
            "rank_high": score.rank_high[i],
            "cluster": score.cluster[i],
        }
        for i in score.order
    ]
    found_fields = {field: getattr(score, field) for field in SCORE_FIELDS}
    found_fields["annotator_check"] = _checked(score.annotator_check)
    found_fields["spread"] = [{"name": name, "sd": sd} for name, sd in score.spread]
    decided = scores_figures.system_scores(selection, query["dimension"])
    pairs = head_to_head.pair_objects(selection, decided)
    strengths = scores_strengths.pair_objects(selection)
    found_fields |= {"systems": systems, "pairs": pairs, "strengths": strengths}
    return Response(ScoresSerializer(found_fields, context={"selection": selection}).data)
