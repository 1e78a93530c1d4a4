"""The page Quality, decisions on annotators, and results with and without them."""

import csv
import io
import json

from django.core.cache import cache
from django.urls import reverse

from judgments.models import AlteredOutput, Decision, Item, ItemOutput, Kind, Membership, Role
from judgments.quality.decisions.decisions import AlreadyDecided, decide
from judgments.quality.rules import figures as rules
from judgments.quality.rules.verdicts import write_rule
from judgments.results.observations import observations
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests import factory
from tests.base import CastTestCase

REASON = "Gave the damaged copies the same scores."


RESULTS = ("agreement", "scores", "power", "correlation", "exports")


class QualityTestCase(CastTestCase):
    def setUp(self):
        cache.clear()

    def judge_all(self):
        """The first annotator is careful with degraded copies, the second is not; both judge every
        output of four segments, and then damaged copies of eight of the outputs."""
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.order_by("position"):
                n = item.position % 2
                values = {"adequacy": [5 - n, 4, 4 + n], "fluency": [4, 4 - n, 2]}
                factory.judge(item, values, active_ms=10_000)
            segments = list(self.test_set.segments.order_by("position"))
            for place, segment in enumerate(segments):
                item = Item.objects.create(
                    task=task, position=4 + place, segment=segment, kind=Kind.DEGRADED
                )
                task.n_items += 1
                for position, output in enumerate(segment.outputs.order_by("system__name")[:2]):
                    ItemOutput.objects.create(item=item, output=output, position=position)
                careful = task.seat == 1
                low = [2, 1] if careful else [5 - place % 2, 4]
                factory.judge(item, {"adequacy": low, "fluency": low}, active_ms=8_000)

    def exclude(self, excluded=True, reason=REASON):
        return decide(
            self.campaign, self.annotator_2, excluded=excluded, reason=reason, by=self.owner
        )

    def decision(self, **changes):
        data = {"annotator": self.annotator_2.pk, "action": "leave-out", "reason": REASON}
        return {f"decision-{name}": value for name, value in (data | changes).items()}


class AccessTest(QualityTestCase):
    def test_the_page_is_for_owners_and_researchers(self):
        self.assert_refused("quality", self.campaign.pk)
        for user in (self.owner, self.researcher):
            self.assertEqual(self.get_as(user, "quality", self.campaign.pk).status_code, 200)

    def test_only_owners_decide(self):
        self.judge_all()
        users = {None: 302, self.outsider: 404, self.annotator_1: 403, self.researcher: 403}
        for name in ("quality-decide", "quality-rule"):
            self.assert_refused(name, self.campaign.pk, users=users, method="post")
            self.assert_post_only(name, self.campaign.pk)
        response = self.post_as(
            self.researcher, "quality-decide", self.campaign.pk, data=self.decision()
        )
        self.assertEqual(response.status_code, 403)
        self.assertFalse(Decision.objects.exists())

    def test_researchers_see_no_form(self):
        self.judge_all()
        response = self.get_as(self.researcher, "quality", self.campaign.pk)
        self.assertNotContains(response, reverse("quality-decide", args=[self.campaign.pk]))
        self.assertNotContains(response, "Leave out")


