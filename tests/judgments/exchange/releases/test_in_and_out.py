"""A release through the database: in, out, and in again."""

from collections import Counter
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from judgments.exchange.releases import out, registry
from judgments.exchange.releases.records import Problems
from judgments.exchange.releases.writing import write
from judgments.files.uploads import Folder, opened
from judgments.results.recomputation.figures import SAME, recomputed
from judgments.results.selection.selection import Selection
from tests.shared import shared_data

from .test_mt_metrics_eval import lines_of

pytestmark = pytest.mark.django_db


def imported_from(*paths: Path, **answers: str):
    owner, _ = get_user_model().objects.get_or_create(username="owner", is_staff=True)
    problems = Problems()
    with opened(paths) as files:
        return write(registry.read(files, answers, problems), owner, problems)


@pytest.mark.proof
def test_wmt23(tmp_path):
    """Every published figure, and the same lines out again."""
    archive = shared_data("10_as_released", "wmt23.en-de.tar.gz")
    written = imported_from(archive)
    campaigns = {campaign.name: campaign for campaign, _ in written.campaigns}
    mqm, sqm = campaigns["wmt23 en-de mqm"], campaigns["wmt23 en-de da-sqm"]
    for campaign in (mqm, sqm):
        rows = recomputed(Selection.of(campaign))
        assert len(rows) == 65
        assert {row.verdict for row in rows} <= {SAME, "floats"}
    out.write([mqm, sqm], "mt-metrics-eval", Folder(tmp_path))
    written_lines = lines_of(tmp_path)
    with opened([archive]) as files:
        for file in files:
            lines = Counter(file.place.read_text("utf-8").split("\n"))
            assert written_lines.pop(file.path) == lines, file.path
    assert not written_lines
