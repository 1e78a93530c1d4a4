"""No table that leaves makes a spreadsheet run what somebody wrote, whatever its address.

The addresses of files come from the resolver: a new one has to be put on one of the lists below.
"""

import csv
import io
import re
import zipfile

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.urls import get_resolver, reverse

from judgments.exchange.judgments.importer import import_judgments
from judgments.files.guest_list import Guest
from judgments.models import (
    Answer,
    Campaign,
    Document,
    ErrorSpan,
    Membership,
    Output,
    PostEdit,
    Preference,
    Project,
    Question,
    Rating,
    Reference,
    Segment,
    System,
    TestSet,
)
from judgments.people.invitations.links import invite_many
from judgments.people.staffing.settings import set_staffing
from judgments.quality.decisions.decisions import decide
from judgments.results.selection.selection import Selection
from judgments.web import sections
from metrics.lessons.phrase_tables import linking
from metrics.lessons.phrase_tables.tables import TABLES as TABLES_OF_PHRASES
from metrics.models import MetricScore
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people import tasks as with_people_tasks
from tests import factory
from tests.made_files import made

from ..people import test_links
from ..results import test_answers, test_edits, test_spans
from ..results.test_results import ResultsTestCase

pytestmark = pytest.mark.slow

TABLES = {"export-table", "export-observations", "export-errors", "score-download"}
TABLES |= {
    "invitation-file",
    "project-links-file",
    "project-watch-file",
    "campaign-pay-file",
    "questionnaire-file",
}
TABLES |= {
    "project-file",
    "api-project-table-file",
    "project-metrics-file",
    "campaign-log-file",
    "site-log-file",
    "quality-exclusions-file",
}
TABLES |= {"campaign-judge-worth-file"}  # tests/judgments/results/judges
TABLES |= {"compare-file", "compare-campaigns-file", "metric-references-file", "metric-pairs-file"}
TABLES |= {"api-table-file", "export-archive", "bitext-file", "metric-phrases-file"}
TABLES |= {"reference-file", "lacking-file", "tutorial-file", "rehearsal-file"}
# Pictures, specifications of charts and JSON, which no spreadsheet opens as a table.
NO_TABLES = {
    "campaign-schema",
    "worker",
    "export-file",
    "project-as-file",
    "chart",
    "correlation-chart",
    "api-chart-picture",
    "export-json",
    "compare-campaigns-json",
    *("campaign-judge-answers", "campaign-judge-worth-json"),
    "metric-references-json",
    "metric-pairs-json",
    "bitext-moses",
    "metric-phrases-moses",
    "export-chain",
    "export-release",
    "project-release",
    "signing-key",
    "my-data-file",
    "score-kit-file",
    "project-json",
    # Of their workbooks: tests/judgments/publishing/report/test_writers.py
    *("report-file", "project-report"),
}
STARTS = tuple("=+-@\t\r＝＋－＠")
HOSTILE = '=HYPERLINK("http://x")'
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
GUARDED_NUMBER = re.compile(rf"'{NUMBER.pattern}")


def test_every_address_of_a_file_is_known():
    names = get_resolver().reverse_dict
    routes = {
        name: names.getlist(name)[0][0][0][0]
        for name in names
        if isinstance(name, str) and not name.startswith("admin")
    }
    files = {name for name, route in routes.items() if "." in route}
    assert files == TABLES | NO_TABLES


def assert_harmless(rows, *, at_least=1):
    """No cell is a formula, none that should be a number is a text; some are hostile at all."""
    cells = [cell for row in rows for cell in row]
    for cell in cells:
        assert not cell.startswith(STARTS) or NUMBER.fullmatch(cell), cell
        assert not GUARDED_NUMBER.fullmatch(cell), cell
    assert sum(cell.startswith(("'=", "'-", "'@", "'+")) for cell in cells) >= at_least


def test_the_check_finds_a_formula():
    for bad in ("=1", "-a", "@a", "\tx", "＝1", "'-1.5"):
        with pytest.raises(AssertionError):
            assert_harmless([["a", bad]], at_least=0)
    assert_harmless([["'=1", "-1.5", "2", "a=b"]])
    with pytest.raises(AssertionError):
        assert_harmless([["a"]])


def make_hostile():
    """Return a campaign in which all names and texts written by people begin like a formula;
    systems keep their names."""
    starts = [
        (System, "name", "="), (Segment, "key", "-s"), (Document, "name", "@"),
        (Document, "domain", "+"), (Membership, "alias", "="), (Campaign, "name", "="),
        (TestSet, "name", "-"), (Reference, "name", "+"), (Question, "text", "="),
        (Answer, "text", "-"), (PostEdit, "text", "@"), (Segment, "source", "=1+"),
        (Output, "text", "=1+"),
    ]  # fmt: skip
    with factory.rewriting():
        for model, field, start in starts:
            model.objects.update(**{field: Concat(Value(start), F(field))})
    Membership.objects.filter(role="owner").update(alias=HOSTILE)


