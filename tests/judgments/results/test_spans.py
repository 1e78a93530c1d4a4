"""Suggested errors come in from files; marked errors are counted, shown and exported."""

import json
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.judging.practice.practice import (
    read_rows,
    replace,
    rows_of,
    version_of,
)
from judgments.models import ErrorSpan, Judgment, Output, PrefilledSpan
from judgments.protocols.spans.form import prefill_key
from judgments.results.errors import figures as errors
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

HEAD = "segment\tsystem\tstart\tend\ttext\tside\tseverity\tcategory\n"


class SpansTestCase(CastTestCase):
    preset = "esa-ai"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.spans = factory.make_campaign(
            cls.test_set,
            preset=cls.preset,
            name="Errors",
            owner=cls.owner,
            researchers=[cls.researcher],
            annotators=[cls.annotator_1, cls.annotator_2],
        )
        for seat, user in enumerate([cls.annotator_1, cls.annotator_2], 1):
            factory.make_task(cls.spans, user, seat=seat)

    def output(self, segment="1", system="System-A"):
        return Output.objects.get(
            segment__test_set=self.test_set, segment__key=segment, system__name=system
        )

    def upload(self, text, name="errors.tsv", user=None):
        file = SimpleUploadedFile(name, text.encode())
        return self.post_as(user or self.owner, "suggestions", self.spans.pk, data={"file": file})

    def answer(self, user, answers, number=1):
        """Post the answers to an item, as its screen does."""
        url = reverse("judge-item", args=[self.spans.pk, number])
        page = self.as_user(user).get(url).content.decode()
        ticket = page.split('name="ticket" value="')[1].split('"')[0]
        return self.client.post(url, answers | {"ticket": ticket})

    def answers(self, *marks_of_places, score=50):
        found = {}
        for place, marks in enumerate(marks_of_places, 1):
            found[f"output{place}-spans"] = json.dumps(marks)
            found[f"output{place}-esa"] = str(score)
            found[f"output{place}-confirmed"] = "1"
        return found


def mark(start, end, severity="minor", **fields):
    return {"start": start, "end": end, "side": "target", "severity": severity} | fields


