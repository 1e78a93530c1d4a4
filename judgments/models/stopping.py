"""Registered stopping plans: when a campaign is analyzed, and by which bound it may stop. Rows here
are only ever added."""

from django.conf import settings
from django.db import models

from .campaign import Campaign


class Aim(models.TextChoices):
    ALL = "all", "Rank all systems"
    BEST = "best", "Find the best system"


class Spending(models.TextChoices):
    """How the error is spent over the looks: the keys of `judgments.stats.sequential.SPENDING`."""

    ONE_SIDED_FORM = "one-sided-form", "Lan–DeMets, one-sided form"
    OBRIEN_FLEMING = "obrien-fleming", "O'Brien–Fleming"


class PlanTest(models.TextChoices):
    """The statistic that is compared with the bounds: the keys of `judgments.stats.looks.TESTS`."""

    SIGNED_RANK = "signed-rank", "signed ranks"
    DIFFERENCE = "difference", "mean difference"


class RegisteredPlan(models.Model):
    """A stopping plan, registered by an owner before the first judgment.

    Never changed and never deleted: another one may be registered as long as nothing is judged, and
    the last one counts.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="stopping_plans")
    aim = models.CharField(max_length=10, choices=Aim.choices)
    dimension = models.CharField(max_length=40, help_text="Whose ratings are compared.")
    # The unit that is counted at a look: whole documents, or segments if documents have one each.
    unit = models.CharField(
        max_length=10,
        choices=[("documents", "documents"), ("segments", "segments"), ("blocks", "blocks")],
    )
    # The most segments that a block has, if blocks are counted.
    block_length = models.PositiveIntegerField(default=0)
    # Plans from before there was a choice compare mean differences.
    test = models.CharField(max_length=20, choices=PlanTest.choices, default=PlanTest.DIFFERENCE)
    looks = models.JSONField(help_text="How many of them are judged at each look, rising.")
    most = models.PositiveIntegerField(help_text="How many are planned in all.")
    n_systems = models.PositiveIntegerField(help_text="How many systems there were to compare.")
    alpha = models.FloatField(default=0.05)
    # Plans from before there was a choice have the default.
    spending = models.CharField(
        max_length=20, choices=Spending.choices, default=Spending.ONE_SIDED_FORM
    )
    # [{"signature", "name"}] of the metrics whose differences are the control variate, if any.
    controls = models.JSONField(default=list, blank=True)
    # The format of plans with a single control: `controls` contains it too, and nothing reads
    # these.
    control = models.TextField(blank=True)
    control_label = models.CharField(max_length=200, blank=True)
    registered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    registered_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self):
        return f"stopping plan {self.pk} of campaign {self.campaign_id}"
