"""Published prompts: what their answers say, and what does not fit them."""

import contextlib
import json

import pytest

from judgments.judges import endpoints
from judgments.judges.prompts import (
    PROMPTS,
    auto_errors,
    category_among,
    mqm_errors,
    number_in,
    severity_among,
)
from judgments.models import ErrorSpan, JudgeStatus, Rating
from judgments.plans.errors import PlanError
from judgments.protocols.model_questions import Misfit
from tests import factory, model_endpoint
from tests.base import CastTestCase

from .test_runs import new_judge, run

MQM_ANSWER = """Critical:
no-error
Major:
accuracy/mistranslation - "wrong here"
style/awkward - "nowhere"
Minor:
fluency/punctuation - "number".
"""


def test_errors_under_three_headings():
    assert mqm_errors(MQM_ANSWER) == [
        ("major", "accuracy/mistranslation", "wrong here"),
        ("major", "style/awkward", "nowhere"),
        ("minor", "fluency/punctuation", "number"),
    ]


def test_long_answers_are_read_in_time():
    """These took minutes by patterns that try every place anew."""
    for text in ('"' * 200_000, "a-" * 100_000, "Major:\n" + "x " * 100_000, "9." * 100_000):
        for parse in (mqm_errors, auto_errors, number_in):
            with contextlib.suppress(Misfit):
                parse(text)


def test_headings_may_be_bold_and_quotes_curly():
    assert mqm_errors("**Major:**\n- fluency/grammar – “a cat”\n**Minor:** \nno error") == [
        ("major", "fluency/grammar", "a cat")
    ]


def test_one_line_for_each_error():
    said = "\"wrong here\" - major/accuracy\n'number' – minor/fluency/punctuation."
    assert auto_errors(said) == [
        ("major", "accuracy", "wrong here"), ("minor", "fluency/punctuation", "number"),
    ]  # fmt: skip
    assert auto_errors("no-error") == []


@pytest.mark.parametrize("parse", [mqm_errors, auto_errors])
def test_prose_does_not_fit(parse):
    with pytest.raises(Misfit):
        parse("The translation is quite good, I would say.")


@pytest.mark.parametrize(
    ("said", "number"),
    [("85", 85), ("Score: 92.5", 92.5), ("**78**/100", 78), ("0", 0), ("100", 100),
     ("A fair translation.\n60", 60)],
)  # fmt: skip
def test_the_number_that_is_all(said, number):
    assert number_in(said) == number


@pytest.mark.parametrize("said", 
    [
        "", "none", "1000", "12345", "-", "On a scale from 0 to 100, I would score it 85.",
        "I found 1 major error. 60 of 100 is", "9" * 100_000,
    ],
)  # fmt: skip
def test_no_number_does_not_fit(said):
    with pytest.raises(Misfit):
        number_in(said)


def test_words_of_the_campaign_are_taken():
    assert severity_among(["minor", "major"], "critical") == "major"
    assert severity_among(["minor", "major", "critical"], "critical") == "critical"
    assert severity_among(["major"], "minor") == "major"
    known = ["Accuracy/Omission", "Fluency/Grammar", "Other"]
    assert category_among(known, "accuracy/omission") == "Accuracy/Omission"
    assert category_among(known, "grammar") == "Fluency/Grammar"
    assert category_among(known, "fluency/rhythm") == "Fluency/Grammar"
    assert category_among(known, "audience") == "Other"


def test_texts_and_hashes_of_prompts_are_their_own():
    assert len({prompt.hash for prompt in PROMPTS.values()}) == len(PROMPTS) == 6
    assert all(prompt.paper for slug, prompt in PROMPTS.items() if slug != "campaign")


