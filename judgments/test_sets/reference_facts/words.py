"""Facts of references in words, for lists and messages of their owner."""

from collections.abc import Mapping

from judgments.models import (
    CloningStep,
    ReferenceFacts,
    ReferenceKind,
    TestSet,
    reference_facts_of,
)
from judgments.web import plurals as counted

from .donors import FoundDonors


def reference_in_words(facts: ReferenceFacts | None) -> str:
    """Return one line for lists: `post-edited from outputs, of System-A`."""
    if facts is None:
        return ""
    found = [str(ReferenceKind(facts.kind).label)]
    if facts.original:
        found = [f"a corrected copy of {facts.original}"]
    if facts.step:
        found.append(str(CloningStep(facts.step).label))
    if facts.system is not None:
        verb = "by" if facts.kind == ReferenceKind.MODEL else "of"
        found.append(f"{verb} {facts.system.name}")
    return ", ".join(found)


def stated_names(test_set: TestSet) -> list[str]:
    """Return the references in alphabetical order, each with what is stated of it: `refA
    (translated by people)`."""
    facts = reference_facts_of(test_set)
    said = {name: reference_in_words(facts.get(name)) for name in test_set.reference_names}
    return [f"{name} ({words})" if words else name for name, words in said.items()]


def donor_words(donors: Mapping[str, int]) -> str:
    """In how many segments each system is the donor: `System-A 12, System-B 3`."""
    return ", ".join(f"{system} {n:,}" for system, n in donors.items())


def found_words(found: FoundDonors) -> list[str]:
    """Return what the search for donors has found, as sentences."""
    n = sum(found.found.values())
    of = f"{counted.segments(found.n)} of {found.name}"
    told = [f"A donor was found for {n:,} of {of}: {donor_words(found.found)}."]
    if not n:
        told = [f"No donor was found in {of}: no text is identical to that of exactly one system."]
    if found.n_several:
        several = counted.segments(found.n_several)
        told.append(f"In {several}, the outputs of several systems are identical to the reference.")
    if found.n_other:
        other = counted.segments(found.n_other)
        told.append(f"In {other}, a different donor is stated and was kept.")
    told += [
        f"{system} is identical to {found.name} in every segment and was skipped: it may be the "
        f"reference itself. If it is a system, state {system} as the donor of the whole set."
        for system in found.same_everywhere
    ]
    return told
