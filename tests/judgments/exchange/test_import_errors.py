"""Marked errors come in from a table: the one that the export writes, or another's."""

import csv
import io

import pytest
from django.core.management import call_command
from django.urls import reverse

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.importer import import_judgments
from judgments.files import ImportProblem
from judgments.models import ErrorSpan, Item, Judgment, Output, Rating
from judgments.protocols import PRESETS, PROTOCOLS, RELEASED, protocol_of
from judgments.results.agreement import marks as agreement_marks
from judgments.results.errors import figures as errors
from judgments.results.errors import files
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

from ..files.files import upload
from ..results.test_spans import SpansTestCase, mark

HEAD = "annotator\tsegment\tsystem\tside\tstart\tend\ttext\tseverity\tcategory\n"
TEXT = "Source text number 1 here"  # of System-A for segment 1


def rows_of(selection):
    return [dict(zip(files.COLUMNS, row, strict=True)) for row in files.rows(selection)]


class RoundTripTest(SpansTestCase):
    preset = "esa"

    def setUp(self):
        twin = self.output(system="System-B")
        twin.text = self.output(system="System-A").text
        twin.save()
        one = [mark(0, 6), mark(7, 11, "major"), mark(0, 0, "major", side="missing")]
        self.answer(self.annotator_1, self.answers(one, [], score=40))
        self.answer(self.annotator_2, self.answers([], [mark(2, 3)], score=90))
        self.answer(self.annotator_1, self.answers([], [mark(1, 4)], [], score=70), number=2)

    def test_out_and_in_again(self):
        before = Selection.of(self.spans)
        text = "".join(files.tsv_lines(before))
        copy = new_campaign(
            *(self.test_set, self.owner, "Copy", "esa"),
            outputs_per_item=3,
        )
        added = import_judgments(copy, upload("errors.tsv", text.encode()))
        self.assertEqual((added.judgments, added.annotators), (3, 2))
        after = Selection.of(copy)
        columns = [name for name in files.COLUMNS if name != "item"]
        self.assertEqual(
            [[row[name] for name in columns] for row in rows_of(after)],
            [[row[name] for name in columns] for row in rows_of(before)],
        )
        for dimension in ("esa", "esa_spans"):
            old, new = (scores_figures.system_scores(each, dimension) for each in (before, after))
            self.assertEqual(old.mean.tolist(), new.mean.tolist())
        old, new = (agreement_marks.marks(each).coefficients for each in (before, after))
        self.assertEqual([c.result.estimate for c in old], [c.result.estimate for c in new])
        old, new = (errors.errors(each) for each in (before, after))
        self.assertEqual(old.counts.tolist(), new.counts.tolist())
        stored = ErrorSpan.objects.filter(judgment__campaign=copy)
        self.assertEqual(stored.filter(is_copy=True).count(), 3)
        call_command("verify_judgments", copy.pk, verbosity=0)
        with self.assertRaisesRegex(ImportProblem, "was the file imported before"):
            import_judgments(copy, upload("errors.tsv", text.encode()))

    def test_the_table_of_observations_still_comes_in(self):
        page = self.get_as(self.owner, "export-observations", self.spans.pk)
        copy = new_campaign(self.test_set, self.owner, "Copy", "esa", outputs_per_item=3)
        import_judgments(copy, upload("observations.tsv", b"".join(page)))
        self.assertEqual(
            scores_figures.system_scores(Selection.of(copy), "esa").mean.tolist(),
            scores_figures.system_scores(Selection.of(self.spans), "esa").mean.tolist(),
        )
        self.assertFalse(ErrorSpan.objects.filter(judgment__campaign=copy).exists())
        # Two of the identical translations, one of the second annotator, one of the second item.
        self.assertEqual(errors.errors(Selection.of(copy)).n_unmarked, 2 + 1 + 1)


class SuggestionsTest(SpansTestCase):
    def test_what_was_deleted_is_no_error(self):
        self.upload("segment\tsystem\tstart\tend\tseverity\n1\tSystem-A\t0\t3\tminor\n")
        self.answer(self.annotator_1, self.answers([], [], []))
        text = "".join(files.tsv_lines(Selection.of(self.spans)))
        self.assertIn("\tdeleted\t", text)
        copy = new_campaign(self.test_set, self.owner, "Copy", "esa", outputs_per_item=3)
        import_judgments(copy, upload("errors.tsv", text.encode()))
        self.assertFalse(ErrorSpan.objects.filter(judgment__campaign=copy).exists())
        self.assertEqual(errors.errors(Selection.of(copy)).n_judgments.tolist(), [1, 1, 1])


