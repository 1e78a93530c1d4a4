"""The operator's page and the metrics for Prometheus."""

import json
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client.parser import text_string_to_metric_families

from metrics.scoring import jobs
from metrics.scoring import tasks as scoring_tasks
from metrics.scoring.choices import MetricChoice
from mteval_site import leases, measures, state
from mteval_site.backup import writing as backup_writing
from tests import factory
from tests.base import CastTestCase

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "figures-for-prometheus"
NOTHING = (
    "default cpu 0 0 0 – gpu gpu 0 0 0 – judge judge 0 0 0 – short cpu 0 0 0 – slow cpu 0 0 0 –"
)
BEARER = {"authorization": f"Bearer {TOKEN}"}


def enqueue_one(test_set):
    scoring_tasks.enqueue(jobs.create_job(test_set, [MetricChoice("bleu")], ["ref"]))
    DBTaskResult.objects.exclude(pk=DBTaskResult.objects.first().pk).delete()


class OperatorPageTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        cls.root = factory.make_user("root", is_staff=True, is_superuser=True)

    def page(self):
        response = self.get_as(self.root, "operator")
        self.assertEqual(response.status_code, 200)
        return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())

    def test_outsiders(self):
        everybody = [self.outsider, self.annotator_1, self.researcher, self.owner]
        self.assert_refused("operator", users={None: 302} | dict.fromkeys(everybody, 403))

    def test_only_operators_are_shown_the_way(self):
        address = f'href="{reverse("operator")}"'
        self.assertContains(self.get_as(self.root, "campaigns"), address)
        self.assertNotContains(self.get_as(self.owner, "campaigns"), address)

    def test_what_it_says_of_a_site_that_has_just_begun(self):
        # Tests of backups leave one, in the process that ran them.
        (settings.VAR_DIR / backup_writing.NOTE).unlink(missing_ok=True)
        page = self.page()
        self.assertIn("No backup yet", page)
        self.assertIn("No worker is connected", page)
        self.assertIn(NOTHING, page)
        for name, version in state.versions():
            self.assertIn(f"{name} {version}", page)
        # Of `check --deploy`: the tests' site is served without TLS.
        self.assertIn("security.W008", page)
        self.assertNotIn("migration", page)

    def test_the_queue(self):
        enqueue_one(self.test_set)
        earlier = timezone.now() - timedelta(minutes=30)
        DBTaskResult.objects.update(enqueued_at=earlier)
        self.assertIn(
            NOTHING.replace("default cpu 0 0 0 –", "default cpu 1 0 0 30 min"), self.page()
        )
        DBTaskResult.objects.update(queue_name="short")
        self.assertIn(NOTHING.replace("short cpu 0 0 0 –", "short cpu 1 0 0 30 min"), self.page())
        DBTaskResult.objects.update(status="FAILED", started_at=earlier, finished_at=earlier)
        self.assertIn(NOTHING.replace("short cpu 0 0 0", "short cpu 0 0 1"), self.page())

    @override_settings(RESOURCE_LIMITS={"gpu": 1, "cpu": 3})
    def test_taken_slots_of_limited_resources(self):
        self.assertIn("default cpu 0 of 3 0 0 0 – gpu gpu 0 of 1 0 0 0 – judge judge – 0 0 0 –",
                      self.page())  # fmt: skip
        slot = leases.take("gpu")
        try:
            self.assertIn("gpu gpu 1 of 1 0 0 0 –", self.page())
        finally:
            leases.release(slot)
        self.assertIn("gpu gpu 0 of 1 0 0 0 –", self.page())

    def test_a_queue_that_is_no_longer_known(self):
        enqueue_one(self.test_set)
        DBTaskResult.objects.update(queue_name="old")
        self.assertIn("judge judge 0 0 0 – old – 1 0 0", self.page())

    def test_pending_migrations_and_a_worker(self):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(state, "pending_migrations", lambda: ["judgments 0099_later"])
            patch.setattr(state, "connections", lambda: {state.WORKER: 2, "others": 1})
            page = self.page()
        self.assertIn("has 1 unapplied migration (judgments 0099_later)", page)
        self.assertIn("mteval worker 2", page)
        self.assertIn("3 of 120 connections", page)
        self.assertNotIn("No worker", page)

    def test_an_old_backup_and_one_without_some_media(self):
        now = timezone.now()
        made = [now - timedelta(days=8), now - timedelta(days=6)]
        pages = []
        for at, n_missing in zip(made, (0, 2), strict=True):
            with pytest.MonkeyPatch.context() as patch:
                backup = state.Backup("/b/x.backup", at, 12, "ab", n_missing)
                patch.setattr(state, "last_backup", lambda found=backup: found)
                pages.append(self.page())
        old, lacking = pages
        self.assertIn("was made 1 week, 1 day ago", old)
        self.assertNotIn("lacks", old)
        self.assertIn("The last backup lacks 2 media files that were not on this machine", lacking)
        self.assertNotIn("on this machine was made", lacking)


