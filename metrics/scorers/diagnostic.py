"""What is wrong with one output, as far as words can tell (Forsbom 2003).

Edit distance and n-grams err differently. A word in the wrong place costs many edits but few
n-grams, a wrong word in the middle costs one edit but many n-grams; so their difference, with the
difference in length, hints at the kind of error. It is a heuristic and not a theorem.

``word_edits`` aligns the words; ``substitutions`` counts over a test set which words stand for
which.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rapidfuzz.distance import Levenshtein

from .base import check_hypotheses, check_references
from .neva import NEVA
from .tokenizers import ChunkEncoder, get_tokenizer
from .wer import WAFT
from .word_edits import MATCH, EditOperation, ShiftedEdits, Words, align, align_shifted

LABELS = {
    "order suspected": "Words of the reference seem to be in a different place in the output.",
    "word choice": "Words of the reference seem to be replaced by others.",
    "omission": "Words of the reference seem to be missing from the output.",
    "addition": "The output seems to have words that the reference does not have.",
    "none": "The words do not point to one kind of error.",
}
SAME = "The output has the very words of a reference."
CAVEAT = (
    "This is a guess from counts of words: it knows no meaning, and a good translation in other "
    "words looks like an error."
)


@dataclass(frozen=True)
class Ngram:
    """A run of words, and how often it is meant."""

    words: Words
    count: int


@dataclass(frozen=True)
class NgramComparison:
    """The n-grams of one order, output against one reference, in the order of the texts.

    ``reference``: index of the reference. ``found``: n-grams of the output that the reference has,
    as often as the text has them that has them less often; ``not_found``: what is left of the
    output's; ``missing``: what is left of the reference's.
    """

    reference: int
    order: int
    found: tuple[Ngram, ...]
    not_found: tuple[Ngram, ...]
    missing: tuple[Ngram, ...]


@dataclass(frozen=True)
class Diagnosis:
    """One output beside its references.

    ``output``, ``references``: their words, None for a missing reference. ``nearest``: index of the
    reference with the highest WAFT (ties: the shorter), against which ``operations`` and
    ``length_difference`` (words of the output − words of that reference) are; ``shifted``: the
    edits that are left after the shifts of TER, ``ngrams`` up to ``max_order``: both are computed
    when they are asked for. ``neva``, ``waft``: over all references, 0 to 100. ``displaced``: how
    many words both texts have that no edit keeps in place. ``label``: a key of ``LABELS``;
    ``reason``: a sentence with the figures behind it.
    """

    output: Words
    references: tuple[Words | None, ...]
    nearest: int
    operations: tuple[EditOperation, ...]
    max_order: int
    neva: float
    waft: float
    length_difference: int
    displaced: int
    label: str
    reason: str

    @cached_property
    def shifted(self) -> ShiftedEdits:
        return align_shifted(self.output, self.references[self.nearest] or ())

    @cached_property
    def ngrams(self) -> tuple[NgramComparison, ...]:
        return tuple(_compare_ngrams(self.output, self.references, self.max_order))

    @property
    def difference(self) -> float:
        """NEVA − WAFT, in points."""
        return self.neva - self.waft

    @property
    def edits(self) -> int:
        """Edits of single words to the nearest reference, without shifts."""
        return sum(operation.edits for operation in self.operations)

    @property
    def explanation(self) -> str:
        """The label in sentences, with the caveat that it needs."""
        if self.output in self.references:
            return SAME
        return f"{LABELS[self.label]} {self.reason} {CAVEAT}"


def diagnose(
    output: str,
    references: Sequence[str | None],
    *,
    tokenize: str = "13a",
    lowercase: bool = True,
    max_order: int = 4,
) -> Diagnosis:
    """Compare the words of one output with those of its references, None where one is missing.

    ``lowercase``: capitals do not count, so that a word that was moved to the start of a sentence
    is still the same. Raise ValueError for an unknown tokenizer, or without any reference.
    """
    return diagnose_all(
        [output], references, tokenize=tokenize, lowercase=lowercase, max_order=max_order
    )[0]


def diagnose_all(
    outputs: Sequence[str],
    references: Sequence[str | None],
    *,
    tokenize: str = "13a",
    lowercase: bool = True,
    max_order: int = 4,
) -> list[Diagnosis]:
    """`diagnose` of several outputs with the same references, which are cut once."""
    check_hypotheses(outputs)
    check_references(outputs, [[text] * len(outputs) for text in references])
    encoder = _encoder(tokenize)

    def words_of(text: str) -> Words:
        return tuple(encoder.tokens(text.lower() if lowercase else text))

    every = [words_of(output) for output in outputs]
    theirs = tuple(None if text is None else words_of(text) for text in references)
    scores = _scores(every, theirs)
    return [
        _diagnosis(ours, theirs, *each, max_order) for ours, each in zip(every, scores, strict=True)
    ]


def _diagnosis(
    ours: Words, theirs: tuple[Words | None, ...], neva: float, waft: float, max_order: int
) -> Diagnosis:
    nearest = _nearest(ours, theirs)
    wanted = theirs[nearest] or ()
    operations = align(ours, wanted)
    displaced = sum((Counter(ours) & Counter(wanted)).values()) - sum(
        len(operation.output) for operation in operations if operation.kind == MATCH
    )
    return Diagnosis(
        output=ours,
        references=theirs,
        nearest=nearest,
        operations=operations,
        max_order=max_order,
        neva=neva,
        waft=waft,
        length_difference=len(ours) - len(wanted),
        displaced=displaced,
        label=_label(ours, wanted, operations, neva - waft, displaced),
        reason=_reason(neva - waft, len(ours) - len(wanted), displaced),
    )


@lru_cache(maxsize=8)
def _encoder(tokenize: str) -> ChunkEncoder:
    """Return for its ``tokens`` alone, which remembers nothing, so that threads may share it."""
    return get_tokenizer(tokenize).encoder


def _nearest(ours: Words, theirs: Sequence[Words | None]) -> int:
    """Return the reference with the highest WAFT; of equals the shorter, of those the first."""
    rates = []
    for number, words in enumerate(theirs):
        if words is not None:
            longer = max(len(ours), len(words))
            edits = Levenshtein.distance(ours, words)
            rates.append((edits / longer if longer else 0.0, len(words), number))
    return min(rates)[2]


def _scores(every: Sequence[Words], theirs: Sequence[Words | None]) -> list[tuple[float, float]]:
    """Return NEVA and WAFT of outputs whose words are cut already."""
    texts = [" ".join(words) for words in every]
    streams = [[None if words is None else " ".join(words)] * len(every) for words in theirs]
    neva, waft = (
        scorer.segment_scores(scorer.statistics(texts, streams)).tolist()
        for scorer in (NEVA(tokenize="none"), WAFT(tokenize="none"))
    )
    return list(zip(neva, waft, strict=True))


def _compare_ngrams(
    ours: Words, theirs: Sequence[Words | None], max_order: int
) -> Iterator[NgramComparison]:
    for number, words in enumerate(theirs):
        if words is None:
            continue
        for order in range(1, max_order + 1):
            output, reference = _ngrams(ours, order), _ngrams(words, order)
            yield NgramComparison(
                reference=number,
                order=order,
                found=_listed(output & reference),
                not_found=_listed(output - reference),
                missing=_listed(reference - output),
            )


def _ngrams(words: Words, order: int) -> Counter[Words]:
    return Counter(words[start : start + order] for start in range(len(words) - order + 1))


def _listed(ngrams: Counter[Words]) -> tuple[Ngram, ...]:
    return tuple(Ngram(words, count) for words, count in ngrams.items())


def _label(
    ours: Words,
    wanted: Words,
    operations: Sequence[EditOperation],
    difference: float,
    displaced: int,
) -> str:
    """Return a key of ``LABELS``.

    NEVA above WAFT is Forsbom's sign of another order; it counts only where words are displaced,
    for with several references NEVA may pass WAFT without. Otherwise what is more common decides:
    words replaced, or the difference in length.
    """
    if displaced and (difference > 0 or Counter(ours) == Counter(wanted)):
        return "order suspected"
    replaced = sum(min(len(run.output), len(run.reference)) for run in operations if run.edits)
    longer = len(ours) - len(wanted)
    if replaced > abs(longer):
        return "word choice"
    if longer:
        return "addition" if longer > 0 else "omission"
    return "none"


def _reason(difference: float, longer: int, displaced: int) -> str:
    """Return the figures behind a label."""
    relation = "above" if difference > 0 else "below"
    sentence = f"NEVA is {abs(difference):.1f} points {relation} WAFT"
    if not difference:
        sentence = "NEVA equals WAFT"
    words = f"{abs(longer)} word{'' if abs(longer) == 1 else 's'}"
    length = f"{words} {'longer' if longer > 0 else 'shorter'} than" if longer else "as long as"
    sentence += f", and the output is {length} the nearest reference."
    if displaced:
        words = "1 shared word is" if displaced == 1 else f"{displaced} shared words are"
        sentence += f" At least {words} out of place."
    return sentence
