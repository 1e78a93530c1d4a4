"""Entries of files → the place of each score in a test set; whatever has none is refused."""

import hashlib
import math
import os
from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judgments.files import ImportProblem
from judgments.files.lines import Source, name_of
from judgments.files.problem import shortened
from judgments.files.table import problem_with_name
from judgments.models import TestSet
from metrics import formats
from metrics.formats import Entry, people
from metrics.formats.score_files import stem_of
from metrics.formats.score_tables import LONGEST_METRIC_NAME
from metrics.formats.spellings import Spelling

MOST_METRICS = 100
MOST_NUMBERS = 20_000_000  # 180 MB while they are read
DIGEST_LENGTH = 12
NAMED_AT_MOST = 20

Floats = NDArray[np.float64]
Name = tuple[str, tuple[str, ...]]  # of a metric, and of the references that it read


@dataclass(frozen=True)
class Instructions:
    """What the person who brings the files says about them.

    `exceptions`: metrics of the other direction. `name`: of the one metric in the files.
    `references`: what the metrics read, () for none; None: what the files say. `made_by`: the
    signature of the program that computed them.
    """

    higher_is_better: bool
    exceptions: frozenset[str] = frozenset()
    name: str = ""
    references: tuple[str, ...] | None = None
    skip_unknown: bool = False
    replace: bool = False
    made_by: str = ""


@dataclass(frozen=True)
class Places:
    """Where scores of a test set go: its systems, and the order of its segments, documents and
    domains. `references`: their names."""

    systems: dict[str, int]
    segments: dict[str, int]
    documents: dict[str, int]
    domains: dict[str, int]
    # The place of the document of every segment.
    document_of: NDArray[np.intp]
    references: list[str]

    def of(self, level: str) -> dict[str, int]:
        if level == "system":
            return {"": 0}
        places = {"segment": self.segments, "document": self.documents, "domain": self.domains}
        return places[level]


def places_of(test_set: TestSet) -> Places:
    known = list(test_set.documents.values_list("name", "domain"))
    documents = {name: i for i, (name, _) in enumerate(known)}
    domains = dict.fromkeys(domain for _, domain in known if domain)
    rows = list(test_set.segments.values_list("key", "document__name"))
    return Places(
        dict(test_set.systems.values_list("name", "pk")),
        {key: i for i, (key, _) in enumerate(rows)},
        documents,
        {domain: i for i, domain in enumerate(domains)},
        np.array([documents[name] for _, name in rows], dtype=np.intp),
        test_set.reference_names,
    )


class Numbers:
    """The scores of one system, NaN where there is none, and which of them a file gave; `texts`
    has them as they are written, but for those of segments, which are many."""

    def __init__(self, n: int, keeps_texts: bool) -> None:
        # Set one by one, which takes an array of NumPy several times as long.
        self.written = array("d", [math.nan]) * n
        self.given = bytearray(n)
        self.texts: list[str | None] = [None] * n if keeps_texts else []

    @property
    def values(self) -> Floats:
        return np.array(self.written)


class FoundScores:
    """What files say about one metric: {level: {system: Numbers}}, and their digests.
    `spelling`: of the scores of segments."""

    def __init__(self) -> None:
        self.levels: dict[str, dict[str, Numbers]] = {}
        self.files: dict[bytes, str] = {}
        self.spelling = Spelling()

    @property
    def first_file(self) -> str:
        return next(iter(self.files.values()))

    @property
    def stem(self) -> str:
        """What the names of all its score files begin with; "" where they differ, or for tables."""
        stems = {stem_of(name) for name in self.files.values()}
        return stems.pop() if len(stems) == 1 else ""

    @property
    def digest(self) -> str:
        """Of one file its SHA-256, of several that of theirs in the order of their names."""
        digests = sorted(self.files, key=lambda digest: (self.files[digest], digest))
        whole = digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()
        return whole.hex()[:DIGEST_LENGTH]


