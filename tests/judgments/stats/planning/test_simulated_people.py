"""Simulated people: their answers are on the scale, and vary as assumed by plans."""

import numpy as np
import pytest

from judgments.stats.planning.simulated_people import (
    CAREFUL,
    FAST,
    KINDS,
    LAZY,
    RANDOM,
    AnswerScale,
    Qualities,
    SpreadOfAnswers,
    answers,
)

HUNDRED = AnswerScale(0, 100)


def rng(seed=1):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scale", [HUNDRED, AnswerScale(1, 5), AnswerScale(-25, 0, None)])
def test_answers_lie_on_the_scale(kind, scale):
    quality = np.linspace(scale.low - 1, scale.high + 1, 200)
    found = answers(kind, quality, scale, rng(), noise=scale.width / 10)
    assert found.min() >= scale.low and found.max() <= scale.high
    if scale.step:
        assert np.allclose(found, np.rint(found))


def test_who_answers_what():
    quality = np.full(4000, 70.0)
    found = {kind: answers(kind, quality, HUNDRED, rng(), noise=7) for kind in KINDS}
    assert found[CAREFUL].mean() == pytest.approx(70, abs=0.5)
    assert found[CAREFUL].std() == pytest.approx(7, abs=0.3)
    assert set(found[LAZY]) == {50.0}
    # The mean of 0 to 100, and its standard deviation √((101² - 1)/12).
    assert found[RANDOM].mean() == pytest.approx(50, abs=2)
    assert found[RANDOM].std() == pytest.approx(29.15, abs=1)
    assert found[FAST].mean() == pytest.approx((70 + 50) / 2, abs=2)


def test_a_fast_person_reads_a_whole_screen_or_nothing_of_it():
    screen = np.repeat(np.arange(500), 5)
    found = answers(FAST, np.full(2500, 70.0), HUNDRED, rng(), noise=0, screen=screen)
    read = (found == 70).reshape(500, 5).sum(axis=1)
    assert 200 < (read == 5).sum() < 300
    assert ((read == 5) | (read < 3)).all()


def spread_of_differences(sd, rho, noise, n_documents=400, per_document=5):
    """Return the standard deviation of differences of two systems, and their correlation in
    documents."""
    document = np.repeat(np.arange(n_documents), per_document)
    spread = SpreadOfAnswers.of(sd, rho, noise)
    qualities = Qualities.draw(np.zeros(2), document, spread, rng(2))
    seen = qualities.seen_by(rng(3)) + rng(4).normal(0, noise, (2, len(document)))
    differences = (seen[0] - seen[1]).reshape(n_documents, per_document)
    between = differences.mean(axis=1).var(ddof=1) - differences.var(axis=1, ddof=1).mean() / (
        per_document
    )
    return differences.std(), between / differences.var()


@pytest.mark.parametrize(("sd", "rho"), [(20, 0.13), (28, 0.35), (20.5, 0.55), (14, 0.0)])
def test_differences_vary_as_plans_are_reckoned_with(sd, rho):
    found, correlation = spread_of_differences(sd, rho, noise=5)
    assert found == pytest.approx(sd, rel=0.06)
    assert correlation == pytest.approx(rho, abs=0.06)


def test_of_two_people_a_difference_varies_more():
    """By .70/.42 in three-rater MQM of WMT23: see `OTHER_RATERS`; two raters share .385."""
    document, spread = np.arange(4), SpreadOfAnswers.of(20, 0.0, 5)
    found, shared = [], []
    for seed in range(3000):
        draws = np.random.default_rng(seed).spawn(3)
        qualities = Qualities.draw(np.zeros(2), document, spread, draws[0])
        first, second = (qualities.seen_by(each) + each.normal(0, 5, (2, 4)) for each in draws[1:])
        found.append((first[0] - second[1])[0])
        shared.append(((first[0] - first[1])[0], (second[0] - second[1])[0]))
    assert np.var(found) == pytest.approx(400 * 0.70 / 0.42, rel=0.1)
    assert np.corrcoef(np.array(shared).T)[0, 1] == pytest.approx(0.385, abs=0.05)


def test_more_noise_than_there_is_room_for_is_kept():
    assert spread_of_differences(10, 0.13, noise=30)[0] > 30
