"""The metric scores of WMT23 English–German as they were released: in, on the pages, and out.

Expected: the files themselves; shared/data's accuracy and Pearson correlation of every metric over
the 12 MT systems; scipy's coefficients of the files' numbers; sacreBLEU's figures, which are those
of the release.
"""

import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from django.urls import reverse
from scipy import stats

from judgments.exchange.releases import out
from judgments.files.uploads import Folder
from judgments.models import Role, TestSet
from judgments.results.recomputation.figures import of_metrics
from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.models import MetricScore
from metrics.scores import exports
from metrics.scores import tasks as scores_tasks
from metrics.scores.importing.release import import_release_scores
from metrics.scores.recomputation import recomputed_scores
from metrics.scores.tables import score_table
from metrics.with_people import tasks as with_people_tasks
from tests.releases import bring
from tests.shared import read_tsv, shared_data
from tests.wmt23_folder import lines_of, released

pytestmark = [pytest.mark.proof, pytest.mark.django_db]


def import_wmt23_release(_folder):
    """The campaign of people's MQM scores, with the scores of all 45 metrics."""
    written = bring([shared_data("10_as_released", "wmt23.en-de.tar.gz")])
    assert "45 metrics with 606 scores of systems." in written.remarks
    return next(each for each, _ in written.campaigns if each.name == "wmt23 en-de mqm")


@pytest.fixture(scope="module")
def campaign(imported):
    shared_data("10_as_released", "wmt23.en-de.tar.gz")
    return imported(import_wmt23_release)


@pytest.fixture
def test_set(campaign):
    return TestSet.objects.get(pk=campaign.test_set_id)


@pytest.fixture
def year(campaign, test_set):
    """The year's figures of every metric, by its name."""
    board = agreement.board_of(test_set)
    found = agreement.year_averages(Selection.of(campaign), board)
    table = agreement.year_table(found, test_set, board)
    keys = [column.key for column in table.heads]
    return {row[0]: dict(zip(keys, row, strict=True)) for row in table.rows}


def numbers(path: str) -> dict[str, np.ndarray]:
    """Scores by system, NaN where there is none."""
    found = defaultdict(list)
    for line in lines_of(path):
        system, score = line.split("\t")
        found[system].append(float("nan") if score == "None" else float(score))
    return {system: np.array(values) for system, values in found.items()}


def test_every_file_goes_out_as_it_came(test_set):
    """Byte for byte, but for the order of lines; and no other file."""
    files: dict[str, str] = {}
    exports.write_metric_scores(test_set, files.__setitem__)
    came = {file.path.removeprefix("wmt23/"): file for file in released("metric-scores/en-de")}
    assert len(came) == 133
    assert files.keys() == came.keys()
    for name, text in files.items():
        assert sorted(text.encode().splitlines(True)) == sorted(came[name].readlines()), name


def test_all_levels_of_a_metric_are_one_score(test_set):
    assert test_set.metric_scores.count() == 606
    score = MetricScore.objects.get(options__name="BLEU", system__name="AIRC")
    assert score.score == 26.481713198759184 and score.levels["system"] == "26.481713198759184"
    assert score.levels["domain"]["social"] == "31.437378345266236"
    assert score.references == ["refA"] and score.n_segments == 557
    assert not any(
        score.options["higher_is_better"] is False for score in MetricScore.objects.all()
    )


def test_references_that_are_systems_have_their_scores(test_set):
    gemba = MetricScore.objects.filter(options__name="GEMBA-MQM").values_list("system__name")
    assert {"refA", "synthetic_ref"} <= {name for (name,) in gemba} and len(gemba) == 14


def test_accuracy_and_pearson_of_the_year(year):
    expected = {
        row["metric"]: (row["pairwise_accuracy"], row["pearson"])
        for row in read_tsv(
            shared_data("03_mqm_esa_wmt23_en-de", "expected_metric_agreement.en-de.tsv")
        )
    }
    found = {
        name: (f"{row['accuracy']:.4f}", f"{row['system_pearson']:.4f}")
        for name, row in year.items()
    }
    assert len(expected) == 45 and found == expected


