"""Donors of single references: found where a reference is the very text of a system's output or of
its post-edit, and removed. Nothing is concluded from likeness."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Count

from judgments.models import (
    Reference,
    ReferenceKind,
    System,
    TestSet,
    facts_of,
    humans_among,
    reference_facts_of,
)

# Which systems' outputs, or post-edits of these, read the same as a reference.
SAME = """SELECT r.id, o.system_id
    FROM judgments_reference r
    JOIN judgments_segment g ON g.id = r.segment_id AND g.test_set_id = %(test_set)s
    JOIN judgments_output o ON o.segment_id = g.id
    JOIN judgments_system s ON s.id = o.system_id AND s.copies_reference = ''
    WHERE r.name = %(name)s AND r.text <> '' AND (o.text = r.text OR EXISTS (
        SELECT 1 FROM judgments_targetedreference t WHERE t.output_id = o.id AND t.text = r.text))
    ORDER BY r.id, o.system_id"""


@dataclass(frozen=True)
class FoundDonors:
    """What the texts of one reference told: segments that got a donor, by system; those that read
    as the outputs of several systems; those that had another donor, which stays; and systems that
    read as the reference wherever both have a text, by name, which may be the reference itself."""

    name: str
    n: int
    found: Mapping[str, int]
    n_several: int
    n_other: int
    same_everywhere: tuple[str, ...]


def why_not(test_set: TestSet, name: str) -> str:
    """Return why no donors of segments are looked for; empty where they are."""
    facts = reference_facts_of(test_set).get(name)
    if facts and facts.kind == ReferenceKind.HUMAN:
        return f"{name} is stated to be translated by people, who may have found the same words."
    if facts and facts.system:
        return f"{facts.system.name} is stated to be the donor of the whole set {name}."
    return ""


@transaction.atomic
def find_donors(test_set: TestSet, name: str) -> FoundDonors:
    """Store the donors of the segments of one reference that have none, where exactly one system's
    text is the reference's."""
    TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
    systems = dict(System.objects.filter(test_set=test_set).values_list("pk", "name"))
    stated = dict(
        Reference.objects.filter(segment__test_set=test_set, name=name).values_list("pk", "donor")
    )
    same = _same(test_set, name)
    everywhere = _same_everywhere(test_set, name, same)
    people = humans_among(facts_of(test_set), everywhere)
    made: dict[int, list[int]] = defaultdict(list)
    n_several = n_other = 0
    for reference, equal in same.items():
        donors = equal - people
        if len(donors) > 1:
            n_several += 1
        elif donors and stated[reference] is None:
            made[min(donors)].append(reference)
        elif donors and stated[reference] not in donors:
            n_other += 1
    for system, references in made.items():
        Reference.objects.filter(pk__in=references).update(donor=system)
    found = Counter({systems[pk]: len(references) for pk, references in made.items()})
    return FoundDonors(
        name=name,
        n=len(stated),
        found=dict(found.most_common()),
        n_several=n_several,
        n_other=n_other,
        same_everywhere=tuple(sorted(systems[pk] for pk in everywhere & people)),
    )


def forget_donors(test_set: TestSet, name: str) -> int:
    """Remove the donors of a reference's segments; how many there were."""
    stated = Reference.objects.filter(segment__test_set=test_set, name=name, donor__isnull=False)
    return stated.update(donor=None)


def counted_donors(test_set: TestSet) -> dict[str, dict[str, int]]:
    """In how many segments each system is stated as donor: {reference: {system: n}}, the most
    first; one statement."""
    rows = (
        Reference.objects.filter(segment__test_set=test_set, donor__isnull=False)
        .order_by()
        .values_list("name", "donor__name")
        .annotate(n=Count("pk"))
    )
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for name, system, n in sorted(rows, key=lambda row: (row[0], -row[2], row[1])):
        found[name][system] = n
    return dict(found)


def _same(test_set: TestSet, name: str) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(SAME, {"test_set": test_set.pk, "name": name})
        for reference, system in cursor.fetchall():
            found[reference].add(system)
    return {reference: frozenset(systems) for reference, systems in found.items()}


def _same_everywhere(
    test_set: TestSet, name: str, same: Mapping[int, frozenset[int]]
) -> frozenset[int]:
    """Return systems that are named after the reference, or read as it in every segment of both."""
    n_same = Counter(system for systems in same.values() for system in systems)
    shared = (
        System.objects.filter(test_set=test_set, outputs__segment__references__name=name)
        .order_by()
        .values_list("pk", "name")
        .annotate(n=Count("outputs"))
    )
    return frozenset(pk for pk, own, n in shared if own == name or n_same[pk] == n)
