"""Names of tasks queued by earlier versions; each package has its own tasks."""

from metrics.lessons.baseline_jobs.tasks import run_baseline
from metrics.lessons.phrase_tables.tasks import run_linking
from metrics.scores.tasks import run_comparisons
from metrics.scoring.tasks import run_scoring, run_slow_scoring
from metrics.with_people.tasks import run_agreement, run_year

__all__ = [
    "run_agreement",
    "run_baseline",
    "run_comparisons",
    "run_linking",
    "run_scoring",
    "run_slow_scoring",
    "run_year",
]
