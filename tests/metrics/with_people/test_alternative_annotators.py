"""Whether a metric may replace a person, against SciPy's t test and figures of dense tables."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_1samp, zscore

from judgments.models import Item
from metrics.scores.importing import Instructions, import_scores
from metrics.with_people.alternative_annotators import AnnotatorTestSection
from tests import factory
from tests.base import CastTestCase
from tests.metrics.with_people.studies import page_of

N_SYSTEMS, N_SEGMENTS, N_PEOPLE = 4, 20, 3


def z(values):
    return zscore(values, axis=-1, ddof=1)


class AlternativeAnnotatorTest(CastTestCase):
    """Three people give every output a common level plus their own noise; one metric knows the
    level, the other one is random."""

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.people = [cls.annotator_1, cls.annotator_2, factory.make_user("third-annotator")]
        cls.texts = factory.make_test_set(
            cls.owner, name="Three", n_segments=N_SEGMENTS, n_systems=N_SYSTEMS, n_documents=10
        )
        rng = np.random.default_rng(4)
        shape = N_SEGMENTS, N_SYSTEMS
        level = rng.uniform(1, 5, shape)
        noise = rng.normal(0, 0.8, (N_PEOPLE, *shape))
        cls.scores = (level + noise).round().clip(1, 5)
        cls.three = cls.judged(cls.people)
        cls.metrics = {"Oracle": level, "Lots": rng.uniform(0, 1, shape)}
        for name, values in cls.metrics.items():
            cls.bring(name, values)

    @classmethod
    def judged(cls, people):
        campaign = factory.make_campaign(
            cls.texts, owner=cls.owner, annotators=people, name=f"By {len(people)}"
        )
        for seat, (person, scores) in enumerate(zip(people, cls.scores, strict=False), 1):
            task = factory.make_task(campaign, person, seat=seat)
            for item in Item.objects.filter(task=task).select_related("segment"):
                row = scores[item.segment.position].tolist()
                factory.judge(item, {"adequacy": row, "fluency": row})
        return campaign

    @classmethod
    def bring(cls, name, values):
        systems = cls.texts.systems.order_by("pk").values_list("name", flat=True)
        rows = [
            f"{system}\t{segment + 1}\t{values[segment, k]}\n"
            for k, system in enumerate(systems)
            for segment in range(N_SEGMENTS)
        ]
        with TemporaryDirectory() as folder:
            file = Path(folder) / "scores.tsv"
            file.write_text("system\tsegment\tscore\n" + "".join(rows))
            instructions = Instructions(higher_is_better=True, name=name, references=())
            import_scores(cls.texts, [file], instructions)

    def table(self):
        [section] = AnnotatorTestSection(*self.parts()).sections()
        table = section.table()
        keys = [column.key for column in table.heads]
        return {row[0]: dict(zip(keys, row, strict=True)) for row in table.rows}

    def parts(self, campaign=None):
        page = page_of(campaign or self.three, dimension="adequacy")
        return page.selection, page.chosen.choice, page.board

    def expected(self, judge, people, epsilon):
        """Return ρ and ω of scores (N,) against people (P, N), as in the paper."""
        advantages, p_values = [], []
        for j in range(len(people)):
            others = np.delete(people, j, axis=0)
            far = [np.sqrt(((x - others) ** 2).mean(axis=0)) for x in (judge, people[j])]
            won, lost = far[0] <= far[1], far[1] <= far[0]
            d = lost.astype(float) - won
            advantages.append(won.mean())
            p_values.append(ttest_1samp(d, epsilon, alternative="less").pvalue)
        beaten = false_discovery_control(p_values, method="by") <= 0.05
        return np.mean(advantages), beaten.mean()

    def test_rates_are_those_of_the_paper(self):
        people = z(self.scores.reshape(N_PEOPLE, -1))
        rows = self.table()
        for name, values in self.metrics.items():
            row = next(row for key, row in rows.items() if key.startswith(name))
            for key, epsilon in (("experts", 0.2), ("trained", 0.15), ("crowd", 0.1)):
                rho, omega = self.expected(z(values.ravel()), people, epsilon)
                assert row["rho"] == pytest.approx(rho)
                assert row[f"omega_{key}"] == pytest.approx(omega)
            assert row["rho_low"] < row["rho"] < row["rho_high"]
            assert (row["people"], row["annotations"], row["documents"]) == (3, 240, 10)
        assert (rows["Oracle"]["omega_experts"], rows["Lots"]["omega_experts"]) == (1, 0)
        person = [
            self.expected(people[j], np.delete(people, j, axis=0), 0.15)[0] for j in range(N_PEOPLE)
        ]
        assert rows["One person against the others"]["rho"] == pytest.approx(np.mean(person))

    def test_the_page_and_its_file_say_so(self):
        page = self.get_as(self.owner, "correlation", self.three.pk).content.decode()
        self.assertTrue("May a metric stand for a person?" in page)
        self.assertTrue("Oracle may stand for an expert." in page)

    def test_where_nobody_judged_what_another_did_it_says_what_to_plan(self):
        alone = self.judged(self.people[:1])
        [section] = AnnotatorTestSection(*self.parts(alone)).sections()
        self.assertIn("two annotators", section.missing())

    def test_comparisons_have_none(self):
        page = page_of(self.pairwise)
        found = AnnotatorTestSection(page.selection, page.chosen.choice, page.board)
        self.assertEqual(found.sections(), [])
