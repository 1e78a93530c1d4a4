"""Correlations with and without a kind of systems; labels of points do not overlap."""

import dataclasses

import numpy as np
import pytest
from scipy.stats import pearsonr

from judgments.models import SystemFacts
from judgments.web.point_labels import HEIGHT, WIDTH, label_box, label_places
from metrics.with_people.scatter import kind_encoding, point_layers
from metrics.with_people.system_kinds import (
    SystemLook,
    kind_agreement_of,
    kind_table,
    kind_words,
    kinds_to_leave_out,
    other_words,
)

from .test_metric_reports import study_of

KINDS = ("neural", "statistical", "neural", "rule-based", "neural", "statistical", "statistical")
HUMAN = np.array([3.0, 3.4, 2.5, 3.5, 3.1, 2.2, 2.8])
BLEU = np.array([30.0, 33.0, 24.0, 15.0, 30.5, 22.0, 27.0])


@pytest.fixture
def study():
    return dataclasses.replace(
        study_of(9),
        systems=tuple("ABCDEFG"),
        system_ids=np.arange(7),
        human_systems=HUMAN,
        metric_systems=BLEU[None],
    )


def test_the_correlation_without_each_kind_is_that_of_the_others(study):
    found = kind_agreement_of(study, KINDS)
    assert list(found.figures) == ["", "neural", "rule-based", "statistical"]
    for kind, (figure,) in found.figures.items():
        keep = [each != kind for each in KINDS]
        assert figure.estimate == pytest.approx(pearsonr(BLEU[keep], HUMAN[keep])[0])
        assert figure.n == sum(keep)
    # The rule-based system is the one that BLEU ranks far below people.
    assert found.most_telling("m") == "rule-based"
    words = kind_words(found, "m")
    assert [each.split(" systems")[0] for each in other_words(found, "m")] == [
        "Without neural",
        "Without statistical",
    ]
    assert words.startswith("M against people: Pearson r = .099 ")
    assert "Without rule-based systems (D): r = .994 " in words
    assert "n = 6." in words
    table = kind_table(found)
    assert [column.heading for column in table.heads[2::3]] == [
        "Pearson r, all systems",
        "without neural",
        "without rule-based",
        "without statistical",
    ]
    assert table.rows[0][2] == found.figures[""][0].estimate


def test_a_system_without_scores_is_no_system_to_leave_out(study):
    scores = BLEU.copy()
    scores[3] = np.nan
    facts = {i: SystemFacts(system_id=i, kind=kind) for i, kind in enumerate(KINDS)}
    kinds = SystemLook(facts, frozenset()).kinds_of(
        dataclasses.replace(study, metric_systems=scores[None])
    )
    assert kinds_to_leave_out(kinds) == ["neural", "statistical"]


def test_a_kind_without_which_too_few_are_left_stays():
    assert kinds_to_leave_out(("a", "a", "b", "b", "")) == ["a", "b"]
    assert kinds_to_leave_out(("a", "a", "b", "b")) == []
    assert kinds_to_leave_out(("", "", "", "")) == []


def test_points_tell_their_kind_by_shape_and_color_and_people_by_an_empty_one():
    facts = {1: SystemFacts(system_id=1, kind="LLM"), 2: SystemFacts(system_id=2)}
    look = SystemLook(facts, frozenset({2}))
    points = [{"system": str(pk), **look.of(pk)} for pk in (1, 2, 3)]
    assert [point["kind"] for point in points] == ["LLM", "not stated", "not stated"]
    encoding = kind_encoding([str(point["kind"]) for point in points], "Kind")
    assert encoding["shape"]["scale"]["domain"] == ["LLM", "not stated"]
    assert len(set(encoding["shape"]["scale"]["range"])) == 2
    filled, hollow = point_layers(points, encoding)
    assert [point["system"] for point in filled["data"]["values"]] == ["1", "3"]
    assert [point["system"] for point in hollow["data"]["values"]] == ["2"]
    assert hollow["mark"]["filled"] is False
    assert "kind" not in SystemLook({2: facts[2]}, frozenset()).of(2)


def overlap(one, other):
    return min(one[2], other[2]) > max(one[0], other[0]) and min(one[3], other[3]) > max(
        one[1], other[1]
    )


def test_names_of_fourteen_points_in_a_cluster_leave_each_other_room():
    rng = np.random.default_rng(1)
    across, down = rng.uniform(0.2, 0.7, 14), rng.uniform(0.2, 0.7, 14)
    names = [f"ONLINE-{i}" for i in range(14)]
    places = label_places(names, across.tolist(), down.tolist())
    boxes = [
        label_box(name, a * WIDTH, d * HEIGHT, place)
        for name, a, d, place in zip(names, across, down, places, strict=True)
    ]
    for i, box in enumerate(boxes):
        assert not any(overlap(box, other) for other in boxes[:i])
        assert box[0] >= 0 and box[2] <= WIDTH
    # With all labels on the right, as before, some of these would overlap.
    fixed = [
        label_box(n, a * WIDTH, d * HEIGHT, 0) for n, a, d in zip(names, across, down, strict=True)
    ]
    assert any(overlap(box, other) for i, box in enumerate(fixed) for other in fixed[:i])
