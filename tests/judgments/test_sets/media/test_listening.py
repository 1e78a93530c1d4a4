"""How long sources are heard: plans, their cost and the time left count it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from judgments.models import MediaFile, SegmentMedia
from judgments.people.workload.rates import Reading, ReadingRate
from judgments.people.workload.words import loads_of_items
from judgments.plans.design import plan, preview
from judgments.plans.listening import Heard, Listening
from judgments.plans.price.figures import price_of
from judgments.plans.scope import planned_work
from judgments.plans.settings import PlanSettings
from judgments.stats.planning.times import ItemTime
from judgments.test_sets.media.lengths import seconds_of
from tests import factory
from tests.media_files import WEBM, mp3, mp4, opus, png, wav

from .spoken import spoken_test_set

pytestmark = pytest.mark.django_db
SETTINGS = PlanSettings(batch_items=50, seconds_per_word=1.0)
# Words of source and output, one each at least: those of tests.media_files.table.
ROWS = (
    ("1", "", "long.wav", "", "", ""),
    ("2", "Moin.", "long.wav", "", "1", "4"),
    ("3", "Moin.", "talk.webm", "", "", ""),
    ("4", "Moin.", "dot.png", "", "", ""),
    ("5", "Moin.", "", "", "", ""),
    ("6", "Moin.", "talk.webm", "", "2", "3.5"),
)
FILES = {"long.wav": wav(seconds=20), "talk.webm": WEBM, "dot.png": png()}


@pytest.fixture
def campaign(owner):
    test_set = spoken_test_set(owner, ROWS, FILES)
    return factory.make_campaign(test_set, preset="direct-assessment", owner=owner, status="draft")


def test_lengths_are_those_of_the_stretch_or_of_the_file(campaign):
    assert dict(MediaFile.objects.values_list("name", "seconds")) == {
        "long.wav": 20.0, "talk.webm": None, "dot.png": None,
    }  # fmt: skip
    found = SegmentMedia.objects.order_by("segment__position").select_related("file")
    assert [each.seconds for each in found] == [20.0, 3.0, None, 0.0, 1.5]


@pytest.mark.parametrize(
    ("kind", "content", "seconds"),
    [
        ("audio/wav", wav(seconds=1.5), 1.5),
        ("audio/mpeg", mp3(300), 300 * 1_152 / 44_100),
        ("audio/mpeg", b"ID3\x04\0\0\0\0\0\0" + mp3(300), 300 * 1_152 / 44_100),
        ("audio/ogg", opus(12.5), 12.5),
        ("video/mp4", mp4(3_725.5), 3_725.5),
        ("audio/mp4", mp4(61, b"M4A "), 61),
        ("video/mp4", mp4(0), None),
        ("video/mp4", mp4(20)[:-90], None),
        ("audio/ogg", opus(12.5)[:60], None),
        ("video/webm", WEBM, None),
        ("image/png", png(), None),
    ],
)
def test_lengths_that_files_say(tmp_path, kind, content, seconds):
    file = tmp_path / "x"  # what a file is called says nothing
    file.write_bytes(content)
    assert seconds_of(file, kind) == (seconds and pytest.approx(seconds, abs=0.03))


@pytest.mark.parametrize("content", [b"", b"RIFF\x04\0\0\0WAVE", wav()[:30], wav(seconds=0)])
def test_a_file_that_does_not_say_it_has_no_length(tmp_path, content):
    file = tmp_path / "x.wav"
    file.write_bytes(content)
    assert seconds_of(file, "audio/wav") is None


def test_the_page_says_how_long_the_files_last(campaign, client):
    client.force_login(campaign.test_set.owner)
    page = client.get(reverse("test-set-media", args=[campaign.test_set_id])).content.decode()
    assert "in 3 files with a total length of 20 s. The length of 1 of them is not known." in page


def test_no_item_of_a_plan_takes_less_than_its_sound(campaign):
    work = planned_work(preview(campaign, SETTINGS))
    # One word of source, at least, and one of the output: 2 s at 1 s a word.
    assert work.listening.heard == (Heard(2.0, 20.0, 1), Heard(2.0, 3.0, 1), Heard(2.0, 1.5, 1))
    assert work.listening.n_unknown == 1
    assert work.listening.extra_hours(ItemTime(0, 1)) * 3600 == pytest.approx(18 + 1)
    assert work.listening.extra_hours(ItemTime(0, 100)) == 0
    assert work.listening.share(0.5).extra_hours(ItemTime(0, 1)) * 3600 == pytest.approx(9.5)
    notes = " ".join(price_of(campaign, SETTINGS, work).notes)
    assert "No item takes less than its sound or video: that adds under 0.1 hours." in notes
    assert "The length of the sound or video of 1 segment is not known" in notes


def test_where_the_source_is_held_back_nothing_is_heard(campaign):
    campaign.options |= {"show_source": False, "show_reference": True}
    campaign.save()
    listening = planned_work(preview(campaign, SETTINGS)).listening
    assert listening == Listening()


def test_a_plan_without_media_has_none(owner):
    test_set = factory.make_test_set(owner)
    plain = factory.make_campaign(test_set, preset="direct-assessment", owner=owner)
    assert planned_work(preview(plain, SETTINGS)).listening == Listening()
    notes = " ".join(price_of(plain, SETTINGS, planned_work(preview(plain, SETTINGS))).notes)
    assert "sound" not in notes


def test_the_page_says_it(campaign, owner):
    client = Client()
    client.force_login(owner)
    SegmentMedia.objects.filter(segment__key="1").update(end=3600)
    data = {"batch_items": "5", "seats": "1", "seed": "1", "repeats": "0"}
    data |= {"loud_checks": "0", "silent_checks": "0"}
    page = client.get(reverse("campaign-design-price", args=[campaign.pk]), data)
    # Once, or twice where the draw makes it a repeat.
    words = r"No item takes less than its sound or video: that adds [12]\.0 hours\."
    assert re.search(words, page.content.decode())


def test_the_time_left_counts_it(campaign):
    plan(campaign, SETTINGS)
    loads = loads_of_items(campaign.tasks.all())[campaign.tasks.get().pk]
    assert sorted(load.seconds for load in loads.values()) == [0, 0, 0, 1.5, 3, 20]
    rate = ReadingRate(100.0, {})
    assert rate.time_ms([Reading(10, "")]) == 4000
    assert rate.time_ms([Reading(10, "", 3.9)]) == 4000
    assert rate.time_ms([Reading(10, "", 60.0), Reading(10, "")]) == 64_000
