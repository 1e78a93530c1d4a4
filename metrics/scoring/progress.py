"""Progress of a part of a job, reported while it is computed; and whether it is still wanted."""

import time

from django.utils import timezone

from judgments.models import NotWanted
from metrics.models import ScoringJob, ScoringPart
from metrics.scoring.choices import label_of
from metrics.scoring.leaving import LEAVING

LOOK = 0.5
"""Seconds between two checks of the job."""
NOTE = 5.0
"""Seconds after which a part with unknown progress is reported with its time."""
QUICK_SECONDS = 15.0
"""Longer parts are left to the slow lane."""


class TakesLong(Exception):
    """A part has taken too long for the other waiting jobs."""


class TimeIsUp(Exception):
    """A part has exceeded its time limit; with the reason as a message."""


class Watch:
    """Called while a part is computed, with (done, total) if known.

    Raises NotWanted, TakesLong and TimeIsUp if the computation should end.
    """

    def __init__(self, part: ScoringPart, *, seconds: float, setting: str, is_quick: bool) -> None:
        """seconds: the time limit of the part, from `setting`; is_quick: whether it is in the lane
        of short parts."""
        self.job_id = part.job_id
        row = part.job.metrics[part.metric_index]
        label = label_of(row["metric"], row["options"], row["metric"])
        self.words = f"{label} of {part.system.name}"
        self.seconds, self.setting, self.is_quick = seconds, setting, is_quick
        self.began = self.looked = time.monotonic()
        self.noted = self.began

    def __call__(self, done: int | None = None, total: int = 0) -> None:
        now = time.monotonic()
        if LEAVING.is_set():
            raise NotWanted
        if now - self.began > self.seconds:
            raise TimeIsUp(
                f"It took longer than {self.seconds:g} seconds and was stopped ({self.setting})."
            )
        if done is None and now - self.looked < LOOK:
            return
        self.looked = now
        if not ScoringJob.objects.filter(pk=self.job_id).active().exists():
            raise NotWanted
        if self.is_quick and now - self.began > QUICK_SECONDS:
            raise TakesLong
        self._say(now, done, total)

    def _say(self, now: float, done: int | None, total: int) -> None:
        if done is None:
            if now - self.noted < NOTE:
                return
            self.noted = now
            how_far = f"{now - self.began:.0f} s"
        else:
            how_far = f"{100 * done // total} %" if total else "loading the model"
        ScoringJob.objects.filter(pk=self.job_id).active().update(
            moved_at=timezone.now(), message=f"{self.words}: {how_far}"
        )
