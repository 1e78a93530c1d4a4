"""Every refusal of the API is a problem (RFC 9457), from a view, a limit or the site."""

import json
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from rest_framework.exceptions import ValidationError

from judgments.people.tokens import tokens as api_tokens
from judgments.web import limits
from judgments.web.api.refusals import words_of
from mteval_site.deadline import TooSlow
from tests.api.test_access import ASKED
from tests.base import CastTestCase


class RefusalsTest(CastTestCase):
    def assert_refused(self, response, status, *words):
        self.assertEqual(response.status_code, status, response.content)
        self.assertEqual(response["Content-Type"], "application/problem+json")
        said = response.json()
        self.assertEqual((said["type"], said["status"]), ("about:blank", status))
        self.assertTrue(said["title"])
        self.assertEqual(said["instance"], response.wsgi_request.path)
        for word in words:
            self.assertIn(word, said["detail"])
        return said

    def test_by_views(self):
        number = self.campaign.pk
        self.assert_refused(self.get_as(None, "api-campaigns"), 403, "credentials")
        self.assert_refused(
            self.get_as(self.outsider, "api-scores", number), 404, "No such campaign"
        )
        self.assert_refused(self.get_as(self.annotator_1, "api-scores", number), 403, "Your role")
        asked = {"annotators": "some", "fewest_words": "x"}
        response = self.get_as(self.researcher, "api-scores", number, data=asked)
        said = self.assert_refused(response, 400, "annotators: ")
        self.assertEqual(set(said["errors"]), {"annotators", "fewest_words"})

    def test_by_methods_and_types(self):
        client, address = self.as_user(self.owner), reverse("api-campaigns")
        response = client.post(address, ASKED, content_type="application/json")
        self.assert_refused(response, 405)
        self.assertIn("GET", response["Allow"])
        response = client.post(
            reverse("api-campaign-from-file"), b"x", content_type="application/x-tar"
        )
        self.assert_refused(response, 415, "application/x-tar")
        self.assert_refused(client.get(address, headers={"accept": "image/png"}), 406)
        self.assert_refused(
            client.post(address, "x", content_type="text/plain; charset=utf-16"), 400, "UTF-8"
        )
        self.assert_refused(client.get("/api/nothing/"), 404, "nothing at this address")

    def test_by_tokens(self):
        response = Client().get(reverse("api-campaigns"), headers={"authorization": "Bearer x"})
        self.assert_refused(response, 401, "not known")
        self.assertIn("Bearer", response["WWW-Authenticate"])
        _, text = api_tokens.create(self.owner, "reads", "read", days=1)
        response = Client().post(
            reverse("api-metrics", args=[self.test_set.pk]),
            json.dumps(ASKED),
            content_type="application/json",
            headers={"authorization": f"Bearer {text}"},
        )
        self.assert_refused(response, 403, "may only read")

    def test_by_limits(self):
        exceeded = limits.Exceeded(limits.COMPUTING, 17)
        with patch("judgments.web.limits.hit", side_effect=exceeded):
            response = self.get_as(self.owner, "api-campaigns")
        self.assert_refused(response, 429, "17 seconds")
        self.assertEqual(response["Retry-After"], "17")
        with patch("judgments.plans.campaigns.api.access.readable_campaign", side_effect=exceeded):
            response = self.get_as(self.owner, "api-campaign", self.campaign.pk)
        self.assert_refused(response, 429)
        self.assertEqual(response["Retry-After"], "17")

    def test_by_the_site(self):
        client = self.as_user(self.owner)
        client.raise_request_exception = False
        for error, status, words in (
            (TooSlow(), 503, "Ask for less"),
            (OperationalError("server closed the connection unexpectedly"), 503, "database"),
            (RuntimeError("a defect"), 500, "went wrong"),
            (BadRequest("Not like this."), 400, "Not like this."),
        ):
            with (
                self.subTest(error=error),
                patch("judgments.plans.campaigns.api.access.readable_campaign", side_effect=error),
            ):
                self.assert_refused(
                    client.get(reverse("api-campaign", args=[self.campaign.pk])), status, words
                )

    def test_every_view_is_limited(self):
        """None replaces the throttles that the settings name."""
        from django.urls import get_resolver

        from tests.gates.addresses import patterns

        assert settings.REST_FRAMEWORK["DEFAULT_THROTTLE_CLASSES"]
        found = [each for each in patterns(get_resolver()) if (each.name or "").startswith("api-")]
        self.assertGreater(len(found), 25)
        for each in found:
            names = [throttle.__name__ for throttle in each.callback.cls.throttle_classes]
            self.assertEqual(names, ["Throttle"], each.name)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"a": ["One.", "Two."]}, "a: One. a: Two."),
        ({"metrics": [{}, {"metric": ["No."]}]}, "metrics.metric: No."),
        ({"non_field_errors": ["Both."]}, "Both."),
        (["All of it."], "All of it."),
    ],
)
def test_reasons_in_words(said, words):
    error = ValidationError(said)
    assert words_of(error, error.detail)[0] == words
