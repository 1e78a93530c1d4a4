"""The exports of metrics take one pass over the rows; charts show what they describe."""

import numpy as np

from judgments.web.sections import table_objects as records
from judgments.web.tables import Table
from metrics.with_people.agreement import Figure
from metrics.with_people.scatter import MOST_POINTS, N_FARTHEST, outputs_scatter
from metrics.with_people.study import Metric, Study, StudyChoice


class Counted(list):
    """Rows that count how often one of them is read."""

    def __init__(self, rows):
        super().__init__(rows)
        self.n_read = 0

    def __iter__(self):
        for row in super().__iter__():
            self.n_read += 1
            yield row


def test_the_work_for_a_row_does_not_grow_with_the_rows():
    columns = ("name", "one", "two")
    reads = []
    for n in (100, 1000):
        rows = Counted([(f"row {i}", i, i / 2) for i in range(n)])
        found = records(Table("t", "T", columns, rows))
        assert found[-1] == {"name": f"row {n - 1}", "one": n - 1, "two": (n - 1) / 2}
        reads.append(rows.n_read / n)
    assert reads[0] == reads[1] <= len(columns) + 1


class SomeSelection:
    """The part of a selection that the URLs of points need."""

    address = [("system", "D'A")]

    class campaign:
        pk = 7


def study_of(n_segments):
    rng = np.random.default_rng(3)
    human = rng.normal(size=(4, n_segments))
    metric = Metric("m", "M", "m", (), "s", "s", True, False)
    scores = (human + 0.1 * rng.normal(size=human.shape))[None]
    scores[0, 2, 5] = 40.0  # an outlier
    return Study(
        choice=StudyChoice(),
        human_name="people",
        metrics=(metric,),
        systems=("A", "B", "C", "D"),
        left_out=(),
        system_ids=np.arange(4),
        segment_ids=np.arange(n_segments),
        segment_keys=np.arange(n_segments).astype(str),
        human_systems=human.mean(axis=1),
        human=human,
        metric_systems=scores.mean(axis=2),
        segments=scores,
        p_values=None,
        test="",
        reason="",
    )


def drawn(chart):
    return chart.spec["layer"][-1]["data"]["values"]


def test_every_point_is_drawn_up_to_twenty_thousand():
    chart = outputs_scatter(study_of(5000), Figure(estimate=0.5, n=20_000), "s", SomeSelection())
    assert len(drawn(chart)) == 20_000 == MOST_POINTS
    assert "Shown:" not in chart.caption


def test_of_more_the_outliers_are_always_drawn():
    chart = outputs_scatter(study_of(6000), Figure(estimate=0.5, n=24_000), "s", SomeSelection())
    lines = drawn(chart)
    assert MOST_POINTS <= len(lines) <= MOST_POINTS + N_FARTHEST
    assert "Shown:" in chart.caption
    assert any((point["s"], point["k"]) == (2, "5") for point in lines)
    assert chart.rows[0][:2] == ["C", "5"]
