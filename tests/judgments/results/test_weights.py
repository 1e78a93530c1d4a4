"""Marked errors by the weights that a reader chooses: figures, addresses, words, files."""

import csv
import io
import json
import random

import pytest
from django.http import QueryDict
from django.urls import reverse

from judgments.exchange.judgments.campaigns import new_campaign
from judgments.exchange.judgments.importer import import_judgments
from judgments.models import Rating
from judgments.protocols.spans.presets import MQM_OPTIONS
from judgments.results.agreement import marks as agreement_marks
from judgments.results.errors import figures as errors_figures
from judgments.results.observations.observation_rows import rating_rows
from judgments.results.observations.observations import load
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.filters import Filters
from judgments.results.selection.schemes import schemes_of
from judgments.results.selection.selection import Selection
from judgments.stats.mqm import SCHEMES
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people import StudyChoice, board_of
from metrics.with_people.study import study_of
from tests import factory
from tests.judgments.files.files import upload
from tests.judgments.results.test_spans import SpansTestCase, mark

GOOGLE = "errors weigh as in Google's MQM at WMT20–23"


@pytest.mark.parametrize(
    ("slug", "severity", "category", "expected"),
    [
        # Freitag et al. (2021); what weighs nothing, as at WMT23.
        ("google", "MAJOR", "Fluency/Punctuation", 5),
        ("google", "Minor", "Fluency/Punctuation", 0.1),
        ("google", "minor", "accuracy/omission", 1),
        ("google", "Neutral", "Accuracy/Omission", 0),
        ("google", "Major", "Non-translation!", 25),
        ("google", "non-translation", "", 25),
        ("google", "Major", "Source issue", 0),
        ("google", "Major", "Source error", 0),
        ("google", "Major", "Accuracy/Creative Reinterpretation", 0),
        # WMT23's ESA study: critical 25, any punctuation 0.1.
        ("appraise", "critical", "Accuracy/Omission", 25),
        ("appraise", "critical", "Linguistic conventions/Punctuation", 0.1),
        ("appraise", "Minor", "Style", 1),
        ("esa", "major", "Fluency/Punctuation", 5),
        ("esa", "Minor", "", 1),
    ],
)
def test_published_weights(slug, severity, category, expected):
    assert SCHEMES[slug].penalty(severity, category) == expected