class Walk:
    def walk(self, campaign, least):
        decide(campaign, self.annotator_2, excluded=True, reason="=1+1", by=self.owner)
        make_hostile()
        cache.clear()
        self.as_user(self.owner)
        campaign.refresh_from_db()
        slugs = [table.slug for table, _ in sections.tables_of(Selection.of(campaign))]
        self.assertGreaterEqual(len(slugs), least)
        for slug in slugs:
            with self.subTest(table=slug):
                for name, *kind in (("export-table",), ("api-table-file", "csv")):
                    text = self.content(name, campaign, slug, *kind)
                    assert_harmless(csv.reader(io.StringIO(text)), at_least=0)
        text = self.content("export-observations", campaign)
        rows = [line.split("\t") for line in text.splitlines()]
        n_hostile = len(rows) - 1  # a name or a text in each, but for the header
        assert_harmless(rows, at_least=n_hostile)
        # As a spreadsheet reads it, which knows quotation marks in TSV, too.
        assert_harmless(csv.reader(io.StringIO(text), delimiter="\t"), at_least=n_hostile)
        file = self.content("api-table-file", campaign, "observations", "csv")
        assert_harmless(csv.reader(io.StringIO(file)), at_least=n_hostile)
        return text

    def content(self, name, campaign, *args):
        response = self.client.get(reverse(name, args=[campaign.pk, *args]))
        self.assertEqual(response.status_code, 200)
        return response.getvalue().decode()


