"""Stated properties of metrics next to measurements, by level and by type of text."""

import dataclasses
from math import isnan

import numpy as np
import pytest
from scipy.stats import pearsonr

from judgments.models import Document
from metrics.with_people.card_figures import (
    MOST_DOMAINS,
    part_agreement_of,
    stated_notes,
)

from .test_correlation import Judged
from .test_metric_reports import study_of

N = 30
DOCUMENTS = [k // 5 for k in range(N)]
DOMAINS = ["news"] * 12 + ["manuals"] * 12 + [""] * 6


def by_item(human, scores):
    return np.mean([pearsonr(h, s).statistic for h, s in zip(human.T, scores.T, strict=True)])


def test_documents_and_domains_are_scipys_r_by_item():
    study = study_of(N)
    found = part_agreement_of(study, DOCUMENTS, DOMAINS)
    human, scores = study.human, study.segments[0]
    means = (each.reshape(4, 6, 5).mean(axis=2) for each in (human, scores))
    documents = found.documents["m"]
    assert documents.estimate == pytest.approx(by_item(*means))
    assert documents.n == 6
    assert documents.low < documents.estimate < documents.high
    assert list(found.domains) == ["manuals", "news"]
    news = found.domains["news"]["m"]
    assert news.estimate == pytest.approx(by_item(human[:, :12], scores[:, :12]))
    assert news.n == 12


def test_what_was_not_judged_counts_on_neither_side():
    study = study_of(N)
    human = study.human.copy()
    human[0, 0] = np.nan
    changed = study.segments.copy()
    changed[0, 0, 0] = 1e6  # of an output that nobody judged
    same = [
        part_agreement_of(
            dataclasses.replace(study, human=human, segments=segments), DOCUMENTS, DOMAINS
        )
        .documents["m"]
        .estimate
        for segments in (study.segments, changed)
    ]
    assert same[0] == same[1]


def test_of_two_systems_there_is_none_and_a_reason():
    study = study_of(N)
    few = dataclasses.replace(study, human=study.human[:2], segments=study.segments[:, :2])
    found = part_agreement_of(few, DOCUMENTS, DOMAINS)
    assert isnan(found.documents["m"].estimate)
    assert found.documents["m"].reason


def test_of_many_domains_the_largest_are_shown():
    domains = [f"d{k % 15}" for k in range(N)]
    found = part_agreement_of(study_of(N), DOCUMENTS, domains)
    assert len(found.domains) == MOST_DOMAINS
    assert found.n_more == 15 - MOST_DOMAINS
    assert any("8 largest" in note for note in stated_notes(found))
    nothing = part_agreement_of(study_of(N), DOCUMENTS, [""] * N)
    assert any("No document states its domain" in note for note in stated_notes(nothing))


class StatedTest(Judged):
    def test_statements_stand_beside_figures_of_the_other_sections(self):
        Document.objects.filter(test_set=self.test_set).update(domain="news")
        self.compute("bleu", "waft")
        page = self.page(over="judged").context["page"]
        section = next(each for each in page.sections() if each.slug == "metric-stated")
        table = section.table()
        keys = [column.key for column in table.heads]
        rows = {row[0]: dict(zip(keys, row, strict=True)) for row in table.rows}
        self.assertEqual((rows["BLEU"]["segment"], rows["WAFT"]["segment"]), ("no", "yes"))
        for level, found in (("system", page.systems), ("segment", page.segments)):
            for row in found.rows:
                if row.metric.metric == "bleu":
                    self.assertEqual(
                        str(rows["BLEU"][f"{level}_r"]), str(row.figures["pearson"].estimate)
                    )
        self.assertIn("news, r by item", [column.heading for column in table.heads])
        self.assertEqual(
            str(rows["BLEU"]["domain_0"]), str(rows["BLEU"]["segment_r"])
        )  # all of them are news
        self.assertIn(
            "Closest to people here: WAFT over systems, WAFT over documents", section.sentence()
        )
