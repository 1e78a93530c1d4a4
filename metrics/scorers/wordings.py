"""Where a test set says one thing in several ways: references that word alike sources unlike."""

from collections.abc import Sequence
from dataclasses import dataclass

from .base import Stream
from .edits import as_characters
from .tokenizers import get_tokenizer


@dataclass(frozen=True)
class Wording:
    """``source``: words that several segments share, ``whole`` if they are the whole source;
    ``texts``: the (segment, reference) that render them, by the index of the segment. ``shared``:
    the longest run of words that the first two of these have in common."""

    source: str
    whole: bool
    texts: tuple[tuple[int, str], ...]
    shared: int


def repeated_sources(sources: Sequence[str], references: Stream) -> list[Wording]:
    """Return sources that occur in several segments and have different references, the most
    frequent first. Spaces do not count, capitals do."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for place, (source, text) in enumerate(zip(sources, references, strict=True)):
        if text is not None and source.strip():
            groups.setdefault(" ".join(source.split()), []).append((place, text))
    found = []
    for source, texts in groups.items():
        different = {" ".join(text.split()): (place, text) for place, text in reversed(texts)}
        if len(different) > 1:
            one_of_each = tuple(sorted(different.values()))
            first, second = (text.split() for _, text in one_of_each[:2])
            found.append(Wording(source, True, one_of_each, longest_shared(first, second)))
    return sorted(found, key=lambda each: (-len(each.texts), each.texts[0][0]))


def repeated_runs(
    sources: Sequence[str],
    references: Stream,
    *,
    tokenize: str = "13a",
    order: int = 5,
    most: int = 30,
) -> list[Wording]:
    """Return runs of ``order`` source words in two segments whose references have least in common,
    by their longest common run, at most ``most``. A run that overlaps one before it in the same two
    segments is not listed again; equal sources are left to `repeated_sources`.

    Without a word alignment nobody can say what renders a run, so this is a hint.
    """
    encoder = get_tokenizer(tokenize).encoder
    words = [encoder.tokens(source) for source in sources]
    first_place: dict[tuple[str, ...], int] = {}
    pairs: dict[tuple[int, int], tuple[str, ...]] = {}
    for place, tokens in enumerate(words):
        if references[place] is None:
            continue
        for start in range(len(tokens) - order + 1):
            run = tuple(tokens[start : start + order])
            if not all(map(_has_letter, (run[0], run[-1]))):
                continue
            other = first_place.setdefault(run, place)
            if other != place and words[other] != tokens:
                pairs.setdefault((other, place), run)
    found = []
    for (one, other), run in pairs.items():
        texts = [references[one] or "", references[other] or ""]
        left, right = (encoder.tokens(text.lower()) for text in texts)
        shared = longest_shared(left, right)
        rendered = ((one, texts[0]), (other, texts[1]))
        found.append(Wording(" ".join(run), False, rendered, shared))
    return sorted(found, key=lambda each: (each.shared, each.texts[0][0]))[:most]


def _has_letter(word: str) -> bool:
    return any(character.isalpha() for character in word)


def longest_shared(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many words the longest run has that both texts have."""
    ours, theirs = as_characters(left, right)
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours
    longest = 0
    for start in range(len(ours)):
        while start + longest < len(ours) and ours[start : start + longest + 1] in theirs:
            longest += 1
    return longest
