"""Pages of worked examples: for everybody, with any URL parameters."""

import pytest
from django.urls import reverse

from judgments.web import guide
from metrics.lessons.examples import EXAMPLES
from metrics.lessons.examples.base import LONGEST_LINE
from tests.base import CastTestCase

LISTS = {"numbers", "wholes"}
HOSTILE = [
    "",
    " \t\r\n ",
    "NaN",
    "nan inf -inf 1e309",
    "-1",
    "9" * 400,
    "<script>alert(1)</script>",
    "{{ 7|add:7 }} {% csrf_token %}",
    "a\0b",
    "0-0 1?1 ab",
    "😀" * 40,
    "\u202eabc\u200b \ue000 ␣",
    "a " * 50_000,
    "a\n" * 5_000,
]


class ExampleTestCase(CastTestCase):
    def page(self, slug, case="", status=200, **query):
        names = [slug, case] if case else [slug]
        response = self.client.get(
            reverse("example-case" if case else "example", args=names), query
        )
        self.assertEqual(response.status_code, status)
        return response


class ExamplePages(ExampleTestCase):
    def test_the_list_leads_to_every_case(self):
        response = self.client.get(reverse("examples"))
        for example in EXAMPLES.values():
            for case in example.cases:
                self.assertContains(
                    response, reverse("example-case", args=[example.slug, case.slug])
                )

    def test_every_case_has_a_page_for_everybody(self):
        titles = dict(guide.titles())
        for example in EXAMPLES.values():
            for case in example.cases:
                with self.subTest(example=example.slug, case=case.slug):
                    response = self.page(example.slug, case.slug)
                    self.assertContains(response, 'id="example-rows"')
                    self.assertFalse(response.context["changed"])
                    for slug in example.guides:
                        self.assertContains(response, titles[f"guide/{slug}.html"])

    def test_a_case_and_an_example_that_are_not_there(self):
        self.page("bleu", "no-such-case", status=404)
        self.page("no-such-example", status=404)

    def test_nothing_but_get(self):
        self.assertEqual(self.client.post(reverse("example", args=["bleu"])).status_code, 405)

    def test_printed_digits_the_verdict_and_the_erratum(self):
        response = self.page("kappa", "adequacy")
        self.assertContains(response, ".226")
        self.assertContains(response, '<a href="#erratum-1">no: note 1</a>', html=True)
        self.assertContains(response, ".225 from the printed shares")
        self.assertNotContains(self.page("kappa", "fluency"), "Errata")

    def test_the_address_changes_a_value_and_leaves_the_rest(self):
        response = self.page("brevity-penalty", "airport", output_length="5")
        self.assertContains(response, "exp(1 − 7/5)")
        self.assertContains(response, "0.6703")
        self.assertContains(response, "You have changed the example")
        self.assertNotContains(response, "the same</td>")

    def test_line_breaks_of_a_browser_change_nothing(self):
        example = EXAMPLES["clipped-precision"]
        values = {k: v.replace("\n", "\r\n") for k, v in example.cases[0].values.items()}
        response = self.page(example.slug, example.cases[0].slug, **values)
        self.assertFalse(response.context["changed"])

    def test_pages_of_metrics_lead_here_and_back_for_those_who_may_read_them(self):
        metric = reverse("metric-page", args=["bleu"])
        self.assertNotContains(self.page("bleu"), metric)
        self.assertContains(self.page("phrase-translation"), reverse("transducers"))
        self.client.force_login(self.outsider)
        self.assertContains(self.page("bleu"), metric)
        self.assertContains(self.client.get(metric), reverse("example", args=["bleu"]))
        self.assertContains(self.client.get(reverse("metric-list")), reverse("examples"))

    def test_the_front_page_leads_here(self):
        for name in ("home", "about"):
            self.assertContains(self.client.get(reverse(name)), reverse("examples"))


