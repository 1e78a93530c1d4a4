"""Errors by system, category and severity, and what becomes of figures when only some count.

Expected values are counted by hand from the errors in `setUp`, or from stored rows with NumPy.
"""

import csv
import io
from urllib.parse import parse_qs, urlsplit

import numpy as np
from django.http import QueryDict
from django.urls import reverse

from judgments.models import ErrorSpan, Rating
from judgments.results.errors import examples as error_examples
from judgments.results.errors import figures as errors
from judgments.results.errors import kinds_page
from judgments.results.errors.kinds_page import UNITS, choices, kind_table
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.only_errors import OnlyErrors
from judgments.results.selection.schemes import read_weights, written_weights
from judgments.results.selection.selection import Selection
from judgments.stats.mqm import SCHEMES
from tests import factory
from tests.judgments.results.test_spans import SpansTestCase, mark

WORDS = 6  # of every source: "Quelltext Nummer 1 steht hier ."


def error(start, severity, category):
    return mark(start, start + 2, severity, category=category)


class MarkedTestCase(SpansTestCase):
    """Systems A, B, C; two annotators judge segment 1, the first also segment 2."""

    preset = "mqm"

    def setUp(self):
        a = [error(0, "major", "accuracy/mistranslation"), error(3, "minor", "fluency/grammar")]
        b = [error(0, "minor", "accuracy/omission"), error(3, "minor", "accuracy/mistranslation")]
        c = [error(0, "minor", "fluency/punctuation")]
        self.answer(self.annotator_1, self.answers(a, b, []))
        self.answer(self.annotator_2, self.answers([], c, [error(0, "major", "other")]))
        self.answer(self.annotator_1, self.answers(c, [], []), number=2)

    def answers(self, *marks):
        found = super().answers(*marks)
        return {key: value for key, value in found.items() if not key.endswith("-esa")}

    def of(self, category="", severity="", **fields):
        return Selection.of(self.spans, errors=OnlyErrors(category, severity), **fields)

    def scores(self, selection):
        found = scores_figures.system_scores(selection, "mqm")
        return dict(zip(map(str, found.names), found.mean.tolist(), strict=True))


