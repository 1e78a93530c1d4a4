"""The page that translates a sentence by hierarchical rules."""

import re

import pytest
from django.urls import reverse

from metrics.lessons.transducers.rule_examples import RULE_EXAMPLES
from tests.base import CastTestCase


class HierarchicalRulesTest(CastTestCase):
    def page(self, **asked):
        return self.client.get(reverse("hierarchical-rules"), asked)

    def best(self, response) -> list[str]:
        return [" ".join(each.words) for each in response.context["model"].sentences]

    def findings(self, response) -> dict[str, str]:
        found = re.findall(r'data-finding="([^"]+)">([^<]*)<', response.content.decode())
        return dict(found)

    def test_everybody_may_see_it(self):
        self.assertEqual(self.page().status_code, 200)
        for user in (self.outsider, self.annotator_1, self.owner):
            self.assertEqual(self.get_as(user, "hierarchical-rules").status_code, 200)
        self.assertEqual(self.client.post(reverse("hierarchical-rules")).status_code, 405)
        self.assertContains(self.client.get(reverse("transducers")), reverse("hierarchical-rules"))

    def test_e1_e4_e3_becomes_f1_f4_f3(self):
        """The lecture's example; with only its phrase pairs, F3 F4 F1 is the only result."""
        response = self.page()
        self.assertEqual(self.best(response), ["F1 F4 F3", "F3 F4 F1"])
        found = self.findings(response)
        self.assertEqual(found["W"], "2 target sequences")
        self.assertEqual(found["T[1,3]"], "1 arc stands for a network")
        without = self.page(rules="E4 → F4\nE1 → F3\nE3 → F1")
        self.assertEqual(self.best(without), ["F3 F4 F1"])

    def test_a_weight_has_limits(self):
        page = self.page(sentence="a a", rules="a → b | 1e308", text="b b")
        self.assertContains(page, "A weight is between -1000 and 1000")

    def test_networks_of_the_lecture(self):
        response = self.page(example="networks")
        self.assertEqual(set(self.best(response)), {"F1 F4 F2", "F2 F4 F1", "F3 F4 F1", "F5 F4 F1"})
        self.assertEqual(
            list(self.findings(response)),
            ["S", "T[1,3]", "T[3,3]", "T[2,2]", "T[1,1]", "W", "WL"],
        )
        # T[1,3]: E1 X1 E3 twice, with one gap, and E1 X1 X2 with two.
        self.assertEqual(self.findings(response)["T[1,3]"], "4 arcs stand for networks")
        self.assertEqual(response.content.decode().count("<svg"), 7)

    def test_every_example_is_translated(self):
        best = {slug: self.best(self.page(example=slug))[0] for slug in RULE_EXAMPLES}
        self.assertEqual(best["ne-pas"], "John does not find the black cat")
        self.assertEqual(best["verb-last"], "the ferryman has read the letter today")

    def test_what_a_sentence_lacks_is_said(self):
        response = self.page(sentence="E1 E9 E3")
        self.assertContains(response, "No rule covers this word: E9. Add a rule for it.")
        self.assertNotContains(response, "<svg")
        response = self.page(sentence="a b", rules="a b c → x\nb X1 → X1 y")
        self.assertContains(response, "Nothing can be translated.")
        response = self.page(text="")
        self.assertContains(response, "Without a text to learn from, there is no language model")

    def test_networks_that_are_too_large_are_not_made(self):
        rules = "a → x\na → y\na → z\na X1 X2 → X2 X1 x\nX1 a X2 → X2 r X1"
        response = self.page(sentence=" ".join(["a"] * 12), rules=rules)
        self.assertContains(response, "Too much to draw: The machine has no deterministic form")

    def test_markup_is_text(self):
        response = self.page(sentence="<b>", rules="<b> → <script>alert(1)</script>")
        self.assertEqual(self.best(response), ["<script>alert(1)</script>"])
        self.assertNotContains(response, "<script>alert")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"sentence": ""}, "Write a sentence."),
        ({"sentence": "a " * 13}, "At most 12 words can be drawn; these are 13."),
        ({"rules": ""}, "Write at least one rule."),
        ({"rules": "E4 F4"}, "Line 1: A rule has one arrow"),
        ({"rules": "a → b\nX1 X2 → X2 X1"}, "Line 2: A rule reads at least one word."),
        ({"rules": "\n".join(f"a → b{n}" for n in range(61))}, "At most 60 rules"),
        ({"rules": "a a a a a a a a → b"}, "A side of a rule may have 7 words and gaps"),
        ({"n": "many"}, "Enter a whole number."),
        ({"order": "9"}, "Select a valid choice."),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field(client, asked, problem):
    response = client.get(reverse("hierarchical-rules"), asked)
    assert response.status_code == 200
    assert problem in response.content.decode()
    assert b"<svg" not in response.content
