"""Judges at work against an endpoint on this machine: what is asked, stored, and asked again."""

import json
from unittest import mock

from django.test import override_settings

from judgments.judges import endpoints, price, runs, set_up
from judgments.judges.prompts import PROMPTS
from judgments.models import (
    Answer,
    Campaign,
    ErrorSpan,
    Judge,
    JudgeAnswer,
    JudgeStatus,
    Judgment,
    Preference,
    Question,
    Rating,
    Status,
)
from tests import factory, model_endpoint
from tests.base import CastTestCase

PROSE = "I am afraid that I cannot say."


def settings_for(endpoint):
    return override_settings(
        JUDGE_ENDPOINTS={"stub": endpoint.address}, JUDGE_KEYS={"stub": model_endpoint.KEY}
    )


def new_judge(campaign, owner, prompt="campaign", *, segments=None, **fields):
    campaign.test_set.may_leave = True
    campaign.test_set.save()
    values = {
        "name": "Stub", "endpoint": "stub", "model": "stub-1", "budget": 10, "price_in": 1,
        "price_out": 2, "at_once": 2, "requests_a_minute": 10_000, "tokens_a_minute": 10_000_000,
        "status": JudgeStatus.QUEUED,
    }  # fmt: skip
    judge = Judge(prompt=prompt, prompt_hash=PROMPTS[prompt].hash, **values | fields)
    return set_up.make(campaign, judge, segments=segments)


def run(judge, endpoint):
    with settings_for(endpoint), mock.patch.object(runs, "LOOK", 0.02):
        is_left = runs.work_on(judge.pk)
    judge.refresh_from_db()
    return is_left