@pytest.fixture
def test_set(db):
    return factory.make_test_set(factory.make_user("owner", is_staff=True))


def take(test_set, *rows, preset="mqm", head=HEAD, options=None):
    campaign = new_campaign(test_set, test_set.owner, "Errors", preset, options=options or {})
    text = head + "".join(f"{row}\n" for row in rows)
    import_judgments(campaign, upload("errors.tsv", text.encode()))
    return campaign


def test_a_score_follows_from_the_weights_of_the_campaign(test_set):
    campaign = take(
        test_set,
        "Mia\t1\tSystem-A\ttarget\t0\t6\tSource\tmajor\tAccuracy/Omission",
        "Mia\t1\tSystem-A\ttarget\t\t\tnumber\tMinor\tfluency/punctuation",
        "Mia\t1\tSystem-A\tsource\t0\t9\tQuelltext\tneutral\tOther",
        "Mia\t2\tSystem-A\t\t\t\t\t\t",
    )
    assert Judgment.objects.count() == 2
    ratings = Rating.objects.order_by("output__segment__key").values_list("dimension", "value")
    assert list(ratings) == [("mqm", -5.1), ("mqm", 0.0)]
    stored = ErrorSpan.objects.values_list("side", "start", "end", "severity", "category")
    assert list(stored) == [
        ("target", 0, 6, "major", "accuracy/omission"),
        ("target", 12, 18, "minor", "fluency/punctuation"),
        ("source", 0, 9, "neutral", "other"),
    ]
    assert Output.objects.get(pk=ErrorSpan.objects.first().output_id).text == TEXT
    assert errors.errors(Selection.of(campaign)).n_judgments.tolist() == [2]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("target\t20\t26\t\tminor\tOther", "column end: from 20 to 26 there is no text: it has"),
        ("target\t6\t6\t\tminor\tOther", "column end: from 6 to 6 there is no text"),
        ("target\t0\t6\tSourse\tminor\tOther", "column text: from 0 to 6 the text reads “Source”"),
        ("target\t0\t\t\tminor\tOther", "column end: give both the start and the end"),
        ("target\t\t\t\tminor\tOther", "column start: give the start and the end, or the"),
        ("target\t\t\te\tminor\tOther", "column text: “e” occurs more than once"),
        ("target\t0\t-1\t\tminor\tOther", "column end: this should be a whole number from 0"),
        ("middle\t0\t6\t\tminor\tOther", "column side: the sides here are target, source"),
        ("missing\t\t\t\tminor\tOther", "column side: the sides here are target, source"),
        ("target\t0\t6\t\tawful\tOther", "column severity: “awful”: the severities here are"),
        ("target\t0\t6\t\tminor\tSpelling", "column category: the categories here are accuracy/"),
        ("target\t0\t6\t\tminor\t", "column category: every error has a category here"),
        ("output\t\t\t\tminor\tOther", "column side: marks of the whole output have the side"),
        ("target\t0\t6\t\tminor\tNon-translation!", "column severity: a non-translation is major"),
        ("\t\t\t\t\t", "column severity: duplicate: “Mia” has already judged this"),
    ],
)
def test_what_does_not_fit_is_named_with_its_row(test_set, row, problem):
    fine = "Mia\t1\tSystem-A\ttarget\t7\t11\ttext\tmajor\tOther"
    with pytest.raises(ImportProblem) as raised:
        take(test_set, fine, f"Mia\t1\tSystem-A\t{row}")
    assert str(raised.value).startswith(f"errors.tsv, row 3, {problem}"), raised.value
    assert not Judgment.objects.exists()


def test_a_non_translation_is_the_only_error_of_an_output(test_set):
    alone = f"Mia\t1\tSystem-A\ttarget\t0\t{len(TEXT)}\t\tmajor\tNon-translation"
    other = "Mia\t1\tSystem-A\ttarget\t7\t11\ttext\tmajor\tOther"
    with pytest.raises(ImportProblem, match="row 2, column category: beside a non-translation"):
        take(test_set, alone, other)
    assert not Judgment.objects.exists()
    take(test_set, alone)
    assert Rating.objects.get().value == -25


def test_a_mark_of_the_whole_output_has_no_other_side(test_set):
    options = {"marks": ["Instructions fault"]}
    row = "Mia\t1\tSystem-A\t{}\tmajor\tInstructions fault"
    with pytest.raises(ImportProblem, match="column side: marks of the whole output"):
        take(test_set, row.format("target\t0\t6\t"), options=options)
    assert not Judgment.objects.exists()
    take(test_set, row.format("output\t\t\t"), options=options)
    assert ErrorSpan.objects.get().side == "output"


