"""Automatic scores, and the jobs that compute them."""

import numpy as np
from django.conf import settings
from django.db import models
from numpy.typing import NDArray

from judgments.models import System, TestSet
from judgments.models.corpus import language_tag

LITTLE_ENDIAN = np.dtype("<f8")


def to_bytes(values: NDArray[np.float64]) -> bytes:
    """Return numbers as little-endian float64, rows after each other."""
    return np.ascontiguousarray(values, dtype=LITTLE_ENDIAN).tobytes()


def from_bytes(data: bytes | memoryview) -> NDArray[np.float64]:
    return np.frombuffer(data, dtype=LITTLE_ENDIAN).astype(np.float64)


class MetricScoreQuerySet(models.QuerySet):
    def light(self):
        """Without the sufficient statistics, which are most of a row's bytes, and what files
        said."""
        return self.defer("statistics_data", "levels")


class MetricScore(models.Model):
    """What a metric says about one system: its corpus score and one score a segment.

    Arrays are stored as bytes and not as arrays of PostgreSQL: 2,000 segments × 10 systems × 10
    metrics are 200,000 numbers, which are 1.6 MB as float64 and come back bit for bit in one
    `frombuffer` a row, where `double precision[]` travels as decimal text and is parsed number by
    number. Nothing ever asks the database about a single element.
    """

    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="metric_scores", db_index=False
    )
    system = models.ForeignKey(
        System, on_delete=models.CASCADE, related_name="metric_scores", db_index=False
    )
    # The names of the reference sets used together, in alphabetical order.
    references = models.JSONField()
    metric = models.CharField(max_length=40)
    # Every option in force, defaults included.
    options = models.JSONField()
    signature = models.CharField(max_length=300)
    segment_signature = models.CharField(max_length=300)
    score = models.FloatField()
    # Of the test set's segments: those with an output and a reference, which are what is scored.
    n_segments = models.PositiveIntegerField()
    # One number a segment in the order of the test set; NaN where there was nothing to score.
    segment_data = models.BinaryField()
    # One row a segment; `statistics_width` numbers each, 0 for a metric that has none.
    statistics_data = models.BinaryField(default=bytes)
    statistics_width = models.PositiveIntegerField(default=0)
    # What files said of a score that was uploaded, in their digits: {"file": what the names of its
    # files begin with, "system": "0.69", "domain": {name: "0.7"}, "document": ["0.7", null, …] in
    # the order of the test set, "segment": how those scores are written, formats.spellings}.
    levels = models.JSONField(default=dict, blank=True)
    texts_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    objects = MetricScoreQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["system", "references", "signature"], name="metric_score_once"
            ),
        ]
        indexes = [models.Index(fields=["test_set", "metric"])]

    def __str__(self):
        return f"{self.metric} {self.score:.2f} of system {self.system_id}"

    @property
    def segment_scores(self) -> NDArray[np.float64]:
        """Scores of the segments in the order of the test set, (n_segments of the test set,)."""
        return from_bytes(self.segment_data)

    @property
    def statistics(self) -> NDArray[np.float64] | None:
        """Sufficient statistics, (n_segments of the test set, width); None without any."""
        if not self.statistics_width:
            return None
        return from_bytes(self.statistics_data).reshape(-1, self.statistics_width)


class MetricSpans(models.Model):
    """The errors that a metric marks in the outputs of one system, beside its score of it.

    They go with the score: of texts that have changed since both are out of date.
    """

    score = models.OneToOneField(MetricScore, on_delete=models.CASCADE, related_name="spans")
    # One entry a segment in the order of the test set: null where nobody looked, else a list of
    # [start, end, severity, category, confidence], code points of the output, the end exclusive;
    # category "" and confidence null where there is none.
    data = models.JSONField()
    n_errors = models.PositiveIntegerField()

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"{self.n_errors} errors of score {self.score_id}"


class Comparison(models.Model):
    """Every pair of systems under one metric, tested; kept until a score or a setting changes.

    The metric is named as a MetricScore names it, by references and signature. `fingerprint` is
    taken over the scores that were compared and the settings, so that a page can see whether the
    result still belongs to what it shows.
    """

    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="comparisons", db_index=False
    )
    references = models.JSONField()
    signature = models.CharField(max_length=300)
    # What is drawn or swapped: "segment" or "document".
    unit = models.CharField(max_length=10)
    fingerprint = models.CharField(max_length=64)
    result = models.JSONField()
    created_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["test_set", "references", "signature", "unit"], name="comparison_once"
            ),
        ]

    def __str__(self):
        return f"{self.signature} of test set {self.test_set_id} by {self.unit}"


class MonolingualCorpus(models.Model):
    """Text of one language, a sentence a line, that a language model is trained on.

    `data` is UTF-8, gzip-compressed; `digest` the SHA-256 of the text, which signatures name.
    """

    name = models.CharField(max_length=100)
    language = models.CharField(max_length=35, validators=[language_tag])
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="monolingual_corpora",
        db_index=False,
    )
    data = models.BinaryField()
    digest = models.CharField(max_length=64)
    n_lines = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="corpus_name_once"),
        ]

    def __str__(self):
        return self.name