class RunsTest(CastTestCase):
    def judged(self, campaign, script, prompt="campaign", **fields):
        judge = new_judge(campaign, self.owner, prompt, **fields)
        with model_endpoint.serving(script) as endpoint:
            run(judge, endpoint)
        return judge, endpoint

    def test_ratings_are_stored_in_a_campaign_of_their_own(self):
        judge, endpoint = self.judged(self.campaign, model_endpoint.answer_to)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        self.assertFalse(Judgment.objects.filter(campaign=self.campaign).exists())
        own = judge.answers
        own.refresh_from_db()
        self.assertTrue(own.by_model)
        self.assertEqual(own.status, Status.CLOSED)
        # 4 segments of 3 systems, one translation a request.
        self.assertEqual(Judgment.objects.filter(campaign=own).count(), 12)
        self.assertEqual(len(endpoint.got), 12)
        self.assertEqual(endpoint.keys, {f"Bearer {model_endpoint.KEY}"})
        n_dimensions = Rating.objects.filter(judgment__campaign=own).values("dimension").distinct()
        self.assertEqual(n_dimensions.count(), 2)
        self.assertEqual(price.spent(judge).tokens_in, 1200)
        self.assertEqual(str(price.spent(judge).cost), "0.00144")

    def test_no_request_names_a_system_or_has_the_key(self):
        _, endpoint = self.judged(self.campaign, model_endpoint.answer_to)
        sent = json.dumps(endpoint.got)
        self.assertNotIn("System-", sent)
        self.assertNotIn(model_endpoint.KEY, sent)
        self.assertIn("Quelltext Nummer 3 steht hier .", sent)

    def test_pairs_are_shown_in_both_orders(self):
        def first(body, number):
            return json.dumps({"preference": "1"})

        judge, _ = self.judged(self.pairwise, first, samples=2)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        rows = Preference.objects.filter(judgment__campaign=judge.answers)
        said = {}
        for a, b, value in rows.values_list("output_a", "output_b", "value"):
            said.setdefault(frozenset((a, b)), []).append((a, value))
        self.assertEqual(len(said), 12)
        # The first output is better, so the two samples of every pair contradict each other.
        self.assertTrue(all(len({a for a, _ in rows}) == 2 for rows in said.values()))

    def test_errors_are_quoted_and_placed(self):
        campaign = factory.make_campaign(
            self.test_set, preset="esa", name="ESA", owner=self.owner, annotators=[]
        )

        def script(body, number):
            marks = [
                {"quote": "here", "before": "here", "after": "", "side": "target",
                 "severity": "major"},
                {"quote": "nowhere to be found", "before": "", "after": "", "side": "target",
                 "severity": "minor"},
            ]  # fmt: skip
            return "```json\n" + json.dumps(
                {"translation_1_errors": marks, "translation_1_spans": marks,
                 "translation_1_esa": 41.4}
            ) + "\n```"  # fmt: skip

        judge, _ = self.judged(campaign, script)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        spans = ErrorSpan.objects.filter(judgment__campaign=judge.answers)
        self.assertEqual(spans.count(), 12)
        for span in spans.select_related("output"):
            # Of two "here" the one after "here"; the only one where there is one.
            self.assertEqual(span.end, len(span.output.text))
        values = Rating.objects.filter(judgment__campaign=judge.answers, dimension="esa")
        self.assertEqual(set(values.values_list("value", flat=True)), {41.0})
        self.assertEqual(
            list(JudgeAnswer.objects.filter(judge=judge).values_list("n_unplaced", flat=True)),
            [1] * 12,
        )

    def test_questions_about_documents_are_asked(self):
        campaign = factory.make_campaign(
            self.test_set, preset="comprehension", name="Asked", owner=self.owner, annotators=[]
        )
        Question.objects.create(
            campaign=campaign, document=self.test_set.documents.all()[0], position=0, level=1,
            text="How many swans?",
        )  # fmt: skip
        judge, endpoint = self.judged(campaign, model_endpoint.answer_to)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        self.assertIn("How many swans?", json.dumps(endpoint.got))
        answers = Answer.objects.filter(judgment__campaign=judge.answers)
        self.assertEqual(set(answers.values_list("text", flat=True)), {"nothing"})
        self.assertEqual(campaign.questions.count(), 1)

    def test_an_answer_in_prose_is_repaired_once(self):
        def script(body, number):
            is_repair = len(body["messages"]) > 2
            return model_endpoint.answer_to(body) if is_repair else PROSE

        judge, endpoint = self.judged(self.campaign, script)
        self.assertEqual(judge.status, JudgeStatus.DONE)
        self.assertEqual(len(endpoint.got), 24)
        self.assertEqual(Judgment.objects.filter(campaign=judge.answers).count(), 12)
        self.assertIn("no JSON object", endpoint.got[-1]["messages"][-1]["content"])

    def test_what_never_fits_is_given_up_and_counted(self):
        judge, endpoint = self.judged(self.campaign, lambda body, number: PROSE)
        self.assertEqual(len(endpoint.got), 24)
        self.assertFalse(Judgment.objects.filter(campaign=judge.answers).exists())
        self.assertEqual(judge.message, "Items without an answer that fits: 12.")
        # They are not asked again.
        Judge.objects.update(status=JudgeStatus.QUEUED)
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint:
            run(judge, endpoint)
        self.assertEqual(endpoint.got, [])

    def test_busy_endpoints_are_asked_again(self):
        def script(body, number):
            return {1: (429, 0), 2: (500, None), 3: b"{broken"}.get(
                number
            ) or model_endpoint.answer_to(body)

        with mock.patch.object(runs, "LONGEST_WAIT", 0.01):
            judge, endpoint = self.judged(self.campaign, script)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)
        self.assertEqual(len(endpoint.got), 15)
        self.assertEqual(Judgment.objects.filter(campaign=judge.answers).count(), 12)

    def test_an_endpoint_that_is_down_stops_the_run(self):
        with mock.patch.object(runs, "LONGEST_WAIT", 0.01):
            judge, _ = self.judged(self.campaign, lambda body, number: (503, None))
        self.assertEqual(judge.status, JudgeStatus.FAILED)
        self.assertIn("503", judge.message)
        self.assertNotIn(model_endpoint.KEY, judge.message)

    def test_a_wrong_key_stops_the_run_at_once(self):
        judge, endpoint = self.judged(self.campaign, lambda body, number: (401, None))
        self.assertEqual(judge.status, JudgeStatus.FAILED)
        self.assertLessEqual(len(endpoint.got), 2)

    def test_cut_off_answers_are_asked_again_with_more_room(self):
        def script(body, number):
            return "{…" if body["max_tokens"] < 1000 else model_endpoint.answer_to(body)

        judge, endpoint = self.judged(self.campaign, script)
        self.assertEqual(Judgment.objects.filter(campaign=judge.answers).count(), 12)
        self.assertEqual(len(endpoint.got), 24)

    def test_hostile_answers_store_nothing(self):
        deep = "[" * 100_000
        answers = [
            b"\xff\xfe", b"[]", b'{"choices": []}', b"null", b'{"choices": [{"message": 3}]}',
            deep.encode(), '{"a": ' + deep, '{"output1-adequacy": NaN}', "{} {}",
            '{"translation_1_adequacy": true, "translation_1_fluency": {}}',
            '{"translation_1_adequacy": 1' + "0" * 400 + ', "translation_1_fluency": 1}',
            b'{"choices": [{"message": {"content": "\\ud800\\u0000"}}], "model": "\\udfff"}',
        ]  # fmt: skip

        def script(body, number):
            return answers[number % len(answers)]

        with mock.patch.object(runs, "LONGEST_WAIT", 0.01):
            judge, _ = self.judged(self.campaign, script)
        self.assertFalse(Judgment.objects.filter(campaign=judge.answers).exists())
        self.assertIn(judge.status, (JudgeStatus.DONE, JudgeStatus.FAILED))

    def test_the_budget_is_kept(self):
        judge, endpoint = self.judged(
            self.campaign, model_endpoint.answer_to, budget=1, price_in=1000, at_once=1
        )
        self.assertEqual(judge.status, JudgeStatus.FAILED)
        self.assertIn("budget", judge.message)
        self.assertLessEqual(price.spent(judge).cost, judge.budget)
        self.assertGreater(len(endpoint.got), 2)

    def test_the_budget_reckons_with_what_is_on_its_way(self):
        judge, _ = self.judged(
            self.campaign, model_endpoint.answer_to, budget=1, price_out=1000, at_once=12
        )
        self.assertLessEqual(price.spent(judge).cost, judge.budget)

    def test_an_endpoint_that_does_not_say_what_it_took_is_reckoned(self):
        def script(body, number):
            said = {"choices": [{"message": {"content": model_endpoint.answer_to(body)}}]}
            return json.dumps(said).encode()

        judge, _ = self.judged(self.campaign, script)
        self.assertEqual(judge.status, JudgeStatus.DONE)
        self.assertGreater(price.spent(judge).tokens_in, 12 * 100)

    def test_what_was_billed_and_is_no_answer_is_counted(self):
        def script(body, number):
            if number == 1:
                return b'{"choices": [], "usage": {"prompt_tokens": 500, "completion_tokens": 7.0}}'
            return model_endpoint.answer_to(body)

        with mock.patch.object(runs, "LONGEST_WAIT", 0.01):
            judge, _ = self.judged(self.campaign, script)
        found = price.spent(judge)
        self.assertEqual((found.tokens_in, found.tokens_out), (1700, 127))

    def test_nothing_more_leaves_once_the_owner_says_so(self):
        judge = new_judge(self.campaign, self.owner, at_once=1)
        serving = model_endpoint.serving(model_endpoint.answer_to)
        with serving as endpoint, settings_for(endpoint), mock.patch.object(runs, "LOOK", 0.02):
            keep = runs.keep

            def kept(*args):
                keep(*args)
                if len(endpoint.got) == 2:
                    type(self.test_set).objects.update(may_leave=False)

            with mock.patch.object(runs, "keep", kept):
                runs.work_on(judge.pk)
        judge.refresh_from_db()
        self.assertEqual(judge.status, JudgeStatus.FAILED)
        self.assertEqual(len(endpoint.got), 2)

    def test_one_item_that_is_refused_does_not_stop_the_others(self):
        def script(body, number):
            is_bad = "number 1 " in body["messages"][-1]["content"]
            return (413, None) if is_bad else model_endpoint.answer_to(body)

        judge, _ = self.judged(self.campaign, script)
        self.assertEqual(judge.status, JudgeStatus.DONE)
        self.assertEqual(Judgment.objects.filter(campaign=judge.answers).count(), 9)
        self.assertEqual(judge.message, "Items without an answer that fits: 3.")

    def test_a_last_item_that_always_fails_is_given_up(self):
        def script(body, number):
            is_bad = "number 4 stands wrong here here" in body["messages"][-1]["content"]
            return (500, None) if is_bad else model_endpoint.answer_to(body)

        with mock.patch.object(runs, "LONGEST_WAIT", 0.01):
            judge, _ = self.judged(self.campaign, script, at_once=1)
        self.assertEqual(judge.status, JudgeStatus.DONE, judge.message)

    def test_a_run_goes_on_where_it_was(self):
        """The first turn is too short for all; what was answered is not asked again."""
        judge = new_judge(self.campaign, self.owner)
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint:
            n_turns = 0
            with settings_for(endpoint), mock.patch.object(runs, "LOOK", 0.02):
                while runs.work_on(judge.pk, seconds=0.05):
                    n_turns += 1
                    self.assertLess(n_turns, 50)
        self.assertEqual(len(endpoint.got), 12)
        self.assertEqual(JudgeAnswer.objects.filter(judge=judge).count(), 12)
        judge.refresh_from_db()
        self.assertEqual(judge.status, JudgeStatus.DONE)

    def test_limits_of_requests_are_kept(self):
        """The first two go out at once; the third waits for its minute, and a turn ends before."""
        judge = new_judge(self.campaign, self.owner, requests_a_minute=2)
        serving = model_endpoint.serving(model_endpoint.answer_to)
        with serving as endpoint, settings_for(endpoint), mock.patch.object(runs, "LOOK", 0.02):
            self.assertTrue(runs.work_on(judge.pk, seconds=0.5))
        self.assertEqual(len(endpoint.got), 2)
        self.assertEqual(JudgeAnswer.objects.count(), 2)

    def test_nothing_leaves_without_the_switch(self):
        judge = new_judge(self.campaign, self.owner)
        type(self.test_set).objects.update(may_leave=False)
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint:
            run(judge, endpoint)
        self.assertEqual(endpoint.got, [])
        self.assertEqual(judge.status, JudgeStatus.FAILED)

    def test_an_endpoint_without_json_schema_is_asked_in_words(self):
        def script(body, number):
            if "response_format" in body:
                return (400, None)
            return json.dumps({"translation_1_adequacy": "3", "translation_1_fluency": "4"})

        with mock.patch.object(
            endpoints.Caller, "detail_of", lambda self, text: "response_format is not supported"
        ):
            judge, _ = self.judged(self.campaign, script)
        self.assertEqual(Judgment.objects.filter(campaign=judge.answers).count(), 12)

    def test_samples_are_annotators(self):
        judge, endpoint = self.judged(self.campaign, model_endpoint.answer_to, samples=3, seed=7)
        annotators = Judgment.objects.filter(campaign=judge.answers).values("annotator").distinct()
        self.assertEqual(annotators.count(), 3)
        self.assertEqual({body["seed"] for body in endpoint.got}, {7, 8, 9})

    def test_the_forecast_is_near_what_it_cost(self):
        judge = new_judge(self.campaign, self.owner)
        forecast = price.forecast(judge)
        self.assertEqual(forecast.n_items, 12)
        self.assertFalse(forecast.is_measured)
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint:
            run(judge, endpoint)
        sent = sum(len(m["content"]) for body in endpoint.got for m in body["messages"]) / 4
        self.assertAlmostEqual(forecast.tokens_in / sent, 1.0, delta=0.05)


class OtherCampaignsTest(CastTestCase):
    def test_campaigns_of_models_have_no_judges(self):
        judge = new_judge(self.campaign, self.owner)
        self.assertIn("answers of a model", set_up.why_not(judge.answers))

    def test_lists_of_campaigns_can_leave_them_out(self):
        new_judge(self.campaign, self.owner)
        self.assertEqual(Campaign.objects.of_people().count(), 2)
        self.assertEqual(Campaign.objects.count(), 3)
