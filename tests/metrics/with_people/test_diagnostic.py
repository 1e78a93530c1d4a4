"""The pages of one segment's words and of words that replace others."""

from judgments.models import Output, Reference
from metrics.scorers.diagnostic import diagnose
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase


class DiagnosticTest(CastTestCase):
    name = "metric-diagnostic"

    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.texts = factory.make_test_set(cls.owner, name="Texts")
        cls.segment = cls.texts.segments.get(key="2")
        cls.system = cls.texts.systems.get(name="System-A")
        Reference.objects.create(segment=cls.segment, name="other", text="A different text .")

    def page(self, **query):
        address = (self.name, self.texts.pk, self.segment.pk, self.system.pk)
        return self.get_as(self.owner, *address, data=query)

    def say(self, text):
        Output.objects.filter(segment=self.segment, system=self.system).update(text=text)

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        segment, system = self.test_set.segments.first(), self.test_set.systems.first()
        self.assert_refused(self.name, self.test_set.pk, segment.pk, system.pk, users=expected)

    def test_segment_and_system_belong_to_the_test_set(self):
        other = self.test_set
        for segment, system in (
            (other.segments.first(), self.system),
            (self.segment, other.systems.first()),
        ):
            response = self.get_as(self.owner, self.name, self.texts.pk, segment.pk, system.pk)
            self.assertEqual(response.status_code, 404)

    def test_edits_and_runs_of_words(self):
        self.say("Text source number 2 stands there .")
        response = self.page()
        found = response.context["diagnosis"]
        references = ["A different text .", "Source text number 2 stands here ."]
        self.assertEqual(
            found, diagnose("Text source number 2 stands there .", references, tokenize="13a")
        )
        self.assertContains(response, "replace")
        self.assertContains(response, found.explanation)
        self.assertContains(response, "Against reference other")

    def test_capitals_do_not_count_unless_they_are_asked_for(self):
        """Forsbom's example (2003), at the start of a line."""
        self.segment.references.filter(name="other").delete()
        self.segment.references.update(text="Cylinder bottom")
        self.say("Bottom cylinder")
        response = self.page()
        self.assertContains(response, "Order suspected")
        self.assertContains(response, "moved here")
        self.assertContains(response, "1 word edit, including 1 shift as in TER")
        self.assertContains(response, "Case is ignored.")
        cased = self.page(capitals="on")
        self.assertContains(cased, "Word choice")
        self.assertNotContains(cased, "moved here")

    def test_each_score_names_its_reference(self):
        name = self.segment.references.exclude(name="other").get().name
        jobs.work_on(jobs.create_job(self.texts, [MetricChoice("chrf")], [name]).pk)
        self.assertContains(self.page(), f'chrF <span class="muted">against {name}</span>')

    def test_text_from_outside_is_escaped(self):
        self.say("<b>bold</b>")
        self.assertNotContains(self.page(), "<b>")

    def test_empty_and_missing(self):
        self.say("")
        self.assertContains(
            self.page(), '<span class="empty-text" lang="en" dir="ltr">empty translation</span>'
        )
        Output.objects.filter(segment=self.segment, system=self.system).delete()
        self.assertContains(self.page(), "System-A has no output for this segment.")

    def test_without_a_reference(self):
        self.segment.references.all().delete()
        self.assertContains(self.page(), "no reference to compare the output with")

    def test_neighbors_keep_how_words_are_cut(self):
        response = self.page(tokenize="char", capitals="on")
        self.assertEqual(response.context["previous"].key, "1")
        self.assertEqual(response.context["next"].key, "3")
        self.assertContains(response, "?tokenize=char&amp;capitals=on", count=4)
        self.assertEqual(self.page(tokenize="x").context["tokenize"], "13a")

    def test_directions(self):
        test_set = factory.make_test_set(self.owner, target_language="ar", name="Arabic")
        segment, system = test_set.segments.first(), test_set.systems.first()
        response = self.get_as(self.owner, self.name, test_set.pk, segment.pk, system.pk)
        self.assertContains(response, '<ol class="edits" lang="ar" dir="rtl">')


class SubstitutionsTest(CastTestCase):
    name = "metric-substitutions"

    def test_strangers(self):
        expected = {None: 302, self.outsider: 404, self.annotator_1: 404}
        self.assert_refused(self.name, self.test_set.pk, users=expected)

    def test_the_most_frequent_first_with_links_to_the_segments(self):
        test_set = factory.make_test_set(self.owner, name="Texts")
        system = test_set.systems.get(name="System-B")
        for output in Output.objects.filter(system=system):
            number = output.segment.key
            word = "sits" if number in "123" else "lies"
            text = f"Source text number {number} {word} here ."
            Output.objects.filter(pk=output.pk).update(text=text)
        data = {"system": system.pk}
        response = self.get_as(self.researcher, self.name, test_set.pk, data=data)
        self.assertEqual(response.status_code, 404)  # no campaign lets the researcher read it
        response = self.get_as(self.owner, self.name, test_set.pk, data=data)
        pairs = [(pair.output, pair.reference, pair.count) for pair, _ in response.context["rows"]]
        self.assertEqual(pairs, [("sits", "stands", 3), ("lies", "stands", 1)])
        segment = test_set.segments.get(key="3")
        self.assertContains(response, f"/segments/{segment.pk}/{system.pk}/")
        self.assertContains(response, "3 times")

    def test_nothing_to_compare(self):
        test_set = factory.make_test_set(self.owner, n_systems=0, name="Texts only")
        response = self.get_as(self.owner, self.name, test_set.pk)
        self.assertContains(response, "Nothing to compare")

    def test_nonsense_in_the_address(self):
        data = {"system": "x", "tokenize": "y"}
        response = self.get_as(self.owner, self.name, self.test_set.pk, data=data)
        self.assertEqual(response.context["system"].name, "System-A")