class JobStatus(models.TextChoices):
    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


ACTIVE = [JobStatus.QUEUED, JobStatus.RUNNING]


class ScoringJobQuerySet(models.QuerySet):
    def active(self):
        return self.filter(status__in=ACTIVE)


class ScoringJob(models.Model):
    """A request to score all systems of a test set; its progress lives here and not in the queue,
    so that pages can show it and a person can cancel it."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="scoring_jobs")
    # [{"metric": slug, "options": {name: value}}, …], options as they were asked for.
    metrics = models.JSONField()
    references = models.JSONField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    # When a part was last finished: a job that runs and does not move has lost its worker.
    moved_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = ScoringJobQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return f"scoring job {self.pk}, {self.status}"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


class PartStatus(models.TextChoices):
    WAITING = "waiting", "Waiting"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"


class ScoringPart(models.Model):
    """One metric of one system within a job.

    There is no status "running": a worker holds an advisory lock while it computes
    (metrics.scoring.claims), so that a part whose worker dies is free again at once, whatever
    killed it.
    """

    job = models.ForeignKey(
        ScoringJob, on_delete=models.CASCADE, related_name="parts", db_index=False
    )
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="+")
    # Place of the metric in the job's list.
    metric_index = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=PartStatus.choices, default=PartStatus.WAITING)
    # Why it failed; or of one that waits, how its last process ended.
    message = models.TextField(blank=True)
    # Counted before it is computed: one that kills whoever computes it is not tried for ever.
    attempts = models.PositiveSmallIntegerField(default=0)
    # Left to the slow lane, where it holds up nothing that is soon done.
    is_slow = models.BooleanField(default=False)

    class Meta:
        # All systems of a metric in a row: a worker then tokenizes a word that it met before once.
        ordering = ["job", "metric_index", "system"]
        constraints = [
            models.UniqueConstraint(fields=["job", "metric_index", "system"], name="part_once"),
        ]

    def __str__(self):
        return f"part {self.pk} of job {self.job_id}, {self.status}"


class Bitext(models.Model):
    """Texts of two languages, line by line each other's translation, which somebody uploaded.

    `data` holds a line of the source, then its translation, and so on: UTF-8, gzip-compressed.
    `digest` is the SHA-256 of these lines.
    """

    name = models.CharField(max_length=100)
    source_language = models.CharField(max_length=35, validators=[language_tag])
    target_language = models.CharField(max_length=35, validators=[language_tag])
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bitexts", db_index=False
    )
    data = models.BinaryField()
    digest = models.CharField(max_length=64)
    n_pairs = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="bitext_name_once"),
        ]

    def __str__(self):
        return self.name


class LinkedTexts(models.Model):
    """Texts whose words a worker has linked: a bitext, or the source of a test set with the outputs
    of its systems and its references. Phrase tables are made of these links.

    It is its own job: while `status` says that a worker links the texts anew, `data` holds what was
    linked before.
    """

    test_set = models.OneToOneField(
        TestSet, on_delete=models.CASCADE, null=True, related_name="linked_texts"
    )
    bitext = models.OneToOneField(
        Bitext, on_delete=models.CASCADE, null=True, related_name="linked_texts"
    )
    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    moved_at = models.DateTimeField()
    # What the links are of: {"name": …, "kind": "system", "reference" or "bitext"}, a side each.
    sides = models.JSONField(default=list)
    n_segments = models.PositiveIntegerField(default=0)
    # Texts of which the aligner saw the beginning only.
    n_cut = models.PositiveIntegerField(default=0)
    # A digest of all texts: one that differs says that they have changed since.
    texts_mark = models.CharField(max_length=64, blank=True)
    # Words, links and figures of terms, as metrics.lessons.phrase_tables.storage writes them.
    data = models.BinaryField(default=bytes)
    # The phrase table of a bitext in Moses' form, gzip-compressed.
    moses = models.BinaryField(default=bytes)
    linked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(test_set__isnull=True) ^ models.Q(bitext__isnull=True),
                name="linked_texts_of_one",
            ),
        ]

    def __str__(self):
        return f"linked texts {self.pk}, {self.status}"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE


class BaselineJob(models.Model):
    """A request to train a translation system and to let it translate a test set. Its outputs come
    all at once, as a system of the test set, when it is done."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="baseline_jobs")
    # A slug of metrics.lessons.baselines.registry.
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    # What it learns from; without one, each document from the others.
    bitext = models.ForeignKey(Bitext, on_delete=models.SET_NULL, null=True, related_name="+")
    has_bitext = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    system = models.ForeignKey(System, on_delete=models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED)
    # What is being done, and how many of the segments are translated.
    step = models.CharField(max_length=100, blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    # What the system was made of, as its kind describes it, a part for each fold.
    made = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    moved_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return f"baseline job {self.pk}, {self.status}"

    @property
    def is_active(self) -> bool:
        return self.status in ACTIVE

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0
