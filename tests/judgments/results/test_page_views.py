"""The view of all pages of results."""

from django.urls import reverse

from .test_results import ResultsTestCase


class PageViewsTest(ResultsTestCase):
    def open(self, page, **query):
        self.as_user(self.owner)
        address = reverse("results-page", args=[self.campaign.pk, page])
        return self.client.get(address, query)

    def test_a_page_without_an_address_of_its_own(self):
        self.judge_everything()
        self.assertContains(self.open("coverage"), "Annotators per output")
        address = reverse("results-page", args=[self.campaign.pk, "coverage"])
        page = self.client.get(reverse("agreement", args=[self.campaign.pk]))
        self.assertContains(page, f'<a href="{address}">What was judged</a>')

    def test_who_judged_what_before_anybody_has(self):
        page = self.open("coverage")
        self.assertContains(page, "No judgments yet")
        self.assertContains(page, reverse("campaign", args=[self.campaign.pk]))
        self.assertNotContains(page, "Judgments and time")

    def test_a_page_with_one_is_found_there_with_the_same_judgments(self):
        for name in ("scores", "stopping", "errors"):
            response = self.open(name, system="System-A")
            address = reverse(name, args=[self.campaign.pk])
            self.assertRedirects(
                response, f"{address}?system=System-A", fetch_redirect_response=False
            )

    def test_a_page_that_is_none(self):
        self.assertEqual(self.open("nothing").status_code, 404)

    def test_nobody_else_is_led_anywhere(self):
        self.as_user(self.annotator_1)
        address = reverse("results-page", args=[self.campaign.pk, "stopping"])
        self.assertEqual(self.client.get(address).status_code, 403)
