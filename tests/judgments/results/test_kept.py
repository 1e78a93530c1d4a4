"""Results are kept while nothing has changed, and computed again as soon as something has."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from django.core.cache import caches
from django.test import TestCase

from judgments.models import Decision, Judgment, Segment, System
from judgments.results.observations import observations
from judgments.results.scores import figures as scores
from judgments.results.selection.selection import Selection
from judgments.web import cache as kept
from tests import factory
from tests.base import CastTestCase


class FingerprintTest(CastTestCase):
    def setUp(self):
        self.item, self.other = self.campaign.tasks.first().items.order_by("position")[:2]
        self.judgment = factory.judge(self.item, {"adequacy": [5, 4, 3], "fluency": [3, 3, 3]})

    def mark(self):
        return Selection.of(type(self.campaign).objects.get(pk=self.campaign.pk)).fingerprint

    def assert_changes(self, change):
        before = self.mark()
        assert self.mark() == before
        change()
        assert self.mark() != before

    def test_a_judgment_changes_it(self):
        values = {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]}
        self.assert_changes(lambda: factory.judge(self.other, values))

    def test_a_revision_changes_it(self):
        values = {"adequacy": [1, 1, 1], "fluency": [1, 1, 1]}
        self.assert_changes(lambda: factory.judge(self.item, values, supersedes=self.judgment))

    def test_another_judgment_of_the_same_number_changes_it(self):
        # As after restoring a copy of the database and continuing to judge.
        key = "00000000-0000-4000-8000-000000000000"
        stored = Judgment.objects.filter(pk=self.judgment.pk)
        with factory.rewriting():
            self.assert_changes(lambda: stored.update(client_key=key))

    def test_an_alias_changes_it(self):
        members = self.campaign.memberships.filter(user=self.annotator_1)
        self.assert_changes(lambda: members.update(alias="somebody"))

    def test_an_option_changes_it(self):
        def change():
            self.campaign.options |= {"separate_passes": True}
            self.campaign.save()

        self.assert_changes(change)

    def test_leaving_an_annotator_out_changes_it_and_taking_in_again_brings_it_back(self):
        def decide(excluded):
            Decision.objects.create(
                campaign=self.campaign,
                annotator=self.annotator_1,
                excluded=excluded,
                reason="A test",
                decided_by=self.owner,
            )

        before = self.mark()
        self.assert_changes(lambda: decide(True))
        decide(False)
        assert self.mark() == before

    def test_texts_that_are_added_change_it(self):
        def segment():
            first = self.test_set.segments.first()
            Segment.objects.create(
                test_set=self.test_set,
                document=first.document,
                key="another",
                position=1000,
                source="Noch ein Satz.",
            )

        self.assert_changes(segment)
        self.assert_changes(lambda: System.objects.create(test_set=self.test_set, name="Later"))

    def test_other_campaigns_and_names_do_not_change_it(self):
        before = self.mark()
        other = factory.make_campaign(self.test_set, annotators=[self.annotator_1])
        item = factory.make_task(other, self.annotator_1).items.first()
        factory.judge(item, {"adequacy": [1, 2, 3], "fluency": [1, 2, 3]})
        self.campaign.name = "Another name"
        self.campaign.status = "closed"
        self.campaign.save()
        assert self.mark() == before

    def test_other_code_changes_it(self):
        before = self.mark()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("judgments.results.selection.selection.code_mark", lambda: "other code")
            assert self.mark() != before

    def test_another_process_finds_what_was_kept(self):
        first = scores.system_scores(Selection.of(self.campaign))
        observations.forget()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "judgments.results.observations.observations.read", None
            )  # nothing may be read
            again = scores.system_scores(Selection.of(self.campaign))
        np.testing.assert_array_equal(again.mean, first.mean)


class KeepTest(TestCase):
    def keep(self, key, value=1, calls=None):
        def compute():
            if calls is not None:
                calls.append(key)
            return value

        return kept.get_or_compute(key, compute, group=1)

    def test_it_is_computed_once(self):
        calls = []
        found = [self.keep("once", {"x": 1.5}, calls) for _ in range(3)]
        assert found == [{"x": 1.5}] * 3
        assert calls == ["once"]

    def test_threads_wait_for_the_first(self):
        calls = []
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda _: self.keep("threads", 7, calls), range(8)))
        assert found == [7] * 8
        assert calls == ["threads"]

    def test_a_damaged_file_is_computed_again(self):
        self.keep("damaged")
        cache = caches["results"]
        file = Path(cache._key_to_file("damaged"))
        for content in (b"", b"\x80\x05rubbish", file.read_bytes()[:-3]):
            file.write_bytes(content)
            assert self.keep("damaged", 2) == 2
            assert self.keep("damaged", 3) == 2  # kept anew

    def test_a_full_disk_does_not_hide_the_page(self):
        def full(*arguments, **options):
            raise OSError(28, "No space left on device")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(caches["results"]), "set", full)
            assert self.keep("full", 5) == 5


def test_the_code_has_a_mark_that_stays():
    mark = kept.code_mark()
    kept.code_mark.cache_clear()
    assert kept.code_mark() == mark
    assert len(mark) == 64


def test_the_mark_is_of_the_code(tmp_path, settings):
    settings.BASE_DIR = tmp_path
    marks = []
    for text in ("x = 1", "x = 2"):
        for name in kept.CODE:
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / "module.py").write_text(text)
        kept.code_mark.cache_clear()
        marks.append(kept.code_mark())
    kept.code_mark.cache_clear()
    assert marks[0] != marks[1]