class WeightsTest(SpansTestCase):
    preset = "mqm"

    def setUp(self):
        def error(start, severity, category):
            return mark(start, start + 2, severity, category=category)

        first = [error(0, "major", "source issue"), error(3, "minor", "fluency/punctuation")]
        second = [
            error(0, "major", "accuracy/creative reinterpretation"),
            error(3, "minor", "other"),
        ]
        self.answer(self.annotator_1, self.answers(first, second, []))
        self.answer(self.annotator_2, self.answers([], [error(3, "neutral", "other")], second))

    def answers(self, *marks):
        found = super().answers(*marks)
        return {key: value for key, value in found.items() if not key.endswith("-esa")}

    def scores(self, weights, **fields):
        selection = Selection.of(self.spans, weights=weights, **fields)
        found = scores_figures.system_scores(selection, "mqm")
        return dict(zip(map(str, found.names), found.mean.tolist(), strict=True))

    def test_scores(self):
        """By hand, two judgments a system. Stored: 5.1 and 0, 6 and 0, 0 and 6."""
        self.assertEqual(self.scores(""), {"System-A": -2.55, "System-B": -3, "System-C": -3})
        self.assertEqual(
            self.scores("google"), {"System-A": -0.05, "System-B": -0.5, "System-C": -0.5}
        )
        self.assertEqual(self.scores("esa"), {"System-A": -3, "System-B": -3, "System-C": -3})
        some = Filters(annotators=("annotator-1",))
        self.assertEqual(
            self.scores("google", filters=some), {"System-A": -0.1, "System-B": -1, "System-C": 0}
        )
        # What is stored stays, and what was computed of it as well.
        self.assertEqual(self.scores("")["System-A"], -2.55)
        self.assertIn(-5.1, Rating.objects.values_list("value", flat=True))

    def test_pages_say_so_and_offer_the_choice(self):
        query = {"weights": "google"}
        for name in ("errors", "scores", "agreement", "quality", "power", "exports"):
            page = self.as_user(self.researcher).get(reverse(name, args=[self.spans.pk]), query)
            self.assertContains(page, f"All judgments count; {GOOGLE}".replace("'", "&#x27;"))
            if name != "exports":
                self.assertContains(page, '<option value="google" selected>')
        plain = self.get_as(self.researcher, "errors", self.spans.pk)
        self.assertContains(plain, '<option value="" selected>the campaign&#x27;s own</option>')
        self.assertContains(plain, "minor/fluency/punctuation 0.1")
        self.assertNotContains(plain, "errors weigh as in")
        other = self.get_as(self.researcher, "scores", self.campaign.pk)
        self.assertNotContains(other, "Weights of errors")

    def test_metrics_are_compared_with_the_scores_by_these_weights(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        query = {"weights": "google"}
        url = reverse("correlation", args=[self.spans.pk])
        page = self.as_user(self.researcher).get(url, query)
        self.assertContains(page, f"All judgments count; {GOOGLE}".replace("'", "&#x27;"))
        self.assertContains(page, '<input type="hidden" name="weights" value="google">')
        board = board_of(self.test_set)
        human = [
            dict(zip(study.systems, study.human_systems.tolist(), strict=True))
            for study in (
                study_of(Selection.of(self.spans, weights=weights), StudyChoice(), board)
                for weights in ("google", "")
            )
        ]
        self.assertEqual(human[0], {"System-A": -0.05, "System-B": -0.5, "System-C": -0.5})
        self.assertEqual(human[1], {"System-A": -2.55, "System-B": -3, "System-C": -3})

    def test_answers_and_files(self):
        url = reverse("api-scores", args=[self.spans.pk])
        found = self.as_user(self.researcher).get(url, {"weights": "google"}).json()
        self.assertEqual(found["selection"]["weights"], "google")
        self.assertEqual(found["selection"]["query"], "?weights=google")
        self.assertEqual(sorted(row["score"] for row in found["systems"]), [-0.5, -0.5, -0.05])
        url = reverse("api-errors", args=[self.spans.pk])
        found = self.client.get(url, {"weights": "google"}).json()
        self.assertEqual([row["score"] for row in found["systems"]], [-0.05, -0.5, -0.5])
        self.assertIn("*/source issue 0", found["weights"])
        url = reverse("export-observations", args=[self.spans.pk])
        text = b"".join(self.client.get(url, {"weights": "google"})).decode()
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
        self.assertEqual([float(r["value"]) for r in rows], [-0.1, -1, 0, 0, 0, -1])
        self.assertEqual({r["selection"] for r in rows}, {f"All judgments count; {GOOGLE}"})
        url = reverse("export-json", args=[self.spans.pk])
        whole = json.loads(b"".join(self.client.get(url, {"weights": "google"})))
        self.assertEqual(whole["selection"]["weights"], "google")
        self.assertEqual([row[4] for row in whole["observations"]["rows"]], [-0.1, -1, 0, 0, 0, -1])

    def test_what_cannot_be_chosen(self):
        for campaign, weights, message in (
            (
                self.spans,
                "mine",
                "weights is google or freitag or appraise or esa, or pairs such as "
                "minor:1,major:5 here, not &#x27;mine&#x27;.",
            ),
            (self.campaign, "google", "weights is empty here, not &#x27;google&#x27;."),
        ):
            url = reverse("scores", args=[campaign.pk])
            page = self.as_user(self.researcher).get(url, {"weights": weights})
            self.assertContains(page, message, status_code=400)
            url = reverse("api-scores", args=[campaign.pk])
            self.assertEqual(self.client.get(url, {"weights": weights}).status_code, 400)
        core = factory.make_campaign(self.test_set, preset="mqm-core")
        self.assertEqual(list(schemes_of(core)), ["appraise"])
        with self.assertRaisesRegex(ValueError, "google do not know all severities here: neutral"):
            Selection.of(core, weights="google")

    def test_the_address_and_the_mark(self):
        asked = Selection.asked(self.spans, QueryDict("weights=esa&system=System-A"))
        self.assertEqual(asked.query, "?weights=esa&system=System-A")
        self.assertEqual(Selection.asked(self.spans, QueryDict(asked.query[1:])), asked)
        marks = {Selection.of(self.spans, weights=w).fingerprint for w in ("", *SCHEMES)}
        self.assertEqual(len(marks), 5)
        self.assertEqual(asked.unfiltered, Selection.of(self.spans))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_arrays_give_what_a_loop_over_the_errors_gives(seed):
    """Errors drawn at random, against the definition: minus the sum of the penalties."""
    drawn = random.Random(seed)
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner, n_segments=6)
    campaign = new_campaign(test_set, owner, "Drawn", "mqm")
    kinds = ["neutral", "minor", "major"], [*MQM_OPTIONS["categories"], "Non-translation"]
    expected, rows = {}, []
    for name in ("Mia", "Jo"):
        for segment in range(1, 7):
            for system in "ABC":
                errors = [
                    (start, *(drawn.choice(names) for names in kinds))
                    for start in drawn.sample(range(20), drawn.randrange(5))
                ]
                if alone := [each for each in errors if each[2] == "Non-translation"]:
                    errors = [(alone[0][0], "major", "Non-translation")]  # beside no other
                key = name, str(segment), f"System-{system}"
                expected[key] = {
                    slug: sum(scheme.penalty(s, c) for _, s, c in errors)
                    for slug, scheme in SCHEMES.items()
                }
                rows += [(*key, "target", i, i + 1, s, c) for i, s, c in errors] or [
                    (*key, "", "", "", "", "")
                ]
    drawn.shuffle(rows)
    head = ("annotator", "segment", "system", "side", "start", "end", "severity", "category")
    text = "".join("\t".join(map(str, row)) + "\n" for row in [head, *rows])
    import_judgments(campaign, upload("errors.tsv", text.encode()))
    for slug in SCHEMES:
        selection = Selection.of(campaign, weights=slug)
        observed = load(selection)
        columns = observed.ratings
        found = {
            (
                observed.annotators[columns["annotator"][i]],
                observed.segment_keys[columns["segment"][i]],
                observed.system_names[columns["system"][i]],
            ): -columns["value"][i]
            for i in range(len(columns))
        }
        assert found == pytest.approx({key: each[slug] for key, each in expected.items()}, abs=1e-9)


@pytest.mark.django_db
def test_scores_without_errors_have_no_other_weights():
    """Two came with a score alone; of the one below 0 nobody knows the errors."""
    owner = factory.make_user("owner")
    test_set = factory.make_test_set(owner)
    campaign = new_campaign(test_set, owner, "Scores", "mqm")
    text = "annotator\tsegment\tsystem\tdimension\tvalue\n"
    text += "Mia\t1\tSystem-A\tmqm\t-7\nMia\t2\tSystem-A\tmqm\t0\n"
    import_judgments(campaign, upload("scores.tsv", text.encode()))
    selection = Selection.of(campaign, weights="google")
    observed = load(selection)
    assert observed.ratings["value"].tolist() == [0]
    assert observed.n_unweighted == 1
    assert errors_figures.errors(selection).n_unmarked == 1
    assert agreement_marks.marks(selection).n_unmarked == 1
    assert [row[4] for row in rating_rows(selection)] == [0]
