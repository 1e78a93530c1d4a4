"""Texts: sources, outputs of systems, and references."""

import hashlib

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse

# BCP 47, as far as `lang` attributes need it: de, pt-BR, zh-Hant-TW.
language_tag = RegexValidator(
    r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
    "Use a language tag such as de, pt-BR or zh-Hant.",
)

RIGHT_TO_LEFT = {
    "ar",
    "arc",
    "ckb",
    "dv",
    "fa",
    "he",
    "ks",
    "ku",
    "ps",
    "sd",
    "ug",
    "ur",
    "yi",
}
RIGHT_TO_LEFT_SCRIPTS = {"adlm", "arab", "hebr", "nkoo", "syrc", "thaa"}


def direction(language: str) -> str:
    """Return `rtl` or `ltr` for a language tag; a script in the tag takes precedence over the
    language."""
    language, *rest = language.lower().split("-")
    scripts = [part for part in rest if len(part) == 4 and part.isalpha()]
    if scripts:
        return "rtl" if scripts[0] in RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


class TestSetQuerySet(models.QuerySet):
    def visible_to(self, user):
        """Return test sets that the user owns, or whose results they may read in a campaign."""
        if user.is_superuser:
            return self
        # Not a join, which has a row for each member of a campaign: what is annotated of a test set
        # would be counted for each of them.
        readable = TestSet.objects.filter(
            campaigns__memberships__user=user,
            campaigns__memberships__removed_at=None,
            campaigns__memberships__role__in=["owner", "researcher"],
        )
        return self.filter(models.Q(owner=user) | models.Q(pk__in=readable.values("pk")))


class TestSet(models.Model):
    """Source texts with the references and system outputs that belong to them."""

    __test__ = False  # not a class of tests, although pytest takes it for one by its name

    name = models.CharField(max_length=200)
    source_language = models.CharField(max_length=35, validators=[language_tag])
    target_language = models.CharField(max_length=35, validators=[language_tag])
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="test_sets"
    )
    note = models.TextField(blank=True)
    # The language of its glosses; empty if unknown.
    gloss_language = models.CharField(
        max_length=35, blank=True, default="", db_default="", validators=[language_tag]
    )
    # False: it has keys only; source and outputs are "", and judgments can still be counted.
    has_texts = models.BooleanField(default=True, db_default=True, editable=False)
    # Whether any segment has sound, an image or a video.
    has_media = models.BooleanField(default=False, db_default=False, editable=False)
    # Whether its texts may be sent to the endpoints of language models that the operator lists.
    may_leave = models.BooleanField(default=False, db_default=False, editable=False)
    # The name of the release that it comes from: wmt23. Results then open as in that year's shared
    # task.
    release = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TestSetQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("test-set", args=[self.pk])

    @property
    def pair(self) -> str:
        """Its languages as in files and addresses, such as "en-de"."""
        return f"{self.source_language}-{self.target_language}"

    @property
    def source_direction(self):
        return direction(self.source_language)

    @property
    def target_direction(self):
        return direction(self.target_language)

    @property
    def gloss_direction(self):
        """The direction of the glosses' language; `auto` if that is unknown."""
        return direction(self.gloss_language) if self.gloss_language else "auto"

    @property
    def reference_names(self) -> list[str]:
        """The names of the reference sets, in alphabetical order."""
        names = Reference.objects.filter(segment__test_set=self).order_by()
        return sorted(names.values_list("name", flat=True).distinct())

    @property
    def targeted_names(self) -> list[str]:
        """The names of the sets of post-edits, in alphabetical order."""
        names = TargetedReference.objects.filter(output__system__test_set=self).order_by()
        return sorted(names.values_list("name", flat=True).distinct())


class Document(models.Model):
    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="documents", db_index=False
    )
    name = models.CharField(max_length=200)
    domain = models.CharField(max_length=100, blank=True)
    original_language = models.CharField(max_length=35, blank=True, validators=[language_tag])
    # Instructions for its translations, such as a tone; shown to annotators on the judging screen.
    instructions = models.TextField(blank=True, default="", db_default="")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="document_name_once"),
            models.UniqueConstraint(fields=["test_set", "position"], name="document_place_once"),
        ]

    def __str__(self):
        return self.name


class Segment(models.Model):
    """One unit of source text. `key` is its name in files; `position` orders the test set."""

    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="segments", db_index=False
    )
    document = models.ForeignKey(Document, on_delete=models.CASCADE, related_name="segments")
    key = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    source = models.TextField()
    # The source in other words, or word by word, for annotators who do not read its language well.
    gloss = models.TextField(blank=True, default="", db_default="")

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "key"], name="segment_key_once"),
            models.UniqueConstraint(fields=["test_set", "position"], name="segment_place_once"),
        ]

    def __str__(self):
        return self.key


class Reference(models.Model):
    """A translation of a segment with which others are compared, usually a human one; `name`
    distinguishes the reference sets of a test set. `donor`: the system whose output it was made
    from, in a set that was post-edited from, or chosen among, several systems."""

    segment = models.ForeignKey(
        Segment, on_delete=models.CASCADE, related_name="references", db_index=False
    )
    name = models.CharField(max_length=100, default="ref")
    text = models.TextField()
    donor = models.ForeignKey(
        "System",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="donated_references",
        db_index=False,
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["segment", "name"], name="reference_once"),
        ]
        # Few references have a donor: the index finds them when a system is deleted.
        indexes = [
            models.Index(
                fields=["donor"], condition=models.Q(donor__isnull=False), name="reference_donor"
            ),
        ]

    def __str__(self):
        return f"{self.name} of {self.segment_id}"


class SystemQuerySet(models.QuerySet):
    def without_copies(self):
        """Exclude systems whose outputs are a reference's texts."""
        return self.filter(copies_reference="")


class System(models.Model):
    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="systems", db_index=False
    )
    name = models.CharField(max_length=200)
    # The reference set whose texts are its outputs: people judge it as a hidden system, and no
    # metric scores it. Empty: a system that translates.
    copies_reference = models.CharField(
        max_length=100, blank=True, default="", db_default="", editable=False
    )

    objects = SystemQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="system_name_once"),
        ]

    def __str__(self):
        return self.name


class Output(models.Model):
    """A system's translation of a segment."""

    segment = models.ForeignKey(Segment, on_delete=models.CASCADE, related_name="outputs")
    system = models.ForeignKey(
        System, on_delete=models.CASCADE, related_name="outputs", db_index=False
    )
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["segment", "system"]
        constraints = [
            models.UniqueConstraint(fields=["system", "segment"], name="output_once"),
        ]

    def __str__(self):
        return f"output {self.pk}"


class TargetedReference(models.Model):
    """A post-edit: a correct translation made with the fewest possible edits of this output.

    `name` distinguishes the sets, such as those of different post-editors. HTER counts the edits to
    it.
    """

    output = models.ForeignKey(
        Output, on_delete=models.CASCADE, related_name="targeted_references", db_index=False
    )
    name = models.CharField(max_length=100, default="post-edit")
    text = models.TextField(blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["output", "name"], name="targeted_reference_once"),
        ]

    def __str__(self):
        return f"{self.name} of {self.output_id}"


def texts_hash(texts) -> str:
    """Return a SHA-256 over texts in order, which reveals whether a stored score is out of date."""
    digest = hashlib.sha256()
    for text in texts:
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
