"""The page that translates a sentence by composing machines."""

import re
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from metrics.lessons.transducers import exercise_texts
from metrics.lessons.transducers.forms import DEFAULTS, TransducersForm
from metrics.lessons.transducers.steps import source_side, target_side
from tests.base import CastTestCase


class TransducersTest(CastTestCase):
    def page(self, **asked):
        return self.client.get(reverse("transducers"), asked)

    def findings(self, response):
        found = re.findall(r'data-finding="(\w+)">([^<]*)<', response.content.decode())
        return dict(found)

    def test_everybody_may_see_it(self):
        self.assertEqual(self.page().status_code, 200)
        for user in (self.outsider, self.annotator_1, self.owner):
            self.assertEqual(self.get_as(user, "transducers").status_code, 200)
        self.assertEqual(self.client.post(reverse("transducers")).status_code, 405)
        self.assertContains(self.client.get(reverse("about")), reverse("transducers"))

    def test_the_lectures_example(self):
        """1 segmentation and 9 target sequences; with one swap twice as many."""
        found = self.findings(self.page())
        self.assertEqual(found["T"], "5 words")
        self.assertEqual(found["U"], "1 segmentation")
        self.assertEqual(found["Y"], "6 rows for phrases of U")
        self.assertEqual(found["V"], "9 target sequences")
        self.assertEqual(found["V2"], "2 source sequences, 18 target sequences")
        self.assertEqual(found["W"], "17 different sentences")
        self.assertEqual(list(found), ["T", "S", "U", "Y", "V", "V2", "W", "L", "WL"])

    def test_every_machine_is_drawn_with_a_name_and_a_table(self):
        html = self.page().content.decode()
        drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
        self.assertEqual(len(drawings), 9)
        self.assertEqual(html.count("Arcs as a table"), 9)
        for drawing in drawings:
            tree = ElementTree.fromstring(drawing)
            self.assertEqual(tree.get("role"), "img")
            title = tree.find("title")
            self.assertEqual(tree.get("aria-labelledby"), title.get("id"))
            self.assertRegex(title.text, r"\d+ states?, \d+ arcs?")
            self.assertGreater(len(tree.findall("circle")), 0)
            self.assertNotIn("style", drawing)
        self.assertIn("fundamental : ε", drawings[1])
        self.assertIn("that_is_the : qui_est_le", drawings[3])

    def test_numbers_have_points_in_every_language(self):
        """Commas in coordinates would draw nonsense."""
        response = self.client.get(reverse("transducers"), headers={"accept-language": "de"})
        html = response.content.decode()
        found = re.findall(r' (?:x|y|cx|cy|width|height)="([^"]*)"', html)
        self.assertGreater(len(found), 100)
        self.assertEqual([value for value in found if not re.fullmatch(r"-?[\d.]+", value)], [])

    def test_the_warning_for_stupid_backoff(self):
        response = self.page()
        self.assertContains(response, "1 sentence weighs less by ε than exactly.")
        self.assertContains(response, "This is the lecture’s warning")
        model = response.context["model"]
        (differing,) = [each for each in model.sentences if each.differs]
        self.assertEqual(" ".join(differing.words), "voila la difficulte fondamental")
        self.assertLess(differing.by_epsilon, differing.exact)
        (excess,) = model.excesses
        self.assertEqual((excess.context, excess.word), ("voila", "la"))
        self.assertLess(excess.backed_off, excess.direct)

    def test_bigrams_of_kneser_ney_are_the_same_by_both_readings(self):
        response = self.page(smoothing="kneser-ney")
        self.assertContains(response, "Both readings give these sentences the same weights.")
        self.assertEqual(response.context["model"].n_excesses, 0)
        self.assertNotContains(response, "heavier than backing off")

    def test_trigrams_of_kneser_ney_need_not_be(self):
        text = "voila le probleme\nvoila la difficulte\nvoila le probleme fondamental de la ville\n"
        text += "le probleme est fondamental\nqui est le voisin\nqui est la\n"
        text += "le probleme fondamental reste le meme\nla difficulte est la"
        response = self.page(smoothing="kneser-ney", order="3", text=text)
        self.assertContains(response, "backing off early leads to a shorter context")
        self.assertEqual(response.context["model"].n_excesses, 0)

    def test_without_a_text_there_is_no_language_model(self):
        response = self.page(text="")
        self.assertNotIn("L", self.findings(response))
        self.assertContains(response, "Without a text to learn from")

    def test_words_without_a_row(self):
        response = self.page(sentence="that is the new problem")
        self.assertContains(
            response, "No row of the phrase table covers these words: new, problem."
        )
        self.assertEqual(self.findings(response)["U"], "0 segmentations")
        self.assertContains(response, "this machine accepts nothing")
        response = self.page(sentence="a b c", table="a b | x\nb c | y")
        self.assertContains(response, "no sequence of phrases leads")

    def test_probabilities(self):
        response = self.page(sentence="a", table="a | x | 0.25\na | y | 0.5", text="")
        self.assertContains(response, "a : y / 0.69")
        self.assertContains(response, "a : x / 1.39")

    def test_what_is_wrong_is_said_and_kept(self):
        response = self.page(sentence="a", table="a | b\nc d")
        self.assertContains(response, "Row 2: a phrase, its translation")
        self.assertContains(response, "c d</textarea>")
        self.assertContains(response, "There is a problem")
        self.assertNotContains(response, "<svg")

    def test_texts_are_escaped(self):
        attack = "<script>alert(1)</script>"
        response = self.page(sentence=attack, table=f"{attack} | {attack}", text=attack)
        self.assertNotContains(response, attack)
        self.assertContains(response, "&lt;script&gt;")

    def test_too_large_machines_are_refused(self):
        table = "a | x y z\na | z y\na | y y x"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("metrics.lessons.transducers.steps.MOST_STATES_MADE", 20)
            response = self.page(sentence="a a a a", table=table, text="x y z\nz y x")
        response_text = response.content.decode()
        self.assertIn("more than 20 states", response_text)
        self.assertIn("Try a shorter sentence or fewer rows.", response_text)