class RatingsTest(Walk, ResultsTestCase):
    @pytest.mark.proof
    def test_tables_of_ratings_and_of_metrics(self):
        self.judge_everything()
        chosen = [MetricChoice("chrf"), MetricChoice("ter")]
        jobs.work_on(jobs.create_job(self.test_set, chosen, ["ref"]).pk)
        self.walk(self.campaign, 40)
        scores = self.client.get(reverse("score-download", args=[self.test_set.pk]))
        with zipfile.ZipFile(io.BytesIO(scores.content)) as packed:
            index = packed.read("signatures.tsv").decode()
            lines = packed.read(next(n for n in packed.namelist() if n.endswith("sys.score")))
        assert_harmless((line.split("\t") for line in index.splitlines()), at_least=0)
        # The layout of mt-metrics-eval has the names of systems as they are (docs/guide/formats).
        self.assertIn(b"=System-A\t", lines)
        with_people_tasks.run_agreement.call(self.campaign.pk, "page")
        project = Project.objects.create(name="=1+1", slug="year", owner=self.owner)
        project.campaigns.add(self.campaign)
        averages = self.client.get(reverse("project-metrics-file", args=["year"]))
        self.assertEqual(averages.status_code, 200)
        assert_harmless(csv.reader(io.StringIO(averages.content.decode())))
        of_project = ("year", "systems", "project-scores", "csv")
        systems = self.client.get(reverse("project-file", args=of_project)).content.decode()
        assert_harmless(csv.reader(io.StringIO(systems)))
        for name, n in (("metric-references", 5), ("metric-pairs", 4)):
            page = self.client.get(reverse(name, args=[self.test_set.pk]))
            self.assertGreater(len(page.context["files"]), n)
            for table in page.context["files"]:
                address = reverse(f"{name}-file", args=[self.test_set.pk, table.slug])
                text = self.client.get(address).content.decode()
                assert_harmless(csv.reader(io.StringIO(text)), at_least=0)

    def test_tables_of_phrases(self):
        make_hostile()
        Segment.objects.update(source="=1+Haus =Haus")
        Output.objects.update(text="=1+House =House")
        linking.work_on(linking.ask(self.test_set).pk)
        self.as_user(self.owner)
        for table in TABLES_OF_PHRASES:
            address = reverse("metric-phrases-file", args=[self.test_set.pk, table])
            text = self.client.get(f"{address}?show=all&q==1%2B").content.decode()
            rows = list(csv.reader(io.StringIO(text)))
            assert len(rows) > 1, table
            assert_harmless(rows)

    @pytest.mark.proof
    def test_tables_of_an_archive(self):
        self.judge_everything()
        make_hostile()
        self.as_user(self.owner)
        content = made(self.client, reverse("export-archive", args=[self.campaign.pk]))
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            names = [name for name in packed.namelist() if name.endswith(".csv")]
            self.assertGreater(len(names), 20)
            for name in names:
                rows = csv.reader(io.StringIO(packed.read(name).decode()))
                assert_harmless(rows, at_least=0)

    def test_names_of_metrics(self):
        self.judge_everything()
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        MetricScore.objects.update(references=["=ref"])
        Reference.objects.update(name="=ref")
        scores = self.as_user(self.owner).get(reverse("score-download", args=[self.test_set.pk]))
        with zipfile.ZipFile(io.BytesIO(scores.content)) as packed:
            index = packed.read("signatures.tsv").decode()
        assert_harmless(line.split("\t") for line in index.splitlines())

    def test_logs(self):
        for note in (HOSTILE, "-1+1", "@SUM(1)"):
            data = {"invitation-role": "annotator", "invitation-kind": "shared"}
            data |= {"invitation-note": note}
            self.post_as(self.owner, "invitation-new", self.campaign.pk, data=data)
        text = self.content("campaign-log-file", self.campaign)
        assert_harmless(csv.reader(io.StringIO(text)), at_least=0)
        self.assertIn("HYPERLINK", text)
        self.owner.is_superuser, self.owner.username = True, "=1+1"
        self.owner.save()
        self.post_as(self.owner, "campaign-status", self.campaign.pk, data={"status": "paused"})
        text = self.as_user(self.owner).get(reverse("site-log-file")).getvalue().decode()
        assert_harmless(csv.reader(io.StringIO(text)))

    def test_people(self):
        self.judge_everything(self.campaign)
        guest = Guest(HOSTILE, "=x@example.org")
        sheet = invite_many(self.campaign, [guest], by=self.owner)
        pay = {"per": "item", "amount": "1", "currency": "=EUR"}
        set_staffing(self.campaign, {"pay": pay, "questions": [{"name": "q", "label": "Q"}]})
        self.campaign.memberships.update(about={"q": HOSTILE})
        make_hostile()
        self.as_user(self.owner)
        for name, *args in (
            ("invitation-file", sheet),
            ("campaign-pay-file",),
            ("questionnaire-file",),
        ):
            text = self.content(name, self.campaign, *args)
            assert_harmless(csv.reader(io.StringIO(text)), at_least=2)

    @pytest.mark.proof
    def test_comparisons(self):
        self.judge_everything(self.pairwise)
        self.walk(self.pairwise, 10)

    @pytest.mark.proof
    def test_observations_come_back_as_they_went(self):
        """Into an empty campaign of the same texts, with the same names for everything."""
        for campaign, model in ((self.campaign, Rating), (self.pairwise, Preference)):
            self.judge_everything(campaign)
            fields = ("judgment__item__segment__key", "value")
            before = sorted(model.objects.values_list(*fields))
            n = model.objects.count()
            if campaign == self.campaign:
                text = self.walk(campaign, 10)
            else:
                decide(campaign, self.annotator_2, excluded=True, reason="x", by=self.owner)
                self.as_user(self.owner)
                text = self.content("export-observations", campaign)
            self.assertIn("'=annotator-1\t'-s1\t'=System-A\t", text)
            copy = factory.make_campaign(self.test_set, preset=campaign.preset, name="Copy")
            import_judgments(copy, SimpleUploadedFile("observations.tsv", text.encode()))
            found = model.objects.filter(judgment__campaign=copy)
            self.assertEqual(found.count(), n)
            starts = "-s" if campaign == self.campaign else ""
            self.assertEqual(
                sorted(found.values_list(*fields)), [(starts + key, v) for key, v in before]
            )
            aliases = set(copy.memberships.values_list("alias", flat=True))
            self.assertEqual(aliases, {"=annotator-1", "=annotator-2"})


class EditsTest(Walk, test_edits.EditsTestCase):
    @pytest.mark.proof
    def test_tables(self):
        self.walk(self.editing, 3)


class LinksTest(Walk, test_links.LinksTestCase):
    def test_tables(self):
        self.judge_all()
        self.walk(self.linking, 3)


class AnswersTest(Walk, test_answers.AnswersTestCase):
    def test_tables(self):
        self.answer(self.annotator_1, "A", ["", "", "Ada"])
        self.answer(self.annotator_2, "B", ["", "", "Bela"])
        self.walk(self.asking, 4)


class SpansTest(Walk, test_spans.SpansTestCase):
    @pytest.mark.proof
    def test_tables_and_errors(self):
        item = self.spans.tasks.first().items.first()
        judgment = factory.judge(item, {"esa": [50, 60, 70]})
        for shown in item.shown.all():
            ErrorSpan.objects.create(
                judgment=judgment, output=shown.output, start=0, end=9, severity="minor",
                category="=cat",
            )  # fmt: skip
        self.walk(self.spans, 10)
        text = self.content("export-errors", self.spans, "tsv")
        rows = [line.split("\t") for line in text.splitlines()]
        assert_harmless(rows)
        self.assertEqual(rows[1][rows[0].index("text")], "'=1+Source")