@pytest.fixture
def kept(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    return tmp_path / "last_backup.json"


def test_the_last_backup(kept):
    assert state.last_backup() is None
    said = {
        "file": "/b/x.dump",
        "created": "2026-11-22T01:00:00+00:00",
        "bytes": 12,
        "sha256": "ab",
    }
    kept.write_text(json.dumps(said))
    found = state.last_backup()
    assert (found.file, found.n_bytes, found.sha256) == ("/b/x.dump", 12, "ab")
    assert found.at.isoformat() == said["created"]
    assert (found.is_old, found.n_missing) == (True, 0)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"file": 1, "created": "x", "bytes": 1, "sha256": 2}']
)
def test_what_cannot_be_read_of_a_backup(kept, text):
    kept.write_text(text)
    assert state.last_backup() is None


@pytest.mark.django_db
def test_pending_migrations_are_none_in_a_fresh_database():
    assert state.pending_migrations() == []


# PostgreSQL reads its processes once per transaction.
@pytest.mark.django_db(transaction=True)
def test_programs_are_known_by_what_they_tell_postgresql():
    with connection.cursor() as cursor:
        cursor.execute("SET application_name = 'mteval worker'")
        assert state.connections().get(state.WORKER) == 1
        cursor.execute("SET application_name = 'psql'")
        assert state.connections()[state.OTHERS] >= 1


class PrometheusTest(CastTestCase):
    def setUp(self):
        self.assertNotIn("PROMETHEUS_MULTIPROC_DIR", os.environ)
        measures._requests.cache_clear()
        measures.own_registry.cache_clear()

    def figures(self):
        """Return (name, labels) → value, read by Prometheus's own parser."""
        response = self.client.get("/health/prometheus/", headers=BEARER)
        self.assertEqual(response.status_code, 200)
        return {
            (sample.name, *sorted(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(response.content.decode())
            for sample in family.samples
        }

    def test_outsiders_do_not_learn_that_it_is_there(self):
        """Also signed-in users: only the token counts, and without one the page does not exist."""
        root = factory.make_user("root", is_superuser=True)
        for user in (None, self.outsider, self.owner, root):
            for token, given in ((TOKEN, {}), (TOKEN, {"authorization": "Bearer x"}), ("", BEARER),
                                 ("", {"authorization": "Bearer "})):  # fmt: skip
                with override_settings(PROMETHEUS_TOKEN=token):
                    response = self.as_user(user).get("/health/prometheus/", headers=given)
                self.assertEqual(response.status_code, 404)

    @override_settings(PROMETHEUS_TOKEN=TOKEN)
    def test_requests(self):
        for _ in range(3):
            self.client.get("/health/")
        self.client.get("/nothing/here/")
        self.client.generic("BREW", "/nothing/")
        found = self.figures()
        self.assertEqual(found["mteval_requests_total", "200", "GET", "health"], 3)
        self.assertEqual(found["mteval_requests_total", "(no such page)", "404", "GET"], 1)
        self.assertEqual(found["mteval_requests_total", "(no such page)", "404", "other"], 1)
        self.assertEqual(found["mteval_request_seconds_count", "GET", "health"], 3)
        self.assertGreater(found["mteval_request_seconds_sum", "GET", "health"], 0)

    @override_settings(PROMETHEUS_TOKEN=TOKEN)
    def test_the_rest(self):
        for item in self.campaign.tasks.first().items.all():
            factory.judge(item, {"adequacy": [1.0, 2.0, 3.0], "fluency": [1.0, 2.0, 3.0]})
        enqueue_one(self.test_set)
        found = self.figures()
        self.assertEqual(found[("mteval_items_judged",)], 4)
        self.assertEqual(found["mteval_tasks", "default", "waiting"], 1)
        self.assertEqual(found["mteval_tasks", "default", "failed"], 0)
        self.assertGreater(found["mteval_oldest_task_seconds", "default"], 0)
        for queue in ("gpu", "short", "slow"):
            self.assertEqual(found["mteval_tasks", queue, "waiting"], 0)
            self.assertEqual(found["mteval_oldest_task_seconds", queue], 0)
        self.assertEqual(found["mteval_database_connections", "mteval worker"], 0)
        self.assertEqual(found[("mteval_database_connections_limit",)], 120)
        for name in ("mteval_disk_free_bytes", "mteval_disk_bytes", "mteval_database_bytes"):
            self.assertGreater(found[(name,)], 1e6)

    def test_nothing_is_counted_where_nobody_asks(self):
        self.client.get("/health/")
        self.assertEqual(measures._requests.cache_info().currsize, 0)


def test_the_counts_of_all_processes_are_added_up(tmp_path):
    """Each in separate files; the one that is asked reads all, also those of ended processes."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    def process(code):
        command = [sys.executable, "-c", f"from mteval_site import measures\n{code}"]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for _ in range(3):
        process("measures.observe('judge-item', 'POST', 302, 0.03)")
    said = process(
        "measures.Gauges.collect = lambda self: []\nprint(measures.exposition()[0].decode())"
    )
    assert 'mteval_requests_total{method="POST",status="302",view="judge-item"} 3.0' in said
    bucket = 'mteval_request_seconds_bucket{le="%s",method="POST",view="judge-item"} %s'
    assert bucket % ("0.025", 0.0) in said and bucket % ("0.05", 3.0) in said