@pytest.mark.parametrize(
    ("asked", "field", "message"),
    [
        ({"sentence": " "}, "sentence", "Write a sentence."),
        ({"sentence": "a " * 13}, "sentence", "At most 12 words can be drawn; these are 13."),
        ({"sentence": "a" * 201}, "sentence", "at most 200 characters"),
        ({"table": "\n \n"}, "table", "at least one row"),
        ({"table": "a | "}, "table", "Row 1: a phrase is missing"),
        ({"table": "a | b | 2"}, "table", "Row 1: the probability must be"),
        ({"table": "a | b | nan"}, "table", "Row 1: the probability must be"),
        ({"table": "a | b | c | d"}, "table", "Row 1: a phrase, its translation"),
        ({"table": "a b c d e f g h | b"}, "table", "Row 1: a phrase may have 7 words"),
        ({"table": "a | b\n" * 61}, "table", "may have 60 rows; this one has 61"),
        ({"text": "a\n" * 41}, "text", "may have 40 lines; this one has 41"),
        ({"text": "a " * 31}, "text", "A line may have 30 words"),
        ({"text": "101 × a"}, "text", "up to 100 times"),
        ({"text": "0 × a"}, "text", "up to 100 times"),
        ({"window": "3"}, "window", "Select a valid choice"),
        ({"order": "4"}, "order", "Select a valid choice"),
        ({"cost": "-1"}, "cost", "greater than or equal to 0"),
        ({"cost": "inf"}, "cost", "Enter a number"),
        ({"n": "21"}, "n", "less than or equal to 20"),
        ({"smoothing": "x"}, "smoothing", "Select a valid choice"),
    ],
)
def test_the_form_says_what_is_wrong(asked, field, message):
    form = TransducersForm(asked)
    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert message in " ".join(form.errors[field])


def test_what_the_address_does_not_say_is_the_lectures():
    form = TransducersForm({"window": "0"})
    assert form.is_valid(), form.errors
    exercise = form.exercise()
    assert exercise.window == 0
    assert exercise.sentence == ("that", "is", "the", "fundamental", "problem")
    assert len(exercise.pairs) == 14
    assert len(exercise.text) == 48
    assert set(DEFAULTS) == set(form.fields)


def test_rows_may_be_parted_in_several_ways():
    rows = "that_is | c_est\nthat is\tc' est\nthat is → c_est | 0.5"
    pairs = exercise_texts.table_of(rows)
    assert [pair.source for pair in pairs] == [("that", "is")] * 3
    assert [pair.target for pair in pairs] == [("c", "est"), ("c'", "est"), ("c", "est")]
    assert pairs[2].weight == pytest.approx(0.6931, abs=1e-4)


def test_lines_that_count_more_than_once():
    found = exercise_texts.text_of("3 × le chat\n\n2x la mer\n3 chats\n2*3")
    assert found == (("le", "chat"),) * 3 + (("la", "mer"),) * 2 + (("3", "chats"), ("2*3",))


def test_the_largest_exercise_takes_no_longer_than_a_page_may():
    """Counted in states of all machines together, which bound the time."""
    words = ["x", "y", "z", "u", "v", "w"]
    table = "\n".join(
        f"{'a ' * (1 + i % 7)}| {' '.join(words[(i * k) % 6] for k in range(1, 2 + i % 7))}"
        for i in range(60)
    )
    form = TransducersForm({"sentence": "a " * 12, "table": table, "window": "2", "n": "20"})
    assert form.is_valid(), form.errors
    source = source_side(form.exercise())
    try:
        target = target_side(form.exercise(), source)
    except ValueError as error:
        assert "more than 3,000 states" in str(error)
    else:
        assert len(target.words) + len(target.moved) < 6_000
