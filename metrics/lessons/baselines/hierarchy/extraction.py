"""Hierarchical rules from aligned texts (Chiang 2007, section 3.2)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from ..phrase_pairs import Links, PhraseSpan, linked_words, phrase_spans
from .rules import Gap, Rule, Symbol

# Words of a phrase pair that rules are made of, and symbols that a rule reads.
LONGEST_PHRASE = 8
MOST_SYMBOLS = 5
# Translations of one source that are kept, the most frequent.
MOST_TARGETS = 10

_Sides = tuple[tuple[Symbol, ...], tuple[Symbol, ...]]


def extract_rules(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    links: Sequence[Links],
    *,
    longest: int = LONGEST_PHRASE,
    most_symbols: int = MOST_SYMBOLS,
    most_targets: int = MOST_TARGETS,
    fewest: int = 1,
) -> list[Rule]:
    """Return rules with none, one and two gaps, by source and then by weight.

    A phrase pair that begins and ends with linked words is a rule, and so it is with smaller ones
    in it left open, if what is left reads at most ``most_symbols``, has no gap right after another
    in the source, and has a link. Each pair counts once, shared evenly by the rules that it gives,
    as nothing tells which of them was at work. Rules with gaps that fewer than ``fewest`` pairs
    give are left out afterwards: of those that one pair gives there are very many. The weight is
    the mean of both relative frequencies' negative logarithms: -(ln p(target|source) +
    ln p(source|target)) / 2.

    Raises ValueError as linked_words does.
    """
    counts: dict[_Sides, float] = defaultdict(float)
    given: Counter[_Sides] = Counter()
    for k, pairs in enumerate(_tight_pairs(sources, targets, links, longest)):
        source, target, linked = tuple(sources[k]), tuple(targets[k]), links[k]
        for whole in pairs:
            inside = [pair for pair in pairs if pair != whole and _is_inside(pair, whole)]
            made = list(_rules_of(whole, inside, source, target, linked, most_symbols))
            given.update(made)
            for sides in made:
                counts[sides] += 1 / len(made)
    rare = {sides for sides, n in given.items() if n < fewest and _has_gap(sides)}
    return _weighted(counts, rare, most_targets)


def _has_gap(sides: _Sides) -> bool:
    return any(isinstance(symbol, Gap) for symbol in sides[0])


def _tight_pairs(sources, targets, links, longest) -> list[list[PhraseSpan]]:
    """Return for each segment the phrase pairs at whose borders all words are linked."""
    words = linked_words(sources, targets, links)
    rows = phrase_spans(words, longest)
    is_linked = []
    for segments, places in (
        (words.source_segments, words.source_places),
        (words.target_segments, words.target_places),
    ):
        linked = set(places.tolist())
        is_linked.append([place in linked for place in range(len(segments))])
    first_source, first_target = _firsts(sources), _firsts(targets)
    segment_of = words.source_segments.tolist()
    found: list[list[PhraseSpan]] = [[] for _ in sources]
    for s, n, t, m in zip(*(column.tolist() for column in rows), strict=True):
        borders = is_linked[0][s], is_linked[0][s + n - 1], is_linked[1][t], is_linked[1][t + m - 1]
        if all(borders):
            k = segment_of[s]
            s, t = s - first_source[k], t - first_target[k]
            found[k].append(PhraseSpan(s, s + n, t, t + m))
    return found


def _firsts(texts: Sequence[Sequence[str]]) -> list[int]:
    firsts, total = [], 0
    for text in texts:
        firsts.append(total)
        total += len(text)
    return firsts


def _is_inside(pair: PhraseSpan, whole: PhraseSpan) -> bool:
    return (
        whole.source_start <= pair.source_start
        and pair.source_end <= whole.source_end
        and whole.target_start <= pair.target_start
        and pair.target_end <= whole.target_end
    )


def _rules_of(whole, inside, source, target, links, most_symbols) -> Iterator[_Sides]:
    """Yield the rules that a phrase pair gives; ``inside``: the smaller ones in it."""
    size = whole.source_end - whole.source_start
    for gaps in _choices(inside, size, most_symbols):
        if gaps and not _has_link(whole, gaps, links):
            continue
        yield (
            _open(source, whole[:2], [gap[:2] for gap in gaps]),
            _open(target, whole[2:], [gap[2:] for gap in gaps]),
        )


def _choices(
    inside: Sequence[PhraseSpan], size: int, most_symbols: int
) -> Iterator[tuple[PhraseSpan, ...]]:
    """Yield none, one or two of the smaller pairs, in the order of the source, that may be left
    open."""
    if size <= most_symbols:
        yield ()
    for first in inside:
        left = size - (first.source_end - first.source_start) + 1
        if left <= most_symbols:
            yield (first,)
        for second in inside:
            # A word between them at least.
            after = second.source_start > first.source_end
            apart = second.target_start >= first.target_end or (
                second.target_end <= first.target_start
            )
            kept = left - (second.source_end - second.source_start) + 1
            if after and apart and kept <= most_symbols:
                yield first, second


def _has_link(whole: PhraseSpan, gaps: Sequence[PhraseSpan], links: Links) -> bool:
    """Return whether a link is left between words that stay."""
    for i, j in links:
        inside = whole.source_start <= i < whole.source_end
        inside = inside and whole.target_start <= j < whole.target_end
        if inside and not any(gap.source_start <= i < gap.source_end for gap in gaps):
            return True
    return False


def _open(
    words: tuple[str, ...], span: tuple[int, int], gaps: Sequence[tuple[int, int]]
) -> tuple[Symbol, ...]:
    """Return the words of a span with gaps in place of smaller ones; gaps are numbered as they
    come."""
    found: list[Symbol] = []
    place = span[0]
    for start, end, number in sorted((*gap, k) for k, gap in enumerate(gaps, 1)):
        found += [*words[place:start], Gap(number)]
        place = end
    return (*found, *words[place : span[1]])


def _weighted(
    counts: Mapping[_Sides, float], left_out: Set[_Sides], most_targets: int
) -> list[Rule]:
    of_source: dict[tuple[Symbol, ...], float] = defaultdict(float)
    of_target: dict[tuple[Symbol, ...], float] = defaultdict(float)
    for (source, target), count in counts.items():
        of_source[source] += count
        of_target[target] += count
    by_source: dict[tuple[Symbol, ...], list[Rule]] = defaultdict(list)
    for (source, target), count in counts.items():
        if (source, target) in left_out:
            continue
        share = math.log(count / of_source[source]) + math.log(count / of_target[target])
        by_source[source].append(Rule(source, target, -share / 2))
    rules: list[Rule] = []
    for found in by_source.values():
        found.sort(key=lambda rule: (rule.weight, repr(rule.target)))
        rules += found[:most_targets]
    return rules
