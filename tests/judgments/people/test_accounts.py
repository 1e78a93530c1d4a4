from django.urls import reverse

from tests import factory
from tests.base import CastTestCase


class SignInTests(CastTestCase):
    def test_by_password(self):
        response = self.post_as(
            None, "login", data={"username": "annotator-1", "password": factory.PASSWORD}
        )
        self.assertRedirects(response, reverse("home"))

    def test_a_wrong_password_says_so(self):
        response = self.post_as(None, "login", data={"username": "owner", "password": "wrong"})
        self.assertContains(response, "There is a problem")

    def test_ten_wrong_passwords_close_the_door_for_a_while(self):
        data = {"username": "owner", "password": "wrong"}
        for _ in range(10):
            response = self.post_as(None, "login", data=data)
        self.assertContains(response, "Try again in 15 minutes", status_code=429)
        self.assertEqual(response["Retry-After"], "900")
        right = self.post_as(None, "login", data=data | {"password": factory.PASSWORD})
        self.assertEqual(right.status_code, 429)

    def test_a_name_of_any_length_is_only_wrong(self):
        data = {"username": "x" * 1000, "password": "wrong"}
        self.assertEqual(self.post_as(None, "login", data=data).status_code, 200)
        response = self.client.post(reverse("admin:login"), data)
        self.assertEqual(response.status_code, 200)

    def test_signing_out_takes_a_post(self):
        self.assertEqual(self.get_as(self.owner, "logout").status_code, 405)
        self.assertRedirects(self.post_as(self.owner, "logout"), reverse("home"))

    def test_no_redirect_to_another_site(self):
        data = {"username": "owner", "password": factory.PASSWORD, "next": "https://example.org/"}
        response = self.post_as(None, "login", data=data)
        self.assertRedirects(response, reverse("home"))
