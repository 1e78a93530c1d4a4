"""The band of a line is drawn only if it is informative."""

import numpy as np

from metrics.with_people.scatter import band_of, line_words, scatter, shows_band


def layers(metric, human):
    points = [
        {"system": str(i), "metric": m, "human": h}
        for i, (m, h) in enumerate(zip(metric, human, strict=True))
    ]
    band = band_of(np.array(metric), np.array(human))
    spec = scatter(points, band, metric_title="BLEU", human_title="mean rating", labels=True)
    return [layer["mark"]["type"] for layer in spec["layer"][0].get("layer", [])]


def words(metric, human):
    return line_words(band_of(np.array(metric), np.array(human)), human)


def test_a_band_within_the_chart_is_drawn():
    metric = [10.0, 20, 30, 40, 50, 60]
    human = [1.0, 2.1, 2.9, 4.2, 4.8, 6]
    assert layers(metric, human) == ["area", "line"]
    assert words(metric, human).endswith("with the 95 % band of the mean")


def test_a_band_that_would_cover_the_whole_chart_is_not():
    """Three points: Student's t has one degree of freedom, and 12.7 standard errors exceed the
    height of the chart."""
    metric, human = [20.0, 30, 41], [50.0, 80, 60]
    assert not shows_band(band_of(np.array(metric), np.array(human)), human)
    assert layers(metric, human) == ["line"]
    assert words(metric, human).endswith("wider than the chart")


def test_two_points_have_a_line_and_no_band():
    assert layers([20.0, 30], [50.0, 80]) == ["line"]
    assert words([20.0, 30], [50.0, 80]) == "Line: least squares"


def test_equal_scores_have_no_line():
    assert layers([20.0, 20, 20], [50.0, 60, 80]) == []
    assert words([20.0, 20, 20], [50.0, 60, 80]) == "There is no line"
