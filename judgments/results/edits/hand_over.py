"""Edits of a campaign become post-edits of its test set, against which HTER counts."""

from collections import Counter

from django.db import transaction

from judgments.files.copying import analyze
from judgments.files.texts import LONGEST_REFERENCE_NAME
from judgments.models import Campaign, Outcome, TargetedReference, TestSet
from judgments.protocols import protocol_of
from judgments.results.edits.figures import edit_rows
from judgments.results.selection.selection import Selection


def set_name(campaign: Campaign) -> str:
    """Return for the set of post-edits that the campaign makes. No other campaign has it."""
    mark = f" [{campaign.pk}]"
    name = "".join(c if c.isprintable() else " " for c in campaign.name)
    return name[: LONGEST_REFERENCE_NAME - len(mark) - len(" (999)")].strip() + mark


def may_count(campaign: Campaign) -> bool:
    """Return whether HTER may count against the campaign's edits: only where editors saw the source
    or a reference do the edits restore the meaning, as Snover et al. (2006) define it."""
    return any(protocol_of(campaign).texts_beside())


@transaction.atomic
def hand_over(campaign: Campaign) -> int:
    """Replace what the campaign has handed over before by its edits of now; how many there are.

    Edits of annotators who are left out stay out, and so does what could not be corrected. The
    first edit of an output, by when it was stored, goes into a set named after the campaign, a
    second one into "… (2)", and so on. Raise ValueError where `may_count` says no.
    """
    if not may_count(campaign):
        raise ValueError("The editors saw neither the source nor a reference.")
    TestSet.objects.select_for_update(of=("self",)).get(pk=campaign.test_set_id)
    name = set_name(campaign)
    found = TargetedReference.objects.filter(output__system__test_set=campaign.test_set_id)
    found.filter(name__startswith=name).delete()
    times: Counter[int] = Counter()
    rows = []
    for row in edit_rows(Selection.of(campaign)):
        if row.outcome == Outcome.UNABLE:
            continue
        times[row.output] += 1
        nth = times[row.output]
        rows.append(
            TargetedReference(
                output_id=row.output,
                name=name if nth == 1 else f"{name} ({nth})",
                text=row.text,
            )
        )
    TargetedReference.objects.bulk_create(rows, batch_size=2000)
    analyze(TargetedReference)
    return len(rows)
