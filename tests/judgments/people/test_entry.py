"""Consent and questionnaire, before anything else."""

from django.urls import reverse

from judgments.models import ConsentRecord, Judgment, QualityRule, Role, Task
from judgments.people.staffing.settings import set_staffing, staffing_of
from tests.base import CastTestCase

QUESTIONS = [
    {"name": "native", "label": {"en": "Native?", "de": "Erstsprache?"}, "kind": "yes-no",
     "required": True},
    {"name": "field", "label": "Your field", "kind": "choice", "choices": ["Law", "=Art"]},
    {"name": "years", "label": "Years", "kind": "number"},
    {"name": "about", "label": "More"},
]  # fmt: skip


class ConsentTests(CastTestCase):
    def setUp(self):
        set_staffing(self.campaign, {"consent": {"texts": {"en": "We *store*.", "de": "Wir."}}})

    def say(self, what, **extra):
        return self.post_as(
            self.annotator_1, "judge-consent", self.campaign.pk, data={"consent": what}, **extra
        )

    def ask(self, name, *args):
        return self.get_as(self.annotator_1, name, self.campaign.pk, *args)

    def test_nothing_opens_before_it_is_accepted(self):
        self.assertRedirects(self.ask("judge"), self.address("judge-consent"))
        for name in ("judge-item", "judge-practice", "judge-note"):
            self.assertEqual(self.ask(name, 1).status_code, 302, name)
        self.say("accept")
        self.assertEqual(self.ask("judge-item", 1).status_code, 200)

    def address(self, name):
        return reverse(name, args=[self.campaign.pk])

    def test_what_was_shown_is_stored(self):
        self.say("accept", headers={"Accept-Language": "de"})
        record = ConsentRecord.objects.get()
        self.assertEqual((record.version, record.language, record.text), (1, "de", "Wir."))
        self.assertTrue(record.accepted)
        self.assertEqual(record.membership.user, self.annotator_1)

    def test_words_that_changed_meanwhile_are_not_accepted_unseen(self):
        self.assertContains(self.ask("judge-consent"), 'name="shown" value="1 en"')
        set_staffing(self.campaign, {"consent": {"texts": {"en": "We *sell*."}}})
        answer = {"consent": "accept", "shown": "1 en"}
        response = self.post_as(self.annotator_1, "judge-consent", self.campaign.pk, data=answer)
        self.assertContains(response, "changed since you opened the page")
        self.assertContains(response, "<em>sell</em>")
        self.assertFalse(ConsentRecord.objects.exists())
        self.assertRedirects(self.ask("judge"), self.address("judge-consent"))
        answer["shown"] = "2 en"
        self.post_as(self.annotator_1, "judge-consent", self.campaign.pk, data=answer)
        self.assertEqual(ConsentRecord.objects.get().text, "We *sell*.")

    def test_who_refuses_gets_a_page_and_can_come_back(self):
        self.assertContains(self.say("refuse"), "You have not agreed")
        self.assertFalse(ConsentRecord.objects.get().accepted)
        Task.objects.filter(annotator=self.annotator_1).delete()
        self.post_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertFalse(Task.objects.filter(annotator=self.annotator_1).exists())
        self.say("accept")
        self.assertEqual(self.ask("judge").status_code, 200)

    def test_other_words_are_asked_again(self):
        self.say("accept")
        set_staffing(self.campaign, {"consent": {"texts": {"en": "Other."}}})
        self.assertRedirects(self.ask("judge"), self.address("judge-consent"))

    def test_an_answer_to_an_open_screen_is_stored_whatever_was_changed_meanwhile(self):
        self.say("accept")
        page = self.ask("judge-item", 1).content.decode()
        ticket = page.split('name="ticket" value="')[1].split('"')[0]
        set_staffing(self.campaign, {"consent": {"texts": {"en": "Other."}}})
        names = [f"output{n}-{d}" for n in (1, 2, 3) for d in ("adequacy", "fluency")]
        data = dict.fromkeys(names, "3") | {"ticket": ticket}
        self.post_as(self.annotator_1, "judge-item", self.campaign.pk, 1, data=data)
        self.assertEqual(Judgment.objects.filter(annotator=self.annotator_1).count(), 1)

    def test_no_answer_is_stored_of_who_has_refused_since(self):
        self.say("accept")
        page = self.ask("judge-item", 1).content.decode()
        ticket = page.split('name="ticket" value="')[1].split('"')[0]
        self.say("refuse")
        names = [f"output{n}-{d}" for n in (1, 2, 3) for d in ("adequacy", "fluency")]
        data = dict.fromkeys(names, "3") | {"ticket": ticket}
        for headers, status in (({}, 302), ({"Accept": "application/json"}, 409)):
            response = self.post_as(
                self.annotator_1, "judge-item", self.campaign.pk, 1, data=data, headers=headers
            )
            self.assertEqual(response.status_code, status)
        self.assertFalse(Judgment.objects.filter(annotator=self.annotator_1).exists())

    def test_nonsense_is_no_answer(self):
        self.assertEqual(self.say("maybe").status_code, 200)
        self.assertFalse(ConsentRecord.objects.exists())


