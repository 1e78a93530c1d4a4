"""The page of a test set's references."""

import csv
import io
from math import isnan

from django.urls import reverse
from django.utils.html import escape

from judgments.models import Output, Reference, ReferenceFacts, TargetedReference
from judgments.web.sections import plain
from metrics.scorers import get_scorer
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from metrics.with_people.references import ReferenceTexts
from tests import factory
from tests.base import CastTestCase

LATER = {"several": "1", "words": "1"}  # parts that otherwise arrive a moment later


def sections_of(response):
    later = (response.context[name] or () for name in LATER)
    return [*response.context["sections"], *(each for part in later for each in part)]


class ReferencesTest(CastTestCase):
    name = "metric-references"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(cls.owner, name="Texts")
        cls.segments = list(cls.texts.segments.order_by("position"))
        cls.a, cls.b = (cls.texts.systems.get(name=f"System-{x}") for x in "AB")
        for i, segment in enumerate(cls.segments):
            text = f"Another wording of sentence {i} in other terms ."
            Reference.objects.create(segment=segment, name="other", text=text)

    def page(self, **query):
        return self.get_as(self.owner, self.name, self.texts.pk, data=LATER | query)

    def table(self, slug, **query):
        response = self.page(**query)
        sections = sections_of(response)
        tables = {table.slug: table.make for section in sections for table in section.tables}
        return tables[slug]()

    def say(self, system, *texts):
        """Set the outputs of a system, in the order of the segments."""
        for segment, text in zip(self.segments, texts, strict=False):
            Output.objects.filter(segment=segment, system=system).update(text=text)

    def reference(self, name):
        return [segment.references.get(name=name).text for segment in self.segments]

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.texts.pk, users=expected)

    def test_scores_and_ranks_under_each_reference(self):
        """A has the words of the one reference and one more, B those of the other."""
        ours = [f"Well {text}" for text in self.reference("ref")]
        self.say(self.a, *ours)
        self.say(self.b, *(f"Well {text}" for text in self.reference("other")))
        rows = {row[0]: row for row in self.table("standings").rows}
        self.assertEqual(
            [column.heading for column in self.table("standings").heads],
            ["System", "other", "Rank", "ref", "Rank", "all together", "Rank", "Ranks apart"],
        )
        self.assertEqual((rows["System-A"][4], rows["System-B"][2]), (1, 1))
        bleu = get_scorer("bleu")
        for place, name in ((1, "other"), (3, "ref")):
            stats = bleu.statistics(ours, [self.reference(name)])
            self.assertEqual(rows["System-A"][place], bleu.score(stats.sum(axis=0)))
        self.assertGreater(rows["System-A"][-1], 0)
        self.assertContains(self.page(), "System-B under other")

    def test_a_reference_is_scored_against_the_others(self):
        table = self.table("held-out", metric="chrf")
        chrf = get_scorer("chrf")
        stats = chrf.statistics(self.reference("ref"), [self.reference("other")])
        row = next(row for row in table.rows if row[0] == "ref")
        self.assertEqual(row[1], "other")
        self.assertEqual(row[2], chrf.score(stats.sum(axis=0)))
        self.assertEqual(row[7], len(self.segments))

    def test_segments_that_a_reference_makes_look_bad_lead_to_their_words(self):
        for system in ReferenceTexts(self.texts).systems:
            self.say(system, *(f"Well {text}" for text in self.reference("ref")))
        table = self.table("unkind", metric="waft")
        self.assertEqual({row[1] for row in table.rows}, {"other"})
        self.assertEqual({row[3] for row in table.rows}, {100 * 7 / 8})  # seven words and one more
        self.assertIn(f"/testsets/{self.texts.pk}/metrics/segments/", table.links[0, "segment"])
        self.assertEqual(self.client.get(table.links[0, "segment"]).status_code, 200)

    def test_peoples_scores_stand_beside_and_lead_to_their_segment(self):
        campaign = self.campaign
        for item in campaign.tasks.first().items.all():
            factory.judge(item, {"adequacy": [1, 3, 5], "fluency": [2, 3, 4]})
        response = self.get_as(
            self.owner, self.name, self.test_set.pk, data={"campaign": campaign.pk}
        )
        self.assertEqual(response.context["judged"], campaign)
        self.assertContains(response, campaign.name)
        stranger = self.get_as(
            self.owner, self.name, self.texts.pk, data={"campaign": campaign.pk, "words": 1}
        )
        self.assertIsNone(stranger.context["judged"])  # of another test set

    def test_a_reference_that_was_post_edited_is_said_to_be(self):
        for segment in self.segments:
            output = Output.objects.get(segment=segment, system=self.b)
            text = segment.references.get(name="other").text
            TargetedReference.objects.create(output=output, name="edits [7]", text=text)
        response = self.page()
        n = len(self.segments)
        self.assertContains(response, "other has the post-edit of System-B")
        self.assertContains(response, "favors that system")
        self.assertEqual(self.table("post-edits").rows, [("edits [7]", "System-B", n, "7")])
        row = next(row for row in self.table("provenance").rows if row[0] == "other")
        self.assertEqual(row[-1], f"System-B ({n})")

    def state(self, name, kind, **more):
        ReferenceFacts.objects.create(test_set=self.texts, name=name, kind=kind, **more)

    def test_what_is_stated_stands_beside_what_texts_tell(self):
        self.assertContains(self.page(), "Nobody has stated where the references come from.")
        self.state("ref", "human")
        self.state("other", "corrected", original="ref", step="errors")
        Reference.objects.filter(segment=self.segments[0], name="other").update(donor=self.b)
        page = self.page()
        said = (
            "Stated: other a corrected copy of ref (errors corrected), donors: System-B 1; "
            "ref translated by people. By their texts: "
        )
        self.assertContains(page, said)
        self.assertNotContains(page, "Nobody has stated")
        rows = {row[0]: row[2:4] for row in self.table("provenance").rows}
        self.assertEqual(
            rows["other"], ("a corrected copy of ref (errors corrected)", "System-B 1")
        )
        self.assertEqual(rows["ref"], ("translated by people", None))

    def test_where_both_contradict_the_page_warns(self):
        for segment in self.segments:
            output = Output.objects.get(segment=segment, system=self.b)
            text = segment.references.get(name="other").text
            TargetedReference.objects.create(output=output, name="edits", text=text)
        self.state("other", "human")
        differs = "it has the post-edit of System-B in 4 segments."
        said = f"other is stated to be translated by people, without a donor, but {differs}"
        self.assertContains(self.page(), said)
        ReferenceFacts.objects.update(kind="post-edited", system=self.a)
        said = f"System-A is stated to be the donor of other, but {differs}"
        self.assertContains(self.page(), said)
        ReferenceFacts.objects.update(system=self.b)
        self.assertNotContains(self.page(), "is stated to be")

    def test_a_stated_donor_that_did_not_write_the_text(self):
        first, second, third, _fourth = self.segments
        self.state("other", "chosen")
        Reference.objects.filter(name="other", segment=first).update(
            donor=self.a, text=Output.objects.get(system=self.a, segment=first).text
        )
        Reference.objects.filter(name="other", segment=second).update(
            donor=self.a, text=Output.objects.get(system=self.b, segment=second).text
        )
        Reference.objects.filter(name="other", segment=third).update(donor=self.a)
        page = self.page()
        self.assertContains(
            page, "In 1 segment other is the very text of one system, and another one is stated"
        )
        self.assertContains(
            page, "to be chosen among outputs, but in 2 segments it does not read as its donor"
        )

    def test_what_donors_do_to_scores(self):
        """B wrote the reference of two segments; its score without these is that of the others."""
        texts = [f"One says {i} of it here and there ." for i in range(4)]
        self.say(self.b, *texts)
        for segment, text in zip(self.segments[:2], texts, strict=False):
            Reference.objects.filter(segment=segment, name="other").update(text=text, donor=self.b)
        table = self.table("donor-standings", metric="chrf")
        chrf, reference = get_scorer("chrf"), self.reference("other")
        every, rest = (
            float(chrf.score(chrf.statistics(t, [r]).sum(axis=0)))
            for t, r in ((texts, reference), (texts[2:], reference[2:]))
        )
        (row,) = table.rows
        self.assertEqual(row[:3], ("other", "System-B", 2))
        self.assertAlmostEqual(row[3], every)
        self.assertAlmostEqual(row[4], rest)
        self.assertLess(rest, every)
        self.assertContains(self.page(metric="chrf"), "made from its outputs")
        address = reverse("metric-references-file", args=[self.texts.pk, "donor-standings"])
        self.assertEqual(self.client.get(address).status_code, 200)
        Reference.objects.filter(name="other").update(donor=None)
        sections = self.page().context["sections"]
        self.assertNotIn("donors", [each.slug for each in sections if each.exists()])

    def test_a_donor_of_every_segment_has_no_score_of_its_own(self):
        self.state("other", "model", system=self.b)
        (row,) = self.table("donor-standings", metric="chrf").rows
        self.assertEqual(row[2], 4)
        self.assertTrue(isnan(row[4]))
        self.assertIsNone(row[6])
        said = "was made from System-B: without these there is no score of the donor."
        self.assertContains(self.page(), said)

    def test_figures_are_of_the_systems_that_there_are(self):
        """Whether a system that equals a reference is a system may be stated later."""
        self.say(self.b, *self.reference("other"))
        self.assertNotIn("System-B", [row[0] for row in self.table("standings").rows])
        self.state("other", "model", system=self.b)
        self.assertIn("System-B", [row[0] for row in self.table("standings").rows])

    def test_what_donors_change_of_metrics_against_people(self):
        jobs.work_on(jobs.create_job(self.test_set, [MetricChoice("chrf")], ["ref"]).pk)
        for item in self.campaign.tasks.first().items.all():
            factory.judge(item, {"adequacy": [1, 3, 5], "fluency": [2, 3, 4]})
        system = self.test_set.systems.get(name="System-A")
        first = self.test_set.segments.order_by("position").first()
        Reference.objects.filter(segment=first).update(donor=system)
        query = {"campaign": self.campaign.pk, "words": 1}
        page = self.get_as(self.owner, self.name, self.test_set.pk, data=query)
        self.assertContains(page, "Left out: 1 output that a reference was made from (System-A 1)")
        self.assertContains(page, "Metrics against people, with and without donors")

    def test_a_reference_among_the_systems_is_no_system_here(self):
        self.say(self.a, *self.reference("ref"))
        names = [system.name for system in ReferenceTexts(self.texts).systems]
        self.assertNotIn("System-A", names)
        self.assertIn("System-B", names)

    def test_words(self):
        self.say(self.b, "the clip holds", "open the clip", "the clip")
        self.texts.segments.first().references.filter(name="other").update(text="the clamp holds")
        response = self.page(system=self.b.pk)
        self.assertContains(response, "Order or word choice")
        self.assertIn(("clip", 1, 3, 3, self.segments[0].key), self.table("unwanted").rows)
        missing = [row[0] for row in self.table("unfound").rows]
        self.assertIn("clamp", missing)
        kinds = {row[0]: row[1] for row in self.table("kinds", system=self.b.pk).rows}
        self.assertGreaterEqual(kinds["Another word"], 1)
        chart = next(
            chart.make() for section in response.context["words"] for chart in section.charts
        )
        points = chart.spec["layer"][-1]["data"]["values"]
        self.assertTrue(all(point["href"].startswith("/testsets/") for point in points))
        self.assertEqual(len(points), len(self.segments))

    def test_equal_sources_with_different_references(self):
        first, second = self.segments[:2]
        self.texts.segments.filter(pk=second.pk).update(source=first.source)
        rows = self.table("same-source").rows
        self.assertEqual([row[0] for row in rows], [first.source, first.source])
        self.assertEqual({row[1] for row in rows}, {"ref", "other"})

    def test_words_come_a_moment_later_until_they_are_known(self):
        address = {"system": self.b.pk, "tokenize": "char"}
        response = self.get_as(self.owner, self.name, self.texts.pk, data=address)
        self.assertContains(response, 'hx-trigger="load"')
        self.assertIsNone(response.context["words"])
        self.client.get(response.request["PATH_INFO"], address | LATER)
        again = self.client.get(response.request["PATH_INFO"], address)
        self.assertNotContains(again, 'hx-trigger="load"')
        self.assertContains(again, "Substitutions by kind")

    def test_every_table_leaves_as_a_file(self):
        response = self.page()
        files = response.context["files"]
        self.assertIn("neva-waft", [file.slug for file in files])
        drawn = [chart.slug for section in sections_of(response) for chart in section.charts]
        for file in files:
            data = {"metric": "chrf"}
            back = f"http://testserver{reverse(self.name, args=[self.texts.pk])}?metric=chrf"
            found = self.get_as(
                self.owner, "metric-references-file", self.texts.pk, file.slug, data=data
            )
            head, *rows = list(csv.reader(io.StringIO(found.text)))
            made = self.table(file.slug, metric="chrf") if file.slug not in drawn else None
            if made is not None:
                self.assertEqual(head[:-2], made.keys)
                self.assertEqual({row[-2] for row in rows} or {back}, {back})
                self.assertEqual(len(rows), len(made.rows))
        for user, status in ((None, 302), (self.outsider, 404)):
            refused = self.get_as(user, "metric-references-file", self.texts.pk, "standings")
            self.assertEqual(refused.status_code, status)
        nothing = self.get_as(self.owner, "metric-references-file", self.texts.pk, "nonsense")
        self.assertEqual(nothing.status_code, 404)

    def test_the_figures_as_json_are_those_of_the_page(self):
        query = {"metric": "chrf", "system": self.b.pk}
        page = self.page(**query)
        address = reverse("metric-references-json", args=[self.texts.pk])
        self.assertContains(page, f'href="{address}?metric=chrf&amp;system={self.b.pk}"')
        found = self.get_as(self.owner, "metric-references-json", self.texts.pk, data=query).json()
        sections = sections_of(page)
        sections = [section for section in sections if section.exists()]
        for section, said in zip(sections, found["sections"], strict=True):
            self.assertEqual(said["sentence"], section.sentence())
            self.assertContains(page, escape(section.sentence()))
            for lazy, table in zip(section.tables, said["tables"], strict=True):
                made = lazy.make()
                self.assertEqual((table["slug"], table["columns"]), (lazy.slug, made.keys))
                self.assertEqual(table["rows"], plain([list(row) for row in made.rows]))
                for row in made.display():
                    for _, text in row:
                        self.assertContains(page, escape(text))
        self.assertIn(
            "neva-waft", [each["slug"] for s in found["sections"] for each in s["charts"]]
        )
        self.assertEqual(found["settings"]["system"], self.b.name)
        back = self.client.get(found["address"])
        self.assertEqual(back.context["form"].data["metric"], "chrf")

    def test_the_json_is_for_those_who_see_the_test_set(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused("metric-references-json", self.texts.pk, users=expected)
        Reference.objects.filter(segment__test_set=self.texts).delete()
        nothing = self.get_as(self.owner, "metric-references-json", self.texts.pk)
        self.assertEqual(nothing.status_code, 404)

    def test_without_references(self):
        Reference.objects.filter(segment__test_set=self.texts).delete()
        self.assertContains(self.page(), "Nothing to compare")

    def test_one_reference(self):
        Reference.objects.filter(segment__test_set=self.texts, name="other").delete()
        response = self.page()
        self.assertContains(response, "there is one reference")
        self.assertNotContains(response, "A reference against the others")
