"""Where control items go between the regular ones."""

from collections import Counter

import numpy as np
import pytest

from judgments.plans.controls.copies import Run, Stretch, spread, with_copies
from judgments.plans.layout import PlannedScreen


def run_of(document: int, key: int, length: int = 1) -> Run:
    return tuple(
        PlannedScreen(100 * key + n, ((100 * key + n, 1),), document=document)
        for n in range(length)
    )


def copy_of(run: Run, kind: str) -> Stretch:
    return Stretch(run, kind)


@pytest.mark.parametrize("n_documents", [1, 2, 5, 30])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_spread_is_apart_from_its_document_where_it_can_be(n_documents, seed):
    drawn = np.random.default_rng([seed, n_documents])
    regular = [run_of(int(d), k) for k, d in enumerate(drawn.integers(n_documents, size=30))]
    fixed = [
        Stretch(run_of(int(d), 100 + k), "control")
        for k, d in enumerate(drawn.integers(n_documents + 1, size=7))
    ]
    found = spread(regular, fixed, np.random.default_rng(seed))
    assert [each.run for each in found if each.kind == "regular"] == regular
    assert Counter(each.run for each in found) == Counter([*regular, *(f.run for f in fixed)])
    documents = [each.run[0].document for each in found]
    for i, each in enumerate(found):
        if each.kind == "control" and n_documents == 30:
            assert documents[i] not in documents[max(0, i - 1) : i] + documents[i + 1 : i + 2]


def test_what_is_spread_may_come_anywhere():
    """4,000 draws of 11 gaps: a chi-square of 29.6 is exceeded once in a thousand (df 10)."""
    rng = np.random.default_rng(1)
    regular = [run_of(0, k) for k in range(10)]
    check = Stretch(run_of(1, 50), "check")
    places = Counter(spread(regular, [check], rng).index(check) for _ in range(4000))
    assert sum((places[gap] - 4000 / 11) ** 2 / (4000 / 11) for gap in range(11)) < 29.6


@pytest.mark.parametrize("longest", [1, 2, 6])
@pytest.mark.parametrize("seed", range(30))
def test_copies_are_half_a_batch_from_their_runs(longest, seed):
    rng = np.random.default_rng([seed, longest])
    lengths = rng.integers(1, longest + 1, size=rng.integers(1, 30)).tolist()
    base = [Stretch(run_of(k, k, length)) for k, length in enumerate(lengths)]
    counts = dict(zip(("repeat", "degraded"), rng.integers(1, 12, size=2).tolist(), strict=True))
    found, missing = with_copies(base, counts, copy_of, rng)
    total = sum(map(len, found))
    starts, at = {}, 0
    for stretch in found:
        starts.setdefault(stretch.run, {})[stretch.kind] = at
        at += len(stretch)
    assert set(starts) == {stretch.run for stretch in base}
    for places in starts.values():
        assert "regular" in places
        for kind in places.keys() - {"regular"}:
            assert 2 * abs(places[kind] - places["regular"]) >= total
    made = Counter(stretch.kind for stretch in found for _ in stretch.run)
    assert all(made[kind] + missing[kind] >= n for kind, n in counts.items())


def test_which_of_two_comes_first_is_a_toss_of_a_coin():
    """400 batches with six pairs each: of 2,400 tosses between 1,127 and 1,273 are heads, but for
    three batches in a thousand."""
    rng = np.random.default_rng(1)
    base = [Stretch(run_of(k, k)) for k in range(40)]
    first: Counter = Counter()
    for _ in range(400):
        found, _ = with_copies(base, {"repeat": 3, "degraded": 3}, copy_of, rng)
        places = {(each.run, each.kind): i for i, each in enumerate(found)}
        for (run, kind), place in places.items():
            if kind != "regular":
                first[place < places[run, "regular"]] += 1
    assert sum(first.values()) == 2400
    assert 1127 < first[True] < 1273


def test_one_seed_makes_one_batch():
    base = [Stretch(run_of(k, k)) for k in range(40)]
    one, two, other = (
        with_copies(base, {"repeat": 6}, copy_of, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other