class OnlyErrorsTest(MarkedTestCase):
    def test_cells_and_words(self):
        report = errors.errors(self.of())
        names = list(report.names)
        self.assertEqual(sorted(names), ["System-A", "System-B", "System-C"])
        cell = report.cells[names.index("System-B"), :, report.severities.index("minor")]
        expected = {"accuracy/omission": 1, "accuracy/mistranslation": 1, "fluency/punctuation": 1}
        self.assertEqual(
            {c: n for c, n in zip(report.categories, cell.tolist(), strict=True) if n}, expected
        )
        self.assertEqual(report.cells.sum(), 7)
        self.assertEqual(report.n_words.tolist(), [3 * WORDS] * 3)  # three judgments each
        self.assertTrue((report.cells.sum(axis=0) == report.kinds).all())

    def test_a_group_of_categories_and_a_severity(self):
        """By hand: A has one error of accuracy, B two, C none; the major one is A's."""
        report = errors.errors(self.of("accuracy"))
        counts = dict(zip(report.names, report.counts.sum(axis=1).tolist(), strict=True))
        self.assertEqual(counts, {"System-C": 0, "System-A": 1, "System-B": 2})
        self.assertEqual(report.names[0], "System-C")
        # Two judgments of segment 1, one of segment 2: segments are averaged.
        self.assertEqual(report.mean.tolist(), [0, 0.25, 0.5])
        self.assertEqual(report.n_judgments.tolist(), [3, 3, 3])
        major = errors.errors(self.of("accuracy", "major"))
        self.assertEqual(major.n_errors, 1)
        self.assertEqual(errors.errors(self.of("accurac")).n_errors, 0)  # not a separate category
        asked = OnlyErrors.asked(QueryDict("error_category=+Accuracy+/+Omission"))
        self.assertEqual(asked, OnlyErrors("accuracy/omission"))

    def test_scores_of_all_pages_follow(self):
        """Stored: A 6 and 0, .1; B 2 and .1, 0; C 0 and 5, 0. Segments are averaged."""
        self.assertEqual(
            {name: round(score, 9) for name, score in self.scores(self.of()).items()},
            {"System-A": -1.55, "System-B": -0.525, "System-C": -1.25},
        )
        self.assertEqual(
            self.scores(self.of("accuracy")), {"System-A": -1.25, "System-B": -0.5, "System-C": 0}
        )
        self.assertEqual(
            self.scores(self.of("accuracy", weights="minor:1,major:10,neutral:0")),
            {"System-A": -2.5, "System-B": -0.5, "System-C": 0},
        )
        # And what is stored stays.
        self.assertIn(-6, Rating.objects.values_list("value", flat=True))
        page = self.as_user(self.researcher).get(
            reverse("scores", args=[self.spans.pk]), {"error_category": "accuracy"}
        )
        self.assertContains(page, "only errors of accuracy count")

    def test_the_table_of_kinds_in_three_units(self):
        selection = self.of()
        report = errors.errors(selection)
        for unit, factor in (("count", 1), ("translation", 1 / 3), ("words", 1000 / (3 * WORDS))):
            table = kind_table(selection, report, UNITS[unit])
            rows = {row[:2]: row[2:] for row in table.rows}
            b = 1 + report.names.index("System-B")
            np.testing.assert_allclose(rows["accuracy", "minor"][b], 2 * factor)
            np.testing.assert_allclose(rows["accuracy/omission", "minor"][b], factor)
            of_all = 1 if unit == "count" else 1 / 3
            np.testing.assert_allclose(rows["accuracy", "all"][0], 3 * factor * of_all)
        for row, key in (("accuracy", "all"), ("accuracy/omission", "minor")):
            at = next(i for i, r in enumerate(table.rows) if r[:2] == (row, key))
            address = table.links[at, f"of_{b}"]
            asked = parse_qs(urlsplit(address).query)
            self.assertEqual(asked["system"], ["System-B"])
            self.assertEqual(asked["category"], [row])
            self.assertEqual(asked.get("severity"), None if key == "all" else [key])

    def test_choices_say_what_a_click_leaves(self):
        severities, groups = choices(self.of())
        self.assertEqual(
            [(c.name, c.n) for c in groups],
            [("all", 7), ("accuracy", 3), ("fluency", 3), ("other", 1)],
        )
        self.assertEqual(
            [(c.name, c.n) for c in severities], [("all", 7), ("minor", 5), ("major", 2)]
        )
        severities, groups, inside = choices(self.of("accuracy/omission", "minor"))
        self.assertEqual([c.name for c in groups if c.chosen], ["accuracy"])
        self.assertEqual([(c.name, c.n) for c in inside if c.chosen], [("omission", 1)])
        for choice in (*severities, *groups, *inside):
            page = self.as_user(self.researcher).get(choice.address)
            self.assertEqual(errors.errors(page.context["selection"]).n_errors, choice.n)

    def test_everything_on_the_page_and_its_files(self):
        page = self.as_user(self.researcher).get(
            reverse("errors", args=[self.spans.pk]), {"error_category": "accuracy", "per": "count"}
        )
        self.assertContains(page, "3 errors were marked in 9 judgments of translations.")
        self.assertContains(page, "?error_category=accuracy")
        self.assertEqual(len(page.context["examples"]), 3)
        self.assertEqual(
            {e.category.split("/")[0] for e, _ in page.context["examples"]}, {"accuracy"}
        )
        url = reverse("export-table", args=[self.spans.pk, "errors-by-kind"])
        text = self.client.get(url, {"error_category": "accuracy"}).content.decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual({row["category"].split("/")[0] for row in rows}, {"accuracy"})
        url = reverse("export-errors", args=[self.spans.pk, "tsv"])
        tsv = b"".join(self.client.get(url, {"error_severity": "major"})).decode().splitlines()
        at = tsv[0].split("\t").index("severity")
        self.assertEqual({line.split("\t")[at] for line in tsv[1:]}, {"major", ""})
        found = self.client.get(
            reverse("api-errors", args=[self.spans.pk]), {"error_category": "accuracy"}
        ).json()
        self.assertEqual(sum(sum(s["by_severity"].values()) for s in found["systems"]), 3)
        self.assertEqual(found["selection"]["filters"], [["error_category", "accuracy"]])

    def test_the_filter_form_asks_for_each_thing_once(self):
        """What it offers it does not send a second time; what it does not, it keeps."""
        url = reverse("agreement", args=[self.spans.pk])
        asked = {"system": "System-A", "error_category": "accuracy", "weights": "esa"}
        page = self.as_user(self.researcher).get(url, asked).content.decode()
        self.assertNotIn('type="hidden" name="system"', page)
        self.assertNotIn('type="hidden" name="weights"', page)
        self.assertIn('type="hidden" name="error_category" value="accuracy"', page)
        url = reverse("segments", args=[self.spans.pk])
        page = self.client.get(url, {"error_category": "accuracy", "page": "2"})
        self.assertNotContains(page, 'type="hidden" name="page"')
        self.assertContains(page, 'type="hidden" name="error_category" value="accuracy"')

    def test_examples_show_the_marked_words(self):
        found = error_examples.error_examples(
            self.of(), error_examples.example_ids(self.of()).tolist()
        )
        self.assertEqual(len(found), 7)
        for example in found:
            self.assertEqual(example.marked, "So" if not example.before else "rc")
            whole = example.before + example.marked + example.after
            self.assertTrue(whole.startswith("Source text number"), whole)
        stored = ErrorSpan.objects.get(category="other")
        other = next(each for each in found if each.category == "other")
        self.assertEqual(other.segment_id, stored.output.segment_id)
        self.assertEqual((other.system, other.annotator), ("System-C", self.annotator_2.username))

    def test_what_cannot_be_asked(self):
        with self.assertRaisesRegex(ValueError, "no marked errors here"):
            Selection.of(self.campaign, errors=OnlyErrors("accuracy"))
        for value in ("x" * 301, "a\0b"):
            page = self.as_user(self.researcher).get(
                reverse("errors", args=[self.spans.pk]), {"error_category": value}
            )
            self.assertContains(page, "a name of at most 300", status_code=400)
        none = self.get_as(self.researcher, "errors", self.spans.pk)
        self.assertNotContains(none, "only errors")
        page = self.client.get(
            reverse("errors", args=[self.spans.pk]), {"error_category": "verity"}
        )
        self.assertContains(page, "No matching errors")

    def test_without_texts_words_are_not_known(self):
        factory.take_texts(self.test_set)
        self.spans.refresh_from_db()
        found = kinds_page.units_of(Selection.of(self.spans))
        self.assertEqual(list(found), ["count", "translation"])
        page = self.get_as(self.researcher, "errors", self.spans.pk)
        self.assertContains(page, "segment 1 of doc0")


