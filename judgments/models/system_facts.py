"""What is known of systems besides their names; nothing of it has to be."""

from collections.abc import Collection, Mapping

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from .corpus import System, TestSet

# Offered; other words may be written.
SYSTEM_KINDS = ("rule-based", "statistical", "neural", "LLM", "human", "other")
HUMAN = "human"
MOST_PARAMETERS = 10**15
MOST_WORDS = 10**9


class SystemFacts(models.Model):
    """Facts of one system, as whoever owns the test set states them. They may be changed: no
    judgment hangs on them. `is_human`: None where nobody has said. `is_control`: it is known to be
    weak, and in the test set so that one can see whether people and metrics place it last."""

    system = models.OneToOneField(
        System, on_delete=models.CASCADE, primary_key=True, related_name="facts"
    )
    kind = models.CharField(max_length=40, blank=True)
    parameters = models.BigIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_PARAMETERS)],
    )
    words_per_second = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1e-6), MaxValueValidator(MOST_WORDS)],
    )
    is_human = models.BooleanField(null=True, blank=True)
    is_control = models.BooleanField(default=False, db_default=False)
    post_edited_from = models.ForeignKey(
        System, on_delete=models.SET_NULL, null=True, blank=True, related_name="edited_by_people"
    )

    def __str__(self):
        return f"facts of {self.system_id}"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known."""
        known = (self.parameters, self.words_per_second, self.is_human, self.post_edited_from_id)
        return not self.kind and not self.is_control and all(fact is None for fact in known)


def facts_of(test_set: TestSet) -> dict[int, SystemFacts]:
    """Return the stated facts of a test set's systems, by the ids of these; one statement."""
    found = SystemFacts.objects.filter(system__test_set=test_set)
    return {facts.system_id: facts for facts in found.select_related("system", "post_edited_from")}


def controls_of(test_set: TestSet) -> dict[int, str]:
    """Return the names of a test set's control systems of known weakness, by their ids."""
    found = System.objects.filter(test_set=test_set, facts__is_control=True)
    return dict(found.order_by("name").values_list("pk", "name"))


def humans_among(facts: Mapping[int, SystemFacts], by_texts: Collection[int]) -> frozenset[int]:
    """Return the ids of the systems that are people: what is stated counts; where nothing is, the
    ones whose texts or names tell (`by_texts`)."""
    stated = {pk: each.is_human for pk, each in facts.items()}
    people = {pk for pk, is_human in stated.items() if is_human}
    return frozenset(people | {pk for pk in by_texts if stated.get(pk) is None})
