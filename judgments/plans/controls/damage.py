"""The texts of control items: outputs with a planted phrase, and attention checks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from django.utils.translation import gettext, gettext_noop, override
from django.utils.translation.trans_real import get_supported_language_variant

from judgments.files.words import n_words
from judgments.models import Alteration, AlteredOutput, Campaign, Output, Reference

from .phrases import Planted, with_gap, with_phrase

TRIES = 100  # donors by chance, before all are gone through
LIKE_LENGTH = 0.25
TRADITIONAL = {"hant", "tw", "hk", "mo"}
LOUD = gettext_noop(
    "This text checks whether you are reading: please answer as if it were the worst possible "
    "translation."
)


class Donor(NamedTuple):
    segment: int
    document: int
    text: str


class Lengths(NamedTuple):
    """The outputs of a system, the shortest first, and the documents that they are of."""

    words: list[float]
    donors: list[Donor]
    documents: set[int]


def altered_outputs(
    campaign: Campaign,
    wanted: Sequence[tuple[int, str]],
    rng: np.random.Generator,
    texts: DonorTexts | None = None,
) -> list[AlteredOutput | None]:
    """Return rows that are not stored yet, for (output id, rule of `Alteration`), in their order;
    None where an output cannot be altered: it is empty, or no other document has a text to take
    from.

    texts: those of the campaign, where somebody asks several times; they are read once.
    """
    ids = {output for output, _ in wanted}
    known = Output.objects.filter(system__test_set=campaign.test_set_id)
    outputs = known.select_related("segment").in_bulk(ids)
    texts = texts or DonorTexts(campaign)
    texts.systems.update(output.system_id for output in outputs.values())
    return [_altered(campaign, texts, outputs[output], rule, rng) for output, rule in wanted]


def loud_text(language: str) -> str:
    """Return what a check says that says so, in the target language where the site speaks it."""
    try:
        code = get_supported_language_variant(language)
    except LookupError:
        code = "en"
    if code == "zh-hans" and TRADITIONAL & set(language.lower().split("-")):
        code = "en"
    with override(code):
        return gettext(LOUD)


def _altered(
    campaign: Campaign, texts: DonorTexts, output: Output, rule: str, rng: np.random.Generator
) -> AlteredOutput | None:
    if not output.text.strip():
        return None
    known = {"campaign": campaign, "output": output, "rule": rule}
    if rule == Alteration.LOUD:
        return AlteredOutput(**known, text=loud_text(campaign.test_set.target_language))
    if rule == Alteration.SILENT:
        other = texts.like(output, rng)
        return other and AlteredOutput(**known, text=other.text, donor_id=other.segment)
    donor: int | None = None
    planted: Planted | None = None
    if rule == Alteration.CROWD_ALONE:
        planted = with_gap(output.text, texts.language, rng)
    else:
        for each in texts.donors_for(output, rng):
            planted = with_phrase(output.text, each.text, rule, texts.language, rng)
            if planted:
                donor = each.segment
                break
    if planted is None:
        return None
    text, start, end = planted
    return AlteredOutput(**known, text=text, start=start, end=end, donor_id=donor)


class DonorTexts:
    """The texts of a test set that phrases are taken from, each read once and only if needed.

    systems: those whose outputs are to be altered.
    """

    def __init__(self, campaign: Campaign) -> None:
        self.test_set = campaign.test_set
        self.language = campaign.test_set.target_language
        self.systems: set[int] = set()
        self.read: dict[int, Lengths] = {}

    @cached_property
    def donors(self) -> list[Donor]:
        """The references, or all outputs where there are none."""
        references = Reference.objects.filter(segment__test_set=self.test_set).exclude(text="")
        columns = ("segment", "segment__document", "text")
        found = [Donor(*row) for row in references.order_by("pk").values_list(*columns)]
        if not found:
            outputs = Output.objects.filter(segment__test_set=self.test_set).exclude(text="")
            found = [Donor(*row) for row in outputs.order_by("pk").values_list(*columns)]
        return found

    def donors_for(self, output: Output, rng: np.random.Generator) -> Iterator[Donor]:
        """Yield DonorTexts of other documents: some by chance, and then all, so that none is
        missed."""
        n = len(self.donors)
        if not n:
            return
        drawn = rng.integers(n, size=min(n, TRIES)).tolist()
        own = output.segment.document_id
        if self.donors_in[own] == n:  # a test set of one document has no other
            return
        for at in chain(drawn, range(n)):
            if self.donors[at].document != own:
                yield self.donors[at]

    @cached_property
    def donors_in(self) -> Counter[int]:
        """How many of them each document has."""
        return Counter(donor.document for donor in self.donors)

    def of_system(self, system: int) -> Lengths:
        if system not in self.read:
            self.read |= self.lengths_of(self.systems - self.read.keys())
        return self.read[system]

    def lengths_of(self, systems: set[int]) -> dict[int, Lengths]:
        found: dict[int, list[Donor]] = {system: [] for system in systems}
        outputs = Output.objects.filter(system__in=systems).exclude(text="").order_by("pk")
        columns = ("system", "segment", "segment__document", "text")
        for system, *row in outputs.values_list(*columns):
            found[system].append(Donor(*row))
        sized = {}
        for system, donors in found.items():
            lengths = [n_words(donor.text, self.language) for donor in donors]
            order = np.argsort(lengths, kind="stable")
            documents = {donor.document for donor in donors}
            sized[system] = Lengths(
                [lengths[i] for i in order], [donors[i] for i in order], documents
            )
        return sized

    def like(self, output: Output, rng: np.random.Generator) -> Donor | None:
        """Return another document's output of the system: of like length by chance, or the
        nearest."""
        lengths, donors, documents = self.of_system(output.system_id)
        own = n_words(output.text, self.language)
        document = output.segment.document_id
        words = output.text.split()

        def fits(donor: Donor) -> bool:
            return donor.document != document and donor.text.split() not in ([], words)

        first = bisect_left(lengths, own * (1 - LIKE_LENGTH))
        last = bisect_right(lengths, own * (1 + LIKE_LENGTH))
        order = first + rng.permutation(last - first)
        if documents == {document}:
            return None
        for at in order:
            if fits(donors[at]):
                return donors[at]
        nearest = sorted(range(len(donors)), key=lambda at: abs(lengths[at] - own))
        return next((donors[at] for at in nearest if fits(donors[at])), None)
