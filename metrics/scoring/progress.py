"""How far a long part of a job is, said while it is computed; and whether it is still wanted."""

from concurrent.futures import ThreadPoolExecutor

from django.db import connection
from django.utils import timezone

from metrics.models import ACTIVE, ScoringJob, ScoringPart
from metrics.scoring.choices import label_of


class NotWanted(Exception):
    """The job was cancelled while a part of it was being computed."""


class Watch:
    """Called with (done, total) while a part is computed: notes both with its job.

    Raises NotWanted once the job has been cancelled.
    """

    def __init__(self, part: ScoringPart) -> None:
        self.job_id = part.job_id
        row = part.job.metrics[part.metric_index]
        label = label_of(row["metric"], row["options"], row["metric"])
        self.words = f"{label} of {part.system.name}"

    def __call__(self, done: int, total: int) -> None:
        # The part is computed inside a transaction, which sees what others have committed …
        if not ScoringJob.objects.filter(pk=self.job_id, status__in=ACTIVE).exists():
            raise NotWanted
        # … but shows nothing of its own before its end: a second connection speaks meanwhile.
        with ThreadPoolExecutor(1) as other:
            other.submit(self._note, done, total).result()

    def _note(self, done: int, total: int) -> None:
        how_far = f"{100 * done // total} %" if total else "loading the model"
        try:
            ScoringJob.objects.filter(pk=self.job_id, status__in=ACTIVE).update(
                moved_at=timezone.now(), message=f"{self.words}: {how_far}"
            )
        finally:
            connection.close()
