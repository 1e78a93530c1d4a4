"""Who is slowed down, and who never is."""

import threading
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client, RequestFactory, override_settings
from django.urls import get_resolver, reverse

from judgments.models import Attempts, Invitation
from judgments.web import limits, request_limits
from judgments.web.known_devices import COOKIE
from mteval_site import checks, environment
from mteval_site.addresses import client_address
from tests import factory
from tests.base import CastTestCase
from tests.gates.files import FILES
from tests.test_imports import patterns


def networks(monkeypatch, text):
    monkeypatch.setenv("TRUSTED_PROXIES", text)
    return environment.networks("TRUSTED_PROXIES")


@pytest.mark.parametrize(
    ("proxies", "remote", "forwarded", "found"),
    [
        ("", "192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1", "198.51.100.7", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.9", "198.51.100.7", "192.0.2.9"),
        # Only the last proxy is believed: what is further left anybody can send.
        ("192.0.2.1", "192.0.2.1", "203.0.113.5, 198.51.100.7", "198.51.100.7"),
        ("192.0.2.0/24", "192.0.2.1", "203.0.113.5, 198.51.100.7, 192.0.2.2", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.1", "198.51.100.7:1234", "198.51.100.7"),
        ("192.0.2.1", "192.0.2.1", "no address", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1", "198.51.100.7, ", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1", None, "192.0.2.1"),
        ("unix", "", "198.51.100.7", "198.51.100.7"),
        ("", "", "198.51.100.7", ""),
        ("::1", "::1", "[2001:db8:1:2:3::4]:99", "2001:db8:1:2::/64"),
        ("", "2001:db8:1:2:ffff::1", None, "2001:db8:1:2::/64"),
        ("", "::ffff:192.0.2.1", None, "192.0.2.1"),
    ],
)
def test_the_address_of_a_request(monkeypatch, settings, proxies, remote, forwarded, found):
    settings.TRUSTED_PROXIES = networks(monkeypatch, proxies)
    sent = {"REMOTE_ADDR": remote}
    if forwarded is not None:
        sent["HTTP_X_FORWARDED_FOR"] = forwarded
    assert client_address(RequestFactory().get("/", **sent)) == found


@pytest.mark.django_db
def test_what_costs_more_than_is_left_takes_nothing(settings):
    settings.RATE_LIMITS = 1
    limit = limits.Limit("mails", 100, 60)
    for cost in (101, 10, 91):
        if cost == 10:
            assert limits.hit(limit, "ann", cost) == 90
            continue
        with pytest.raises(limits.Exceeded) as refused:
            limits.hit(limit, "ann", cost)
        assert 50 < refused.value.seconds <= 60
    assert limits.hit(limit, "ann", 90) == 0
    with pytest.raises(limits.Exceeded):
        limits.hit(limit, "ann")
    limits.charge(limit, "bob", 200)  # what is done counts
    with pytest.raises(limits.Exceeded):
        limits.hit(limit, "bob")


def test_a_proxy_that_is_none_is_told_at_the_start(monkeypatch):
    with pytest.raises(ImproperlyConfigured, match=r"TRUSTED_PROXIES: 'proxy\.local'"):
        networks(monkeypatch, "10.0.0.0/8, proxy.local")


def test_a_proxy_without_a_name_is_told_by_the_check_of_a_deployment(settings):
    settings.HTTPS, settings.TRUSTED_PROXIES = True, []
    assert [found.id for found in checks.proxies_are_named(None)] == ["mteval_site.W004"]
    settings.TRUSTED_PROXIES = ["unix"]
    assert checks.proxies_are_named(None) == []


class SignInLimitTests(CastTestCase):
    """The client of a device keeps its cookies; each address is a stranger."""

    def sign_in(self, client, name="owner", password="wrong", address="192.0.2.1"):
        data = {"username": name, "password": password}
        return client.post(reverse("login"), data, REMOTE_ADDR=address)

    def status(self, *args, **kwargs):
        return self.sign_in(*args, **kwargs).status_code

    def known(self):
        """A device on which the owner has signed in before."""
        client = Client()
        self.assertEqual(self.status(client, password=factory.PASSWORD), 302)
        self.assertIn(COOKIE, client.cookies)
        self.assertTrue(client.cookies[COOKIE]["httponly"])
        client.post(reverse("logout"))
        return client

    def test_nobody_can_lock_the_manager_out(self):
        device = self.known()
        statuses = [self.status(Client(), address=f"198.51.100.{n // 5}") for n in range(60)]
        self.assertEqual(statuses[:29], [200] * 29)
        self.assertEqual(set(statuses[29:]), {429}, "the name is closed to strangers")
        right = {"password": factory.PASSWORD, "address": "203.0.113.9"}
        self.assertEqual(self.status(Client(), **right), 429)
        self.assertEqual(self.status(device, **right), 302)

    def test_nobody_can_lock_the_manager_out_of_a_shared_address(self):
        device = self.known()
        for n in range(100):
            self.sign_in(Client(), name=f"somebody-{n}")
        self.assertEqual(self.status(Client(), "annotator-1", factory.PASSWORD), 429)
        self.assertEqual(self.status(device, "owner", factory.PASSWORD), 302)

    def test_one_address_cannot_close_a_name_elsewhere(self):
        statuses = [self.status(Client()) for _ in range(60)]
        self.assertEqual(statuses, [200] * 9 + [429] * 51)
        right = {"password": factory.PASSWORD, "address": "203.0.113.9"}
        self.assertEqual(self.status(Client(), **right), 302)

    def test_names_cannot_be_sprayed_from_one_address(self):
        statuses = [self.status(Client(), name=f"name-{n}") for n in range(102)]
        self.assertEqual(statuses, [200] * 99 + [429] * 3)
        other = self.status(Client(), "name-1", address="203.0.113.9")
        self.assertEqual(other, 200)

    def test_a_known_device_has_its_own_limit(self):
        device = self.known()
        statuses = [self.status(device) for _ in range(12)]
        self.assertEqual(statuses, [200] * 9 + [429] * 3)
        self.assertEqual(self.status(Client(), password=factory.PASSWORD), 302)

    def test_the_cookie_of_another_name_or_a_forged_one_is_none(self):
        device = self.known()
        nonce = device.cookies[COOKIE].value.partition(".")[0]
        for value in (device.cookies[COOKIE].value, f"{nonce}.{'0' * 64}", "", ".", "ü.ü"):
            for _ in range(10):
                client = Client()
                client.cookies[COOKIE] = value
                last = self.status(client, "annotator-1", address="203.0.113.77")
            Attempts.objects.all().delete() if last == 429 else self.fail(value)

    def test_right_passwords_do_not_count(self):
        for _ in range(120):
            self.assertEqual(self.status(Client(), password=factory.PASSWORD), 302)

    def test_a_right_password_forgives_the_wrong_ones_before(self):
        for _ in range(3):
            for _ in range(9):
                self.assertEqual(self.status(Client()), 200)
            self.assertEqual(self.status(Client(), password=factory.PASSWORD), 302)

    def test_the_door_opens_again(self):
        for _ in range(10):
            response = self.sign_in(Client())
        self.assertEqual(response["Retry-After"], "900")
        self.assertContains(response, "Try again in 15 minutes", status_code=429)
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE judgments_attempts SET ends_at = ends_at - interval '14 minutes 30 seconds'"
            )
        response = self.sign_in(Client(), password=factory.PASSWORD)
        self.assertContains(response, "Try again in 1 minute.", status_code=429)
        self.assertLessEqual(int(response["Retry-After"]), 30)
        with connection.cursor() as cursor:
            cursor.execute("UPDATE judgments_attempts SET ends_at = now()")
        self.assertEqual(self.status(Client(), password=factory.PASSWORD), 302)

    def test_the_operators_own_page_is_limited_too(self):
        data = {"username": "owner", "password": "wrong"}
        statuses = [Client().post(reverse("admin:login"), data).status_code for _ in range(11)]
        self.assertEqual(statuses, [200] * 9 + [429] * 2)

    def test_neither_names_nor_addresses_are_stored(self):
        self.sign_in(Client(), name="Petra")
        stored = " ".join(Attempts.objects.values_list("key", flat=True))
        self.assertEqual(len(stored.split()), 3)
        self.assertNotIn("etra", stored)
        self.assertNotIn("192.0.2.1", stored)

    @override_settings(RATE_LIMITS=0)
    def test_wrong_passwords_count_even_without_other_limits(self):
        self.assertEqual([self.status(Client()) for _ in range(10)][-1], 429)


@pytest.mark.django_db(transaction=True)
def test_attempts_at_the_same_time_are_all_counted():
    outcomes = []

    def try_once():
        try:
            limits.hit(limits.GUESSES, "somebody")
            outcomes.append("in")
        except limits.Exceeded:
            outcomes.append("out")
        finally:
            connection.close()

    for _ in range(5):
        threads = [threading.Thread(target=try_once) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(outcomes) == ["in"] * 30 + ["out"] * 10


@override_settings(RATE_LIMITS=1)
class RequestLimitTests(CastTestCase):
    def counted(self):
        return sum(Attempts.objects.values_list("count", flat=True))

    def test_the_names_are_those_of_addresses(self):
        named = {p.name for p in patterns(get_resolver())}
        optional = {"oidc-start", "oidc-return"}
        for names in (request_limits.COMING_IN, request_limits.PASSWORDS, request_limits.UPLOADS):
            self.assertLessEqual(names - optional, named)

    def test_every_form_with_a_file_counts_as_an_upload(self):
        self.assertLessEqual(set(FILES), request_limits.UPLOADS)

    def test_a_workshop_behind_one_address_joins(self):
        invitation = Invitation.objects.create(campaign=self.campaign, created_by=self.owner)
        link = invitation.get_absolute_url()
        for n in range(60):
            client = Client(REMOTE_ADDR="192.0.2.1")
            for _ in range(3):
                self.assertEqual(client.get(link).status_code, 200)
            joined = client.post(link, {"alias": f"Person {n}"})
            self.assertEqual(joined.status_code, 302)
            self.assertEqual(client.get(joined["Location"]).status_code, 200)

    def test_links_cannot_be_guessed(self):
        links = [reverse(name, args=["guess"]) for name in ("join", "return")] * 16
        statuses = [self.client.get(link, REMOTE_ADDR="192.0.2.1").status_code for link in links]
        self.assertEqual(statuses, [404] * 30 + [429] * 2)
        response = self.client.get(links[0], REMOTE_ADDR="192.0.2.1")
        self.assertContains(response, "Try again in 15 minutes", status_code=429)
        self.assertEqual(response["Retry-After"], "900")
        other = self.client.get(links[0], REMOTE_ADDR="192.0.2.2")
        self.assertEqual(other.status_code, 404)
        invitation = Invitation.objects.create(campaign=self.campaign, created_by=self.owner)
        right = self.client.get(invitation.get_absolute_url(), REMOTE_ADDR="192.0.2.1")
        self.assertEqual(right.status_code, 200, "beside sixty people with a mistyped link")

    def test_judging_is_not_counted(self):
        self.get_as(self.annotator_1, "judge", self.campaign.pk, follow=True)
        self.get_as(self.annotator_1, "home")
        self.assertEqual(self.counted(), 0)

    def test_results_count_by_person(self):
        self.get_as(self.owner, "agreement", self.campaign.pk)
        self.assertGreaterEqual(self.counted(), 1)
        subject = f"account {self.owner.pk}"
        limits.charge(limits.COMPUTING, subject, 5000)
        response = self.get_as(self.owner, "agreement", self.campaign.pk)
        self.assertContains(response, "Try again in 5 minutes", status_code=429)
        self.assertIn("Retry-After", response)
        refused = self.get_as(self.owner, "api-campaigns")
        self.assertEqual(refused.status_code, 429)
        self.assertIn("Retry-After", refused)
        self.assertIn("detail", refused.json())
        self.assertEqual(self.get_as(self.owner, "campaigns").status_code, 200)
        response = self.get_as(self.researcher, "agreement", self.campaign.pk)
        self.assertEqual(response.status_code, 200)

    def test_slow_answers_cost_more(self):
        ticks = iter(range(0, 1000, 10))  # every answer takes 10 s
        with pytest.MonkeyPatch.context() as patch:
            clock = SimpleNamespace(monotonic=lambda: next(ticks))
            patch.setattr(request_limits, "time", clock)
            for name in ("agreement", "api-agreement"):
                Attempts.objects.all().delete()
                self.get_as(self.owner, name, self.campaign.pk)
                self.assertEqual(self.counted(), 40)

    def test_uploads_are_limited_and_looking_at_the_form_is_not(self):
        for _ in range(60):
            self.assertNotEqual(self.post_as(self.owner, "test-set-new").status_code, 429)
        self.assertEqual(self.post_as(self.owner, "test-set-new").status_code, 429)
        self.assertEqual(self.get_as(self.owner, "test-set-new").status_code, 200)

    @override_settings(RATE_LIMITS=0)
    def test_without_limits_nothing_is_counted(self):
        self.get_as(self.owner, "agreement", self.campaign.pk)
        self.assertEqual(self.counted(), 0)

    def test_old_counters_are_forgotten(self):
        limits.hit(limits.UPLOADS, "old")
        with connection.cursor() as cursor:
            cursor.execute("UPDATE judgments_attempts SET ends_at = now() - interval '1 second'")
        limits.hit(limits.UPLOADS, "new")
        limits.delete_expired()
        self.assertEqual(Attempts.objects.count(), 1)

    def test_the_table_is_written_without_a_log(self):
        with connection.cursor() as cursor:
            table = "judgments_attempts"
            cursor.execute("SELECT relpersistence FROM pg_class WHERE relname = %s", [table])
            self.assertEqual(cursor.fetchone()[0], "u")