class QuestionnaireTests(CastTestCase):
    def setUp(self):
        set_staffing(self.campaign, {"questions": QUESTIONS})

    def answer(self, **data):
        return self.post_as(
            self.annotator_1,
            "judge-questionnaire",
            self.campaign.pk,
            data={f"about-{name}": value for name, value in data.items()},
        )

    def membership(self):
        return self.campaign.memberships.get(user=self.annotator_1)

    def test_the_managers_words_stand_by_themselves_and_are_data(self):
        question = {"name": "a", "label": "<b>Why?</b>", "kind": "text"}
        set_staffing(self.campaign, {"questions": [question]})
        page = self.get_as(self.annotator_1, "judge-questionnaire", self.campaign.pk)
        self.assertContains(page, "<bdi>&lt;b&gt;Why?&lt;/b&gt;</bdi>")

    def test_it_comes_before_the_work(self):
        response = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertIn("about-you", response["Location"])
        response = self.answer(native="yes", years="3.5", field="=Art", about="")
        self.assertEqual(response.status_code, 302)
        self.assertEqual(self.membership().about, {"native": "yes", "years": 3.5, "field": "=Art"})
        self.assertEqual(
            self.get_as(self.annotator_1, "judge-item", self.campaign.pk, 1).status_code, 200
        )

    def test_bad_answers_are_told(self):
        for data in (
            {},
            {"native": "perhaps"},
            {"native": "no", "field": "Chess"},
            {"native": "no", "years": "nan"},
            {"native": "no", "about": "x" * 501},
        ):
            self.assertEqual(self.answer(**data).status_code, 422, data)
        self.assertIsNone(self.membership().about)

    def test_owners_get_the_answers_under_pseudonyms(self):
        self.answer(native="yes", field="=Art")
        name = "questionnaire-file"
        self.assert_refused(name, self.campaign.pk)
        self.assertEqual(self.get_as(self.researcher, name, self.campaign.pk).status_code, 403)
        text = self.get_as(self.owner, name, self.campaign.pk).content.decode()
        self.assertEqual(text, "annotator,native,field,years,about\nannotator-1,yes,'=Art,,\n")

    def test_a_new_required_question_is_asked(self):
        self.answer(native="yes")
        new = {"name": "new", "label": "New", "required": True}
        set_staffing(self.campaign, {"questions": [*QUESTIONS, new]})
        response = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertIn("about-you", response["Location"])


