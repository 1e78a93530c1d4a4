"""Notes and marks of annotators besides their judgments, and their reading settings."""

from collections.abc import Callable

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from .corpus import Output
from .observations import Side
from .work import Item


class NoteKind(models.TextChoices):
    SKIP = "skip", "Skipped"
    FLAG = "flag", "Flagged"


class Reason(models.TextChoices):
    SOURCE = "source", "The source cannot be understood"
    MISALIGNED = "misaligned", "Source and translation do not belong together"
    LANGUAGE = "language", "A text is not in its language"
    TOPIC = "topic", "I do not know enough about the topic"
    OFFENSIVE = "offensive", "The text is offensive"
    TECHNICAL = "technical", "The page does not work"
    OTHER = "other", "Something else"


class Note(models.Model):
    """Why an annotator skipped an item, or what they remark on it.

    If it is about words, `quote` holds them, and `start` and `end` their place in the text that was
    shown (the source, or `output`), in code points.
    """

    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="notes")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    kind = models.CharField(max_length=10, choices=NoteKind.choices)
    reason = models.CharField(max_length=20, choices=Reason.choices, blank=True)
    comment = models.TextField(blank=True)
    side = models.CharField(
        max_length=10,
        choices=[(Side.SOURCE, "Source"), (Side.TARGET, "Translation")],
        blank=True,
        default="",
        db_default="",
    )
    output = models.ForeignKey(
        Output, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"{self.kind} of item {self.item_id}"

    @property
    def about(self) -> str:
        """The place of the quoted words, for those who run the campaign; "" if about the whole
        item."""
        if not self.side:
            return ""
        of = self.output.system.name if self.output else self.get_side_display()
        return f"{of}, {self.start}–{self.end}"


class Star(models.Model):
    """An annotator's own mark on an item that they want to find again; nobody else sees it."""

    item = models.ForeignKey(  # indexed by the constraint, whose first column it is
        Item, on_delete=models.CASCADE, related_name="stars", db_index=False
    )
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    set_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "annotator"], name="starred_once"),
        ]

    def __str__(self):
        return f"star on item {self.item_id}"


class Theme(models.TextChoices):
    AUTO = "auto", "Same as the device"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


class SpanUnit(models.TextChoices):
    WORD = "word", "Whole words"
    CHARACTER = "character", "Single characters"


class SentenceSteps(models.TextChoices):
    CAMPAIGN = "", "As the campaign says"
    ON = "on", "Sentence by sentence"
    OFF = "off", "The whole text at once"


class ComparedTexts(models.TextChoices):
    BY_LENGTH = "", "As a table where they are long"
    TABLE = "table", "As a table, sentence by sentence"
    LIST = "list", "One after the other"


class LineSpacing(models.TextChoices):
    NORMAL = "", "Normal"
    WIDE = "wide", "Wide"
    WIDER = "wider", "Very wide"


class Typeface(models.TextChoices):
    DEVICE = "", "That of the device"
    LEGIBLE = "legible", "Atkinson Hyperlegible, whose letters are hard to mistake"


class Contrast(models.TextChoices):
    DEVICE = "", "Same as the device"
    MORE = "more", "More contrast"


def between(least: int, most: int) -> list[Callable]:
    return [MinValueValidator(least), MaxValueValidator(most)]


class ReadingSettings(models.Model):
    """One person's settings of the judging screen, on all their devices."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reading_settings"
    )
    text_size = models.PositiveSmallIntegerField(default=100)  # percent
    theme = models.CharField(max_length=10, choices=Theme.choices, default=Theme.AUTO)
    span_unit = models.CharField(max_length=10, choices=SpanUnit.choices, default=SpanUnit.WORD)
    goes_on = models.BooleanField(default=True)  # to the next item, if one answer is all
    language = models.CharField(max_length=10, blank=True)  # empty: as the browser requests
    sentence_steps = models.CharField(
        max_length=3, choices=SentenceSteps.choices, blank=True, db_default=SentenceSteps.CAMPAIGN
    )
    compared_texts = models.CharField(
        max_length=5,
        choices=ComparedTexts.choices,
        blank=True,
        default=ComparedTexts.BY_LENGTH,
        db_default=ComparedTexts.BY_LENGTH,
    )
    line_spacing = models.CharField(
        max_length=5, choices=LineSpacing.choices, blank=True, default="", db_default=""
    )
    typeface = models.CharField(
        max_length=7, choices=Typeface.choices, blank=True, default="", db_default=""
    )
    contrast = models.CharField(
        max_length=4, choices=Contrast.choices, blank=True, default="", db_default=""
    )
    reminds_of_breaks = models.BooleanField(default=False, db_default=False)
    # For each command with a changed key, the usual letter and the new one: "ju xq".
    own_keys = models.CharField(max_length=80, blank=True, default="", db_default="")
    # The width of the source, as dragged; null: the site's default. Next to the translations in
    # percent of the window, in a comparison table in percent of the column of a translation.
    source_pane = models.PositiveSmallIntegerField(
        null=True, blank=True, default=None, validators=between(20, 70)
    )
    source_column = models.PositiveSmallIntegerField(
        null=True, blank=True, default=None, validators=between(50, 300)
    )

    def __str__(self):
        return f"settings of user {self.user_id}"
