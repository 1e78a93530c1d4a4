"""A reference as a hidden system: people judge it without knowing that a person wrote it."""

from django.db.models import Exists, OuterRef

from judgments.models import ItemOutput, Output, System

from ..pool import HiddenReference, reference_texts

PLANNED = -1  # the id of a system that a plan would make


def planned_reference(campaign) -> str:
    """Return the name of the reference that items of the campaign show as a hidden system; empty
    where none does. A larger set that came later is not taken in its place."""
    shown = ItemOutput.objects.filter(output__system=OuterRef("pk"), item__task__campaign=campaign)
    copies = System.objects.filter(test_set=campaign.test_set_id).exclude(copies_reference="")
    named = copies.filter(Exists(shown)).order_by("pk").values_list("copies_reference", flat=True)
    return named.first() or ""


def look_up(campaign, kept: str) -> HiddenReference | None:
    """Return what a plan would show, without writing anything; None where there is no reference.
    kept: as `planned_reference`, before the plan that is there goes."""
    name, texts = reference_texts(campaign, kept)
    if not texts:
        return None
    system = System.objects.filter(test_set=campaign.test_set_id, copies_reference=name).first()
    known = dict(system.outputs.values_list("segment_id", "pk")) if system else {}
    outputs = {segment: (known.get(segment, -segment), text) for segment, text in texts.items()}
    return HiddenReference(system.pk if system else PLANNED, outputs)


def get_or_make(campaign, kept: str) -> HiddenReference | None:
    """Return the same, with the system and its outputs stored. Texts that nobody has been shown
    follow the reference; others stay as they were shown."""
    name, texts = reference_texts(campaign, kept)
    if not texts:
        return None
    test_set = campaign.test_set
    system = test_set.systems.filter(copies_reference=name).first()
    if system is None:
        free = free_name(name, set(test_set.systems.values_list("name", flat=True)))
        system = System.objects.create(test_set=test_set, name=free, copies_reference=name)
    shown = ItemOutput.objects.filter(output=OuterRef("pk"))
    known = {row.segment_id: row for row in system.outputs.annotate(is_shown=Exists(shown))}
    Output.objects.bulk_create(
        (
            Output(system=system, segment_id=segment, text=text)
            for segment, text in texts.items()
            if segment not in known
        ),
        batch_size=5000,
    )
    for segment, row in known.items():
        if not row.is_shown and row.text != texts.get(segment, row.text):
            Output.objects.filter(pk=row.pk).update(text=texts[segment])
    rows = system.outputs.filter(segment__in=texts).values_list("segment_id", "pk", "text")
    return HiddenReference(system.pk, {segment: (pk, text) for segment, pk, text in rows})


def free_name(name: str, taken: set[str]) -> str:
    """Return the name of the set; with a word and a number where a system has it already."""
    names = [name, f"{name} (reference)"]
    names += [f"{name} (reference {n})" for n in range(2, len(taken) + 3)]
    return next(name for name in names if name not in taken)