class OwnWeightsTest(MarkedTestCase):
    """Weights that a reader types."""

    def test_the_numbers_of_a_preset_give_its_scores_to_the_last_digit(self):
        for slug in ("google", "esa", "appraise"):
            typed = ",".join(f"{name}:{w!r}" for name, w in SCHEMES[slug].weights.items())
            own = Selection.of(self.spans, weights=typed)
            preset = Selection.of(self.spans, weights=slug)
            self.assertEqual(self.scores(own), self.scores(preset))
            self.assertEqual(
                errors.errors(own).score.tolist(), errors.errors(preset).score.tolist()
            )
            self.assertNotEqual(own.weights, slug)

    def test_the_address_brings_them_back(self):
        text = "major = 5\r\nminor = 1 ; neutral:0, Minor / Fluency: .1"
        found = Selection.of(self.spans, weights=text)
        self.assertEqual(found.weights, "major:5,minor:1,minor/fluency:0.1,neutral:0")
        self.assertEqual(Selection.asked(self.spans, QueryDict(found.query[1:])), found)
        self.assertIn("minor/fluency 0.1", found.sentence)
        tenth = read_weights("minor:0.30000000000000004")
        self.assertEqual(written_weights(tenth), "minor:0.30000000000000004")

    def test_what_cannot_be_read_is_told(self):
        for text, message in (
            ("minor:1", "have none for the severity neutral"),
            ("minor:1,major:x,neutral:0", "weight of major is a number from 0 to 1,000, not 'x'"),
            ("minor:-1,major:5,neutral:0", "not '-1'"),
            ("minor:nan,major:5,neutral:0", "not 'nan'"),
            ("minor:1e9,major:5,neutral:0", "not '1e9'"),
            ("minor:1_0,major:5,neutral:0", "not '1_0'"),
            ("minor:١,major:5,neutral:0", "weight of minor"),
            (":1", "A weight is a name, a colon and a number"),
            ("a:b:1", "A weight is a name, a colon and a number"),
            ("minor:1,Minor:2,major:5,neutral:0", "'minor' has two weights"),
            (",".join(f"x{i}:1" for i in range(101)), "at most 100 weights"),
            ("x" * 2000 + ":1", "at most 2,000 characters"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                Selection.of(self.spans, weights=text)
        url = reverse("api-scores", args=[self.spans.pk])
        response = self.as_user(self.researcher).get(url, {"weights": "minor:1"})
        self.assertEqual(response.status_code, 400)
        with self.assertRaisesRegex(ValueError, "weights is empty here"):
            Selection.of(self.campaign, weights="minor:1")

    def test_the_form(self):
        url = reverse("errors-weights", args=[self.spans.pk])
        names = [f.label for f in self.as_user(self.researcher).get(url).context["form"]][:-1]
        self.assertEqual(names, ["Neutral", "Minor", "Major"])
        data = {"severity_0": "0", "severity_1": "2", "severity_2": "7.5"}
        data |= {"others": "*/other = 0\nminor/fluency = 0.25", "system": "System-B"}
        response = self.client.get(url, data)
        self.assertEqual(response.status_code, 302)
        page = self.client.get(response["Location"])
        asked = page.context["selection"]
        self.assertEqual(asked.weights, "*/other:0,major:7.5,minor:2,minor/fluency:0.25,neutral:0")
        self.assertEqual(asked.filters.systems, ("System-B",))
        self.assertContains(page, "minor/fluency = 0.25")
        # By hand: two minor errors of accuracy and one of fluency, in two judgments of segment 1.
        self.assertEqual(errors.errors(asked).score.tolist(), [-(4.25 / 2) / 2])
        for wrong in ({"severity_1": "much"}, {"others": "minor 1"}, {"severity_1": "1001"}):
            page = self.client.get(url, data | wrong)
            self.assertEqual(page.status_code, 422)
            self.assertTrue(page.context["form"].errors)