class ManagerTests(CastTestCase):
    def test_refused_to_others(self):
        for name in ("campaign-consent", "campaign-completion", "campaign-pay"):
            self.assert_refused(name, self.campaign.pk)
            self.assert_refused(name, self.campaign.pk, method="post")
            self.assertEqual(self.get_as(self.researcher, name, self.campaign.pk).status_code, 403)

    def save(self, *questions, stored=0, **data):
        """Send the page of consent and questions. stored: how many it showed already."""
        data |= {"question-TOTAL_FORMS": len(questions), "question-INITIAL_FORMS": stored}
        for number, question in enumerate(questions):
            data |= {f"question-{number}-{name}": value for name, value in question.items()}
        answer = self.post_as(self.owner, "campaign-consent", self.campaign.pk, data=data)
        self.campaign.refresh_from_db()
        return answer

    def test_consent_and_questions_are_saved_and_shown_again(self):
        native = {"label": "Native?", "kind": "yes-no", "label_de": "Erstsprache?"}
        field = {"label": "Ihr Fach – what?", "kind": "choice", "choices": "Law\n\n Medicine \n"}
        self.save(native, field | {"required": "on"}, {}, consent="Store.", consent_de="Wir.")
        self.assertEqual(
            self.campaign.staffing["consent"],
            {"version": 1, "texts": {"en": "Store.", "de": "Wir."}},
        )
        first, second = staffing_of(self.campaign).questions
        self.assertEqual(
            (first.name, first.kind, dict(first.labels)),
            ("native", "yes-no", {"en": "Native?", "de": "Erstsprache?"}),
        )
        self.assertEqual((second.name, second.required), ("ihr-fach-what", True))
        self.assertEqual(second.choices, ("Law", "Medicine"))
        page = self.get_as(self.owner, "campaign-consent", self.campaign.pk)
        for words in ("Native?", "Erstsprache?", "ihr-fach-what", "Another question"):
            self.assertContains(page, words)
        self.assertNotContains(page, "JSON")

    def test_what_is_shown_and_sent_again_changes_nothing(self):
        """Also of a question in a language that has no field here, as files may have it."""
        labels = {"en": "Native?", "de": "Erstsprache?", "sw": "Lugha?"}
        rows = [*QUESTIONS, {"name": "extra", "label": labels, "kind": "yes-no"}]
        before = set_staffing(self.campaign, {"questions": rows})
        page = self.get_as(self.owner, "campaign-consent", self.campaign.pk)
        sent = [
            {each.name: value for each in form if (value := each.value())}
            for form in page.context["form"].questions
        ]
        self.assertEqual(self.save(*sent, stored=len(rows)).status_code, 302)
        self.assertEqual(staffing_of(self.campaign), before)

    def test_a_consent_in_a_language_of_a_file_stays_and_can_be_changed(self):
        texts = {"en": "Store.", "it": "Accetto."}
        before = set_staffing(self.campaign, {"consent": {"texts": texts}})
        form = self.get_as(self.owner, "campaign-consent", self.campaign.pk).context["form"]
        sent = {each.name: value for each in form if (value := each.value())}
        self.assertEqual(self.save(**sent).status_code, 302)
        self.assertEqual(staffing_of(self.campaign), before)
        self.save(consent="Store.")
        self.assertEqual(dict(staffing_of(self.campaign).consent), {"en": "Store."})

    def test_a_consent_without_english_still_asks_for_it(self):
        set_staffing(self.campaign, {"consent": {"texts": {"it": "Accetto."}}})
        answer = self.save(consent_it="Accetto.")
        self.assertContains(answer, "Also write it in English", status_code=422)
        self.assertEqual(dict(staffing_of(self.campaign).consent), {"it": "Accetto."})
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertIn("consent", page["Location"])

    def test_a_question_is_removed(self):
        set_staffing(self.campaign, {"questions": QUESTIONS})
        rows = [{"label": each["name"], "name": each["name"], "kind": "text"} for each in QUESTIONS]
        self.save(rows[0] | {"DELETE": "on"}, *rows[1:], stored=len(rows))
        names = [each.name for each in staffing_of(self.campaign).questions]
        self.assertEqual(names, [each["name"] for each in QUESTIONS[1:]])

    def test_questions_with_the_same_words_have_names_of_their_own(self):
        self.save(*({"label": "Why?", "kind": "text"},) * 3, {"label": "為什麼", "kind": "text"})
        names = [each.name for each in staffing_of(self.campaign).questions]
        self.assertEqual(names, ["why", "why-2", "why-3", "question"])

    def test_what_is_wrong_is_told(self):
        text = {"label": "Why?", "kind": "text"}
        for questions, data, words in (
            ([{"kind": "yes-no"}], {}, "This field is required"),
            ([text | {"name": "A b"}], {}, "starting with a letter"),
            ([text | {"choices": "Law"}], {}, "has choices"),
            ([text | {"kind": "choice"}], {}, "Enter the choices"),
            ([text | {"kind": "date"}], {}, "not one of the available choices"),
            ([text | {"label": "x" * 501}], {}, "at most 500"),
            ([text | {"name": "a"}] * 2, {}, "two questions have the name “a”"),
            ([text | {"kind": "choice", "choices": "a\na"}], {}, "all different"),
            ([text] * 41, {}, "at most 40"),
            ([], {"consent_de": "Wir."}, "write it in English"),
        ):
            response = self.save(*questions, **data)
            self.assertContains(response, words, status_code=422)
        response = self.post_as(
            self.owner, "campaign-completion", self.campaign.pk, data={"redirect": "http://x/"}
        )
        self.assertContains(response, "https", status_code=422)
        self.campaign.refresh_from_db()
        self.assertEqual(self.campaign.staffing, {})


