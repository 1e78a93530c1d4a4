"""How literally systems and references translate, and whether metrics prefer that."""

import dataclasses
from math import isnan

import numpy as np
import pytest
from scipy.stats import pearsonr

from judgments.models import AlignerRun, AlignmentLink, JobStatus, LinkPurpose, Output, OutputLinks
from judgments.results.selection.selection import Selection
from metrics import with_people as agreement
from metrics.lessons.phrase_tables import linking
from metrics.lessons.phrase_tables.sides import TranslationSide
from metrics.lessons.phrase_tables.storage import from_data
from metrics.models import LinkedTexts
from metrics.with_people.literalness import tables
from metrics.with_people.literalness.figures import (
    literal_metrics,
    literalness,
    side_crossings,
)
from metrics.with_people.literalness.links import (
    CrossedLinks,
    ends_of,
    has_links,
    links_of_campaign,
    links_of_test_set,
)
from tests import factory

from .test_correlation import Judged
from .test_metric_reports import study_of

S, N = 6, 30


@pytest.fixture
def study():
    rng = np.random.default_rng(11)
    human, scores = rng.normal(size=(2, S, N))
    human[0, :5] = np.nan
    made = study_of(9)
    return dataclasses.replace(
        made,
        systems=tuple("ABCDEF"),
        system_ids=np.arange(S),
        human_systems=np.zeros(S),
        human=human,
        metric_systems=np.zeros((1, S)),
        segments=scores[None],
    )


def test_the_preference_is_the_mean_of_scipys_r_by_segment(study):
    literal = np.random.default_rng(2).random((S, N))
    literal[1, 3] = np.nan
    (row,) = literal_metrics(study, literal)
    there = ~(np.isnan(study.human) | np.isnan(literal))
    human, scores = (
        (each - each[there].mean()) / each[there].std() for each in (study.human, study.segments[0])
    )
    expected = {"more": [], "metric": [], "people": []}
    for k in range(N):
        own = there[:, k]
        for name, values in (("more", scores - human), ("metric", scores), ("people", human)):
            expected[name].append(pearsonr(literal[own, k], values[own, k]).statistic)
    assert row.preference.estimate == pytest.approx(np.mean(expected["more"]))
    assert row.with_metric == pytest.approx(np.mean(expected["metric"]))
    assert row.with_people == pytest.approx(np.mean(expected["people"]))
    assert row.preference.n == N
    assert row.preference.low < row.preference.estimate < row.preference.high


def test_a_metric_that_adds_literalness_to_people_prefers_it(study):
    literal = np.random.default_rng(2).random((S, N))
    biased = dataclasses.replace(study, segments=(study.human + 3 * literal)[None])
    (row,) = literal_metrics(biased, literal)
    assert row.preference.low > 0
    (row,) = literal_metrics(dataclasses.replace(study, segments=study.human[None]), literal)
    assert isnan(row.preference.estimate)  # the difference is 0 everywhere
    assert row.preference.reason


def test_without_links_there_is_no_figure_but_a_reason(study):
    (row,) = literal_metrics(study, np.full((S, N), np.nan))
    assert isnan(row.preference.estimate)
    assert "no segment" in row.preference.reason


def test_the_share_of_a_translation_is_of_all_its_pairs():
    sides = (TranslationSide("A", "system", 1), TranslationSide("B", "system", 2))
    sides += (TranslationSide("ref", "reference"),)
    crossing = np.array([[1, 0, 3], [0, 0, 0], [2, 2, 2]])
    pairs = np.array([[10, 0, 10], [0, 0, 0], [10, 10, 10]])
    found = CrossedLinks("texts", sides, np.arange(3), crossing, pairs)
    rows = side_crossings(found, np.arange(3))
    assert [(row.name, row.share, row.n) for row in rows[:2]] == [("A", 0.2, 2), ("ref", 0.2, 3)]
    assert rows[2].reason
    assert isnan(rows[2].share)
    assert np.isnan(found.shares[0, 1])
    assert tables.crossings_lead(found, rows[2:]) == str(tables.NO_LINKS)


def test_links_are_read_as_places():
    assert ends_of("0-0 1-12 3-2").tolist() == [[0, 0], [1, 12], [3, 2]]
    assert ends_of("").shape == (0, 2)


