"""The page Report, its files, and the command that writes them."""

import io
import re
import zipfile
from dataclasses import replace

import pypdf
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from judgments.models import FigureAddress, Project
from judgments.publishing.report.writers import FORMATS, pdf
from judgments.results.figure_addresses import address_of_figure
from judgments.results.projects.views import REPORT_KINDS
from judgments.results.scores import page as scores_page
from judgments.results.selection.selection import Selection

from ..results.test_results import ResultsTestCase


class ReportPageTest(ResultsTestCase):
    def setUp(self):
        super().setUp()
        self.judge_everything()
        self.as_user(self.owner)

    def page(self, **query):
        response = self.client.get(reverse("report", args=[self.campaign.pk]), query)
        self.assertEqual(response.status_code, 200)
        return response.content.decode()

    def file(self, kind, **query):
        return self.client.get(reverse("report-file", args=[self.campaign.pk, kind]), query)

    def test_the_page_opens_with_what_was_done_and_folds_the_rest(self):
        text = self.page()
        self.assertIn('<h2 id="part-design">What was done</h2>', text)
        self.assertIn('id="folded-scores"', text)
        self.assertNotIn('id="part-scores"', text)
        self.assertIn("<mark>[To add: how they were recruited.]</mark>", text)
        self.assertIn('aria-current="page">Report</a>', text)

    def test_page_and_files_are_for_owners_and_researchers(self):
        for name, *kind in (("report",), ("report-file", "md")):
            self.assert_refused(name, self.campaign.pk, *kind)
            response = self.get_as(self.researcher, name, self.campaign.pk, *kind)
            self.assertEqual(response.status_code, 200, name)

    def test_a_folded_part_comes_alone(self):
        text = self.page(part="scores", fragment="1")
        self.assertNotIn("<html", text)
        self.assertIn("System-A", text)
        text = self.page(part="metrics", fragment="1")
        self.assertIn("Not applicable to this campaign.", text)

    def test_parts_are_asked_for_with_the_selection(self):
        text = self.page(part=["scores", "counts"], without="annotator-2")
        self.assertIn('id="part-scores"', text)
        self.assertIn('id="part-counts"', text)
        self.assertNotIn("folded-", text)
        self.assertIn("1 annotator is left out", text)
        self.assertIn("report.pdf?part=scores&amp;part=counts&amp;without=annotator-2", text)
        self.assertIn('<input type="hidden" name="without" value="annotator-2">', text)

    def test_reports_are_in_english_whoever_reads(self):
        with translation.override("de"):
            address = reverse("report", args=[self.campaign.pk])
            found = self.client.get(address, {"part": "instructions"}, HTTP_ACCEPT_LANGUAGE="de")
        self.assertContains(found, "How do you judge the fluency of this translation?")
        self.assertContains(found, "Flawless English")
        self.assertContains(found, 'lang="en" dir="ltr"')

    def test_a_part_without_content_says_so(self):
        self.assertIn("Nothing in these parts", self.page(part="metrics"))

    def test_columns_are_left_out(self):
        self.assertIn("95\xa0% low", self.file("md", part="scores").content.decode())
        text = self.file("md", part="scores", no_column=["low", "high"]).content.decode()
        self.assertNotIn("95\xa0% low", text)
        self.assertIn("| System | ", text)

    def test_an_unknown_part_is_refused_in_words(self):
        response = self.client.get(reverse("report", args=[self.campaign.pk]), {"part": "x"})
        self.assertContains(response, "There is no part “x”", status_code=400)

    def test_every_format_is_a_file(self):
        for kind, form in FORMATS.items():
            response = self.file(kind, part="scores")
            self.assertEqual(response.status_code, 200, kind)
            self.assertEqual(response["Content-Type"], form.content_type)
            name = f'attachment; filename="small-campaign-report.{kind}"'
            self.assertEqual(response["Content-Disposition"], name)
        self.assertEqual(self.file("doc").status_code, 404)

    def test_the_pdf_holds_the_figures(self):
        found = pypdf.PdfReader(io.BytesIO(self.file("pdf").content))
        text = " ".join(page.extract_text() for page in found.pages)
        for words in ("Small campaign", "System-A", "What was done", "Marie", "5.1 Approval"):
            self.assertIn(words, text)

    def test_a_pdf_that_cannot_be_set_is_said_in_words(self):
        def fail(report):
            raise pdf.CannotSet("too odd")

        whole, pdf_format = FORMATS["pdf"], FORMATS["pdf"]
        FORMATS["pdf"] = type(whole)(pdf_format.name, pdf_format.content_type, fail)
        self.addCleanup(FORMATS.__setitem__, "pdf", whole)
        self.assertContains(self.file("pdf"), "too odd", status_code=400)

    def test_html_has_its_charts_inside(self):
        text = self.file("html", part="scores").content.decode()
        self.assertIn("<svg", text)
        self.assertNotIn("<?xml", text)
        self.assertNotIn("/campaigns/", text)

    def test_under_each_figure_of_a_file_stands_its_link(self):
        with CaptureQueriesContext(connection) as made:
            text = self.file("md", part="scores").content.decode()
        stored = [query["sql"] for query in made if "INSERT" in query["sql"]]
        self.assertEqual(len(stored), 1)
        codes = re.findall(r"<http://testserver/f/([a-z2-7]{10})/>", text)
        grids = text.count("\n| ---")
        self.assertGreater(grids, 1)
        self.assertEqual(len(codes), grids + text.count("in the report as HTML or PDF"))
        self.assertEqual(set(codes), set(FigureAddress.objects.values_list("pk", flat=True)))
        selection = replace(Selection.of(self.campaign), site="http://testserver")
        table = next(s for s in scores_page.sections(selection) if s.tables).tables[0]
        # The same as in the file of that table.
        self.assertIn(address_of_figure(selection, slug=table.slug), text)
        response = self.client.get(reverse("figure", args=[codes[0]]))
        self.assertEqual(response.status_code, 302)
        self.assertIn("#section-scores-", response["Location"])
        for kind in ("html", "tex", "xlsx", "pdf"):
            content = self.file(kind, part="scores").content
            if kind == "pdf":
                found = pypdf.PdfReader(io.BytesIO(content)).pages
                content = "".join(page.extract_text() for page in found).encode()
            elif kind == "xlsx":
                with zipfile.ZipFile(io.BytesIO(content)) as book:
                    content = b"".join(map(book.read, book.namelist()))
            for code in codes:
                self.assertIn(f"/f/{code}/".encode(), content, kind)

    def test_the_page_leads_to_the_pages_of_its_figures_and_stores_nothing(self):
        text = self.page(part="scores")
        section = next(s for s in scores_page.sections(Selection.of(self.campaign)) if s.tables)
        page = reverse("scores", args=[self.campaign.pk])
        self.assertIn(f'href="{page}#section-{section.slug}">On its page', text)
        self.assertFalse(FigureAddress.objects.exists())

    def test_a_project_has_its_own_tables_and_those_of_a_findings_paper(self):
        self.judge_everything(self.pairwise)
        project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        project.campaigns.add(self.campaign, self.pairwise)
        for kind in FORMATS:
            response = self.client.get(reverse("project-report", args=["year", kind]))
            self.assertEqual(response.status_code, 200, kind)
        text = self.client.get(reverse("project-report", args=["year", "md"])).content.decode()
        for words in ("# Year", "Small campaign", "Pairwise campaign", "**Counts**"):
            self.assertIn(words, text)
        self.assertIn("**Agreement**", text)
        self.assertIn("Systems by language pair", text)
        self.assertEqual(tuple(FORMATS), REPORT_KINDS)

    def test_a_project_without_campaigns_has_no_report(self):
        Project.objects.create(name="Year", slug="year", owner=self.owner)
        for args in (["year", "md"], ["other", "md"]):
            response = self.client.get(reverse("project-report", args=args))
            self.assertEqual(response.status_code, 404)


