from django.urls import reverse

from tests.base import CastTestCase


class HomeTests(CastTestCase):
    def test_visitors_read_what_this_is(self):
        response = self.get_as(None, "home")
        self.assertContains(response, "How good is this translation?")
        self.assertContains(response, reverse("login"))

    def test_annotators_see_their_work_and_no_results(self):
        response = self.get_as(self.annotator_1, "home")
        self.assertContains(response, "0 of 4 judged", count=2)
        self.assertContains(response, reverse("judge", args=[self.campaign.pk]))
        self.assertNotContains(response, reverse("campaign", args=[self.campaign.pk]) + '"')

    def test_researchers_see_campaigns_and_no_button_to_make_one(self):
        response = self.get_as(self.researcher, "home")
        self.assertContains(response, reverse("campaign", args=[self.campaign.pk]))
        self.assertNotContains(response, reverse("campaign-new"))

    def test_managers_see_the_button(self):
        self.assertContains(self.get_as(self.owner, "home"), reverse("campaign-new"))

    def test_outsiders_are_told_what_to_do(self):
        response = self.get_as(self.outsider, "home")
        self.assertContains(response, "Nothing to judge yet")
        self.assertNotContains(response, "Small campaign")

    def test_a_paused_campaign_offers_no_judging(self):
        self.campaign.status = "paused"
        self.campaign.save()
        response = self.get_as(self.annotator_1, "home")
        self.assertNotContains(response, reverse("judge", args=[self.campaign.pk]) + '"')
        self.assertContains(response, "not open now")

    def test_pages_for_everyone(self):
        for name in ("about", "accessibility"):
            self.assertEqual(self.get_as(None, name).status_code, 200)

    def test_an_unknown_address_says_so(self):
        response = self.as_user(None).get("/no/such/page/")
        self.assertContains(response, "Page not found", status_code=404)

    def test_the_policy_allows_no_inline_script_or_style(self):
        policy = self.get_as(None, "home")["Content-Security-Policy"]
        self.assertIn("script-src 'self'", policy)
        self.assertIn("style-src 'self'", policy)
        self.assertNotIn("unsafe", policy)
