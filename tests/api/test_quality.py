"""Quality through the programming interface, and results with and without the excluded."""

from judgments.models import Item, ItemOutput, Kind
from judgments.quality.decisions.decisions import decide
from judgments.quality.rules import figures as rules
from judgments.results.selection.selection import Selection
from tests import factory

from .test_access import ApiTestCase


class QualityTest(ApiTestCase):
    def exclude(self):
        decide(self.campaign, self.annotator_2, excluded=True, reason="Why.", by=self.owner)

    def test_figures_are_those_of_the_page(self):
        task = self.campaign.tasks.get(seat=1)
        item = Item.objects.create(
            task=task, position=9, segment=task.items.first().segment, kind=Kind.REFERENCE
        )
        ItemOutput.objects.create(item=item, output=item.segment.outputs.first(), position=0)
        task.n_items += 1
        factory.judge(item, {"adequacy": [5.0], "fluency": [5.0]})
        self.exclude()
        found = self.json_as(self.researcher, "api-quality", self.campaign.pk, dimension="fluency")
        report = rules.quality(Selection.of(self.campaign), "fluency")
        self.assertEqual(found["dimension"], "fluency")
        self.assertIsNone(found["floor"])
        for shown, expected in zip(found["annotators"], report.annotators, strict=True):
            self.assertEqual(shown["annotator"], expected.alias)
            self.assertEqual(shown["references"]["n_references"], expected.references.n_references)
            self.assertEqual(shown["sd"], expected.sd)
            self.assertEqual(shown["control"]["verdict"], "insufficient")
            self.assertIsNone(shown["control"]["p"])
        self.assertEqual([a["excluded"] for a in found["annotators"]], [False, True])
        (decision,) = found["decisions"]
        self.assertEqual((decision["decision"], decision["reason"]), ("left out", "Why."))

    def test_with_and_without(self):
        self.exclude()
        for annotators, n_judgments, n_excluded in (("kept", 4, 1), ("all", 8, 0)):
            query = {"annotators": annotators}
            found = self.json_as(self.researcher, "api-scores", self.campaign.pk, **query)
            self.assertEqual(found["systems"][0]["n_judgments"], n_judgments)
            self.assertEqual(found["selection"]["annotators"], annotators)
            self.assertEqual(len(found["selection"]["left_out"]), n_excluded)
            found = self.json_as(self.researcher, "api-agreement", self.campaign.pk, **query)
            self.assertEqual(found["n_annotators"], 2 - n_excluded)
            self.assertEqual(found["selection"]["annotators"], annotators)
            self.assertEqual(len(found["selection"]["left_out"]), n_excluded)
        response = self.get_as(
            self.researcher, "api-scores", self.campaign.pk, data={"annotators": "some"}
        )
        self.assertEqual(response.status_code, 400)