class PageTest(QualityTestCase):
    def test_empty(self):
        for campaign in (self.campaign, self.pairwise):
            response = self.get_as(self.owner, "quality", campaign.pk)
            self.assertContains(response, "No judgments yet")
            self.assertContains(response, "There is no written rule")

    def test_verdicts(self):
        """Eight pairs each: drops of 2 to 4 by the one, no difference at all by the other."""
        self.judge_all()
        found = rules.quality(Selection.of(self.campaign), "adequacy").annotators
        self.assertEqual([a.control.n_pairs for a in found], [8, 8])
        self.assertEqual([a.control.verdict for a in found], ["pass", "fail"])
        self.assertEqual(found[0].control.p_value, 1 / 256)
        self.assertEqual(found[1].control.reason, "every difference is 0")
        self.assertEqual(found[1].flags, ("controls",))
        response = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertContains(response, "Of 2 annotators, 1 scores degraded copies below the")
        self.assertContains(
            response, "originals, 1 does not, and 0 had too few pairs (fewer than 6)"
        )
        self.assertContains(response, "degraded copies are not scored lower")
        response = self.get_as(
            self.owner, "quality", self.campaign.pk, data={"dimension": "fluency"}
        )
        self.assertContains(response, "Annotators: fluency")

    def test_degraded_copies_do_not_count_for_scores(self):
        self.judge_all()
        self.assertEqual(
            scores_figures.system_scores(
                Selection.of(self.campaign), "adequacy"
            ).n_judgments.tolist(),
            [8] * 3,
        )

    def test_a_copy_without_its_original_is_counted(self):
        self.judge_all()
        item = self.campaign.tasks.get(seat=1).items.get(position=0)
        item.kind = Kind.TUTORIAL
        item.save()
        found = rules.quality(Selection.of(self.campaign), "adequacy").annotators[0]
        self.assertEqual((found.control.n_pairs, found.n_unmatched), (6, 2))

    def test_comparisons_have_repeats_and_times(self):
        task = self.pairwise.tasks.get(seat=1)
        for item in task.items.all():
            factory.judge(item, 1)
        first = task.items.first()
        again = Item.objects.create(task=task, position=9, segment=first.segment, kind=Kind.REPEAT)
        task.n_items += 1
        shown = list(first.shown.order_by("-position"))
        for place, row in enumerate(shown):  # turned round: the same answer is −1 now
            ItemOutput.objects.create(item=again, output=row.output, position=place)
        factory.judge(again, -1)
        (found,) = rules.quality(Selection.of(self.pairwise)).annotators
        self.assertEqual((found.repeats.n_pairs, found.repeats.exact), (1, 1))
        self.assertEqual(found.run.length, 4)
        response = self.get_as(self.owner, "quality", self.pairwise.pk)
        self.assertContains(response, "There are no degraded copies")

    def test_equal_passes_a_check_among_comparisons(self):
        """As in rankings: nothing on the screen is judged worse than the altered text."""
        task = self.pairwise.tasks.get(seat=1)
        answers = (-1, 0, 1, 0)
        items = task.items.order_by("pk")
        for item, place, answer in zip(items, (0, 0, 1, 1), answers, strict=True):
            shown = item.shown.get(position=place)
            shown.altered = AlteredOutput.objects.create(
                campaign=self.pairwise, output=shown.output, text="Say nothing.", rule="loud"
            )
            shown.save()
            item.kind = Kind.CHECK
            item.save()
            factory.judge(item, answer)
        checks = rules.quality(Selection.of(self.pairwise)).annotators[0].checks
        self.assertEqual((checks.n_loud, checks.n_loud_passed), (4, 4))
        for item in items[:2]:
            factory.judge(item, 1, supersedes=item.judgments.get())
        checks = rules.quality(Selection.of(self.pairwise)).annotators[0].checks
        self.assertEqual((checks.n_loud, checks.n_loud_passed), (4, 2))

    def test_a_fast_annotator_has_a_flag(self):
        for task in self.campaign.tasks.order_by("seat"):
            for item in task.items.all():
                values = {"adequacy": [5, 3, 1], "fluency": [4, 3, 2]}
                factory.judge(item, values, active_ms=30_000 if task.seat == 1 else 2_000)
        slow, fast = rules.quality(Selection.of(self.campaign), "adequacy").annotators
        self.assertEqual((slow.flags, fast.flags), ((), ("fast",)))
        # Six words in each source.
        self.assertAlmostEqual(fast.seconds_per_word, 2 / 6)
        write_rule(self.campaign, text="", seconds_per_word=0.5, by=self.owner)
        fast = rules.quality(Selection.of(self.campaign), "adequacy").annotators[1]
        self.assertEqual(fast.flags, ("fast", "floor"))

    def test_names_are_escaped(self):
        self.judge_all()
        evil = "</script><script>alert(1)</script>"
        Membership.objects.filter(user=self.annotator_2, campaign=self.campaign).update(alias=evil)
        self.exclude(reason=evil)
        write_rule(self.campaign, text=evil, seconds_per_word=None, by=self.owner)
        for name in ("quality", "scores", "agreement", "exports"):
            self.assertNotContains(self.get_as(self.owner, name, self.campaign.pk), evil)


