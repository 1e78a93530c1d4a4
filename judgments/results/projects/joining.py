"""Campaigns that asked the same about the same texts, as one: waves of a test set, or two imports
of it. Segments are the same where the hash of their source is; systems, where the name is."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from judgments.models import TestSet
from judgments.results.observations.observations import Observed
from judgments.results.observations.rows import Rows

OF_RATING = (
    *("id", "judgment", "annotator", "item", "segment", "system", "dimension", "kind", "value"),
    *("active_ms", "position", "copy"),
)
OF_PREFERENCE = (
    *("id", "judgment", "annotator", "item", "segment", "first", "second", "label", "kind"),
    *("active_ms", "copy"),
)
EMPTY: Mapping[int, str] = {}
OF_JUDGMENT = ("judgment", "annotator", "item", "kind", "active_ms")


def identities(
    test_set: TestSet, number: int | None = None, hashes: Mapping[int, str] = EMPTY
) -> dict[int, str]:
    """By the number of a segment, what it has in common with the same one of other test sets: the
    hash of its source, and which of several equal sources it is. Without texts it is alone.

    number: of the test set, where it is a copy. hashes: of sources that are not there, by segment.
    """
    own = f"set {number or test_set.pk} "
    if not test_set.has_texts:
        keys = test_set.segments.values_list("pk", "key")
        return {pk: own + key for pk, key in keys}
    found: dict[int, str] = {}
    seen: Counter[str] = Counter()
    rows = test_set.segments.order_by("position").values_list("pk", "key", "source")
    for pk, key, source in rows.iterator():
        text = source.encode(errors="surrogatepass")
        digest = hashes.get(pk) or hashlib.sha256(text).hexdigest()
        seen[digest] += 1
        found[pk] = f"{digest} {seen[digest]}" if source else own + key
    return found


def sharing(test_sets: Iterable[TestSet], known: Mapping[int, Mapping[int, str]]) -> dict[int, int]:
    """By the number of a test set, that of the first one with which it shares texts, directly or
    over others of the same languages; its own without any. known: `identities` of each."""
    joined: dict[int, int] = {}
    members: dict[int, set[str]] = {}
    languages: dict[int, tuple[str, str]] = {}
    for each in test_sets:
        if each.pk in joined:
            continue
        texts = set(known[each.pk].values())
        pair = pair_of(each)
        met = [first for first, own in members.items() if languages[first] == pair and own & texts]
        first = met[0] if met else each.pk
        joined[each.pk] = first
        languages[first] = pair
        members[first] = members.get(first, set()) | texts
        for other in met[1:]:
            members[first] |= members.pop(other)
            joined |= {pk: first for pk, of in joined.items() if of == other}
    return joined


def pair_of(test_set: TestSet) -> tuple[str, str]:
    """Return source and target language, in small letters."""
    return test_set.source_language.lower(), test_set.target_language.lower()


def join(several: Sequence[Observed], identity: Mapping[int, str]) -> Observed:
    """Return the judgments of campaigns with the same dimensions, as of one: identical segments,
    systems of one name and the same users are the same. What stands for each is of the first that
    has it. ValueError without any."""
    if not several:
        raise ValueError("there is nothing to join")
    first = several[0]
    segments = _First([[identity[pk] for pk in each.segment_ids.tolist()] for each in several])
    systems = _First([each.system_names.tolist() for each in several])
    people = _First([each.annotator_ids.tolist() for each in several])
    codes = {"segment": segments, "system": systems, "first": systems, "second": systems}
    codes["annotator"] = people
    return Observed(
        rates=first.rates,
        ranks=first.ranks,
        dimensions=first.dimensions,
        annotators=people.values([each.annotators for each in several]),
        annotator_ids=people.values([each.annotator_ids for each in several]),
        system_ids=systems.values([each.system_ids for each in several]),
        system_names=systems.values([each.system_names for each in several]),
        segment_ids=segments.values([each.segment_ids for each in several]),
        segment_keys=segments.values([each.segment_keys for each in several]),
        document_ids=segments.values([each.document_ids for each in several]),
        judgments=_rows([each.judgments for each in several], OF_JUDGMENT, {}),
        ratings=_rows([each.ratings for each in several], OF_RATING, codes),
        preferences=_rows([each.preferences for each in several], OF_PREFERENCE, codes),
        fingerprint=" ".join(each.fingerprint for each in several),
        n_off_protocol=sum(each.n_off_protocol for each in several),
        n_excluded=sum(each.n_excluded for each in several),
        n_unweighted=sum(each.n_unweighted for each in several),
    )


class _First:
    """Names of several lists, each once, in the order in which they come first."""

    def __init__(self, lists: Sequence[Sequence[object]]) -> None:
        self.places: dict[object, int] = {}
        self.taken: list[tuple[int, int]] = []
        for n, names in enumerate(lists):
            for i, name in enumerate(names):
                if name not in self.places:
                    self.places[name] = len(self.places)
                    self.taken.append((n, i))
        self.codes = [np.array([self.places[x] for x in names], np.int64) for names in lists]

    def values(self, columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return what stands for each name in the first list that has it."""
        found = [columns[n][i] for n, i in self.taken]
        return np.array(found, columns[0].dtype)


def _rows(several: Sequence[Rows], names: Sequence[str], codes: Mapping[str, _First]) -> Rows:
    columns = {}
    for name in names:
        if not all(name in rows for rows in several):
            continue
        parts = []
        for n, rows in enumerate(several):
            values = rows[name]
            if name in codes:
                own = np.append(codes[name].codes[n], -1)  # below 0 stays nothing
                values = own[np.maximum(values, -1)]
            parts.append(values)
        columns[name] = np.concatenate(parts)
    return Rows(columns)
