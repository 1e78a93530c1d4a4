"""Models as judges: their questions, prices and answers."""

from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse

from .campaign import Campaign
from .judgment import Judgment
from .work import Item


def bounded(low: float, high: float) -> list[MinValueValidator | MaxValueValidator]:
    return [MinValueValidator(low), MaxValueValidator(high)]


class JudgeStatus(models.TextChoices):
    NEW = "new", "Not begun"
    QUEUED = "queued", "Waiting for its turn"
    RUNNING = "running", "Judging"
    DONE = "done", "Done"
    FAILED = "failed", "Stopped"
    CANCELLED = "cancelled", "Cancelled"


AT_WORK = [JudgeStatus.QUEUED, JudgeStatus.RUNNING]


class Judge(models.Model):
    """A language model that answers the questions of a campaign.

    Its judgments are stored in a separate campaign (`answers`), so that no figure of the people's
    campaign can include any of them. Keys of endpoints are in no table: `endpoint` is the name that
    the operator gave to an address.
    """

    campaign = models.ForeignKey(
        Campaign, on_delete=models.CASCADE, related_name="judges", db_index=False
    )
    answers = models.OneToOneField(
        Campaign, on_delete=models.CASCADE, related_name="judge", editable=False
    )
    name = models.CharField(max_length=40)
    endpoint = models.CharField(max_length=40)
    model = models.CharField(max_length=120)
    # A prompt of `judgments.judges.prompts`, with the hash of its text when the judge was created.
    prompt = models.CharField(max_length=40)
    prompt_hash = models.CharField(max_length=64)
    temperature = models.FloatField(default=0.0, validators=bounded(0, 2))
    seed = models.PositiveIntegerField(null=True, blank=True, validators=bounded(0, 2**31 - 100))
    # How often each item is asked. Each sample is an annotator of the judge's campaign.
    samples = models.PositiveSmallIntegerField(default=1, validators=bounded(1, 20))
    # Per million tokens, in `currency`.
    price_in = models.DecimalField(
        max_digits=10, decimal_places=4, default=Decimal(0), validators=bounded(0, 10_000)
    )
    price_out = models.DecimalField(
        max_digits=10, decimal_places=4, default=Decimal(0), validators=bounded(0, 10_000)
    )
    currency = models.CharField(max_length=3, default="EUR")
    # The most that all requests together may cost.
    budget = models.DecimalField(max_digits=10, decimal_places=2, validators=bounded(0, 1_000_000))
    requests_a_minute = models.PositiveIntegerField(default=60, validators=bounded(1, 100_000))
    tokens_a_minute = models.PositiveIntegerField(
        default=100_000, validators=bounded(1000, 100_000_000)
    )
    at_once = models.PositiveSmallIntegerField(default=4, validators=bounded(1, 32))
    # The family of models to which it belongs; systems of the same family may be favored.
    family = models.CharField(max_length=40, blank=True, default="", db_default="")
    status = models.CharField(
        max_length=10, choices=JudgeStatus.choices, default=JudgeStatus.NEW, editable=False
    )
    message = models.TextField(blank=True, default="", db_default="", editable=False)
    # Tokens of answers that could not be used and are not stored.
    lost_in = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    lost_out = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    # The estimated price when somebody agreed to it.
    agreed_price = models.DecimalField(
        max_digits=12, decimal_places=4, null=True, blank=True, editable=False
    )
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    agreed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    # When an answer was last stored: a running judge that stores none has lost its worker.
    moved_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="judge_name_once"),
        ]

    def __str__(self):
        return self.name

    def get_absolute_url(self):
        return reverse("campaign-judge", args=[self.campaign_id, self.pk])

    @property
    def is_at_work(self) -> bool:
        return self.status in AT_WORK

    def cost(self, tokens_in: float, tokens_out: float) -> Decimal:
        """Return the cost of this many tokens, in `currency`."""
        in_millions = Decimal(repr(tokens_in)) * self.price_in
        return (in_millions + Decimal(repr(tokens_out)) * self.price_out) / 1_000_000


class JudgeAnswer(models.Model):
    """One answer of an endpoint, as received. Never changed.

    An item has several if the first did not fit its question, or was cut off.
    """

    judge = models.ForeignKey(Judge, on_delete=models.CASCADE, related_name="raw_answers")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="+", db_index=False)
    # Null if the answer did not fit.
    judgment = models.OneToOneField(
        Judgment, on_delete=models.CASCADE, null=True, blank=True, related_name="raw_answer"
    )
    # Number among the answers to the item, from 1.
    number = models.PositiveSmallIntegerField()
    text = models.TextField()
    # Why it did not fit; empty if it did.
    problem = models.TextField(blank=True)
    # No further request is sent about the item.
    is_last = models.BooleanField(default=False)
    # Errors in the answer whose quoted words occur nowhere in the texts.
    n_unplaced = models.PositiveSmallIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    milliseconds = models.PositiveIntegerField(default=0)
    # The name of the model that answered, according to the endpoint.
    model = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="judge_answer_once"),
        ]

    def __str__(self):
        return f"answer {self.number} to item {self.item_id}"