def run(*arguments, **options):
    output = io.StringIO()
    call_command("report", *map(str, arguments), stdout=output, stderr=output, **options)
    return output.getvalue()


class CommandTest(ResultsTestCase):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.to = tmp_path / "out"

    def test_one_campaign_in_every_format(self):
        self.judge_everything()
        output = run(self.campaign.pk, "--to", self.to)
        names = {path.name for path in self.to.iterdir()}
        self.assertEqual(names, {f"{self.campaign.pk}-small-campaign.{kind}" for kind in FORMATS})
        self.assertIn(str(self.to), output)
        self.assertEqual([path.name for path in self.to.parent.iterdir()], ["out"])
        with pytest.raises(CommandError, match="not empty"):
            run(self.campaign.pk, "--to", self.to)

    def test_links_are_whole_where_the_site_has_an_address(self):
        self.judge_everything()
        for site, start in (
            ("", r"\. /f/"),
            ("https://eval.example.org/", "<https://eval.example.org/f/"),
        ):
            with self.settings(SITE_ADDRESS=site):
                to = self.to / str(len(site))
                run(self.campaign.pk, "--to", to, "--formats", "md")
            (file,) = to.iterdir()
            self.assertRegex(file.read_text(), start)

    def test_a_project_has_a_report_beside_those_of_its_campaigns(self):
        self.judge_everything()
        self.judge_everything(self.pairwise)
        project = Project.objects.create(name="Year", slug="year", owner=self.owner)
        with pytest.raises(CommandError, match="has no campaigns"):
            run("--project", "year", "--to", self.to)
        project.campaigns.add(self.campaign, self.pairwise)
        run("--project", "year", "--to", self.to, "--formats", "tex,md")
        names = {path.name for path in self.to.iterdir()}
        self.assertEqual(len(names), 6)
        self.assertIn("year.tex", names)

    def test_what_is_wrong_is_said_and_nothing_is_written(self):
        with pytest.raises(CommandError, match="no format “doc”"):
            run(self.campaign.pk, "--to", self.to, "--formats", "doc")
        with pytest.raises(CommandError, match="no campaign 0"):
            run(0, "--to", self.to)
        with pytest.raises(CommandError, match="Name a campaign"):
            run("--to", self.to)
        with pytest.raises(CommandError, match="no project"):
            run("--project", "none", "--to", self.to)
        self.assertFalse(self.to.exists())

    def test_a_writer_that_fails_leaves_nothing_behind(self):
        def fail(report):
            raise pdf.CannotSet("too odd")

        whole = FORMATS["xlsx"]
        FORMATS["xlsx"] = type(whole)(whole.name, whole.content_type, fail)
        self.addCleanup(FORMATS.__setitem__, "xlsx", whole)
        with pytest.raises(CommandError, match="Nothing was written"):
            run(self.campaign.pk, "--to", self.to, "--formats", "md,xlsx")
        self.assertEqual(list(self.to.parent.iterdir()), [])
