"""What a campaign's judgments say: rows → arrays → judgments.stats → named results.

The only door from the database to the statistics. Everything is computed from current judgments
(revisions count, what they supersede does not) and remembered until a judgment is added.
"""

from judgments.results.observations import (
    KINDS,
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    dimensions_of,
    load,
)
from judgments.results.quality_control import AnnotatorQuality, QualityReport, qualities, quality

from .agreement import (
    AgreementReport,
    Workload,
    agreement,
    agreement_of,
    workload,
    workload_of,
)
from .coefficients import Coefficient
from .comparisons import HeadToHead, head_to_head, head_to_head_of
from .controls import Control, ControlSource, known_controls
from .error_examples import ErrorExample, error_examples, example_ids
from .errors import ErrorReport, errors
from .evaluators import EvaluatorsReport, evaluators
from .filters import Filters
from .marks import MarksReport, marks
from .pairs import Pairs, pairs_of
from .power import PairPower, PowerReport, power, tests_of
from .scores import (
    METHODS,
    SegmentScores,
    SystemScores,
    segment_scores,
    segment_scores_of,
    standardized,
    system_scores,
    system_scores_of,
)
from .selection import ANNOTATORS, Selection
from .stopping import StoppingReport, stopping

__all__ = [
    "ANNOTATORS",
    "KINDS",
    "METHODS",
    "RESAMPLES",
    "SCORED_KINDS",
    "SEED",
    "AgreementReport",
    "AnnotatorQuality",
    "Coefficient",
    "Control",
    "ControlSource",
    "ErrorExample",
    "ErrorReport",
    "EvaluatorsReport",
    "Filters",
    "HeadToHead",
    "MarksReport",
    "Observed",
    "PairPower",
    "Pairs",
    "PowerReport",
    "QualityReport",
    "SegmentScores",
    "Selection",
    "StoppingReport",
    "SystemScores",
    "Workload",
    "agreement",
    "agreement_of",
    "dimensions_of",
    "error_examples",
    "errors",
    "evaluators",
    "example_ids",
    "head_to_head",
    "head_to_head_of",
    "known_controls",
    "load",
    "marks",
    "pairs_of",
    "power",
    "qualities",
    "quality",
    "segment_scores",
    "segment_scores_of",
    "standardized",
    "stopping",
    "system_scores",
    "system_scores_of",
    "tests_of",
    "workload",
    "workload_of",
]
