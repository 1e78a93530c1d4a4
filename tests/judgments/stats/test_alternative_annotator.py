"""The alternative annotator test, against the authors' own function on their data, and by hand."""

import gzip
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from judgments.stats.alternative_annotator import (
    alternative_annotator,
    closer_categories,
    closer_numbers,
    document_draws,
)
from tests.shared import read_tsv, shared_data

NAN = math.nan
FOLDER = "12_judges", "alt_test"


def long(table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return people, instances and values of (P, N), without the NaN."""
    people, instances = np.nonzero(~np.isnan(table))
    return people, instances, np.asarray(table)[people, instances]


def published() -> dict[tuple[str, str, str], list[dict[str, str]]]:
    """Return the results of the authors' function, by data set, score and ε."""
    found: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for row in read_tsv(shared_data(*FOLDER, "expected.tsv")):
        found.setdefault((row["data_set"], row["score"], row["epsilon"]), []).append(row)
    return found


def annotations(data_set: str, who: str) -> dict[str, dict[str, object]]:
    path = shared_data(*FOLDER, data_set, f"{who}_annotations.json.gz")
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.mark.slow
def test_rates_of_the_authors_data_sets():
    """Six data sets, four or six models each, as computed by nitaytech/AltTest."""
    compared = 0
    for (data_set, score, epsilon), rows in published().items():
        people, models = annotations(data_set, "human"), annotations(data_set, "llm")
        codes: dict[object, float] = {}
        is_number = score == "neg_rmse"

        def code(value, codes=codes, is_number=is_number):
            return float(value) if is_number else codes.setdefault(value, float(len(codes)))

        closer = closer_numbers if is_number else closer_categories
        for row in rows:
            judge = models[row["judge"]]
            keys = sorted(set(judge) & {key for own in people.values() for key in own})
            at = {key: i for i, key in enumerate(keys)}
            table = np.full((len(people), len(keys)), NAN)
            for i, own in enumerate(people.values()):
                for key, value in own.items():
                    if key in at:
                        table[i, at[key]] = code(value)
            person, instance, values = long(table)
            judged = closer(instance, values, [code(judge[key]) for key in keys])
            found = alternative_annotator(judged, person, epsilon=float(epsilon))
            assert found.winning_rate == pytest.approx(float(row["winning_rate"]), abs=1e-6)
            assert found.advantage == pytest.approx(float(row["advantage_probability"]), abs=1e-6)
            compared += 1
    assert compared == 34


@given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=8))
def test_who_is_closer_by_the_root_of_mean_squares(rows):
    """Of three people and a judge, item by item; 5 is no answer of a person."""
    table = np.array(rows, float).T
    people, judge = np.where(table[:3] == 5, NAN, table[:3]), table[3]
    person, instance, values = long(people)
    found = np.full(people.shape, NAN)
    found[person, instance] = closer_numbers(instance, values, judge)
    for j in range(3):
        for i in range(len(judge)):
            others = [people[k, i] for k in range(3) if k != j and not np.isnan(people[k, i])]
            if np.isnan(people[j, i]) or not others:
                assert np.isnan(found[j, i])
                continue
            own, its = (
                -math.sqrt(np.mean([(x - each) ** 2 for each in others]))
                for x in (people[j, i], judge[i])
            )
            sign = 0 if math.isclose(own, its, abs_tol=1e-9) else math.copysign(1, own - its)
            assert np.sign(found[j, i]) == sign


def test_a_tie_counts_for_both_and_categories_are_alike_or_not():
    people = np.array([[0, 1, 1, NAN], [0, 2, 1, 2], [0, 1, 0, 2]], float)
    person, instance, values = long(people)
    closer = closer_categories(instance, values, [0, 1, 2, NAN])
    expected = np.array([[0, 0, 1, NAN], [0, -2, 1, NAN], [0, 0, 0, NAN]])
    np.testing.assert_array_equal(closer, expected[person, instance])
    found = alternative_annotator(closer, person, epsilon=0.1, fewest=3)
    assert found.advantages.tolist() == pytest.approx([2 / 3, 2 / 3, 1])
    assert found.advantage == pytest.approx(7 / 9)


def test_p_values_are_those_of_the_t_test_and_of_yekutieli():
    rng = np.random.default_rng(5)
    closer = rng.integers(-2, 2, (3, 60)).astype(float)
    people = np.repeat(np.arange(3), 60)
    found = alternative_annotator(closer.ravel(), people, epsilon=0.15)
    d = [(row >= 0).astype(float) - (row <= 0) for row in closer]
    p = [ttest_1samp(each, 0.15, alternative="less").pvalue for each in d]
    assert found.p_values.tolist() == pytest.approx(p)
    # (i/m)·q/Σ1/k of the sorted p-values: the largest i that holds, and all before it.
    order, bounds = np.argsort(p), np.arange(1, 4) / 3 * 0.05 / (1 + 1 / 2 + 1 / 3)
    holds = np.flatnonzero(np.sort(p) <= bounds)
    beaten = np.zeros(3, bool)
    if len(holds):
        beaten[order[: holds[-1] + 1]] = True
    assert found.beaten.tolist() == beaten.tolist()
    assert found.may_stand == (beaten.mean() >= 0.5)


def test_who_has_too_few_instances_is_no_person_of_the_test():
    closer, people = np.array([-1.0] * 30 + [1.0] * 29), np.array([4] * 30 + [9] * 29)
    found = alternative_annotator(closer, people, epsilon=0.1)
    assert (found.people.tolist(), found.n.tolist()) == ([4], [30])
    assert (found.winning_rate, found.advantage) == (1, 1)
    nobody = alternative_annotator(closer[30:], people[30:], epsilon=0.1)
    assert math.isnan(nobody.winning_rate)
    assert not nobody.may_stand


def test_the_interval_is_over_documents():
    """All of a document alike: the interval of 20 documents is that of 20 instances."""
    rng = np.random.default_rng(7)
    each = rng.choice([-1.0, 1.0], 20)
    closer, documents = np.repeat(each, 10), np.repeat(np.arange(20), 10)
    people = np.zeros(200, int)
    draws = document_draws(20, rng)
    assert draws.sum(axis=0).tolist() == [20] * 1000
    found = alternative_annotator(closer, people, documents, epsilon=0.1, draws=draws)
    assert found.n_documents == 20
    p = found.advantage
    assert found.high - found.low == pytest.approx(2 * 1.96 * math.sqrt(p * (1 - p) / 20), rel=0.15)
    alone = alternative_annotator(closer, people, documents * 0, epsilon=0.1, draws=draws)
    assert math.isnan(alone.low)
