"""The guide that answers research questions with addresses: each of them is there."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice

from .test_results import ResultsTestCase

GUIDE = Path(settings.BASE_DIR) / "docs/guide/research-questions.md"
ADDRESS = re.compile(r"`(/[^`]*)`")
OF_ERRORS = "/errors/"  # of campaigns in which errors are marked


def addresses() -> list[str]:
    return ADDRESS.findall(GUIDE.read_text())


def test_every_question_has_addresses():
    questions = re.split(r"\n## ", GUIDE.read_text())[1:]
    assert len(questions) == 6
    for question in questions:
        assert len(ADDRESS.findall(question)) >= 3, question.splitlines()[0]


@pytest.mark.slow
class AddressesTest(ResultsTestCase):
    @pytest.mark.proof
    def test_every_address_answers(self):
        self.judge_everything()
        self.test_set.documents.update(domain="news")
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        self.as_user(self.researcher)
        walked = [each for each in addresses() if OF_ERRORS not in each]
        self.assertGreater(len(walked), 20)
        for address in walked:
            with self.subTest(address=address):
                path = address.replace("/N/", f"/{self.campaign.pk}/").replace(
                    "NAME", "annotator-1"
                )
                path = path.replace("domain=annotator-1", "domain=news")
                path = path.replace("campaign=N", f"campaign={self.campaign.pk}")
                path = path.replace("/T/", f"/{self.test_set.pk}/")
                path, _, section = path.partition("#")
                response = self.client.get(path)
                self.assertEqual(response.status_code, 200)
                if section:
                    self.assertContains(response, f'id="{section}"')
