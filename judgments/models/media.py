"""Sound, pictures and videos that stand at the source of a segment. The files are beside the
database (`judgments/test_sets/media`); here is what is known of them."""

from django.db import models

from .corpus import Segment, TestSet


class MediaFile(models.Model):
    """A file of a test set. name: what the table called it; kind: its type, found in its bytes.
    sha256: where it lies. Test sets with the same file share its bytes."""

    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="media", db_index=False
    )
    name = models.CharField(max_length=400)
    kind = models.CharField(max_length=20)
    sha256 = models.CharField(max_length=64, db_index=True)
    n_bytes = models.PositiveBigIntegerField()
    seconds = models.FloatField(null=True, blank=True)  # how long it lasts; null: not known

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="media_file_once"),
        ]

    def __str__(self):
        return self.name


class SegmentMedia(models.Model):
    """What is played or seen with a segment. start, end: of the file, in seconds; None: from its
    beginning, to its end."""

    segment = models.OneToOneField(
        Segment, on_delete=models.CASCADE, primary_key=True, related_name="media"
    )
    file = models.ForeignKey(MediaFile, on_delete=models.CASCADE, related_name="segments")
    captions = models.ForeignKey(
        MediaFile, on_delete=models.CASCADE, null=True, blank=True, related_name="captioned"
    )
    start = models.FloatField(null=True, blank=True)
    end = models.FloatField(null=True, blank=True)

    def __str__(self):
        return f"media of segment {self.segment_id}"

    @property
    def shape(self) -> str:
        """The element that shows it: "audio", "video" or "image"."""
        return self.file.kind.partition("/")[0]

    @property
    def seconds(self) -> float | None:
        """How long it is heard; 0 for a picture, None where that is not known."""
        if self.shape == "image":
            return 0.0
        return stretch(self.start, self.end, self.file.seconds)

    @property
    def fragment(self) -> str:
        """The part of an address that names the stretch (W3C media fragments)."""
        if self.start is None and self.end is None:
            return ""
        end = "" if self.end is None else f",{self.end:g}"
        return f"#t={self.start or 0:g}{end}"


def stretch(start: float | None, end: float | None, whole: float | None) -> float | None:
    """Return how many seconds are heard of a file that lasts `whole`; None where that is not
    known."""
    last = whole if end is None else end
    return None if last is None else max(0.0, last - (start or 0.0))
