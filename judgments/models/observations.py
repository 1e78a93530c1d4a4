"""Typed observations beyond ratings and preferences. Rows here are only ever added.

Offsets are Unicode code points in the stored text, the end exclusive. `is_copy` is as in `Rating`:
identical outputs are shown once, and the observation applies to each of them.
"""

from django.conf import settings
from django.db import models

from .corpus import Output
from .judgment import Judgment
from .material import PrefilledSpan, Question


class Side(models.TextChoices):
    TARGET = "target", "Translation"
    SOURCE = "source", "Source"
    MISSING = "missing", "Missing"  # something was left out: no text to mark, 0 to 0
    OUTPUT = "output", "Whole output"  # no place in the output, 0 to 0; its name is the category


WITHOUT_PLACE = ("missing", "output")
NO_PLACE = models.Q(side__in=WITHOUT_PLACE)


class ErrorSpan(models.Model):
    """An error that was marked in an output, in its source, or as missing from the output.

    People mark characters; releases also contain errors between two characters, with the same start
    and end, and named marks of a whole output.

    `prefill`: the machine's span that it was made from; an equal span was kept, a different one was
    changed, and a machine's span without a row was deleted.
    """

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="spans")
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="spans")
    side = models.CharField(max_length=10, choices=Side.choices, default=Side.TARGET)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    severity = models.CharField(max_length=20)
    category = models.CharField(max_length=120, blank=True)  # such as "accuracy/omission"
    prefill = models.ForeignKey(
        PrefilledSpan, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_copy = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(NO_PLACE, start=0, end=0)
                | (~NO_PLACE & models.Q(start__lte=models.F("end"))),
                name="span_has_place",
            ),
        ]

    def __str__(self):
        return f"{self.severity} {self.side} {self.start}–{self.end}"


class Outcome(models.TextChoices):
    EDITED = "edited", "Edited"
    NO_CORRECTION = "no_correction", "No correction needed"
    UNABLE = "unable", "Unable to correct"


class PostEdit(models.Model):
    """An output as corrected by an annotator. `active_ms`: time of active editing."""

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="edits", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="edits")
    outcome = models.CharField(max_length=20, choices=Outcome.choices)
    text = models.TextField(blank=True)
    keystrokes = models.PositiveIntegerField(null=True, blank=True)
    active_ms = models.PositiveIntegerField(null=True, blank=True)
    is_copy = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "output"], name="edit_once"),
        ]

    def __str__(self):
        return f"{self.outcome} of {self.output_id}"


class Answer(models.Model):
    """An answer to a question about a text, given from the translation alone.

    `output`: the first output of the document that was read, which identifies the system.
    `is_right`: graded when it was stored; null if a person has to grade it (see `Grade`).
    """

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="answers", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="answers")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="answers")
    text = models.TextField(blank=True)  # empty: the translation does not say
    is_right = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "question"], name="answer_once"),
        ]

    def __str__(self):
        return f"answer to question {self.question_id}"


class Grade(models.Model):
    """A second person's verdict on an open answer; the last one for an answer counts."""

    answer = models.ForeignKey(Answer, on_delete=models.PROTECT, related_name="grades")
    grader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    is_right = models.BooleanField()
    graded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"grade of answer {self.answer_id}"


class AlignmentLink(models.Model):
    """A link between a word of the source and one of the output, by their places from 0."""

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="links", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="links")
    source_token = models.PositiveIntegerField()
    target_token = models.PositiveIntegerField()
    is_sure = models.BooleanField(default=True)
    is_copy = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["judgment", "output", "source_token", "target_token"], name="link_once"
            ),
        ]

    def __str__(self):
        return f"{self.source_token}-{self.target_token}"


class Press(models.Model):
    """A key press while a recording played, or the end of the recording: from `at_ms` of the
    recording on, the translation is rated `value`; null: not at all. `clock_ms`: by the clock of
    the browser, since 1970; null if no script sent it. `output`: the first of the recording, which
    identifies the system.
    """

    judgment = models.ForeignKey(
        Judgment, on_delete=models.PROTECT, related_name="presses", db_index=False
    )
    output = models.ForeignKey(Output, on_delete=models.PROTECT, related_name="presses")
    at_ms = models.PositiveIntegerField()
    value = models.PositiveSmallIntegerField(null=True, blank=True)
    clock_ms = models.BigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "output", "at_ms"], name="press_once"),
        ]

    def __str__(self):
        return f"{self.value} at {self.at_ms} ms"
