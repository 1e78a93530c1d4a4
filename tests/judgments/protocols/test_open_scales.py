"""Scales without bounds or steps: needed by campaigns from releases."""

import csv
import io
import json

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judgments.exchange.judgments.campaigns import new_campaign, parse_dimension
from judgments.exchange.judgments.importer import import_judgments
from judgments.files import ImportProblem
from judgments.models import Campaign, Rating, Status
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.protocols.base import Scale, custom_dimensions
from judgments.results.agreement import figures as agreement
from judgments.results.scores import figures as scores
from judgments.results.selection.selection import Selection
from tests import factory

from ..files.files import upload, written

HEAD = "annotator\tsegment\tsystem\tdimension\tvalue\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mqm::0:", {"slug": "mqm", "low": None, "high": 0, "step": None}),
        ("da_sqm:::", {"slug": "da_sqm", "low": None, "high": None, "step": None}),
        ("x:0:100:", {"slug": "x", "low": 0, "high": 100, "step": None}),
        ("x:0:100", {"slug": "x", "low": 0, "high": 100}),
        ("x:0:100:1", {"slug": "x", "low": 0, "high": 100}),
        ("x:1:5:0.5", {"slug": "x", "low": 1, "high": 5, "step": 0.5}),
        ("x:-2.5:2.5:", {"slug": "x", "low": -2.5, "high": 2.5, "step": None}),
        ("x:0:", {"slug": "x", "low": 0, "high": None}),
    ],
)
def test_dimensions_as_they_are_written(text, expected):
    assert parse_dimension(text) == expected


@pytest.mark.parametrize("text", ["x:5:1:", "x:1:1:", "x:0:1:2", "x:0:1:0", "x:0:1:-1", "x", "x:"])
def test_what_is_no_dimension(text):
    with pytest.raises(ValueError, match=f"“{text}”"):
        parse_dimension(text)


@pytest.mark.parametrize(
    ("scale", "value", "problem"),
    [
        (Scale(None, 0, None), -382.1, ""),
        (Scale(None, 0, None), 3.7, "3.7 is above 0, the highest value"),
        (Scale(0, None, None), -3.7, "-3.7 is below 0, the lowest value"),
        (Scale(None, None, None), 1e8, ""),
        (Scale(0, 100, None), 99.5, ""),
        (Scale(0, 100, None), 101, "101 is not on the scale from 0 to 100"),
        (Scale(0, 100), 99.5, "99.5 is not on the scale from 0 to 100, in steps of 1"),
        (Scale(1, 5, 0.5), 2.5, ""),
        (Scale(None, 0, 0.5), -2.25, "-2.25 is not on the scale, in steps of 0.5"),
        (Scale(None, None), 2.5, "2.5 is not on the scale, in steps of 1"),
    ],
)
def test_values(scale, value, problem):
    assert scale.problem_with(value) == problem


def test_what_is_known_of_a_scale():
    whole, half, continuous, unbounded = (
        each.scale
        for each in custom_dimensions(
            [
                {"slug": "a", "low": 1, "high": 5},
                {"slug": "b", "low": 1, "high": 3, "step": 0.5},
                {"slug": "c", "low": 0, "high": 1, "step": None},
                {"slug": "d", "low": None, "high": 0, "step": None},
            ]
        )
    )
    assert whole.values == (1, 2, 3, 4, 5)
    assert [value for value, _ in half.anchors] == [3, 2.5, 2, 1.5, 1]
    assert (half.n_values, continuous.n_values, unbounded.n_values) == (5, None, None)
    assert [s.is_open for s in (whole, half, continuous, unbounded)] == [False, False, True, True]
    assert (continuous.kind, continuous.is_yes_or_no, continuous.ticks) == ("interval", False, ())
    words = [scale.words for scale in (whole, half, continuous, unbounded)]
    assert words == ["from 1 to 5", "from 1 to 3, in steps of 0.5", "from 0 to 1", "0 or less"]


VALUES = {"adam": [-0.1, -5, -382.5, 0], "zoe": [0, -6.1, -370, -1]}


@pytest.fixture
def campaign(db, tmp_path):
    """Two annotators on one system, on a scale without a lowest value."""
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner)
    rows = [
        f"{name}\t{segment}\tSystem-{system}\tmqm\t{value - (system == 'B')}\n"
        for name, values in VALUES.items()
        for segment, value in enumerate(values, 1)
        for system in "AB"
    ]
    file = written(tmp_path / "mqm.tsv", HEAD.strip(), *(row.strip() for row in rows))
    call_command(
        *("import_judgments", str(file), "--create", "MQM", "--test-set", str(test_set.pk)),
        *("--owner", "owner", "--preset", "custom-rating", "--dimension", "mqm::0:"),
        verbosity=0,
    )
    return Campaign.objects.get(name="MQM")


def test_values_come_in_as_they_are(campaign):
    values = Rating.objects.filter(output__system__name="System-A").values_list("value", flat=True)
    assert sorted(values) == sorted(v for each in VALUES.values() for v in each)
    with pytest.raises(ImportProblem, match=r"row 2, column value: 0\.5 is above 0, the hi"):
        import_judgments(campaign, upload("m.tsv", f"{HEAD}a\t1\tSystem-A\tmqm\t0.5\n".encode()))


