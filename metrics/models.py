"""Automatic scores, and the jobs that compute them."""

import numpy as np
from django.conf import settings
from django.db import models
from numpy.typing import NDArray

from judgments.models import Job, System, TestSet
from judgments.models.corpus import language_tag

LITTLE_ENDIAN = np.dtype("<f8")


def to_bytes(values: NDArray[np.float64]) -> bytes:
    """Return numbers as little-endian float64, row by row."""
    return np.ascontiguousarray(values, dtype=LITTLE_ENDIAN).tobytes()


def from_bytes(data: bytes | memoryview) -> NDArray[np.float64]:
    return np.frombuffer(data, dtype=LITTLE_ENDIAN).astype(np.float64)


class MetricScoreQuerySet(models.QuerySet):
    def light(self):
        """Defer the sufficient statistics, which are most of a row's bytes, and the data of
        files."""
        return self.defer("statistics_data", "levels")


class MetricScore(models.Model):
    """A metric's scores of one system: its corpus score and one score per segment.

    Arrays are stored as bytes and not as PostgreSQL arrays: 2,000 segments × 10 systems × 10
    metrics are 200,000 numbers, which are 1.6 MB as float64 and are read back bit for bit by one
    `frombuffer` per row, whereas `double precision[]` is sent as decimal text and parsed number by
    number. No query needs a single element.
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
    # All options in force, including defaults.
    options = models.JSONField()
    signature = models.CharField(max_length=300)
    segment_signature = models.CharField(max_length=300)
    score = models.FloatField()
    # Of the test set's segments: the scored ones, with an output and a reference.
    n_segments = models.PositiveIntegerField()
    # One number per segment in the order of the test set; NaN if there was nothing to score.
    segment_data = models.BinaryField()
    # One row per segment; `statistics_width` numbers each, 0 for a metric without statistics.
    statistics_data = models.BinaryField(default=bytes)
    statistics_width = models.PositiveIntegerField(default=0)
    # Data of an uploaded score from its files, with their digits: {"file": stem of the file names,
    # "system": "0.69", "domain": {name: "0.7"}, "document": ["0.7", null, …] in the order of the
    # test set, "segment": how those scores are written, formats.spellings}.
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
    """The errors that a metric marks in the outputs of one system, in addition to its score.

    They belong to the score: if the texts have changed since, both are out of date.
    """

    score = models.OneToOneField(MetricScore, on_delete=models.CASCADE, related_name="spans")
    # One entry per segment in the order of the test set: null if not checked, else a list of
    # [start, end, severity, category, confidence], code points of the output, the end exclusive;
    # category "" and confidence null if missing.
    data = models.JSONField()
    n_errors = models.PositiveIntegerField()

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"{self.n_errors} errors of score {self.score_id}"


class Comparison(models.Model):
    """Every pair of systems under one metric, tested; valid until a score or a setting changes.

    The metric is identified as in MetricScore, by references and signature. `fingerprint` is taken
    over the compared scores and the settings, so that a page can see whether the result still
    belongs to what it shows.
    """

    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="comparisons", db_index=False
    )
    references = models.JSONField()
    signature = models.CharField(max_length=300)
    # Unit of resampling and permutation: "segment" or "document".
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
    """Text in one language, one sentence per line, for training language models.

    `data` is UTF-8, gzip-compressed; `digest` is the SHA-256 of the text, named in signatures.
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


class ScoringJob(Job):
    """A request to score all systems of a test set; its progress is stored here and not in the
    queue, so that pages can show it and a person can cancel it."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="scoring_jobs")
    # [{"metric": slug, "options": {name: value}}, …], options as requested.
    metrics = models.JSONField()
    references = models.JSONField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return f"scoring job {self.pk}, {self.status}"

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
    (metrics.scoring.claims), so that a part whose worker dies is free again at once, whatever the
    cause.
    """

    job = models.ForeignKey(
        ScoringJob, on_delete=models.CASCADE, related_name="parts", db_index=False
    )
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="+")
    # Index of the metric in the job's list.
    metric_index = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=PartStatus.choices, default=PartStatus.WAITING)
    # Why it failed; or for a waiting part, how its last process ended.
    message = models.TextField(blank=True)
    # Counted before computing: a part that kills its process is not retried for ever.
    attempts = models.PositiveSmallIntegerField(default=0)
    # Left to the slow lane, where it does not hold up short parts.
    is_slow = models.BooleanField(default=False)

    class Meta:
        # All systems of a metric in a row: a worker then tokenizes each word only once.
        ordering = ["job", "metric_index", "system"]
        constraints = [
            models.UniqueConstraint(fields=["job", "metric_index", "system"], name="part_once"),
        ]

    def __str__(self):
        return f"part {self.pk} of job {self.job_id}, {self.status}"


class Bitext(models.Model):
    """Uploaded texts in two languages, translations of each other line by line.

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


class LinkedTexts(Job):
    """Texts whose words a worker has linked: a bitext, or the source of a test set with the outputs
    of its systems and its references. Phrase tables are built from these links.

    It is its own job: while `status` says that a worker is linking the texts again, `data` holds
    the previous links.
    """

    test_set = models.OneToOneField(
        TestSet, on_delete=models.CASCADE, null=True, related_name="linked_texts"
    )
    bitext = models.OneToOneField(
        Bitext, on_delete=models.CASCADE, null=True, related_name="linked_texts"
    )
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # The linked texts: {"name": …, "kind": "system", "reference" or "bitext"}, one per side.
    sides = models.JSONField(default=list)
    n_segments = models.PositiveIntegerField(default=0)
    # Texts of which the aligner read only the beginning.
    n_cut = models.PositiveIntegerField(default=0)
    # A digest of all texts: a different one means that they have changed since.
    texts_mark = models.CharField(max_length=64, blank=True)
    # Words, links and figures of terms, as written by metrics.lessons.phrase_tables.storage.
    data = models.BinaryField(default=bytes)
    # The phrase table of a bitext in Moses' format, gzip-compressed.
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


class BaselineJob(Job):
    """A request to train a translation system and to translate a test set with it. Its outputs are
    added all at once, as a system of the test set, when it is done."""

    test_set = models.ForeignKey(TestSet, on_delete=models.CASCADE, related_name="baseline_jobs")
    # A slug of metrics.lessons.baselines.registry.
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    # Its training text; without one, each document is translated from the others.
    bitext = models.ForeignKey(Bitext, on_delete=models.SET_NULL, null=True, related_name="+")
    has_bitext = models.BooleanField(default=False)
    seed = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    system = models.ForeignKey(System, on_delete=models.SET_NULL, null=True, related_name="+")
    # The current step, and how many of the segments are translated.
    step = models.CharField(max_length=100, blank=True)
    total = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    # Description of the trained system by its kind, a part for each fold.
    made = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self):
        return f"baseline job {self.pk}, {self.status}"

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0