class TermsTests(CastTestCase):
    """Pay and the rule of who counts are read before anybody agrees or begins."""

    PAY = {"pay": {"per": "hour", "amount": "12.50", "currency": "EUR", "promised": "12.00"}}

    def write_rule(self, **asked):
        QualityRule.objects.create(
            campaign=self.campaign, n_judgments=0, written_by=self.owner, **asked
        )

    def consent_page(self):
        set_staffing(self.campaign, {"consent": {"texts": {"en": "We store."}}})
        return self.get_as(self.annotator_1, "judge-consent", self.campaign.pk)

    def test_the_consent_says_what_is_paid_and_who_counts(self):
        set_staffing(self.campaign, self.PAY)
        self.write_rule(text="Hidden references.", least_references=0.83, hold_after=5)
        page = self.consent_page()
        self.assertContains(page, "You are paid 12.50 EUR for each hour of active time.")
        self.assertContains(page, "at least 12.00 EUR")
        self.assertContains(page, "It requires careful work")
        self.assertContains(page, "is stopped until")
        self.assertContains(page, "still count toward your pay")
        for hidden in ("Hidden references", "0.83", "faster than it is possible to read"):
            self.assertNotContains(page, hidden)
        self.assertNotRegex(page.content.decode(), r"\b83\b")  # a token may hold these digits

    def test_what_is_not_settled_is_said_too(self):
        page = self.consent_page()
        self.assertContains(page, "The campaign does not state any pay.")
        self.assertContains(page, "There is no written rule.")
        self.assertNotContains(page, "toward your pay")
        self.write_rule(seconds_per_word=0.2)
        page = self.consent_page()
        self.assertContains(page, "faster than it is possible to read")
        self.assertNotContains(page, "0.2")
        self.assertNotContains(page, "is stopped until")

    def test_each_kind_of_pay_has_its_words(self):
        words_of = {"batch": "for each batch that you", "item": "for each item that you"}
        for per, words in words_of.items():
            set_staffing(self.campaign, {"pay": {"per": per, "amount": "0.04", "currency": "CHF"}})
            self.assertContains(self.consent_page(), f"You are paid 0.04 CHF {words}")

    def test_the_invitation_and_the_page_before_the_first_batch_say_it_too(self):
        set_staffing(self.campaign, self.PAY)
        invitation = self.campaign.invitations.create(role=Role.ANNOTATOR, created_by=self.owner)
        page = self.client.get(reverse("join", args=[invitation.token]))
        self.assertContains(page, "You are paid 12.50 EUR")
        Task.objects.filter(annotator=self.annotator_1).update(annotator=None)
        page = self.get_as(self.annotator_1, "judge", self.campaign.pk)
        self.assertContains(page, "Ready to begin")
        self.assertContains(page, "You are paid 12.50 EUR")

    def test_who_reads_results_is_not_told_of_pay(self):
        set_staffing(self.campaign, self.PAY)
        invitation = self.campaign.invitations.create(role=Role.RESEARCHER, created_by=self.owner)
        page = self.client.get(reverse("join", args=[invitation.token]))
        self.assertNotContains(page, "12.50")