class LinkedTest(Judged):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.compute("chrf", "bleu")
        cls.selection = Selection.of(cls.campaign)

    def section(self):
        page = self.page().context["page"]
        return next(each for each in page.sections() if each.slug == "metric-literalness")

    def drawn(self, purpose, **links):
        """Return the aligner's links of the outputs of systems, by the last letter of their
        names."""
        run = AlignerRun.objects.create(
            campaign=self.campaign, purpose=purpose, status=JobStatus.DONE
        )
        for output in Output.objects.filter(segment__test_set=self.test_set):
            written = links[output.system.name[-1]]
            OutputLinks.objects.create(run=run, output=output, method="m x", links=written)
        return run

    def test_without_links_it_says_how_to_get_them(self):
        self.assertFalse(has_links(self.selection))
        self.assertContains(self.page(), "Whether metrics prefer them takes links of words")
        response = self.get_as(self.researcher, "metric-references", self.test_set.pk)
        self.assertContains(response, "No words are linked yet")

    def test_links_of_the_test_set_are_of_references_too(self):
        linking.work_on(linking.ask(self.test_set).pk)
        found = links_of_test_set(self.test_set)
        self.assertEqual([side.kind for side in found.sides], ["system"] * 3 + ["reference"])
        self.assertEqual(found.n_pairs.shape, (4, self.test_set.segments.count()))
        response = self.get_as(self.researcher, "metric-references", self.test_set.pk)
        section = next(s for s in response.context["sections"] if s.slug == "literalness")
        rows = section.tables[0].make().rows
        self.assertEqual({row[1] for row in rows}, {"system", "reference"})
        file = self.get_as(
            self.researcher, "metric-references-file", self.test_set.pk, "literalness"
        )
        self.assertIn("ref", file.content.decode())
        Output.objects.filter(segment__test_set=self.test_set).update(text="other words")
        self.assertTrue(links_of_test_set(self.test_set).is_stale)
        LinkedTexts.objects.update(n_segments=1)  # segments were added since
        self.assertIsNone(links_of_test_set(self.test_set))

    def test_counts_of_the_test_set_are_those_of_its_links(self):
        """Counted from the source of phrase tables, pair by pair."""
        linking.work_on(linking.ask(self.test_set).pk)
        found = links_of_test_set(self.test_set)
        sides = from_data(LinkedTexts.objects.get(test_set=self.test_set).data).sides
        for side in range(len(found.sides)):
            for segment, links in enumerate(sides.bitext_of(side)[2]):
                pairs = [
                    (j - b) * (k - c) > 0 for j, k in links for b, c in links if j < b and k != c
                ]
                self.assertEqual(found.n_pairs[side, segment], len(pairs))
                self.assertEqual(found.n_crossing[side, segment], len(pairs) - sum(pairs))

    def test_a_campaigns_aligner_comes_before_the_test_set(self):
        linking.work_on(linking.ask(self.test_set).pk)
        self.assertEqual(links_of_campaign(self.selection).origin, "texts")
        self.drawn(LinkPurpose.READING, A="0-0 1-1 2-2", B="0-2 1-1 2-0", C="0-1 1-0 2-2")
        found = links_of_campaign(self.selection)
        self.assertEqual(found.origin, "aligner")
        names = [side.name for side in found.sides]
        self.assertEqual(names, ["System-A", "System-B", "System-C"])
        np.testing.assert_allclose(found.shares[:, 0], [0, 1, 1 / 3])

    def test_whether_metrics_prefer_literal_outputs_is_a_section_with_a_table(self):
        self.drawn(LinkPurpose.READING, A="0-0 1-1 2-2", B="0-2 1-1 2-0", C="0-1 1-0 2-2")
        self.assertContains(self.page(), "Metrics and literal outputs")
        section = self.section()
        rows = {row[0]: row for row in section.table().rows}
        self.assertLessEqual({"BLEU", "chrF"}, set(rows))
        board = agreement.board_of(self.test_set)
        choice = section_choice(self)
        found = literalness(self.selection, choice, board)
        self.assertEqual(found.origin, "aligner")
        value = rows["BLEU"][3]
        self.assertTrue(-1 <= value <= 1)
        # Three systems: a figure, and no interval.
        self.assertTrue(isnan(rows["BLEU"][4]))
        self.assertEqual(rows["BLEU"][-1], "too few systems for an interval")
        self.assertIn("No metric is shown", section.sentence())


def section_choice(test):
    return test.page().context["page"].chosen.choice


class PeoplesLinksTest(Judged):
    def test_links_that_people_drew_come_first(self):
        campaign = factory.make_campaign(
            self.test_set,
            preset="word-alignment",
            name="Links",
            owner=self.owner,
            annotators=[self.annotator_1],
        )
        task = factory.make_task(campaign, self.annotator_1, seat=1)
        item = task.items.first()
        judgment, output = factory.judge(item, {}), item.shown.get(position=0).output
        for source, target in ((0, 1), (1, 0), (2, 2)):
            AlignmentLink.objects.create(
                judgment=judgment, output=output, source_token=source, target_token=target
            )
        found = links_of_campaign(Selection.of(campaign))
        self.assertEqual(found.origin, "people")
        self.assertEqual((found.n_crossing.sum(), found.n_pairs.sum()), (1, 3))
