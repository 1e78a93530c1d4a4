"""How fast somebody works."""

import pytest

from judgments.people.workload.rates import (
    DOUBT,
    FIXED_WORDS,
    HALF_LIFE,
    NEW,
    NEW_HALF_LIFE,
    Reading,
    rate_of,
)


def readings(*words, kind=""):
    return [Reading(n, kind) for n in words]


def test_nothing_is_known_of_nothing():
    assert rate_of([]) is None


def test_one_item_gives_the_rate():
    rate = rate_of([(Reading(70, ""), 10_000)])
    assert rate.word_ms == pytest.approx(10_000 / (FIXED_WORDS + 70))
    assert rate.time_ms(readings(70, 20)) == pytest.approx(15_000)


def test_a_reader_without_noise_is_forecast_exactly():
    done = [(each, 200 * each.weight) for each in readings(5, 80, 400, 33)]
    assert rate_of(done).time_ms(readings(12, 500)) == pytest.approx(200 * (12 + 500 + 60))


def test_what_was_judged_last_counts_twice_what_came_a_half_life_before():
    unit = Reading(0, "")
    done = [(unit, 3000.0)] + [(unit, 0.0)] * (HALF_LIFE - 1) + [(unit, 3000.0)]
    shares = [0.5 ** (age / HALF_LIFE) for age in range(HALF_LIFE + 1)]
    expected = (3000 + 1500) / sum(shares) / FIXED_WORDS
    assert rate_of(done).word_ms == pytest.approx(expected)


def test_a_part_of_the_first_times_is_laid_to_the_work_being_new():
    """By hand: the first item of all, and the one after ten others."""
    one = [(Reading(70, ""), 10_000.0)]
    assert rate_of(one, 1).word_ms == pytest.approx(100 / (1 + NEW))
    assert rate_of(one, 1 + NEW_HALF_LIFE).word_ms == pytest.approx(100 / (1 + NEW / 2))
    assert rate_of(one, 1000).word_ms == pytest.approx(100)
    # Of more times than were counted none is before the first.
    assert rate_of(one * 3, 1).word_ms == pytest.approx(100 / (1 + NEW))


def test_a_kind_has_a_rate_of_its_own_the_more_the_more_is_known_of_it():
    """Fluency takes half as long as its words say."""

    def ratios(n):
        fast, slow = Reading(70, "fluency"), Reading(70, "adequacy")
        rate = rate_of([(slow, 20_000.0), (fast, 10_000.0)] * n)
        return rate.kinds["fluency"] / rate.kinds["adequacy"]

    assert 1 > ratios(1) > ratios(3) > ratios(10) > 0.5
    assert ratios(30) == pytest.approx(0.5, abs=0.12)


def test_doubt_stands_beside_the_times_of_a_kind():
    """By hand: one item of each kind, the newer one slow; the kinds' own ages are both 0."""
    old = 0.5 ** (1 / HALF_LIFE)
    rate = rate_of([(Reading(70, "slow"), 20_000.0), (Reading(70, "fast"), 10_000.0)])
    mean = (20_000 + old * 10_000) / (1 + old)
    assert rate.word_ms == pytest.approx(mean / 100)
    assert rate.kinds["slow"] == pytest.approx((20_000 / mean + DOUBT) / (1 + DOUBT))
    assert rate.kinds["fast"] == pytest.approx((10_000 / mean + DOUBT) / (1 + DOUBT))


def test_a_kind_that_was_not_met_yet_is_like_all_others():
    rate = rate_of([(Reading(70, "fluency"), 10_000.0)])
    assert rate.time_ms(readings(70, kind="adequacy")) == pytest.approx(10_000)