class SuggestionsTest(SpansTestCase):
    def test_who_may(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("suggestions", self.spans.pk, users=users, method=method)
        self.assertEqual(self.get_as(self.owner, "suggestions", self.campaign.pk).status_code, 404)

    def test_places_by_offsets_or_by_text(self):
        rows = (
            "1\tSystem-A\t7\t11\t\t\tminor\t\n"
            "1\tSystem-A\t\t\tnumber\t\tMAJOR\t\n"
            "1\tSystem-A\t\t\t\tmissing\tmajor\t\n"
            "2\tSystem-B\t0\t6\tSource\ttarget\tminor\t\n"
        )
        response = self.upload(HEAD + rows)
        self.assertEqual(response["Location"], reverse("suggestions", args=[self.spans.pk]))
        page = self.get_as(self.owner, "suggestions", self.spans.pk)
        self.assertContains(page, "4 errors will be suggested.")
        self.assertContains(page, '<td>major</td><td class="num">2</td>')
        found = PrefilledSpan.objects.values_list("side", "start", "end", "severity")
        self.assertEqual(
            set(found),
            {
                ("target", 7, 11, "minor"),
                ("target", 12, 18, "major"),
                ("missing", 0, 0, "major"),
                ("target", 0, 6, "minor"),
            },
        )
        # Another file takes their place; JSON lines do as well.
        row = {"segment": "3", "system": "System-C", "text": "text", "severity": "minor"}
        self.upload(json.dumps(row) + "\n", "errors.jsonl")
        self.assertEqual(PrefilledSpan.objects.get().output.segment.key, "3")

    def test_what_is_wrong_is_named_and_nothing_changes(self):
        self.upload(HEAD + "1\tSystem-A\t0\t6\t\t\tminor\t\n")
        good = "1\tSystem-A\t7\t11\t\t\tminor\t\n"
        for row, message in (
            ("9\tSystem-A\t0\t1\t\t\tminor\t", "row 3, column segment: there is no segment “9”"),
            ("1\tSystem-X\t0\t1\t\t\tminor\t", "column system: the test set has no system"),
            ("1\tSystem-A\t0\t1\t\t\tbad\t", "column severity: the severities here are minor, ma"),
            ("1\tSystem-A\t0\t1\t\t\t\t", "column severity: the cell is empty"),
            ("1\tSystem-A\t0\t999\t\t\tminor\t", "column end: from 0 to 999 there is no text"),
            ("1\tSystem-A\t5\t5\t\t\tminor\t", "column end: from 5 to 5 there is no text"),
            ("1\tSystem-A\t-1\t5\t\t\tminor\t", "column start: this should be a whole number"),
            ("1\tSystem-A\t1.0\t5\t\t\tminor\t", "column start: this should be a whole number"),
            ("1\tSystem-A\t1\t\t\t\tminor\t", "column end: give both the start and the end"),
            ("1\tSystem-A\t\t\t\t\tminor\t", "column start: give the start and the end, or"),
            ("1\tSystem-A\t0\t6\tsource\t\tminor\t", "column text: from 0 to 6 the text reads"),
            ("1\tSystem-A\t\t\tzebra\t\tminor\t", "“zebra” does not occur in the text"),
            ("1\tSystem-A\t\t\te\t\tminor\t", "“e” occurs more than once"),
            ("1\tSystem-A\t0\t4\t\tsource\tminor\t", "column side: the sides here are target"),
            ("1\tSystem-A\t1\t4\t\tmissing\tminor\t", "a missing part has no position"),
            ("1\tSystem-A\t0\t1\t\t\tminor\tstyle", "the categories here are none"),
            ("1\tSystem-A\t7\t11\t\t\tmajor\t", "the same error is proposed twice"),
        ):
            response = self.upload(HEAD + good + row + "\n")
            self.assertEqual(response.status_code, 422, row)
            error = response.context["form"].errors["file"][0]
            self.assertTrue(error.startswith("Nothing was imported. errors.tsv, row 3, "), error)
            self.assertIn(message, error)
            self.assertEqual(PrefilledSpan.objects.get().start, 0)

    def test_a_source_that_is_not_shown_takes_none(self):
        self.spans.options |= {"sides": ["target", "source"], "show_source": False}
        self.spans.save()
        response = self.upload(HEAD + "1\tSystem-A\t0\t4\t\tsource\tminor\t\n")
        self.assertContains(response, "the source is not shown in this campaign", status_code=422)

    def test_the_command_does_the_same(self):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "errors.tsv"
            path.write_text(HEAD + "1\tSystem-A\t7\t11\t\t\tminor\t\n")
            out = StringIO()
            call_command("import_suggestions", self.spans.pk, path, stdout=out)
            self.assertIn("1 suggested error(s) in 1 translation(s)", out.getvalue())
            self.assertEqual(PrefilledSpan.objects.get().end, 11)
            path.write_text(HEAD + "9\tSystem-A\t7\t11\t\t\tminor\t\n")
            for campaign, message in (
                (self.spans.pk, "Nothing was imported. errors.tsv, row 2, column segment"),
                (self.campaign.pk, "does not use suggestions"),
                (0, "There is no campaign 0"),
            ):
                with self.assertRaisesMessage(CommandError, message):
                    call_command("import_suggestions", campaign, path)

    def test_suggestions_stay_once_judging_has_begun(self):
        self.upload(HEAD + "1\tSystem-A\t0\t6\t\t\tminor\t\n")
        self.answer(self.annotator_1, self.answers([], [], []))
        self.assertEqual(Judgment.objects.filter(campaign=self.spans).count(), 1)
        page = self.get_as(self.owner, "suggestions", self.spans.pk)
        self.assertContains(page, "Judging has started")
        self.assertNotContains(page, '<form method="post" enctype')
        response = self.upload(HEAD + "1\tSystem-A\t7\t11\t\t\tminor\t\n")
        self.assertEqual(response.status_code, 422)
        self.assertIn("judging has started", str(response.context["form"].errors))
        self.assertEqual(PrefilledSpan.objects.get().start, 0)

    def test_screens_show_them_and_tell_no_number_of_the_database(self):
        self.upload(HEAD + "1\tSystem-A\t0\t6\t\t\tminor\t\n")
        span = PrefilledSpan.objects.get()
        page = self.as_user(self.annotator_1).get(reverse("judge-item", args=[self.spans.pk, 1]))
        self.assertContains(page, prefill_key(span.pk))
        self.assertNotContains(page, "System-")
        key_of_another = prefill_key(span.pk + 1)
        marks = [mark(0, 6, prefill=key_of_another)]
        response = self.answer(self.annotator_1, self.answers(marks, [], []))
        self.assertEqual(response.status_code, 400)
        # The suggestion belongs to the first translation, not to the second.
        marks = [mark(0, 6, prefill=prefill_key(span.pk))]
        response = self.answer(self.annotator_1, self.answers([], marks, []))
        self.assertEqual(response.status_code, 400)
        self.assertFalse(ErrorSpan.objects.exists())


class ErrorsTest(SpansTestCase):
    def setUp(self):
        rows = "".join(f"1\tSystem-A\t{start}\t{start + 3}\t\t\tminor\t\n" for start in (0, 7, 12))
        self.upload(HEAD + rows)
        kept, changed, _deleted = (prefill_key(p.pk) for p in PrefilledSpan.objects.all())
        first = [
            mark(0, 3, prefill=kept),
            mark(7, 11, "major", prefill=changed),
            mark(0, 0, "major", side="missing"),
        ]
        self.answer(self.annotator_1, self.answers(first, [], [mark(2, 3)]))
        self.answer(self.annotator_2, self.answers([], [], [mark(1, 2), mark(5, 6)]))
        self.answer(self.annotator_1, self.answers([], [], []), number=2)

    def test_counts(self):
        """By hand: System-A (3 + 0)/2 in segment 1 and 0 in segment 2; C (1 + 2)/2 and 0."""
        report = errors.errors(Selection.of(self.spans))
        self.assertEqual(report.names, ("System-B", "System-A", "System-C"))
        self.assertEqual(report.mean.tolist(), [0, 0.75, 0.75])
        self.assertEqual(report.counts.tolist(), [[0, 0], [1, 2], [3, 0]])
        self.assertEqual(report.n_missing.tolist(), [0, 1, 0])
        self.assertEqual(report.n_judgments.tolist(), [3, 3, 3])
        self.assertEqual(report.n_segments.tolist(), [2, 2, 2])
        one, two = report.suggestions
        self.assertEqual(
            (one.suggested, one.kept, one.changed, one.deleted, one.own), (3, 1, 1, 1, 2)
        )
        self.assertEqual(
            (two.suggested, two.kept, two.changed, two.deleted, two.own), (3, 0, 0, 3, 2)
        )

    def test_revisions_and_the_excluded_do_not_count(self):
        self.answer(self.annotator_1, self.answers([], [], []))
        self.assertEqual(
            errors.errors(Selection.of(self.spans)).counts.tolist(), [[0, 0], [0, 0], [2, 0]]
        )
        found = list(errors.errors(Selection.of(self.spans)).suggestions)
        self.assertEqual([each.deleted for each in found], [3, 3])

    def test_the_page(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 403}
        self.assert_refused("errors", self.spans.pk, users=users)
        page = self.get_as(self.researcher, "errors", self.spans.pk)
        self.assertContains(page, "6 errors were marked in 9 judgments of translations.")
        self.assertContains(page, "What became of suggestions")
        self.assertContains(page, 'aria-current="page">Errors</a>')
        self.assertEqual(self.get_as(self.owner, "errors", self.campaign.pk).status_code, 404)
        overview = self.get_as(self.owner, "campaign", self.campaign.pk)
        self.assertNotContains(overview, "/errors/")

    def test_the_interface_says_the_same(self):
        found = self.get_as(self.researcher, "api-errors", self.spans.pk).json()
        row = next(row for row in found["systems"] if row["system"] == "System-A")
        self.assertEqual((row["mean"], row["n_missing"]), (0.75, 1))
        self.assertEqual(row["by_severity"], {"minor": 1, "major": 2})
        self.assertEqual(found["suggestions"][0]["deleted"], 1)
        expected = {None: 403, self.outsider: 404, self.annotator_1: 403}
        for user, status in expected.items():
            self.assertEqual(self.get_as(user, "api-errors", self.spans.pk).status_code, status)
        self.assertEqual(self.get_as(self.owner, "api-errors", self.campaign.pk).status_code, 404)

    def test_exports(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 403}
        self.assert_refused("export-errors", self.spans.pk, "tsv", users=users)
        response = self.get_as(self.researcher, "export-errors", self.spans.pk, "jsonl")
        rows = [json.loads(line) for line in b"".join(response).decode().splitlines()]
        self.assertEqual(
            [
                (r["annotator"], r["system"], r["text"], r["severity"], r["provenance"])
                for r in rows
            ],
            [
                ("annotator-1", "System-A", "Sou", "minor", "kept"),
                ("annotator-1", "System-A", "text", "major", "changed"),
                ("annotator-1", "System-A", "", "major", "own"),
                ("annotator-1", "System-B", "", "", ""),
                ("annotator-1", "System-C", "u", "minor", "own"),
                ("annotator-2", "System-A", "", "", ""),
                ("annotator-2", "System-B", "", "", ""),
                ("annotator-2", "System-C", "o", "minor", "own"),
                ("annotator-2", "System-C", "e", "minor", "own"),
                ("annotator-1", "System-A", "", "", ""),
                ("annotator-1", "System-B", "", "", ""),
                ("annotator-1", "System-C", "", "", ""),
                ("annotator-1", "System-A", "num", "minor", "deleted"),
                ("annotator-2", "System-A", "Sou", "minor", "deleted"),
                ("annotator-2", "System-A", "tex", "minor", "deleted"),
                ("annotator-2", "System-A", "num", "minor", "deleted"),
            ],
        )
        tsv = b"".join(self.get_as(self.owner, "export-errors", self.spans.pk, "tsv")).decode()
        self.assertEqual(len(tsv.splitlines()), 1 + 6 + 6 + 4)  # errors, outputs without, deleted
        self.assertEqual({line.count("\t") for line in tsv.splitlines()}, {26})
        self.assertTrue(all(line.endswith("All judgments count") for line in tsv.splitlines()[1:]))
        page = self.get_as(self.owner, "exports", self.spans.pk)
        self.assertContains(page, "errors.jsonl")
        self.assertContains(page, "Errors by system")
        whole = json.loads(b"".join(self.get_as(self.owner, "export-json", self.spans.pk)))
        self.assertEqual(whole["errors"]["suggestions"][0]["deleted"], 1)
        for name in ("errors-by-system", "suggestions"):
            csv = self.get_as(self.owner, "export-table", self.spans.pk, name)
            self.assertEqual(csv.status_code, 200)
        for page in ("scores", "agreement", "quality", "power"):
            self.assertEqual(self.get_as(self.owner, page, self.spans.pk).status_code, 200)

    def test_before_the_first_judgment(self):
        other = factory.make_campaign(self.test_set, preset="mqm", owner=self.owner)
        page = self.get_as(self.owner, "errors", other.pk)
        self.assertContains(page, "No errors yet")
        for name in ("exports", "scores", "agreement"):
            self.assertEqual(self.get_as(self.owner, name, other.pk).status_code, 200)


class TwinsTest(SpansTestCase):
    preset = "esa"

    def test_identical_translations_are_marked_once(self):
        twin = self.output(system="System-B")
        twin.text = self.output(system="System-A").text
        twin.save()
        self.answer(self.annotator_1, self.answers([mark(0, 6)], [mark(2, 3, "major")]))
        found = ErrorSpan.objects.order_by("output__system__name")
        self.assertEqual(
            list(found.values_list("output__system__name", "end", "is_copy")),
            [("System-A", 6, False), ("System-B", 6, True), ("System-C", 3, False)],
        )
        report = errors.errors(Selection.of(self.spans))
        self.assertEqual(report.counts.sum(axis=1).tolist(), [1, 1, 1])
        self.assertEqual(report.suggestions, ())


class TutorialTest(SpansTestCase):
    def test_marked_errors_are_compared_and_not_kept(self):
        item = {
            "source": "Er trank Kaffee.",
            "outputs": ["He drank tea."],
            "expected": {"output1-spans": [{"text": "tea", "severity": "major"}]},
            "feedback": "It was **coffee**.",
        }
        wrong = item | {"expected": {"output1-spans": [{"text": "milk"}]}}
        with self.assertRaisesMessage(ValueError, "“milk” must occur once in the text"):
            read_rows(self.spans, [wrong])
        replace(self.spans, read_rows(self.spans, [item]))
        page = self.get_as(self.annotator_1, "judge-practice", self.spans.pk, 1)
        self.assertContains(page, 'data-widget="spans"')
        self.assertNotContains(page, "coffee")
        for marks, message in (
            ([mark(9, 12, "major")], "“tea”, major"),
            ([mark(0, 2)], "“He”, minor"),
        ):
            page = self.post_as(
                self.annotator_1, "judge-practice", self.spans.pk, 1, data=self.answers(marks)
            )
            self.assertContains(page, message)
            self.assertContains(page, "<strong>coffee</strong>")
        self.assertFalse(ErrorSpan.objects.exists())

    def test_expected_errors_without_a_place_can_be_changed(self):
        row = {"source": "Er trank.", "outputs": ["tea"], "expected": {}}
        null = {"text": "tea", "start": None, "end": None}
        row["expected"]["output1-spans"] = [null, {"side": "missing", "start": 0}]
        replace(self.spans, read_rows(self.spans, [row]))
        page = self.get_as(self.owner, "campaign-practice-item", self.spans.pk, 1)
        self.assertEqual(page.context["draft"].expected["output1-spans-0-text"].value(), "tea")

    def test_expected_errors_are_written_in_fields(self):
        twice = {"source": "Er trank.", "outputs": ["tea, tea and tea"], "expected": {}}
        twice["expected"]["output1-spans"] = [{"start": 5, "end": 8, "severity": "major"}]
        replace(self.spans, read_rows(self.spans, [twice]))
        page = self.get_as(self.owner, "campaign-practice-item", self.spans.pk, 1)
        expected = page.context["draft"].expected
        start = "output1-spans-0-"
        self.assertEqual(
            [expected[start + each].value() for each in ("text", "which", "severity")],
            ["tea", 2, "major"],
        )

        def save(**said):
            data = {each.html_name: each.value() or "" for each in expected}
            data |= {each.html_name: each.value() or "" for each in page.context["draft"].texts}
            data |= {f"expected-output1-spans{key}": value for key, value in said.items()}
            data["version"] = version_of(self.spans)
            return self.post_as(self.owner, "campaign-practice-item", self.spans.pk, 1, data=data)

        def stored():
            return rows_of(self.spans)[0]["expected"]["output1-spans"]

        self.assertEqual(save().status_code, 302)
        self.assertEqual(stored(), twice["expected"]["output1-spans"])
        self.assertEqual(save(**{"-1-side": "missing", "-1-severity": "minor"}).status_code, 302)
        self.assertEqual(stored()[1], {"side": "missing", "severity": "minor"})
        for said, words in (
            ({"-0-which": ""}, "must occur once in the text; or say which"),
            ({"-0-which": "4"}, "does not occur 4 times"),
            ({"-0-text": "milk", "-0-which": ""}, "must occur once"),
            ({"": "none"}, "Errors are listed"),
            ({"-0-side": "missing"}, "has no words in it"),
            ({"-0-severity": "awful"}, "not one of the available choices"),
        ):
            self.assertContains(save(**said), words, status_code=422)
        empty = {f"-0-{each}": "" for each in ("text", "which", "severity", "side")}
        self.assertContains(save(**empty), "List the errors", status_code=422)
        self.assertEqual(save(**empty | {"": "none"}).status_code, 302)
        self.assertEqual(stored(), [])
        self.assertEqual(save(**empty | {"": ""}).status_code, 302)
        self.assertEqual(rows_of(self.spans)[0]["expected"], {})


class CostTest(SpansTestCase):
    def test_queries(self):
        """As many for three translations with suggestions as for any other screen, and one for the
        suggestions; two more to store errors."""
        self.upload(HEAD + "1\tSystem-A\t0\t6\t\t\tminor\t\n")
        self.answer(self.annotator_1, self.answers([], [], []))  # fills what is prepared once
        url = reverse("judge-item", args=[self.spans.pk, 2])
        with CaptureQueriesContext(connection) as opened:
            page = self.client.get(url).content.decode()
        ticket = page.split('name="ticket" value="')[1].split('"')[0]
        answers = self.answers([mark(0, 3), mark(4, 6)], [], [mark(1, 2)]) | {"ticket": ticket}
        with CaptureQueriesContext(connection) as stored:
            self.client.post(url, answers)
        self.assertEqual(ErrorSpan.objects.count(), 3)
        self.assertLessEqual(len(opened), 14)
        self.assertLessEqual(len(stored), 13)


class HostileTest(SpansTestCase):
    preset = "mqm"

    def test_hostile_answers_are_refused_and_shown_again(self):
        for posted in ('[{"start":NaN}]', "[" * 5000, '"><script>alert(1)</script>', "\u2028"):
            answers = self.answers([], [], []) | {"output2-spans": posted}
            response = self.answer(self.annotator_1, answers)
            self.assertEqual(response.status_code, 400)
            self.assertNotContains(response, "<script>alert", status_code=400)
        self.assertFalse(Judgment.objects.filter(campaign=self.spans).exists())
