"""Outputs without segments, such as those of systems that hear a whole talk: they are set to the
segments of a reference so that the fewest edits are left between the two (Matusov et al. 2005,
"Evaluating Machine Translation Output with Automatic Sentence Segmentation"), exactly.

The edits of the segments add up to those of the whole texts, however these are cut. So one
alignment of the whole says both how few they can be and where to cut.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from pathlib import PureWindowsPath

from rapidfuzz.distance import Levenshtein

from judgments.files.jsonl import decoded, problem_with_characters
from judgments.files.lines import (
    Budget,
    Source,
    check_plain,
    name_of,
    problem_with_text,
    read_lines,
)
from judgments.files.output_texts import OutputText
from judgments.files.problem import ImportProblem, shortened
from judgments.models import Reference, TestSet

# Chinese and Japanese are compared by characters; what is written in Latin letters stays whole.
BY_CHARACTER = {"zh", "ja", "yue"}
WORD, CHARACTER = re.compile(r"\S+"), re.compile(r"[A-Za-z0-9]+|\S")
ENDS_SENTENCE = re.compile(r"[.!?…。！？؟।]['\"”’»)\]]*$")
# Pairs of words of output and reference, of all documents and systems of an upload.
MOST_PAIRS = 20_000_000_000


@dataclass(frozen=True)
class SegmentPart:
    """What was set to a segment, and the edits between it and the reference."""

    key: str
    document: str
    reference: str
    text: str
    edits: int


@dataclass(frozen=True)
class SetOutput:
    """The output of a system, set to segments. n_words: of the reference. by_document: each line
    of the file was a document."""

    system: str
    file: str
    pieces: list[SegmentPart]
    n_words: int
    by_document: bool

    @property
    def edits(self) -> int:
        return sum(piece.edits for piece in self.pieces)

    @property
    def percent(self) -> float:
        return 100 * self.edits / max(1, self.n_words)

    def rows(self) -> Iterator[OutputText]:
        for row, piece in enumerate(self.pieces, 1):
            yield OutputText(self.file, row, self.system, piece.key, piece.text)


def cuts(
    reference: Sequence[Sequence[str]], output: Sequence[str], closing: Collection[int] = ()
) -> list[int]:
    """Return where each segment's part of an output ends, so that the edits between the parts and
    the segments of the reference are as few as can be.

    closing: the places of words that end a sentence. Words that stand between two segments, being
    in neither, go to the earlier one as far as the last that ends a sentence, or all of them.
    """
    ends = list(accumulate(len(words) for words in reference))
    whole = [word for words in reference for word in words]
    reached = [(0, 0)] * (len(whole) + 1)  # places in the output where so many words are done
    for step in Levenshtein.opcodes(whole, output):
        start, end, first, last = step.src_start, step.src_end, step.dest_start, step.dest_end
        if step.tag == "insert":
            reached[start] = (first, last)
            continue
        for done in range(start + 1, end + 1):
            place = first if step.tag == "delete" else first + done - start
            reached[done] = (place, place)
    found = []
    for first, last in (reached[end] for end in ends[:-1]):
        free = range(last, first - 1, -1)  # places where the cut costs nothing
        found.append(next((place for place in free if place - 1 in closing), last))
    return [*found, len(output)]


def set_to_segments(
    files: Mapping[str, Source], test_set: TestSet, reference: str
) -> list[SetOutput]:
    """Return the outputs of each system's file, set to the segments of a reference.

    A file with as many lines as there are documents has one in each; lines of any other are one
    text. Raise ImportProblem.
    """
    check_plain(*files.values())
    documents = _documents(test_set, reference)
    pattern = _pattern(test_set.target_language)
    words = [[_words(text, pattern) for _, _, text in segments] for segments in documents]
    left, budget = MOST_PAIRS, Budget()
    glue = "" if pattern is CHARACTER else " "
    found = []
    for system, source in files.items():
        lines = _texts(source, budget, [segments[0][1] for segments in documents], glue)
        by_document = len(lines) == len(documents) > 1
        texts = lines if by_document else [glue.join(lines)]
        parts = list(zip(documents, words, strict=True))
        if not by_document:
            parts = [(list(chain(*documents)), list(chain(*words)))]
        pieces: list[SegmentPart] = []
        for (segments, of_segments), text in zip(parts, texts, strict=True):
            left -= sum(map(len, of_segments)) * len(pattern.findall(text))
            if left < 0:
                reason = "the texts are too long to be divided into segments at once. Upload fewer "
                reason += "systems, or put each document on a line of its own."
                raise ImportProblem(name_of(source), None, "", reason)
            pieces += _pieces(segments, of_segments, text, pattern)
        for place, piece in enumerate(pieces, 1):
            if problem := problem_with_text(piece.text):
                reason = f"set to segment {place:,}, {problem}"
                raise ImportProblem(name_of(source), None, "", reason)
        n_words = sum(len(each) for of_segments in words for each in of_segments)
        found.append(SetOutput(system, name_of(source), pieces, n_words, by_document))
    return found


def digest_of(outputs: Sequence[SetOutput]) -> str:
    """Return what tells whether the same texts were set to the same segments."""
    parts = ((each.system, piece.key, piece.text) for each in outputs for piece in each.pieces)
    return hashlib.sha256(repr(list(parts)).encode()).hexdigest()


# The key of a segment, its document and its reference.
_Segment = tuple[str, str, str]


def _documents(test_set: TestSet, reference: str) -> list[list[_Segment]]:
    """Return the segments of each document, in the order of the test set."""
    rows = Reference.objects.filter(segment__test_set=test_set, name=reference)
    texts = dict(rows.values_list("segment", "text"))
    found: dict[str, list[_Segment]] = {}
    segments = test_set.segments.order_by("position")
    for pk, key, document in segments.values_list("pk", "key", "document__name"):
        if not texts.get(pk, "").strip():
            reason = f"segment {shortened(key)} has no reference {shortened(reference)}."
            raise ImportProblem("files", None, "", reason)
        found.setdefault(document, []).append((key, document, texts[pk]))
    return list(found.values())


def _texts(source: Source, budget: Budget, documents: Sequence[str], glue: str) -> list[str]:
    """Return the lines of plain text; of a log of SimulEval (JSON lines) the predictions, in the
    order of the documents where recordings are called like these."""
    lines = [text for _, text in read_lines(source, budget)]
    if not (lines and lines[0].startswith("{")):
        return lines
    found: list[tuple[str, str]] = []
    for number, line in enumerate(lines, 1):
        row = decoded(name_of(source), number, line)
        text, recording = row.get("prediction"), row.get("source")
        if not isinstance(text, str) or problem_with_characters(text):
            reason = "“prediction” is not a readable text."
            raise ImportProblem(name_of(source), number, "prediction", reason)
        first = recording[0] if isinstance(recording, list) and recording else recording
        found.append((PureWindowsPath(str(first)).stem, text))
    if {recording for recording, _ in found} != set(documents):
        return [text for _, text in found]
    return [glue.join(text for of, text in found if of == name) for name in documents]


def _pattern(language: str) -> re.Pattern[str]:
    return CHARACTER if language.split("-")[0].lower() in BY_CHARACTER else WORD


def _words(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Return what is compared: words without the case of letters and without the marks around
    them."""
    return [_bare(word) for word in pattern.findall(text)]


def _bare(word: str) -> str:
    folded = word.casefold()
    inside = [at for at, mark in enumerate(folded) if unicodedata.category(mark)[0] != "P"]
    return folded[inside[0] : inside[-1] + 1] if inside else folded


def _pieces(
    segments: Sequence[_Segment],
    reference: Sequence[Sequence[str]],
    text: str,
    pattern: re.Pattern[str],
) -> list[SegmentPart]:
    places = [match.span() for match in pattern.finditer(text)]
    shown = [text[start:end] for start, end in places]
    output = [_bare(word) for word in shown]
    pieces = []
    closing = {at for at, word in enumerate(shown) if ENDS_SENTENCE.search(word)}
    ends = cuts(reference, output, closing)
    for (key, document, asked), words, (start, end) in zip(
        segments, reference, pairwise([0, *ends]), strict=True
    ):
        part = text[places[start][0] : places[end - 1][1]] if end > start else ""
        edits = Levenshtein.distance(words, output[start:end])
        pieces.append(SegmentPart(key, document, asked, part, edits))
    return pieces
