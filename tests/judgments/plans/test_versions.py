"""Latin squares over systems, documents and batches, of texts of any length; no database here."""

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.plans import versions
from judgments.plans.layout import PlannedScreen
from judgments.plans.runs import Block
from judgments.plans.settings import PlanSettings

# Of each document the lengths of its blocks.
documents = st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=4), min_size=1, max_size=9)
SQUARE = PlanSettings(design="latin-square")
POOL = PlanSettings(design="latin-square", pool=True)


def blocks_of(lengths, n_systems):
    """Every block in every system's translation; segments are counted through."""
    found, first = [], 0
    for document, sizes in enumerate(lengths):
        for n in sizes:
            segments = range(first, first + n)
            first += n
            of_systems = {
                system: (
                    tuple(
                        PlannedScreen(segment, ((1000 * system + segment, system),), words=1.0,
                                      document=document)
                        for segment in segments
                    ),
                )
                for system in range(n_systems)
            }  # fmt: skip
            found.append(Block(document, versions=of_systems))
    return found


def planned(lengths, n_systems, most, chosen, seed):
    """[{document: system}] of each batch, and how often each output is there."""
    made = versions.batches(
        blocks_of(lengths, n_systems),
        most,
        True,
        chosen.design,
        chosen.pool,
        np.random.default_rng(seed),
    )
    found, shown = [], Counter()
    for batch in made:
        systems = defaultdict(set)
        for run in batch:
            for screen in run:
                ((output, system),) = screen.outputs
                shown[output] += 1
                systems[screen.document].add(system)
        assert all(len(each) == 1 for each in systems.values())
        found.append({document: each.pop() for document, each in systems.items()})
    return found, shown


def gap(counts, n_systems):
    return max(counts.values()) - min(counts[system] for system in range(n_systems))


@settings(max_examples=150, deadline=None)
@given(documents, st.integers(1, 5), st.integers(3, 30), st.booleans(), st.integers(0, 99))
def test_every_output_once_and_a_document_in_one_version(lengths, n_systems, most, pool, seed):
    found, shown = planned(lengths, n_systems, most, POOL if pool else SQUARE, seed)
    assert set(shown.values()) == {1}
    assert len(shown) == n_systems * sum(map(sum, lengths))
    # Batches of the same documents come one after the other, and are a square.
    for start in range(0, len(found), n_systems):
        group = found[start : start + n_systems]
        for document in group[0]:
            assert sorted(batch[document] for batch in group) == list(range(n_systems))


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=30), st.integers(1, 5), st.integers(9, 40),
       st.integers(0, 99))  # fmt: skip
def test_each_system_equally_often_in_a_batch(lengths, n_systems, most, seed):
    found, _ = planned([[n] for n in lengths], n_systems, most, SQUARE, seed)
    assert all(gap(Counter(batch.values()), n_systems) <= 1 for batch in found)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 30), st.integers(1, 5), st.booleans(), st.integers(0, 99))
def test_who_takes_the_first_free_batch_of_all_documents_meets_all_systems(
    n, n_systems, pool, seed
):
    """Blocks from a pool, or batches of one document: people take one after the other."""
    found, _ = planned([[3]] * n, n_systems, 3, POOL if pool else SQUARE, seed)
    for first in range(n_systems):
        taken = Counter(batch[d] for batch in found[first::n_systems] for d in batch)
        assert gap(taken, n_systems) <= 1


def test_long_documents_leave_hardly_any_batch_unbalanced():
    """One such plan in thirty had, before the larger groups of batches chose first."""
    rng = np.random.default_rng(3)
    unbalanced = 0
    for seed in range(400):
        lengths = [
            rng.integers(1, 4, rng.integers(1, 5)).tolist() for _ in range(rng.integers(1, 9))
        ]
        n_systems, most = int(rng.integers(1, 6)), int(rng.choice([3, 6, 10, 30]))
        found, _ = planned(lengths, n_systems, most, SQUARE, seed)
        gaps = [gap(Counter(batch.values()), n_systems) for batch in found]
        assert max(gaps) <= 2
        unbalanced += max(gaps) > 1
    assert unbalanced <= 2