class ExampleErrors(ExampleTestCase):
    def assert_refused(self, message, slug, **query):
        response = self.page(slug, **query)
        self.assertContains(response, message)
        self.assertContains(response, "There is a problem")
        self.assertNotContains(response, 'id="example-rows"')

    def test_what_is_wrong_with_a_field_stands_beside_it(self):
        response = self.page("bleu", output="")
        self.assertContains(response, 'id="id_output_error"')
        self.assertContains(response, 'href="#id_output"')

    def test_sizes(self):
        self.assert_refused("A line has 21 words; at most 20", "edit-distance", output="a " * 21)
        self.assert_refused("These are 6 lines", "bleu", references="a\n" * 6)
        long = "x" * (LONGEST_LINE + 1)
        self.assert_refused(
            f"Line 2 has {LONGEST_LINE + 1} characters", "bleu", references=f"a\n{long}"
        )
        self.assert_refused("less than or equal to 2000", "bootstrap", resamples="2001")
        self.assert_refused("These are 9 numbers", "table-of-t", sizes="2 " * 9)

    def test_numbers(self):
        self.assert_refused("“x” is not a whole number from 2", "table-of-t", sizes="100 x")
        self.assert_refused("“nan” is not a number from", "correlation", people="1 nan")
        self.assert_refused("Enter a number", "kappa", observed="nan")
        self.assert_refused("less than or equal to 1", "kappa", observed="1.5")

    def test_values_that_do_not_go_together(self):
        self.assert_refused(
            "31 of 30 sentences cannot be right", "confidence-interval", right="31", n="30"
        )
        self.assert_refused("differ in number, 1 and 8", "bootstrap", outputs="a")
        self.assert_refused("one of both", "correlation", people="1 2")
        self.assert_refused("nothing left to agree on", "kappa", expected="1")
        self.assert_refused(
            "larger than the whole", "kappa-of-rankings", agreeing="9", comparable="8"
        )
        self.assert_refused("is not a link such as 1-2", "alignment-error", output="1-1 x")
        self.assert_refused("The link 6-1 leads to no word", "phrase-pairs", links="6-1")
        self.assert_refused("Line 2 has 1 parts", "phrase-table", bitext="a | b | 1-1\nx")
        self.assert_refused("Line 1: A rule has one arrow", "hierarchical-rules", rules="a b")
        self.assert_refused("Line 1: a row is", "phrase-translation", rows="a | b | c")
        many = "\n".join(f"a | {word}" for word in "bcde")
        self.assert_refused("200 paths", "phrase-translation", sentence="a " * 15, rows=many)
        rules = "a X1 → X1 b\na X1 → c X1\na → b\na → c"
        many = {"sentence": "a " * 8, "rules": rules}
        self.assert_refused("more than 200 paths", "hierarchical-rules", **many)


@pytest.mark.proof
class HostileExamples(ExampleTestCase):
    def test_whatever_stands_in_an_address_is_data(self):
        for example in EXAMPLES.values():
            for field in example.fields:
                for text in HOSTILE:
                    with self.subTest(example=example.slug, field=field.name, text=text[:20]):
                        response = self.page(example.slug, **{field.name: text})
                        self.assertNotContains(response, "<script>alert")
                        self.assertNotContains(response, "csrfmiddlewaretoken")

    def test_all_fields_at_once(self):
        for example in EXAMPLES.values():
            for text in HOSTILE:
                with self.subTest(example=example.slug, text=text[:20]):
                    self.page(example.slug, **{field.name: text for field in example.fields})

    def test_half_a_character(self):
        """A lone surrogate, as bytes in the URL."""
        for example in EXAMPLES.values():
            field = example.fields[0].name
            address = reverse("example", args=[example.slug])
            response = self.client.get(f"{address}?{field}=%ED%A0%80&{field}=%FF")
            self.assertEqual(response.status_code, 200)

    def test_the_largest_values_are_computed(self):
        for example in EXAMPLES.values():
            with self.subTest(example=example.slug):
                response = self.page(example.slug, **{f.name: largest(f) for f in example.fields})
                self.assertContains(response, 'id="example-rows"')


# Fields with a special format.
LARGEST = {
    "links": " ".join(f"{n}-{n % 7 + 1}" for n in range(1, 16)),
    "bitext": "\n".join(["a b c d e f | u v w x y z | 1-1 2-2 3-3 4-4 5-5"] * 12),
    "rows": "\n".join(f"a{n % 5} b{n % 7} | w{n}" for n in range(25)),
    "rules": "\n".join(["c2 X1 → X1 c2", *(f"{w}{n} → {w}" for n, w in enumerate("abcdefgh"))]),
}


def largest(field) -> str:
    if field.name in LARGEST:
        return LARGEST[field.name]
    line = " ".join(f"{'abcdefgh'[n % 8]}{n % 5}" for n in range(field.most_words))[:LONGEST_LINE]
    if field.kind == "text" and field.name in ("output", "reference") and field.hint:
        return " ".join(f"{n}-{n % 7 + 1}" for n in range(1, 41))  # links
    if field.kind == "lines":
        return "\n".join([line] * field.most_lines)
    if field.kind in LISTS:
        return " ".join(f"{field.high - n:.0f}" for n in range(field.most_lines))
    if field.name == "expected":  # with 1 there is nothing left to agree on
        return "0.999"
    if field.choices:
        return list(field.choices)[-1]
    return f"{field.high:.15g}" if field.kind in ("whole", "number") else line