class DecisionTest(QualityTestCase):
    def test_leaving_out_and_taking_in_again_are_logged(self):
        self.judge_all()
        response = self.post_as(
            self.owner, "quality-decide", self.campaign.pk, data=self.decision()
        )
        self.assertRedirects(response, reverse("quality", args=[self.campaign.pk]))
        self.assertEqual(Selection.of(self.campaign).left_out, (self.annotator_2.pk,))
        response = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertContains(response, REASON, 2)  # next to the name, and in the history
        self.post_as(
            self.owner,
            "quality-decide",
            self.campaign.pk,
            data=self.decision(action="take-in", reason="It was the form that failed."),
        )
        self.assertEqual(Selection.of(self.campaign).left_out, ())
        log = Decision.objects.values_list("excluded", "reason", "decided_by__username")
        expected = [
            (True, REASON, "owner"),
            (False, "It was the form that failed.", "owner"),
        ]
        self.assertEqual(list(log), expected)

    def test_a_decision_needs_a_reason_an_annotator_and_a_change(self):
        self.judge_all()
        for changes, problem in (
            ({"reason": "  "}, "This field is required"),
            ({"annotator": self.outsider.pk}, "Select a valid choice"),
            ({"annotator": "x"}, "Select a valid choice"),
            ({"action": "erase"}, "Select a valid choice"),
            ({"action": "take-in"}, "This annotator is not left out."),
        ):
            response = self.post_as(
                self.owner, "quality-decide", self.campaign.pk, data=self.decision(**changes)
            )
            self.assertContains(response, problem, status_code=422)
        self.assertFalse(Decision.objects.exists())
        self.exclude()
        with self.assertRaises(AlreadyDecided):
            self.exclude()

    def test_a_link_chooses_the_annotator(self):
        self.judge_all()
        data = {"decide": self.annotator_2.pk}
        response = self.get_as(self.owner, "quality", self.campaign.pk, data=data)
        self.assertContains(response, f'<option value="{self.annotator_2.pk}" selected>')

    def test_rule_and_decision_stand_beside_who_counts(self):
        """The tables of figures below them may be long."""
        self.judge_all()
        page = self.get_as(self.owner, "quality", self.campaign.pk).content.decode()
        places = [page.index(f'id="{each}') for each in ("annotators", "rule", "decide")]
        first_figures = page.index('id="section-', places[0])
        assert places[0] < places[1] < places[2] < first_figures

    def test_a_rule_is_written_with_what_was_known(self):
        data = {"rule-text": "Who fails with ten pairs.", "rule-seconds_per_word": "0.2"}
        self.post_as(self.owner, "quality-rule", self.campaign.pk, data=data)
        response = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertContains(response, "Who fails with ten pairs.")
        self.assertContains(response, "before the first judgment")
        self.judge_all()
        data["rule-text"] = "Who fails with six."
        self.post_as(self.owner, "quality-rule", self.campaign.pk, data=data)
        response = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertContains(response, "when there were 16 judgments")
        self.assertEqual(self.campaign.quality_rules.count(), 2)
        response = self.post_as(self.owner, "quality-rule", self.campaign.pk)
        self.assertContains(response, "Write a rule or a threshold", status_code=422)