@pytest.mark.parametrize("metric", ["COMET-refA", "GEMBA-MQM-src", "chrF-refA"])
def test_segments_of_the_year_against_scipy(year, metric):
    """Over all outputs of MT systems, those of human translators left out."""
    human = numbers("human-scores/en-de.mqm.seg.score")
    scores = numbers(f"metric-scores/en-de/{metric}.seg.score")
    systems = sorted(set(human) - {"refA", "synthetic_ref"})
    assert len(systems) == 12
    gold = np.concatenate([human[system] for system in systems])
    judged = ~np.isnan(gold)
    ours = np.concatenate([scores[system] for system in systems])[judged]
    row = year[metric.rpartition("-")[0]]
    assert row["segment_pearson"] == pytest.approx(stats.pearsonr(gold[judged], ours).statistic)
    parts = row["accuracy"], (row["system_pearson"] + 1) / 2, (row["segment_pearson"] + 1) / 2
    assert row["wmt23"] == pytest.approx((sum(parts) + row["acc_eq"]) / 4)


def test_metrics_without_segments_have_no_average_and_come_last(year):
    assert list(year)[-2:] == ["slide", "HuaweiTSC_EE_Metric"]
    assert np.isnan(year["slide"]["wmt23"]) and year["slide"]["accuracy"] > 0.9


def test_the_site_has_the_figures_of_bleu_and_chrf(test_set):
    """Systems, domains and every segment, with sacreBLEU's defaults; the third metric of ours needs
    a tokenizer's model."""
    rows = [row for row in recomputed_scores(test_set) if not row.figure.startswith("f200")]
    assert Counter(row.figure for row in rows) == {
        f"{metric} of {what}": n
        for metric in ("BLEU", "chrF")
        for what, n in {"a system": 13, "a domain": 52, "segments": 13}.items()
    }
    assert {row.verdict for row in rows} <= {"same", "floats"}
    for row in rows:
        assert float(row.own) == pytest.approx(float(row.published), rel=1e-12, abs=1e-12)


def test_a_folder_of_mt_metrics_eval_has_the_scores(campaign, tmp_path):
    out.write([campaign], "mt-metrics-eval", Folder(tmp_path))
    for file in released("metric-scores/en-de"):
        written = (tmp_path / file.path).read_bytes()
        assert sorted(written.splitlines(True)) == sorted(file.readlines()), file.name


def test_the_page_of_the_campaign_opens_with_the_year(campaign, client):
    client.force_login(campaign.members.get(memberships__role=Role.OWNER))
    page = client.get(reverse("correlation", args=[campaign.pk])).content.decode()
    titles = re.findall(r"<h3>(.*?)</h3>", page)
    assert titles[0] == "As WMT23, en-de alone"
    assert "Highest on average, as WMT23 averaged: MetricX-23-QE-b (.8" in page
    assert "given refA or no reference. Human translations do not count as systems." in page


def test_the_page_of_the_test_set_has_it_too_once_a_worker_was_there(campaign, test_set, client):
    client.force_login(campaign.members.get(memberships__role=Role.OWNER))
    address = reverse("test-set-metrics", args=[test_set.pk])
    with_people_tasks.enqueue_figures(test_set.pk)
    assert with_people_tasks.is_year_coming(campaign.pk)
    assert scores_tasks.are_comparisons_coming(test_set.pk, "segment")
    with_people_tasks.run_year.func(campaign.pk)
    page = client.get(address).content.decode()
    assert '<h2 id="year-title">As WMT23, en-de alone</h2>' in page
    section = page[page.index('id="year"') : page.index("whose page has intervals")]
    assert section.count("<tr>") == 46
    assert reverse("correlation", args=[campaign.pk]) in section


def test_domains_stand_on_the_page_of_a_metric(campaign, test_set, client):
    client.force_login(campaign.members.get(memberships__role=Role.OWNER))
    column = next(c for c in score_table(test_set).columns if c.label == "BLEU")
    page = client.get(reverse("metric-column", args=[test_set.pk, column.slug])).content.decode()
    table = page[page.index('id="domain-table"') :]
    heads = re.findall(r'<th scope="col" class="num">(.*?)</th>', table)[:4]
    assert heads == ["news", "social", "speech", "user_review"]
    assert '<th scope="row">AIRC</th><td class="num">28.04</td><td class="num">31.44</td>' in table


def test_a_release_comes_in_once(test_set):
    from judgments.files import ImportProblem

    with pytest.raises(ImportProblem, match="already scores of “BLEU”"):
        import_release_scores(
            test_set, [f for f in released("metric-scores/en-de") if f.name.startswith("BLEU-")]
        )


def test_recompute_says_the_same(campaign):
    """BLEU and chrF come out with every digit; f200spBLEU's tokenizer may not be there."""
    rows = of_metrics(campaign.test_set)
    assert len(rows) == 169
    ours = [row for row in rows if not row.figure.startswith("f200spBLEU")]
    assert len(ours) == 156
    assert {row.verdict for row in ours} <= {"same", "floats"}
