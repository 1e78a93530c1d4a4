"""Where references come from, as whoever owns the test set states it."""

from collections.abc import Mapping

from django.db import models
from django.utils.translation import gettext_lazy as _

from .corpus import Reference, System, TestSet
from .system_facts import SystemFacts, facts_of


class ReferenceKind(models.TextChoices):
    """How a reference came about."""

    HUMAN = "human", _("translated by people")
    POST_EDITED = "post-edited", _("post-edited from outputs")
    CHOSEN = "chosen", _("chosen among outputs")
    MODEL = "model", _("made by a model")
    CORRECTED = "corrected", _("a corrected copy of another reference")


class CloningStep(models.TextChoices):
    """What a corrected copy corrects: the three steps in which Forsbom (2003), *Training a super
    model look-alike*, clones a reference."""

    ERRORS = "errors", _("errors corrected")
    INCONSISTENCIES = "inconsistencies", _("variants and synonyms made consistent")
    INTERPRETATIONS = "interpretations", _("additions, omissions and interpretations removed")


class ReferenceFacts(models.Model):
    """Facts of one reference set; a set of which nobody has said anything has none. They may be
    changed: no judgment hangs on them. `system`: the donor of the whole set, whose outputs were
    edited or chosen, or the model that wrote it. `original`: the reference that a corrected copy
    was made from, `step`: what it corrects."""

    test_set = models.ForeignKey(
        TestSet, on_delete=models.CASCADE, related_name="reference_facts", db_index=False
    )
    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=20, choices=ReferenceKind)
    system = models.ForeignKey(
        System, on_delete=models.SET_NULL, null=True, blank=True, related_name="references_made"
    )
    original = models.CharField(max_length=100, blank=True, default="", db_default="")
    step = models.CharField(
        max_length=20, choices=CloningStep, blank=True, default="", db_default=""
    )

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "reference facts"
        constraints = [
            models.UniqueConstraint(fields=["test_set", "name"], name="reference_facts_once"),
        ]

    def __str__(self):
        return f"facts of {self.name}"


def reference_facts_of(test_set: TestSet) -> dict[str, ReferenceFacts]:
    """Return the stated facts of a test set's references, by the names of these; one statement."""
    found = ReferenceFacts.objects.filter(test_set=test_set).select_related("system")
    return {facts.name: facts for facts in found}


def line_of(facts: Mapping[str, ReferenceFacts], name: str) -> list[str]:
    """Return the reference and, of a corrected copy, what it was copied from, back to the first;
    each once."""
    found = [name]
    while (stated := facts.get(found[-1])) and stated.original and stated.original not in found:
        found.append(stated.original)
    return found


def donors_of(
    test_set: TestSet,
    facts: Mapping[str, ReferenceFacts] | None = None,
    of_systems: Mapping[int, SystemFacts] | None = None,
) -> dict[str, dict[int, int]]:
    """Return the donors of references: {name: {segment: system}}, all by ids, of the references
    that have any. Of a segment the donor that is stated for it counts, else that of the whole set,
    else that of the reference that a corrected copy was made from. Four statements; facts,
    of_systems: what is stated, where the caller has read it."""
    facts = reference_facts_of(test_set) if facts is None else facts
    of_systems = facts_of(test_set) if of_systems is None else of_systems
    whole = post_edited_sets(facts, of_systems)
    whole |= {name: each.system_id for name, each in facts.items() if each.system_id is not None}
    stated = Reference.objects.filter(segment__test_set=test_set, donor__isnull=False).order_by()
    own: dict[str, dict[int, int]] = {}
    for name, segment, system in stated.values_list("name", "segment_id", "donor_id"):
        own.setdefault(name, {})[segment] = system
    lines = {name: line_of(facts, name) for name in {*own, *whole, *facts}}
    given = [name for name, line in lines.items() if not {*own, *whole}.isdisjoint(line)]
    written = Reference.objects.filter(segment__test_set=test_set, name__in=given).order_by()
    found: dict[str, dict[int, int]] = {}
    for name, segment in written.values_list("name", "segment_id"):
        donor = _donor(lines[name], segment, own, whole)
        if donor is not None:
            found.setdefault(name, {})[segment] = donor
    return found


def post_edited_sets(
    facts: Mapping[str, ReferenceFacts], of_systems: Mapping[int, SystemFacts]
) -> dict[str, int]:
    """Return donors of references of which nothing is stated, but which stand among the systems,
    and of that system it is stated what it was post-edited from: {name: system}."""
    found = {}
    for each in of_systems.values():
        reference = each.system.copies_reference or each.system.name
        if each.post_edited_from_id is not None and reference not in facts:
            found[reference] = each.post_edited_from_id
    return found


def _donor(
    line: list[str], segment: int, own: dict[str, dict[int, int]], whole: dict[str, int]
) -> int | None:
    for name in line:
        donor = own.get(name, {}).get(segment, whole.get(name))
        if donor is not None:
            return donor
    return None