class WithAndWithoutTest(QualityTestCase):
    def setUp(self):
        super().setUp()
        self.judge_all()

    def fresh(self, annotators="kept"):
        campaign = type(self.campaign).objects.get(pk=self.campaign.pk)
        return Selection.of(campaign, annotators)

    def test_the_excluded_are_left_out_until_they_are_taken_in_again(self):
        before, mark = self.fresh(), self.fresh().fingerprint
        scores = scores_figures.system_scores(before, "adequacy")
        self.exclude()
        without, everyone = self.fresh(), self.fresh("all")
        self.assertNotEqual(without.fingerprint, mark)
        self.assertEqual(everyone.fingerprint, mark)
        self.assertEqual(
            scores_figures.system_scores(without, "adequacy").n_judgments.tolist(), [4] * 3
        )
        self.assertEqual(observations.load(without).annotators.tolist(), ["annotator-1"])
        self.assertEqual(observations.load(without).n_excluded, 1)
        self.assertEqual(
            scores_figures.system_scores(everyone, "adequacy").mean.tolist(),
            scores.mean.tolist(),
        )
        self.exclude(False)
        self.assertEqual(self.fresh().fingerprint, mark)

    def test_what_is_held_stays(self):
        held = self.fresh()
        self.exclude()
        self.assertEqual(len(observations.load(held).annotators), 2)

    def test_neither_kept_nor_all_is_a_mistake(self):
        with self.assertRaises(ValueError):
            Selection.of(self.campaign, "some")

    def test_verdicts_are_on_everybody(self):
        self.exclude()
        self.assertEqual(len(rules.quality(self.fresh()).annotators), 2)

    def test_no_page_of_results_is_silent(self):
        self.test_set.documents.update(domain="news")
        for name in RESULTS:
            response = self.get_as(self.owner, name, self.campaign.pk)
            self.assertNotContains(response, "annotators=all")
        self.exclude()
        for name in RESULTS:
            response = self.get_as(self.owner, name, self.campaign.pk)
            self.assertContains(response, "1 annotator is left out")
            self.assertContains(response, "annotator-2")
            query = {"annotators": "all", "domain": "news"}
            response = self.get_as(self.owner, name, self.campaign.pk, data=query)
            self.assertContains(response, "The annotator that the owners excluded counts too")
            self.assertContains(response, 'href="?annotators=kept&amp;domain=news"')

    def test_files_follow_the_page(self):
        self.exclude()
        response = self.get_as(self.owner, "scores", self.campaign.pk, data={"annotators": "all"})
        self.assertContains(response, ".svg?annotators=all")
        table = ("export-table", self.campaign.pk, "scores-adequacy-raw")
        for query, n in (({}, "4"), ({"annotators": "all"}, "8")):
            response = self.get_as(self.owner, *table, data=query)
            rows = list(csv.DictReader(io.StringIO(response.content.decode())))
            self.assertEqual({row["n_judgments"] for row in rows}, {n})

    def test_the_page_compares(self):
        response = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertNotContains(response, "Scores with and without")
        self.exclude()
        response = self.get_as(self.owner, "quality", self.campaign.pk)
        self.assertContains(response, "Scores with and without the annotators left out")

    def test_exports_carry_the_decisions(self):
        self.exclude()
        file = json.loads(self.get_as(self.owner, "export-json", self.campaign.pk).getvalue())
        (decision,) = file["exclusions"]
        when = Decision.objects.get().decided_at.isoformat(timespec="seconds")
        self.assertEqual(
            decision,
            {
                "annotator": "annotator-2",
                "dimension": "",
                "decision": "left out",
                "reason": REASON,
                "by": "owner",
                "when": when,
            },
        )
        self.assertEqual(file["selection"]["sentence"], "1 annotator is left out")
        self.assertEqual(file["counts"]["annotators"], 1)
        self.assertEqual(file["counts"]["excluded_annotators"], 1)
        self.assertEqual(len(file["quality"]["reports"][0]["annotators"]), 2)
        columns = file["observations"]["columns"]
        rows = [dict(zip(columns, row, strict=True)) for row in file["observations"]["rows"]]
        self.assertEqual(
            {(r["annotator"], r["excluded"]) for r in rows},
            {("annotator-1", ""), ("annotator-2", "yes")},
        )
        response = self.get_as(self.owner, "export-table", self.campaign.pk, "quality-decisions")
        self.assertIn(REASON, response.content.decode())
        response = self.get_as(self.owner, "export-observations", self.campaign.pk)
        lines = b"".join(response.streaming_content).decode().splitlines()
        rows = list(csv.DictReader(lines, delimiter="\t"))
        self.assertEqual({r["excluded"] for r in rows if r["annotator"] == "annotator-2"}, {"yes"})

    def test_every_table_of_the_page_is_a_file(self):
        self.exclude()
        for kind in ("controls", "repeats", "habits"):
            for dimension in ("adequacy", "fluency"):
                slug = f"quality-{kind}-{dimension}"
                response = self.get_as(self.owner, "export-table", self.campaign.pk, slug)
                self.assertEqual(response.status_code, 200, slug)
        name = "quality-drop-adequacy"
        response = self.get_as(self.owner, "chart", self.campaign.pk, name, "svg")
        self.assertEqual(response.status_code, 200)

    def test_owners_of_the_role_only(self):
        """A superuser may; an owner of another campaign may not."""
        other = factory.make_campaign(self.test_set, owner=self.researcher, name="Another")
        self.assertEqual(other.memberships.get().role, Role.OWNER)
        response = self.post_as(
            self.researcher, "quality-decide", self.campaign.pk, data=self.decision()
        )
        self.assertEqual(response.status_code, 403)
