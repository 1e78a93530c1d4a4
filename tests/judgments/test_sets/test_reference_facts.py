"""Where references come from: who may state it, what is refused, and which donors follow."""

import time
from concurrent.futures import ThreadPoolExecutor

import yaml
from django.db import connection, transaction
from django.test import TransactionTestCase
from django.urls import reverse

from judgments.exchange.campaign_files.loader import as_yaml, create_campaign, document_of
from judgments.exchange.campaign_files.nodes import BadCampaignFile
from judgments.models import (
    Act,
    Output,
    Reference,
    ReferenceFacts,
    System,
    SystemFacts,
    TargetedReference,
    TestSet,
    donors_of,
)
from judgments.models.reference_facts import line_of
from judgments.test_sets.deletion.rows import delete_system, delete_test_set
from judgments.test_sets.reference_facts.forms import prefix_of
from tests import factory
from tests.base import CastTestCase


class ReferencesTestCase(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.segments = list(cls.test_set.segments.order_by("position"))
        for name in ("edited", "again"):
            cls.add_reference(name)

    @classmethod
    def add_reference(cls, name, text="{} of {}"):
        Reference.objects.bulk_create(
            Reference(segment=each, name=name, text=text.format(name, each.key))
            for each in cls.segments
        )

    def system(self, name):
        return self.test_set.systems.get(name=name)

    def state(self, user=None, **said):
        """said: {reference: its fields}; the others are left as a reader leaves them, empty."""
        data = {
            f"{prefix_of(name)}-{key}": value
            for name, fields in ({"ref": {}, "edited": {}, "again": {}} | said).items()
            for key, value in ({"kind": ""} | fields).items()
        }
        return self.post_as(user or self.owner, "reference-facts", self.test_set.pk, data=data)


class ReferenceFactsPageTest(ReferencesTestCase):
    def test_only_the_owner_of_the_test_set_states_facts(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        for method in ("get", "post"):
            self.assert_refused("reference-facts", self.test_set.pk, users=users, method=method)
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertNotContains(page, reverse("reference-facts", args=[self.test_set.pk]))
        self.assertFalse(ReferenceFacts.objects.exists())

    def test_what_is_stated_is_shown_logged_and_taken_back(self):
        a = self.system("System-A")
        response = self.state(
            ref={"kind": "human"},
            edited={"kind": "post-edited", "system": a.pk},
            again={"kind": "corrected", "original": "edited", "step": "errors"},
        )
        self.assertRedirects(response, f"{self.test_set.get_absolute_url()}#systems")
        page = self.get_as(self.researcher, "test-set", self.test_set.pk).content.decode()
        for words in (
            "translated by people",
            "post-edited from outputs, of System-A",
            "a corrected copy of edited, errors corrected",
        ):
            self.assertIn(words, page)
        self.assertEqual(Act.objects.filter(act="reference-facts").count(), 1)
        answer = self.get_as(self.researcher, "api-test-set", self.test_set.pk).json()
        nothing = {"original": "", "step": ""}
        self.assertEqual(
            answer["reference_facts"],
            [
                {"name": "again", "kind": "corrected", "system": None, "original": "edited",
                 "step": "errors"},
                {"name": "edited", "kind": "post-edited", "system": "System-A"} | nothing,
                {"name": "ref", "kind": "human", "system": None} | nothing,
            ],
        )  # fmt: skip
        self.state()
        self.assertFalse(ReferenceFacts.objects.exists())

    def test_a_page_that_is_old_leaves_what_came_meanwhile(self):
        self.add_reference("new")
        stated = {"test_set": self.test_set, "name": "new", "original": "edited"}
        ReferenceFacts.objects.create(kind="corrected", **stated)
        self.assertEqual(self.state(edited={"kind": "human"}).status_code, 302)
        found = ReferenceFacts.objects.order_by("name").values_list("name", "kind", "original")
        self.assertEqual(list(found), [("edited", "human", ""), ("new", "corrected", "edited")])
        circle = {"edited": {"kind": "corrected", "original": "new"}}
        self.assertContains(self.state(**circle), "was itself made from", status_code=422)
        self.assertEqual(Act.objects.filter(act="reference-facts").count(), 1)

    def test_what_is_refused(self):
        a = self.system("System-A").pk
        other = factory.make_test_set(self.outsider, name="Other").systems.first().pk
        for said, words in (
            ({"system": a}, "say where it comes from"),
            ({"kind": "human", "system": a}, "has no donor"),
            ({"kind": "guessed"}, "Select a valid choice"),
            ({"kind": "post-edited", "system": other}, "Select a valid choice"),
            ({"kind": "post-edited", "system": "x"}, "Select a valid choice"),
            ({"kind": "model", "step": "errors"}, "Only a corrected copy"),
            ({"kind": "model", "original": "ref"}, "Only a corrected copy"),
            ({"kind": "corrected", "original": "edited"}, "Select a valid choice"),
            ({"kind": "corrected", "original": "nothing"}, "Select a valid choice"),
            ({"kind": "corrected", "step": "all"}, "Select a valid choice"),
        ):
            with self.subTest(said):
                self.assertContains(self.state(edited=said), words, status_code=422)
        circle = {
            "edited": {"kind": "corrected", "original": "again"},
            "again": {"kind": "corrected", "original": "edited"},
        }
        self.assertContains(self.state(**circle), "was itself made from", status_code=422)
        # One fault and nothing is stored, not the facts of the others either.
        self.state(ref={"kind": "human"}, edited={"kind": "human", "system": a})
        self.assertFalse(ReferenceFacts.objects.exists())

    def test_a_system_that_goes_leaves_the_facts(self):
        unseen = factory.make_test_set(self.owner, name="Unseen")
        system = unseen.systems.first()
        stated = {"test_set": unseen, "name": "ref", "kind": "model", "system": system}
        ReferenceFacts.objects.create(**stated)
        Reference.objects.filter(segment__test_set=unseen).update(donor=system)
        self.assertEqual(set(donors_of(unseen)["ref"].values()), {system.pk})
        delete_system(system)
        facts = ReferenceFacts.objects.get()
        self.assertEqual((facts.kind, facts.system), ("model", None))
        self.assertEqual(donors_of(unseen), {})
        delete_test_set(unseen)
        self.assertFalse(ReferenceFacts.objects.exists())


class SavingAtOnceTest(TransactionTestCase):
    def test_two_savers_store_no_circle(self):
        owner = factory.make_user("owner", is_staff=True)
        test_set = factory.make_test_set(owner)
        for segment in test_set.segments.all():
            Reference.objects.create(segment=segment, name="other", text="text")
        self.client.force_login(owner)
        address = reverse("reference-facts", args=[test_set.pk])
        said = {"kind": "corrected", "original": "other"}
        data = {f"{prefix_of('ref')}-{key}": value for key, value in said.items()}

        def save():
            try:
                return self.client.post(address, data).status_code
            finally:
                connection.close()

        with ThreadPoolExecutor() as pool:
            with transaction.atomic():
                TestSet.objects.select_for_update(of=("self",)).get(pk=test_set.pk)
                stated = {"name": "other", "kind": "corrected", "original": "ref"}
                ReferenceFacts.objects.create(test_set=test_set, **stated)
                second = pool.submit(save)
                time.sleep(0.5)
            self.assertEqual(second.result(), 422)
        self.assertEqual(ReferenceFacts.objects.get().name, "other")


class DonorsTest(ReferencesTestCase):
    def test_a_segments_own_donor_counts_before_that_of_the_set_and_of_the_original(self):
        a, b = self.system("System-A").pk, self.system("System-B").pk
        first, *rest = [each.pk for each in self.segments]
        Reference.objects.filter(name="edited", segment=first).update(donor=b)
        self.assertEqual(donors_of(self.test_set), {"edited": {first: b}})
        self.state(
            edited={"kind": "post-edited", "system": a},
            again={"kind": "corrected", "original": "edited"},
        )
        expected = {first: b} | dict.fromkeys(rest, a)
        self.assertEqual(donors_of(self.test_set), {"edited": expected, "again": expected})
        self.state(
            edited={"kind": "post-edited", "system": a},
            again={"kind": "corrected", "original": "edited", "system": b},
        )
        found = donors_of(self.test_set)
        self.assertEqual(found["again"], dict.fromkeys([first, *rest], b))
        self.assertNotIn("ref", found)

    def test_a_donor_of_a_segment_without_the_reference_is_none(self):
        Reference.objects.filter(name="edited", segment=self.segments[0]).delete()
        self.state(edited={"kind": "model", "system": self.system("System-A").pk})
        found = donors_of(self.test_set)["edited"]
        self.assertEqual(set(found), {each.pk for each in self.segments[1:]})

    def test_the_number_of_statements_does_not_grow(self):
        self.state(edited={"kind": "model", "system": self.system("System-A").pk})
        with self.assertNumQueries(4):
            donors_of(self.test_set)

    def test_copies_that_go_in_a_circle_end(self):
        facts = {
            name: ReferenceFacts(name=name, original=original)
            for name, original in (("a", "b"), ("b", "c"), ("c", "a"))
        }
        self.assertEqual(line_of(facts, "a"), ["a", "b", "c"])


class FindingTest(ReferencesTestCase):
    """Donors from equal texts, next to what the texts of the class say."""

    def setUp(self):
        self.a, self.b, self.c = (self.system(f"System-{x}") for x in "ABC")
        first, second, third, fourth = self.segments
        self.edit(first, self.text(self.a, first))
        self.edit(second, self.text(self.b, second))
        # The same text of two systems, and nearly the text of one.
        Output.objects.filter(system=self.b, segment=third).update(text=self.text(self.a, third))
        self.edit(third, self.text(self.a, third))
        self.edit(fourth, self.text(self.a, fourth) + "!")

    def text(self, system, segment):
        return Output.objects.get(system=system, segment=segment).text

    def edit(self, segment, text):
        Reference.objects.filter(segment=segment, name="edited").update(text=text)

    def donors(self):
        found = Reference.objects.filter(segment__test_set=self.test_set, name="edited")
        return list(found.order_by("segment__position").values_list("donor__name", flat=True))

    def act(self, act="find", name="edited", user=None):
        data = {"act": act, "name": name}
        return self.post_as(
            user or self.owner, "reference-donors", self.test_set.pk, data=data, follow=True
        )

    def test_only_the_very_text_of_one_system_counts(self):
        page = self.act()
        self.assertEqual(self.donors(), ["System-A", "System-B", None, None])
        self.assertContains(
            page, "A donor was found for 2 of 4 segments of edited: System-A 1, System-B 1."
        )
        self.assertContains(
            page, "In 1 segment, the outputs of several systems are identical to the reference."
        )
        self.assertEqual(Act.objects.filter(act="reference-donors").count(), 1)
        page = self.get_as(self.researcher, "test-set", self.test_set.pk)
        self.assertContains(page, "(reference, made from System-B)", count=1)
        segments = self.get_as(self.researcher, "api-test-set-segments", self.test_set.pk).json()
        found = [each["donors"] for each in segments["results"]]
        self.assertEqual(found, [{"edited": "System-A"}, {"edited": "System-B"}, {}, {}])
        self.assertContains(self.act("forget"), "The donors of 2 segments of edited were removed.")
        self.assertEqual(self.donors(), [None] * 4)
        Reference.objects.filter(name="edited", segment=self.segments[0]).update(donor=self.c)
        self.assertContains(self.act("forget"), "The donors of 1 segment of edited were removed.")

    def test_a_post_edit_counts_as_its_output(self):
        output = Output.objects.get(system=self.c, segment=self.segments[3])
        text = Reference.objects.get(segment=self.segments[3], name="edited").text
        TargetedReference.objects.create(output=output, text=text)
        self.act()
        self.assertEqual(self.donors(), ["System-A", "System-B", None, "System-C"])

    def test_what_is_stated_stays(self):
        Reference.objects.filter(name="edited", segment=self.segments[0]).update(donor=self.c)
        self.assertContains(self.act(), "In 1 segment, a different donor is stated and was kept.")
        self.assertEqual(self.donors(), ["System-C", "System-B", None, None])
        self.act("forget")
        for said, words in (
            ({"kind": "human"}, "who may have found the same words"),
            ({"kind": "model", "system": self.a.pk}, "is stated to be the donor of the whole set"),
        ):
            self.state(edited=said)
            self.assertContains(self.act(), words)
            self.assertEqual(self.donors(), [None] * 4)

    def test_a_reference_among_the_systems_is_no_donor(self):
        """Named after it, equal to it in every segment, a copy of it, or stated to be human."""
        texts = dict(Reference.objects.filter(name="edited").values_list("segment", "text"))
        made = {
            name: System.objects.create(test_set=self.test_set, name=name)
            for name in ("edited", "Same", "Copy", "Human")
        }
        Output.objects.bulk_create(
            Output(system=made["Same"], segment_id=pk, text=text) for pk, text in texts.items()
        )
        first, second = self.segments[:2]
        for system in (made["edited"], made["Copy"], made["Human"]):
            Output.objects.create(system=system, segment=first, text=texts[first.pk])
            Output.objects.create(system=system, segment=second, text="Something else.")
        System.objects.filter(name="Copy").update(copies_reference="edited")
        SystemFacts.objects.create(system=made["Human"], is_human=True)
        page = self.act()
        self.assertEqual(self.donors(), ["System-A", "System-B", None, None])
        self.assertContains(page, "Same is identical to edited in every segment and was skipped")
        # Stated to be no human, it is a system as others are.
        self.act("forget")
        SystemFacts.objects.create(system=made["Same"], is_human=False)
        self.act()
        self.assertEqual(self.donors(), [None, None, None, "Same"])

    def test_who_may_not_and_what_is_not_there(self):
        users = {None: 302, self.outsider: 404, self.annotator_1: 404, self.researcher: 403}
        address = self.test_set.pk
        self.assert_refused("reference-donors", address, users=users, method="post")
        for act, name in (("find", "nothing"), ("guess", "edited")):
            self.assertContains(self.act(act, name), "The test set has no such reference.")
        self.assertEqual(self.donors(), [None] * 4)


class PostEditedSystemTest(ReferencesTestCase):
    def test_a_post_edited_system_that_is_the_reference_has_the_same_donor(self):
        """`SystemFacts.post_edited_from` of a system that stands for a reference says the same as
        the facts of the reference, which count first."""
        a, b = self.system("System-A"), self.system("System-B")
        human = System.objects.create(test_set=self.test_set, name="edited")
        SystemFacts.objects.create(system=human, is_human=True, post_edited_from=a)
        everywhere = {each.pk: a.pk for each in self.segments}
        self.assertEqual(donors_of(self.test_set), {"edited": everywhere})
        self.state(edited={"kind": "post-edited", "system": b.pk})
        self.assertEqual(set(donors_of(self.test_set)["edited"].values()), {b.pk})
        self.state(edited={"kind": "human"})
        self.assertEqual(donors_of(self.test_set), {})


class FileTest(ReferencesTestCase):
    said = {
        "ref": {"kind": "human"},
        "edited": {"kind": "post-edited", "system": "System-A"},
        "again": {"kind": "corrected", "original": "edited", "step": "interpretations"},
    }

    def document(self, **more):
        said = {"name": "x", "texts": "Small set", "preset": "pairwise", "references": self.said}
        return yaml.safe_dump(said | more)

    def test_facts_come_and_go_back(self):
        campaign = create_campaign(self.document(), self.owner, name="a.yaml")
        self.assertEqual(document_of(campaign)["references"], self.said)
        again = create_campaign(as_yaml(campaign), self.owner, name="a.yaml")
        self.assertEqual(document_of(again)["references"], self.said)

    def test_what_is_wrong_is_told(self):
        for references, words in (
            ({"none": {"kind": "human"}}, "no such reference"),
            ({"ref": {"kind": "model", "system": "Nobody"}}, "no system Nobody"),
            ({"ref": {"kind": "corrected", "original": "none"}}, "no reference none"),
            ({"ref": {"kind": "human", "system": "System-A"}}, "has no donor"),
            ({"ref": {"kind": "guessed"}}, "guessed"),
            ({"ref": {"system": "System-A"}}, "kind"),
            (
                {
                    "ref": {"kind": "corrected", "original": "edited"},
                    "edited": {"kind": "corrected", "original": "ref"},
                },
                "was itself made from",
            ),
        ):
            with self.subTest(words), self.assertRaises(BadCampaignFile) as caught:
                create_campaign(self.document(references=references), self.owner, name="a.yaml")
            self.assertIn(words, str(caught.exception))
        self.assertFalse(ReferenceFacts.objects.exists())

    def test_of_somebody_elses_test_set_only_what_is_stored(self):
        self.researcher.is_staff = True
        self.researcher.save()
        with self.assertRaises(BadCampaignFile) as caught:
            create_campaign(self.document(), self.researcher, name="a.yaml")
        self.assertIn("only the owner of the test set", str(caught.exception))
        create_campaign(self.document(), self.owner, name="a.yaml")
        create_campaign(self.document(), self.researcher, name="a.yaml")
