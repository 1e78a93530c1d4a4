"""Acceptability of edits: which edits are judged, by which annotators, what is shown and stored."""

import uuid

from django.test import TestCase
from django.urls import reverse
from django.utils import timezone
from statsmodels.stats.proportion import proportion_confint

from judgments.judging import queue
from judgments.models import Decision, Item, Judgment, Membership, PostEdit, Rating, Segment, Task
from judgments.plans import design
from judgments.plans.controls.settings import default_settings
from judgments.plans.settings import PlanSettings
from judgments.protocols import PRESETS
from judgments.protocols.acceptability import NO_CAMPAIGN, Acceptability
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from metrics.models import MetricScore
from tests import factory, model_endpoint
from tests.judgments.judges.test_runs import new_judge, run
from tests.judgments.judging.judge_pages import ticket_in


def edit(item, outcome, text, *, editor, supersedes=None):
    judgment = Judgment.objects.create(
        item=item,
        campaign=item.task.campaign,
        annotator=editor,
        client_key=uuid.uuid4(),
        supersedes=supersedes,
        revision=2 if supersedes else 1,
    )
    output = item.shown.first().output
    return PostEdit.objects.create(judgment=judgment, output=output, outcome=outcome, text=text)


class AcceptabilityTest(TestCase):
    """Two editors, one output each of four segments; the second editor judges too."""

    @classmethod
    def setUpTestData(cls):
        cls.owner = factory.make_user("owner", is_staff=True)
        cls.editors = [factory.make_user(f"editor-{n}") for n in range(2)]
        cls.judge = factory.make_user("judge")
        cls.test_set = factory.make_test_set(cls.owner)
        cls.editing = factory.make_campaign(
            cls.test_set, preset="sentence-editing", owner=cls.owner, annotators=cls.editors
        )
        cls.edits = []
        for batch, editor in enumerate(cls.editors, 1):
            segments = list(cls.test_set.segments.all())[2 * batch - 2 : 2 * batch]
            task = factory.make_task(
                cls.editing, editor, batch=batch, segments=segments, n_outputs=1
            )
            first, second = task.items.order_by("position")
            cls.edits.append(edit(first, "edited", f"Mended by {batch}", editor=editor))
            cls.edits.append(edit(second, "unable", "", editor=editor))
        cls.campaign = factory.make_campaign(
            cls.test_set,
            preset="acceptability",
            owner=cls.owner,
            annotators=[cls.judge, cls.editors[1]],
            options={"edits_of": str(cls.editing.pk)},
        )

    def plan(self, **how):
        return design.plan(self.campaign, PlanSettings(**({"batch_items": 2} | how)))

    def judged(self):
        return [int(part) for part in Item.objects.filter(task__campaign=self.campaign)
                .order_by("task__batch", "position").values_list("part", flat=True)]  # fmt: skip

    def test_every_current_edit_is_an_item_documents_together(self):
        old = self.edits[0]
        new = edit(old.judgment.item, "no_correction", old.output.text,
                   editor=self.editors[0], supersedes=old.judgment)  # fmt: skip
        self.plan()
        first, second, third, fourth = self.judged()
        of_documents = {(new.pk, self.edits[1].pk), (self.edits[2].pk, self.edits[3].pk)}
        self.assertEqual({(first, second), (third, fourth)}, of_documents)
        seen = design.preview(self.campaign, PlanSettings())
        self.assertEqual((seen.n_blocks, sorted(seen.of_documents)), (2, [2, 2]))

    def test_a_long_document_is_cut_into_blocks(self):
        self.assertEqual([task.n_items for task in self.plan(batch_items=1)], [2, 2])
        tasks = self.plan(batch_items=1, block_length=1)
        self.assertEqual([task.n_items for task in tasks], [1, 1, 1, 1])
        self.assertEqual(sorted(self.judged()), sorted(e.pk for e in self.edits))
        self.assertEqual(default_settings(self.campaign).block_length, 0)
        Segment.objects.update(document=self.test_set.documents.first())
        self.assertEqual(default_settings(self.campaign).block_length, 3)

    def test_a_language_model_reads_the_edit_and_the_reference_around_it(self):
        """Not the system's original output; and it is not a metric of the system."""
        made = new_judge(self.campaign, self.owner)
        with model_endpoint.serving(model_endpoint.answer_to) as endpoint:
            run(made, endpoint)
        sent = [body["messages"][-1]["content"] for body in endpoint.got]
        self.assertEqual(len(sent), 4)
        self.assertEqual(sum("Mended by" in text for text in sent), 2)
        for text in sent:
            self.assertRegex(text, "The reference of the sentence (before|after):")
        self.assertFalse(MetricScore.objects.exists())

    def test_edits_of_those_who_were_left_out_are_not_judged(self):
        Decision.objects.create(
            campaign=self.editing, annotator=self.editors[0], excluded=True, decided_by=self.owner
        )
        self.plan()
        self.assertEqual(self.judged(), [e.pk for e in self.edits[2:]])

    def test_an_edit_of_equal_outputs_is_judged_once_for_all_of_them(self):
        mended = self.edits[0]
        twin = mended.output.segment.outputs.exclude(pk=mended.output_id).first()
        twin.text = mended.output.text
        twin.save()
        PostEdit.objects.create(
            judgment=mended.judgment, output=twin, outcome="edited", text=mended.text, is_copy=True
        )
        self.plan(batch_items=9)
        self.assertEqual(sorted(self.judged()), sorted(e.pk for e in self.edits))
        task = Task.objects.get(campaign=self.campaign)
        factory.seat(task, self.judge)
        number = task.items.get(part=str(mended.pk)).position + 1
        self.answer(number, "1")
        self.assertEqual(
            set(Rating.objects.values_list("output", "value")),
            {(mended.output_id, 1.0), (twin.pk, 1.0)},
        )

    def test_nothing_to_judge(self):
        for named in ({}, {"edits_of": str(self.campaign.pk)}):
            self.campaign.options = named
            with self.assertRaisesMessage(design.PlanError, "has no edits yet"):
                self.plan()

    def test_nobody_judges_what_they_edited(self):
        self.plan()
        membership = Membership.objects.select_related("campaign__test_set").get(
            campaign=self.campaign, user=self.editors[1]
        )
        task = queue.claim(membership, timezone.now())
        parts = {int(part) for part in task.items.values_list("part", flat=True)}
        self.assertEqual(parts, {edit.pk for edit in self.edits[:2]})
        Task.objects.filter(pk=task.pk).update(n_judged=2)
        self.assertIsNone(queue.claim(membership, timezone.now()))

    def open(self, number):
        self.client.force_login(self.judge)
        return self.client.get(reverse("judge-item", args=[self.campaign.pk, number]))

    def answer(self, number, value):
        data = {"output1-acceptable": value, "ticket": ticket_in(self.open(number))}
        return self.client.post(reverse("judge-item", args=[self.campaign.pk, number]), data)

    def test_the_screen(self):
        tasks = self.plan(batch_items=9)
        factory.seat(tasks[0], self.judge)
        number = tasks[0].items.get(part=str(self.edits[0].pk)).position + 1
        page = self.open(number)
        self.assertContains(page, "Mended by 1")
        self.assertNotContains(page, self.edits[0].output.text)
        self.assertContains(page, "Source text number 1 stands here .")  # the reference
        self.assertContains(page, "Source text number 2 stands here .")  # the next sentence
        for secret in ("Quelltext", "System-", "editor-", "unable"):
            self.assertNotContains(page, secret)
        page = self.open(number + 1)
        self.assertContains(page, self.edits[1].output.text)  # the system's original output

    def test_bad_values(self):
        tasks = self.plan(batch_items=9)
        factory.seat(tasks[0], self.judge)
        for value in ("", "2", "yes", "0.5", "-1", "nan"):
            self.assertEqual(self.answer(1, value).status_code, 400, value)
        self.assertFalse(Rating.objects.exists())

    def test_the_share_of_yes_is_on_the_dashboards(self):
        tasks = self.plan(batch_items=9)
        factory.seat(tasks[0], self.judge)
        for number, value in enumerate("1001", 1):
            self.answer(number, value)
        scores = scores_figures.system_scores(Selection.of(self.campaign))
        (only,) = scores.order
        self.assertEqual((scores.names[only], scores.mean[only]), ("System-A", 0.5))
        n = int(scores.n_segments[only])
        low, high = proportion_confint(n / 2, n, method="wilson")
        self.assertAlmostEqual(scores.low[only], low)
        self.assertAlmostEqual(scores.high[only], high)
        self.client.force_login(self.owner)
        page = self.client.get(reverse("scores", args=[self.campaign.pk]))
        self.assertContains(page, "95 % intervals (Wilson, n = segments)")

    def test_the_option_names_a_campaign_on_these_texts(self):
        (option,) = Acceptability.option_fields(PRESETS["acceptability"])
        choices = dict(option.field(self.owner).choices)
        self.assertEqual(choices, {str(self.editing.pk): self.editing.name})
        other = factory.make_test_set(self.owner, name="Other")
        chosen = {"edits_of": str(self.editing.pk)}
        preset = PRESETS["acceptability"]
        self.assertEqual(Acceptability.problems(preset, chosen, self.test_set), {})
        self.assertIn("edits_of", Acceptability.problems(preset, chosen, other))
        self.assertEqual(dict(option.field(self.judge).choices), {"": NO_CAMPAIGN})