def test_words_around_a_line_break_are_written_with_a_blank(test_set):
    Output.objects.filter(segment__key="1", system__name="System-A").update(text="One line.\nTwo.")
    take(test_set, "Mia\t1\tSystem-A\ttarget\t4\t13\tline. Two\tminor\tOther")
    assert ErrorSpan.objects.values_list("start", "end").get() == (4, 13)


def test_the_first_row_says_which_text_was_shown(test_set):
    shown = f"{TEXT} and many more words"
    row = "Mia\t1\tSystem-A\ttarget\t{}\t{}\t\tminor\tOther\tdegraded\t{}"
    first = row.format(0, 6, shown)
    second = row.format(len(TEXT) + 1, len(TEXT) + 4, "")
    take(test_set, first, second, head=f"{HEAD[:-1]}\tkind\tshown\n")
    assert ErrorSpan.objects.count() == 2


def test_more_problems_of_rows(test_set):
    none, some = "Mia\t1\tSystem-A\t\t\t\t\t\t", "Mia\t1\tSystem-A\ttarget\t{}\t{}\t\tminor\tOther"
    with pytest.raises(ImportProblem, match="row 3, column severity: an earlier row says that"):
        take(test_set, none, some.format(0, 6))
    many = [some.format(start, start + 1) for start in range(6)]
    with pytest.raises(ImportProblem, match="row 7: more than 5 errors in one translation"):
        take(test_set, *many)
    with pytest.raises(ImportProblem, match="severity: this column is missing"):
        take(test_set, "Mia\t1\tSystem-A", head="annotator\tsegment\tsystem\n")
    with pytest.raises(ImportProblem, match="row 2, column score: this campaign asks for no score"):
        take(test_set, "M\t1\tSystem-A\t\t5", head="annotator\tsegment\tsystem\tseverity\tscore\n")
    with pytest.raises(ImportProblem, match="column value: this column is missing"):
        take(test_set, "M\t1\tSystem-A\tmqm", head="annotator\tsegment\tsystem\tdimension\n")


def test_a_row_that_is_left_out_leaves_nothing_behind(test_set):
    """Neither an item without an answer, nor the belief that a translation has no error."""
    campaign = new_campaign(test_set, test_set.owner, "Errors", "mqm")
    rows = [
        "Mia\t1\tSystem-A\ttarget\t0\t6\t\tawful\tOther",
        "Mia\t1\tSystem-A\ttarget\t7\t11\t\tmajor\tOther",
        "Mia\t2\tSystem-A\ttarget\t0\t600\t\tminor\tOther",
        "Jo\t1\tSystem-A\t\t\t\t\t\t",
    ]
    text = HEAD + "".join(f"{row}\n" for row in rows)
    added = import_judgments(campaign, upload("errors.tsv", text.encode()), leave_out=60)
    assert (added.judgments, added.left_out) == (2, 2)
    record = campaign.import_records.get()
    assert [(row, column) for _, row, column, _ in record.left_out] == [
        *((2, "severity"), (4, "end")),
    ]
    ratings = Rating.objects.order_by("value").values_list("value", flat=True)
    assert list(ratings) == [-5.0, 0.0]
    assert Item.objects.count() == ErrorSpan.objects.count() + 1 == 2


RELEASE = {
    "weights": {"No-error": 0, "minor": 1, "major": 5, "critical": 10, "non-translation": 25},
    "categories": ["Accuracy/Omission", "Non-translation!"],
}


def test_errors_of_a_release_are_as_it_has_them(test_set):
    """Its severities and categories to the letter, any number of them, also between characters."""
    marks = [f"Mia\t1\tSystem-A\ttarget\t{i % 9}\t{i % 9 + 1}\t\tMinor\t" for i in range(60)]
    campaign = take(
        test_set,
        *marks,
        "Mia\t1\tSystem-A\ttarget\t4\t4\t\tCritical\tAccuracy/Omission",
        "Mia\t1\tSystem-B\ttarget\t0\t6\t\tNon-translation\tNon-translation!",
        "Jo\t1\tSystem-A\ttarget\t4\t5\t\tcritical\taccuracy/omission",
        preset="released-errors",
        options=RELEASE,
    )
    assert ErrorSpan.objects.filter(severity="Critical", start=4, end=4).count() == 1
    report = errors.errors(Selection.of(campaign))
    assert report.severities == ("no-error", "minor", "major", "critical", "non-translation")
    assert report.categories == ("accuracy/omission", "non-translation")
    assert report.counts.tolist() == [[0, 0, 0, 0, 1], [0, 60, 0, 2, 0]]
    scores = scores_figures.system_scores(Selection.of(campaign), "mqm")
    assert dict(zip(scores.names, scores.mean.tolist(), strict=True)) == {
        "System-A": (-70 - 10) / 2,
        "System-B": -25,
    }
    # The one before the fifth character meets the other's, in severity and in category.
    matched = {
        each.slug: each.result
        for each in agreement_marks.marks(Selection.of(campaign)).coefficients
    }
    assert matched["spans-category"].n_items == 1
    directed = {
        name: shares for name, _, shares in agreement_marks.marks(Selection.of(campaign)).directed
    }
    assert directed["Jo"] == (1, 1, 1)