def test_figures_on_an_open_scale(campaign):
    """Alpha of an interval scale, and bins from the lowest given value to 0."""
    report = agreement.agreement(Selection.of(campaign), "mqm")
    one, other = (np.array([v - s for v in each for s in (0, 1)]) for each in VALUES.values())
    every = np.concatenate([one, other])
    # Krippendorff's definition for two annotators who rated everything.
    chance = ((every[:, None] - every) ** 2).sum() / (16 * 15)
    expected = 1 - ((one - other) ** 2).mean() / chance
    assert report.headline.result.estimate == pytest.approx(expected, abs=1e-12)
    assert (report.level, report.n_values) == ("interval", None)
    assert report.labels[0].startswith("-383.5–") and report.labels[-1].endswith("–0")
    assert report.confusion.sum() == 2 * 8


def test_pages_files_and_answers_cope(campaign):
    client = Client()
    client.force_login(campaign.test_set.owner)
    for name in ("campaign", "agreement", "scores", "quality", "exports", "power"):
        assert client.get(reverse(name, args=[campaign.pk])).status_code == 200, name
    page = client.get(reverse("import-judgments", args=[campaign.pk])).content.decode()
    assert "<code>mqm</code> 0 or less" in page
    answer = client.get(reverse("api-agreement", args=[campaign.pk]))
    assert answer.json()["between"][0]["estimate"] is not None
    whole = json.loads(b"".join(client.get(reverse("export-json", args=[campaign.pk]))))
    assert whole["campaign"]["options"]["dimensions"] == [
        {"slug": "mqm", "low": None, "high": 0, "step": None}
    ]
    chart = client.get(reverse("chart", args=[campaign.pk, "agreement-values-mqm", "svg"]))
    assert b"-383.5" in chart.content
    file = client.get(reverse("export-observations", args=[campaign.pk]))
    rows = list(csv.DictReader(io.StringIO(b"".join(file).decode()), delimiter="\t"))
    assert {row["value"] for row in rows} >= {"-382.5", "-0.1"}


def test_nobody_can_be_asked(campaign):
    client = Client()
    client.force_login(campaign.test_set.owner)
    overview = client.get(reverse("campaign", args=[campaign.pk])).content.decode()
    assert "This campaign is read-only. No screen can ask for Mqm" in overview
    assert "Open the campaign" not in overview
    assert "Import judgments" in overview
    page = client.post(
        reverse("campaign-status", args=[campaign.pk]), {"status": "open"}, follow=True
    )
    assert "This campaign cannot be opened. No screen can ask for Mqm" in page.content.decode()
    assert Campaign.objects.get(pk=campaign.pk).status == Status.CLOSED
    with pytest.raises(design.PlanError, match=r"is read-only\. No screen can ask for Mqm"):
        design.preview(campaign, PlanSettings(batch_items=5))
    with pytest.raises(ValueError, match="the scale is open"):
        protocol_of(campaign).dimensions()[0].scale.bounds  # noqa: B018


@pytest.mark.django_db
def test_means_of_raters_have_no_agreement():
    """Two pseudo raters whose values would correlate perfectly."""
    owner = factory.make_user("owner", is_staff=True)
    test_set = factory.make_test_set(owner)
    dimensions = ({"slug": "mqm", "low": None, "high": 0, "step": None},)
    campaign = new_campaign(
        *(test_set, owner, "Means", "custom-rating"),
        dimensions=dimensions,
        options={"are_means": True},
    )
    rows = [
        f"{name}\t{segment}\tSystem-{system}\tmqm\t{-segment - (system == 'B')}\n"
        for name in ("mean", "other mean")
        for segment in range(1, 5)
        for system in "AB"
    ]
    import_judgments(campaign, upload("m.tsv", (HEAD + "".join(rows)).encode()))
    selection = Selection.of(campaign)
    note = "each value is a mean over raters that the release does not name"
    assert selection.sentence == f"All judgments count; {note}"
    report = agreement.agreement(selection)
    assert report.n_rows == 16
    assert not report.within
    assert all(np.isnan(each.result.estimate) for each in report.between)
    assert not report.confusion.any()
    assert scores.system_scores(selection).mean.tolist() == [-2.5, -3.5]
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("agreement", args=[campaign.pk])).content.decode()
    reason = "the values are means over raters that the release does not name"
    assert f"Agreement cannot be computed: {reason}." in page
    assert "Judgments per annotator" not in page
    for name in ("scores", "quality", "agreement", "exports"):
        assert note in client.get(reverse(name, args=[campaign.pk])).content.decode()
    answer = client.get(reverse("api-agreement", args=[campaign.pk])).json()
    assert {each["estimate"] for each in answer["between"]} == {None}
    assert {each["reason"] for each in answer["between"]} == {reason}
    assert note in answer["selection"]["sentence"]
    file = client.get(reverse("export-table", args=[campaign.pk, "agreement"])).content.decode()
    assert reason in file
    assert protocol_of(campaign).why_only_read().startswith("Its values are means over raters")