class ScoreReader:
    """Reads one file after the other into `metrics`; `skipped` are systems that were left out."""

    def __init__(self, places: Places, instructions: Instructions) -> None:
        self.places = places
        self.references = places.references
        self.instructions = instructions
        self.metrics: dict[Name, FoundScores] = {}
        self.skipped: set[str] = set()
        # Metrics as the files name them, and what they are here.
        self._named: dict[tuple[str, tuple[str, ...] | None], Name] = {}
        self._n_numbers = 0

    def read(self, source: Source, entries: Iterable[Entry] | None = None) -> None:
        """Read a file, or what somebody has read of it already.

        Raises ImportProblem for whatever does not belong to the test set, or comes twice.
        """
        digest = digest_of(source)
        listed: Counter[tuple[str, str]] = Counter()
        for entry in formats.read(source, self.references) if entries is None else entries:
            if entry.system not in self.places.systems:
                self._skip(entry)
                continue
            found = self._found(self._name(entry), entry)
            found.files[digest] = entry.file
            place = self._place(entry, listed[entry.level, entry.system])
            self._put(found, entry, place)
            if not entry.key and entry.level != "system":
                listed[entry.level, entry.system] += 1
        self._check_complete(name_of(source), listed)

    def _skip(self, entry: Entry) -> None:
        """A reference that was scored like a system is passed over where it is none here."""
        if not self.instructions.skip_unknown and entry.system not in self.references:
            raise entry.problem(
                f"the test set has no system {shortened(entry.system)}; it has "
                f"{some(self.places.systems)}. You can choose to leave out unknown systems."
            )
        self.skipped.add(entry.system)

    def _name(self, entry: Entry) -> Name:
        """Return the metric and its references, from the instructions or else from the file."""
        said = entry.metric, entry.references
        if said not in self._named:
            name = self._new_name(entry)
            self._named[said] = name
            if self.instructions.name and len({metric for metric, _ in self._named}) > 1:
                raise entry.problem("one name was given, but the files contain several metrics.")
        return self._named[said]

    def _new_name(self, entry: Entry) -> Name:
        asked = self.instructions
        metric = asked.name or entry.metric
        if not metric:
            raise entry.problem("the file does not name the metric; give its name.")
        if problem := problem_with_name(metric, LONGEST_METRIC_NAME):
            raise entry.problem(problem)
        if "|" in metric:
            raise entry.problem(f"the name {shortened(metric)} contains “|”.")
        if not asked.name and entry.references is None and people.is_name_of_people(metric):
            raise entry.problem(f"{shortened(metric)}: {people.REFUSAL}")
        names = entry.references if asked.references is None else asked.references
        if names is None:
            raise entry.problem(
                f"the file does not say which reference the metric read. {self._mend()}"
            )
        if unknown := sorted(set(names) - set(self.references)):
            raise entry.problem(f"there is no reference {shortened(unknown[0])}. {self._mend()}")
        return metric, tuple(sorted(names))

    def _mend(self) -> str:
        known = some(self.references) if self.references else "none"
        return (
            f"The test set has {known}; “src” stands for a metric without references. "
            "Or choose what it read."
        )

    def _found(self, name: Name, entry: Entry) -> FoundScores:
        if name not in self.metrics and len(self.metrics) == MOST_METRICS:
            raise entry.problem(f"there are more than {MOST_METRICS} metrics at once.")
        return self.metrics.setdefault(name, FoundScores())

    def _place(self, entry: Entry, n_listed: int) -> int:
        """Return the place of a score among those of its level."""
        if entry.level == "system":
            return 0
        known = self.places.of(entry.level)
        if entry.key:
            if entry.key not in known:
                has = f" It has {some(known)}." if entry.level == "domain" and known else ""
                raise entry.problem(
                    f"the test set has no {entry.level} {shortened(entry.key)}.{has}"
                )
            return known[entry.key]
        if n_listed == len(known):
            raise entry.problem(
                f"{shortened(entry.system)} has more scores than the test set has {entry.level}s: "
                f"{len(known):,}."
            )
        return n_listed

    def _put(self, found: FoundScores, entry: Entry, place: int) -> None:
        systems = found.levels.setdefault(entry.level, {})
        if entry.system not in systems:
            n = len(self.places.of(entry.level))
            self._n_numbers += n
            if self._n_numbers > MOST_NUMBERS:
                raise entry.problem(f"there are more than {MOST_NUMBERS:,} scores at once.")
            systems[entry.system] = Numbers(n, entry.level != "segment")
        numbers = systems[entry.system]
        if numbers.given[place]:
            what = f" of {entry.level} {shortened(entry.key)}" if entry.key else ""
            raise entry.problem(f"{shortened(entry.system)} has a second score{what}.")
        numbers.given[place] = 1
        numbers.written[place] = entry.value
        if numbers.texts:
            numbers.texts[place] = None if math.isnan(entry.value) else entry.text
        else:
            found.spelling.see(entry.text, entry.value)

    def _check_complete(self, file: str, listed: Counter[tuple[str, str]]) -> None:
        """Raise ImportProblem when a list without keys is too short for its system."""
        for (level, system), n in listed.items():
            wanted = len(self.places.of(level))
            if n != wanted:
                raise ImportProblem(
                    file,
                    None,
                    "",
                    f"{shortened(system)} has {n:,} score{'s' * (n != 1)}, but the test set has "
                    f"{wanted:,} {level}s.",
                )


def some(names) -> str:
    """Return names with commas between them, no more than a message holds."""
    listed = sorted(names)
    return ", ".join(listed[:NAMED_AT_MOST]) + (" …" if len(listed) > NAMED_AT_MOST else "")


def digest_of(source: Source) -> bytes:
    """Return the SHA-256 of a file as it lies there."""
    if not isinstance(source, str | os.PathLike):
        stream: Any = source
        stream.seek(0)
        return hashlib.file_digest(stream, "sha256").digest()
    try:
        with open(source, "rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        reason = f"cannot be opened: {error.strerror}."
        raise ImportProblem(name_of(source), None, "", reason) from None
