"""The texts of a test set or a bitext as the aligner takes them: a source and its translations."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from judgments.models import System, TestSet
from metrics.lessons.bitext_files import texts_of
from metrics.models import Bitext, LinkedTexts
from metrics.scoring.texts import load_outputs, load_sources, texts_mark


class TranslationSide(NamedTuple):
    """A translation of the source. ``kind``: "system", "reference" or "bitext"; ``id``: of the
    system."""

    name: str
    kind: str
    id: int | None = None

    @property
    def label(self) -> str:
        return f"reference {self.name}" if self.kind == "reference" else self.name


class SidedTexts(NamedTuple):
    """``targets``: of each side a text a segment, None where there is none. ``documents``: the
    number of each segment's."""

    source_language: str
    target_language: str
    sources: list[str]
    sides: list[TranslationSide]
    targets: list[Sequence[str | None]]
    documents: list[int]
    mark: str


def sides_of(linked: LinkedTexts) -> list[TranslationSide]:
    return [TranslationSide(**side) for side in linked.sides]


def linkable_systems(test_set: TestSet) -> QuerySet[System]:
    """Return copies of systems and of references under other names would count twice."""
    return test_set.systems.without_copies()


def texts_to_link(linked: LinkedTexts) -> SidedTexts:
    if linked.bitext:
        return of_bitext(linked.bitext)
    assert linked.test_set  # of one of both, by a constraint
    return of_test_set(linked.test_set)


def of_bitext(bitext: Bitext) -> SidedTexts:
    sources, targets = texts_of(bitext)
    side = TranslationSide(bitext.name, "bitext")
    documents = [0] * len(sources)
    languages = bitext.source_language, bitext.target_language
    return SidedTexts(*languages, sources, [side], [targets], documents, bitext.digest)


def of_test_set(test_set: TestSet) -> SidedTexts:
    mark = texts_mark(test_set)  # before the texts: one that changes meanwhile makes them stale
    sources = load_sources(test_set, test_set.reference_names)
    known = list(linkable_systems(test_set))
    outputs = load_outputs(sources, [system.pk for system in known])
    # A reference that stands among the systems, too, is linked once.
    systems = [system for system in known if outputs[system.pk] not in sources.references]
    rows = test_set.segments.order_by("position").values_list("document_id", flat=True)
    number: dict[int | None, int] = {}
    return SidedTexts(
        test_set.source_language,
        test_set.target_language,
        sources.sources,
        [
            *(TranslationSide(system.name, "system", system.pk) for system in systems),
            *(TranslationSide(name, "reference") for name in sources.names),
        ],
        [*(outputs[system.pk] for system in systems), *sources.references],
        [number.setdefault(document, len(number)) for document in rows],
        mark,
    )


def current_mark(linked: LinkedTexts) -> str:
    """Return what `texts_mark` of linked texts would be if they were linked now."""
    if linked.bitext:
        return linked.bitext.digest
    assert linked.test_set
    return texts_mark(linked.test_set)