class PublishedPromptsTest(CastTestCase):
    def judged(self, preset, prompt, script):
        campaign = factory.make_campaign(
            self.test_set, preset=preset, name=preset, owner=self.owner, annotators=[]
        )
        judge = new_judge(campaign, self.owner, prompt)
        with model_endpoint.serving(script) as endpoint:
            run(judge, endpoint)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        return judge, endpoint

    def test_gemba_mqm(self):
        judge, _ = self.judged("mqm", "gemba-mqm", lambda body, number: MQM_ANSWER)
        spans = ErrorSpan.objects.filter(judgment__campaign=judge.answers)
        # "number" is in all 12 texts, "wrong here" in the 8 of two systems, "nowhere" in none.
        self.assertEqual(spans.filter(severity="minor").count(), 12)
        self.assertEqual(spans.filter(severity="major").count(), 8)
        sums = [answer.n_unplaced for answer in judge.raw_answers.all()]
        self.assertEqual(sorted(sums), [1] * 8 + [2] * 4)

    def test_gemba_esa_asks_twice(self):
        def script(body, number):
            asks_score = "Answer with the number alone." in body["messages"][-1]["content"]
            return "70" if asks_score else MQM_ANSWER

        judge, endpoint = self.judged("esa", "gemba-esa", script)
        self.assertEqual(len(endpoint.got), 24)
        values = Rating.objects.filter(judgment__campaign=judge.answers, dimension="esa")
        self.assertEqual([rating.value for rating in values], [70] * 12)
        self.assertEqual(judge.raw_answers.filter(is_last=True).count(), 12)
        self.assertIn("wrong here", endpoint.got[-1]["messages"][-1]["content"])

    def test_gemba_da(self):
        judge, endpoint = self.judged(
            "direct-assessment", "gemba-da", lambda body, number: "Score: 66"
        )
        values = Rating.objects.filter(judgment__campaign=judge.answers)
        self.assertEqual({rating.value for rating in values}, {66})
        self.assertNotIn("response_format", endpoint.got[0])

    def test_marks_of_the_whole_are_no_errors_in_the_text(self):
        mark = {"quote": "text", "before": "", "after": "", "side": "target", "severity": "minor"}
        whole = mark | {"quote": "", "category": "Instructions fault"}

        def script(body, number):
            properties = body["response_format"]["json_schema"]["schema"]["properties"]
            kinds = properties["translation_1_spans"]["items"]["properties"]["category"]["enum"]
            assert kinds == ["", "Instructions fault"], kinds
            rows = [mark | {"category": ""}, whole]
            return json.dumps(
                {name: rows if part["type"] == "array" else 50 for name, part in properties.items()}
            )

        judge, _ = self.judged("cesa-wmt26", "campaign", script)
        spans = ErrorSpan.objects.filter(judgment__campaign=judge.answers)
        sides = sorted(spans.values_list("side", flat=True))
        self.assertEqual(sides, ["output"] * 12 + ["target"] * 12)

    def test_a_whole_document_is_asked_about_once(self):
        _, endpoint = self.judged("document-assessment", "campaign", model_endpoint.answer_to)
        self.assertEqual(len(endpoint.got), 6)  # 2 documents of 3 systems
        schema = endpoint.got[0]["response_format"]["json_schema"]["schema"]
        self.assertEqual(list(schema["properties"]), ["document_da"])
        self.assertNotIn("of translation 1", endpoint.got[0]["messages"][-1]["content"])

    def test_instructions_do_not_speak_of_help_that_it_does_not_get(self):
        _, endpoint = self.judged("esa-ai", "campaign", model_endpoint.answer_to)
        self.assertNotIn("suggest", json.dumps(endpoint.got).lower())

    def test_contrastive_campaigns_show_several_at_once(self):
        """With published prompts, which ask about one translation, they cannot be asked."""
        judge, endpoint = self.judged("cesa-wmt26", "campaign", model_endpoint.answer_to)
        self.assertEqual(len(endpoint.got), 4)
        self.assertIn("Translation 3", endpoint.got[0]["messages"][-1]["content"])
        with self.assertRaisesRegex(PlanError, "asks for marked errors and one score"):
            new_judge(judge.campaign, self.owner, "gemba-esa", name="Other")

    def test_a_prompt_that_asks_something_else_is_refused(self):
        with self.assertRaisesRegex(PlanError, "asks for marked errors"):
            new_judge(self.campaign, self.owner, "gemba-mqm")


def test_only_endpoints_of_the_operator():
    with pytest.raises(endpoints.EndpointRefused):
        endpoints.Caller("elsewhere")
