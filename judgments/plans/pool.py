"""The texts that a plan is made of, with their lengths: what may be judged."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby

from judgments.models import Output, Reference, Segment
from judgments.people.workload.words import n_words

from .layout import Candidates


@dataclass(frozen=True)
class Pool:
    """segments: those with outputs, in the order of the test set; the `texts` of each say which
    outputs read the same. words: of each output, by its id. sources: words of each source.

    references: {segment: (output id, words)} of the hidden system whose outputs are the references.
    like_reference: the outputs that read the same as their segment's reference.
    """

    segments: list[Candidates]
    words: Mapping[int, float]
    segment_of: Mapping[int, int]
    sources: Mapping[int, float]
    references: Mapping[int, tuple[int, float]]
    like_reference: frozenset[int]

    def mean_source_words(self, power: int = 1) -> float:
        """Return the mean of the words of a segment's source, or of that number's power."""
        words = [max(1.0, self.sources.get(each.segment, 1.0)) for each in self.segments]
        return sum(each**power for each in words) / len(words) if words else 0.0

    def words_on(self, outputs: Collection[tuple[int, int]], segment: int) -> float:
        """Return what there is to read on a screen: each source once, at least a word, and each
        text."""
        segments = set()
        read = 0.0
        for output, _ in outputs:  # of large plans hundreds of thousands of times
            segments.add(self.segment_of.get(output, segment))
            read += self.words.get(output, 0.0)
        for each in segments:
            read += max(1.0, self.sources.get(each, 1.0))
        return read


@dataclass(frozen=True)
class HiddenReference:
    """The system, and {segment: (output id, text)}; the ids of rows that are not written yet are
    negative."""

    system: int
    outputs: Mapping[int, tuple[int, str]]


def read(campaign, systems: Collection[int], hidden: HiddenReference | None) -> Pool:
    """Return every output of these systems, with its segment; in two statements."""
    rows = (
        Output.objects.filter(system__in=systems, segment__test_set=campaign.test_set_id)
        .order_by("segment__document__position", "segment__position", "system_id")
        .values_list("segment__document_id", "segment_id", "pk", "system_id", "text")
    )
    found: list[Candidates] = []
    words: dict[int, float] = {}
    segment_of: dict[int, int] = {}
    alike: set[int] = set()
    for (document, segment), group in groupby(rows.iterator(5000), key=lambda row: row[:2]):
        outputs: list[tuple[int, int]] = []
        first: dict[str, int] = {}
        texts: dict[int, int] = {}
        reference = hidden.outputs.get(segment) if hidden else None
        for _, _, output, system, text in group:
            outputs.append((output, system))
            texts[output] = first.setdefault(text, output)
            words[output] = words[texts[output]] if texts[output] != output else n_words(text)
            segment_of[output] = segment
            if reference is not None and reference[1] == text:
                alike.add(output)
        found.append(Candidates(segment, document, tuple(outputs), texts))
    sources = Segment.objects.filter(test_set=campaign.test_set_id).values_list("pk", "source")
    references = {}
    for segment, (output, text) in hidden.outputs.items() if hidden else ():
        references[segment] = (output, n_words(text))
        words[output], segment_of[output] = n_words(text), segment
    return Pool(
        found,
        words,
        segment_of,
        {segment: n_words(source) for segment, source in sources.iterator(5000)},
        references,
        frozenset(alike),
    )


def reference_texts(campaign, kept: str = "") -> tuple[str, dict[int, str]]:
    """Return a reference set and its texts by segment: the one named `kept` where it is there, else
    the one with most segments, the first by name among equals. An empty name where there is
    none."""
    of_set: dict[str, dict[int, str]] = {}
    rows = Reference.objects.filter(segment__test_set=campaign.test_set_id).exclude(text="")
    for name, segment, text in rows.order_by("name").values_list("name", "segment_id", "text"):
        of_set.setdefault(name, {})[segment] = text
    if not of_set:
        return "", {}
    name = kept if kept in of_set else max(sorted(of_set), key=lambda name: len(of_set[name]))
    return name, of_set[name]
