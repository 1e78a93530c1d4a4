"""What a campaign's judgments say: rows → arrays → judgments.stats → named results.

The only door from the database to the statistics. Everything is computed from current judgments
(revisions count, what they supersede does not) and remembered until a judgment is added.
"""

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
from .errors import ErrorReport, errors
from .exclusion import ANNOTATORS, asked, chosen, excluded, left_out
from .marks import MarksReport, marks
from .observed import (
    KINDS,
    RESAMPLES,
    SCORED_KINDS,
    SEED,
    Observed,
    dimensions_of,
    fingerprint,
    hold,
    is_held,
    load,
)
from .pairs import Pairs, pairs_of
from .power import PairPower, PowerReport, power, tests_of
from .quality import AnnotatorQuality, QualityReport, quality
from .scores import (
    SegmentScores,
    SystemScores,
    segment_scores,
    segment_scores_of,
    standardized,
    system_scores,
    system_scores_of,
)
from .stopping import StoppingReport, stopping

__all__ = [
    "ANNOTATORS",
    "KINDS",
    "RESAMPLES",
    "SCORED_KINDS",
    "SEED",
    "AgreementReport",
    "AnnotatorQuality",
    "Coefficient",
    "Control",
    "ControlSource",
    "ErrorReport",
    "HeadToHead",
    "MarksReport",
    "Observed",
    "PairPower",
    "Pairs",
    "PowerReport",
    "QualityReport",
    "SegmentScores",
    "StoppingReport",
    "SystemScores",
    "Workload",
    "agreement",
    "agreement_of",
    "asked",
    "chosen",
    "dimensions_of",
    "errors",
    "excluded",
    "fingerprint",
    "head_to_head",
    "head_to_head_of",
    "hold",
    "is_held",
    "known_controls",
    "left_out",
    "load",
    "marks",
    "pairs_of",
    "power",
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
