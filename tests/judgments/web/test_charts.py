"""Chart specs: data, names, and what Vega-Lite makes of them."""

import json
import re

import numpy as np
import pytest
import vl_convert

from judgments.models import Campaign
from judgments.results import exports
from judgments.results.learning_curve.chart import curve_chart
from judgments.results.learning_curve.figures import LearningCurve
from judgments.results.selection.selection import Selection
from judgments.web import charts, scatter_plots

pytestmark = pytest.mark.django_db  # what is kept of figures asks how much was erased

NAN = float("nan")
SELECTION = Selection(campaign=Campaign(preset="adequacy-fluency"), stored="")


def test_names_lose_only_what_all_share():
    assert charts.short(["wmt13.fr-en.uedin.27", "wmt13.fr-en.online-B"]) == [
        "uedin.27",
        "online-B",
    ]
    assert charts.short(["online-A", "online-B"]) == ["online-A", "online-B"]
    assert charts.short(["a.", "a.b"]) == ["a.", "a.b"]
    assert charts.short(["alone.1"]) == ["alone.1"]
    assert charts.short(["Ada", "Adam"]) == ["Ada", "Adam"]
    assert charts.short([]) == []


def specs():
    means = np.array([3.0, NAN, 2.0])
    table = np.array([[NAN, 0.25], [0.75, NAN]])
    return {
        "intervals": charts.intervals(
            ["a", "b", "c"], means, means - 1, np.array([NAN, NAN, 3]), axis="x"
        ),
        "heat map": charts.heat_map(
            ["a", "b"],
            ["a", "b"],
            table,
            row_title="",
            column_title="",
            legend="share",
            texts=[["", "¼"], ["¾", ""]],
        ),
        "flat heat map": charts.heat_map(
            ["a"], ["b"], np.array([[1.0]]), row_title="r", column_title="c", legend="n"
        ),
        "bars": charts.bars(["a", "b"], np.array([10, 3]), axis="judgments"),
        "histogram": charts.histogram(np.array([1, 1, 250]), axis="judgments", count="annotators"),
        "scatter": scatter_plots.scatter(
            ["a", "b"],
            np.array([1.0, NAN]),
            np.array([2.0, 3.0]),
            x_title="BLEU",
            y_title="wins",
        ),
    }


@pytest.mark.parametrize("name", list(specs()))
def test_a_spec_is_json_and_compiles(name):
    spec = specs()[name]
    json.dumps(spec, allow_nan=False)
    chart = charts.Chart("c", "Title", "Caption.", spec, ("a",), [("x",)])
    picture = exports.chart_file(chart, "svg", SELECTION).decode()
    assert "Title" in picture
    assert "NaN" not in picture
    vega = vl_convert.vegalite_to_vega(spec, vl_version=exports.VEGA_LITE)
    assert vega["marks"]


def test_what_is_undefined_is_left_out():
    made = specs()
    assert [row["name"] for row in made["intervals"]["data"]["values"]] == ["a", "c"]
    assert len(made["heat map"]["data"]["values"]) == 2
    points = made["scatter"]["layer"][-1]["data"]["values"]
    assert points == [{"name": "a", "x": 1.0, "y": 2.0}]


def test_bins_of_a_histogram_hold_every_annotator():
    counts = np.random.default_rng(5).integers(1, 4321, 218)
    rows = charts.histogram(counts, axis="j", count="a")["data"]["values"]
    assert sum(row["n"] for row in rows) == 218
    assert len(rows) <= 21
    for row in rows:
        assert row["n"] == ((counts >= row["from"]) & (counts < row["to"])).sum()


@pytest.mark.parametrize("bad", ["\0", "\x01", "\x1b", "\ud800", "\udfff", "\ufffe", "\uffff"])
@pytest.mark.parametrize("kind", ["svg", "png", "vl.json"])
def test_characters_that_no_svg_can_hold(bad, kind):
    """The program that draws would take the whole process down with it."""
    spec = charts.bars([f"A{bad}B", "C"], np.array([10, 3]), axis="judgments")
    chart = charts.Chart("c", f"Title{bad}", "C", spec, ("a",), [("x",)])
    picture = exports.chart_file(chart, kind, SELECTION)
    if kind == "svg":
        assert "Title\ufffd" in picture.decode() and "A\ufffdB" in picture.decode()


def test_an_unknown_kind_of_file():
    chart = charts.Chart("c", "T", "C", specs()["bars"], ("a",), [("x",)])
    with pytest.raises(ValueError, match="svg, png or"):
        exports.chart_file(chart, "pdf", SELECTION)


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
def test_names_at_the_ends_of_lines_do_not_touch(order):
    """As Vega draws them: three near each other, better ones above or below."""
    scores = np.array([-2.0, -2.1, -2.2])[order]
    curve = LearningCurve(
        dimension="mqm",
        names=tuple(np.array(["first", "second", "third"])[order]),
        low=scores - 9,
        high=scores + 1,
        shares=np.array([0.5, 1.0]),
        n=np.array([10, 20]),
        scores=np.array([scores, scores]),
        ranks=np.array([[1, 2, 3], [1, 2, 3]]),
        by_time=True,
        units="documents",
        halves=None,
    )
    chart = curve_chart(curve, "Ranking", "MQM score", ["#1", "#2", "#3"])
    assert chart is not None
    svg = vl_convert.vegalite_to_svg(chart.spec)
    ends = {}
    for name in curve.names:
        before = svg[: svg.index(f">{name}</text>")]
        ends[name] = float(re.findall(r"translate\([\d.]+,([\d.]+)\)", before)[-1])
    assert ends["first"] + 10 <= ends["second"] and ends["second"] + 10 <= ends["third"]


def test_names_of_a_scatter_plot_leave_each_other_room():
    """Four systems at nearly one place: as text boxes of the plot as it was placed for."""
    names = ["ONLINE-A", "ONLINE-Y", "ONLINE-W", "GPT4-5shot"]
    near = np.array([0.0, 0.001, 0.002, 0.003])
    spec = scatter_plots.scatter(
        [*names, "far"], np.append(near, 1), np.append(near, 1), x_title="x", y_title="y"
    )
    places = [
        (layer["mark"]["align"], layer["mark"]["dx"], layer["mark"]["dy"])
        for layer in spec["layer"][1:]
        for row in layer["data"]["values"]
        if row["name"] in names
    ]
    assert len(set(places)) == len(names)
