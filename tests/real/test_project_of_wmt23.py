"""WMT23 English–German as a project: the figures of docs/guide/projects.md.

Expected: SciPy's coefficients of the published scores of systems, read from the release's files.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from scipy import stats

from judgments.models import Campaign, Project
from judgments.results.projects.figures import ProjectResults
from judgments.results.projects.protocols import protocol_pairs
from judgments.web.tables import figure
from tests.releases import bring
from tests.shared import shared_data
from tests.wmt23_folder import lines_of

pytestmark = [pytest.mark.proof, pytest.mark.django_db]


def import_two_protocols(_folder):
    written = bring([shared_data("10_as_released", "wmt23.en-de.tar.gz")])
    return next(each for each, _ in written.campaigns if each.name == "wmt23 en-de mqm")


@pytest.fixture
def results(imported):
    shared_data("10_as_released", "wmt23.en-de.tar.gz")
    mqm = imported(import_two_protocols)
    campaigns = Campaign.objects.filter(test_set=mqm.test_set_id)
    owner = campaigns[0].test_set.owner
    project = Project.objects.create(name="WMT23", slug="wmt23", owner=owner)
    project.campaigns.set(campaigns)
    owner.is_superuser = True
    return ProjectResults.of(owner, project)


def published(name):
    rows = (line.split("\t") for line in lines_of(f"human-scores/en-de.{name}.sys.score"))
    return {system: float(score) for system, score in rows if score != "None"}


def test_protocols_agree_as_published_scores_do(results):
    mqm, sqm = published("mqm"), published("da-sqm")
    names = sorted(mqm.keys() & sqm.keys())
    x, y = ([scores[name] for name in names] for scores in (mqm, sqm))
    (found,) = protocol_pairs(results)
    assert sorted(found.names) == names
    for name, of in (
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall", stats.kendalltau),
    ):
        assert found.systems[name].estimate == pytest.approx(of(x, y).statistic, abs=1e-6)
    order = np.sign(np.subtract.outer(x, x)) == np.sign(np.subtract.outer(y, y))
    assert found.accuracy.n_correct == np.triu(order, 1).sum()


def test_the_guide_says_these_figures(results):
    text = re.sub(r"\s+", " ", Path(settings.BASE_DIR, "docs/guide/projects.md").read_text())
    (found,) = protocol_pairs(results)
    said = [figure(found.systems[name].estimate, 2) for name in ("pearson", "spearman", "kendall")]
    assert "Pearson {}, Spearman {}, Kendall's τ-b {}".format(*said) in text
    assert f"{found.accuracy.n_correct} of {found.accuracy.n_pairs} pairs in the same order" in text
    outputs = [figure(found.outputs[name].estimate, 2) for name in ("pearson", "kendall")]
    assert "Pearson is {} and τ-b {}".format(*outputs) in text
    costs = {each.selections[0].campaign.name: each.cost for each in results.columns}
    mqm, sqm = costs["wmt23 en-de mqm"], costs["wmt23 en-de da-sqm"]
    each = [round(cost.judgments_per_decision) for cost in (mqm, sqm)]
    said_of_mqm = f"MQM separates {mqm.decided} of {mqm.pairs} pairs with {each[0]}"
    said_of_sqm = f"judgments for each, DA+SQM {sqm.decided} with {each[1]}"
    assert f"{said_of_mqm} {said_of_sqm}" in text