class ReleasedTest(CastTestCase):
    def test_nobody_can_begin_such_a_campaign(self):
        self.assertIn("released-errors", RELEASED)
        self.assertNotIn("released-errors", PRESETS)
        page = self.get_as(self.owner, "campaign-new")
        self.assertNotContains(page, "released-errors")
        new = self.get_as(self.owner, "campaign-new-preset", "released-errors")
        self.assertEqual(new.status_code, 404)

    def test_its_pages(self):
        campaign = new_campaign(
            self.test_set, self.owner, "Release", "released-errors", options=RELEASE
        )
        text = (
            HEAD
            + "Mia\t1\tSystem-A\ttarget\t0\t6\t\tCritical\tAccuracy/Omission\n"
            + "Jo\t1\tSystem-A\ttarget\t2\t6\t\tmajor\t\n"
            + "Jo\t1\tSystem-B\t\t\t\t\t\t\n"
        )
        import_judgments(campaign, upload("errors.tsv", text.encode()))
        for name in ("campaign", "errors", "agreement", "quality", "scores", "exports", "power"):
            page = self.get_as(self.owner, name, campaign.pk)
            self.assertEqual(page.status_code, 200, name)
        self.assertContains(self.get_as(self.owner, "errors", campaign.pk), "Critical")
        page = self.post_as(
            self.owner, "campaign-status", campaign.pk, data={"status": "open"}, follow=True
        )
        self.assertContains(page, "Its errors come from a release")
        file = self.get_as(self.owner, "export-table", campaign.pk, "errors-by-category")
        rows = list(csv.DictReader(io.StringIO(file.content.decode())))
        self.assertEqual(
            [(r["category"], r["n_critical"]) for r in rows], [("accuracy/omission", "1")]
        )
        answer = self.get_as(self.owner, "api-errors", campaign.pk).json()
        self.assertEqual(answer["systems"][1]["by_severity"]["critical"], 1)

    def test_an_esa_release_has_a_slider_beside_its_errors(self):
        campaign = new_campaign(
            *(self.test_set, self.owner, "ESA", "released-errors"),
            options={"weights": {"minor": 1, "major": 5}, "score": True},
        )
        head = HEAD.replace("\tside", "\tscore\tside")
        text = head + "Mia\t1\tSystem-A\t66\ttarget\t0\t6\t\tminor\t\n"
        text += "Mia\t2\tSystem-A\t100\t\t\t\t\t\t\n"
        import_judgments(campaign, upload("errors.tsv", text.encode()))
        slugs = [dimension.slug for dimension in protocol_of(campaign).dimensions()]
        self.assertEqual(slugs, ["esa", "esa_spans"])
        self.assertEqual(
            [scores_figures.system_scores(Selection.of(campaign), s).mean.tolist() for s in slugs],
            [[83.0], [-0.5]],
        )

    def test_the_page_takes_it(self):
        campaign = new_campaign(self.test_set, self.owner, "MQM", "mqm")
        text = HEAD + "Mia\t1\tSystem-A\ttarget\t0\t600\t\tminor\tOther\n"
        page = self.post_as(
            self.owner,
            "import-judgments",
            campaign.pk,
            data={"file": upload("e.tsv", text.encode())},
        )
        self.assertContains(page, "e.tsv, row 2, column end: from 0 to 600", status_code=422)
        page = self.get_as(self.owner, "import-judgments", campaign.pk)
        self.assertContains(page, "One row for each error")
        self.assertContains(page, "<code>severity</code>")
        good = text.replace("600", "6")
        response = self.post_as(
            self.owner,
            "import-judgments",
            campaign.pk,
            data={"file": upload("e.tsv", good.encode())},
        )
        self.assertEqual(response["Location"], reverse("campaign", args=[campaign.pk]))
        self.assertEqual(ErrorSpan.objects.filter(judgment__campaign=campaign).count(), 1)


def test_presets_of_releases_are_of_their_protocol():
    for protocol in PROTOCOLS.values():
        assert all(preset.protocol == protocol.slug for preset in protocol.released)
