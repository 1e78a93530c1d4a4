"""The questions of every protocol for a language model, and the processing of its answers."""

import json
from datetime import UTC, datetime

import pytest
from django.test import SimpleTestCase

from judgments.judging.trial import presets, trial_screen
from judgments.protocols import PROTOCOLS
from judgments.protocols.model_questions import Misfit, posted, schema_of
from judgments.protocols.presets import preset_named
from judgments.protocols.spans.marking import Marking
from judgments.protocols.spans.model_errors import placed, question_of
from tests import model_endpoint

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class EveryPresetTest(SimpleTestCase):
    def test_an_answer_that_fits_the_schema_fits_the_form(self):
        n_asked = 0
        for number, preset in enumerate(presets(), 1):
            if not PROTOCOLS[preset.protocol].asks_models:
                continue
            with self.subTest(preset.slug):
                screen = trial_screen(number, NOW)
                asked = screen.form().model_questions()
                self.assertTrue(asked)
                shape = {"response_format": {"json_schema": {"schema": schema_of(asked)}}}
                answer = json.loads(model_endpoint.answer_to(shape))
                form = screen.form(posted(asked, answer).data)
                self.assertTrue(form.is_valid(), form.errors)
                n_asked += 1
        self.assertGreater(n_asked, 12)

    def test_questions_name_the_scale(self):
        preset = next(p for p in presets() if p.slug == "esa")
        screen = trial_screen(presets().index(preset) + 1, NOW)
        score = screen.form().model_questions()[-1]
        self.assertIn("66 = Most meaning preserved", score.words)
        self.assertEqual(score.schema, {"type": "number", "minimum": 0, "maximum": 100})


@pytest.mark.parametrize(
    ("text", "quoted", "expected"),
    [
        ("a cat and a dog", ("dog", "", ""), (12, 15)),
        ("a cat and a cat", ("cat", "and a ", ""), (12, 15)),
        ("a cat and a cat", ("cat", "a ", " and"), (2, 5)),
        ("a cat and a cat", ("cat", "", ""), (12, 15)),  # nothing after it: the end of the text
        ("A Cat.", ("cat", "", ""), (2, 5)),
        ("A Cat, a cat.", ("cat", "", ""), (9, 12)),  # letter case counts if it occurs
        ("A cat.", ('"cat"', "", ""), (2, 5)),
        ("A cat.", (" cat ", "", ""), (2, 5)),
        ("A cat.", ("dog", "", ""), None),
        ("A cat.", ("", "", ""), None),
        ("", ("cat", "", ""), None),
        ("𝄞 a 𝄞 b", ("𝄞", "a ", " b"), (4, 5)),  # code points, not UTF-16
        ("aaa", ("aa", "a", ""), (1, 3)),
    ],
)
def test_quotes_are_placed(text, quoted, expected):
    assert placed(text, *quoted) == expected


MARKING = Marking(
    weights={"minor": 1, "major": 5, "*/non-translation": 25},
    categories=("Accuracy/Omission", "Fluency/Grammar"),
    sides=("target", "missing"),
    most_errors=2,
    non_translation=True,
)


def marks(*rows):
    question = question_of("output1-spans", MARKING, {"target": "A cat sat."})
    found = question.post([dict(row) for row in rows])
    return json.loads(found.data["output1-spans"]), found.n_unplaced


CAT = {"quote": "cat", "side": "target", "severity": "minor", "category": "Fluency/Grammar"}


def test_an_error_has_the_campaigns_own_words():
    (mark,), n_unplaced = marks(CAT)
    assert n_unplaced == 0
    assert mark == {
        "side": "target", "start": 2, "end": 5, "severity": "minor", "category": "fluency/grammar",
    }  # fmt: skip


def test_what_is_missing_has_no_place():
    (mark,), _ = marks(CAT | {"side": "missing", "category": "Accuracy/Omission", "quote": "dog"})
    assert (mark["side"], mark["start"], mark["end"]) == ("missing", 0, 0)


def test_the_same_error_twice_is_one():
    assert len(marks(CAT, CAT)[0]) == 1


def test_of_too_many_the_gravest_stay():
    others = [
        CAT | {"quote": quote, "severity": s} for quote, s in (("A", "major"), ("sat", "major"))
    ]
    found, n_unplaced = marks(CAT, *others)
    assert [mark["severity"] for mark in found] == ["major", "major"]
    assert n_unplaced == 0  # all of them are in the text


def test_a_text_that_is_no_translation_has_that_error_alone():
    (mark,), _ = marks(CAT, CAT | {"category": "non-translation", "severity": "minor"})
    assert (mark["start"], mark["end"], mark["severity"]) == (0, 10, "major")


@pytest.mark.parametrize(
    "wrong",
    [
        {"severity": "dreadful"}, {"category": "Fluency/Rhythm"}, {"side": "source"},
        {"severity": None}, {"category": {"a": 1}},
    ],
)  # fmt: skip
def test_kinds_that_the_campaign_does_not_have_do_not_fit(wrong):
    with pytest.raises(Misfit):
        marks(CAT | wrong)


@pytest.mark.parametrize("answer", [None, "none", 3, {}, [1], ["cat"], [[]]])
def test_what_is_no_list_of_errors_does_not_fit(answer):
    with pytest.raises(Misfit):
        question_of("output1-spans", MARKING, {"target": "A cat sat."}).post(answer)


def test_no_preset_is_left_out_by_name():
    """The tests above name presets."""
    assert preset_named("esa").slug == "esa"
