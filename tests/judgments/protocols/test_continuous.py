"""Continuous rating: the input of its form, what is stored and what is derived from it."""

import io
import math
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from judgments.files.texts import from_table
from judgments.models import Judgment, Output, Press, Rating, Status, System, TestSet
from judgments.models.chains import checking
from judgments.people.my_data.answers import stored_about
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from judgments.protocols import protocol_of
from judgments.protocols.continuous.course import (
    MOST_PRESSES,
    CoursePress,
    by_press,
    by_time,
    read_course,
    write_course,
)
from judgments.protocols.continuous.options import parse_steps
from judgments.publishing.bundles.release import release
from judgments.publishing.bundles.verification import verify
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.deletion.rows import delete_campaign
from judgments.test_sets.media.archive import media_archive
from tests import factory
from tests.judgments.publishing.bundles.sites import assert_as_on_the_site
from tests.media_files import table, wav, zipped

# Of IWSLT 2022, annotator 40: the talk ted_50853 by the system CUNI-KIT at low latency, 939,595.5
# ms long. Presses, CR and CRi as Macháček et al. (2023) published them
# (github.com/ufal/MT-metrics-in-SimST: data-20220507.csv and
# doc-data-with-MT-metrics-20230105.csv, row 1781).
TALK = (
    (26785, 2), (46646, 3), (191776, 3), (209217, 4), (234118, 3), (265494, 2), (290747, 3),
    (363318, 3), (384050, 2), (420919, 3), (498958, 3), (525479, 2), (546689, 3), (598922, 2),
    (606818, 3), (748746, 2), (801755, 3), (939595.5, None),
)  # fmt: skip
CRI, CR = 2.847507231785787, 2.7058823529411766


def test_published_scores_of_a_talk():
    course = [CoursePress(int(2 * at), value) for at, value in TALK]  # half ms are whole then
    assert math.isclose(by_time(course), CRI, rel_tol=1e-12)
    assert math.isclose(by_press(course), CR, rel_tol=1e-12)


def test_nothing_is_rated_while_nobody_follows():
    course = read_course("1 4\n3 0\n7 2\n8 end", 4, 0, None)
    assert [press.value for press in course] == [4, None, 2, None]
    assert by_time(course) == pytest.approx((4 * 2 + 2 * 1) / 3)
    assert by_press(course) == 3
    assert write_course(course) == "1 4\n3 0\n7 2\n8 end"


GOOD = "0.5 3 1651131974998\n2.25 1\n4 end"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Press a key"),
        ("4 end", "Press a key"),
        ("1 0\n4 end", "Press a key"),
        ("1 3", "Play the recording to its end"),
        ("1 3\n9 end", "after the end"),
        ("9 3\n10 end", "after the end"),
        ("1 5\n4 end", "is not a press"),
        ("1 10\n4 end", "is not a press"),
        ("-1 3\n4 end", "is not a press"),
        ("nan 3\n4 end", "is not a press"),
        ("inf 3\n4 end", "is not a press"),
        ("1e3 3\n4 end", "is not a press"),
        ("1.0001 3\n4 end", "is not a press"),
        ("٣ 3\n4 end", "is not a press"),
        ("1 2.5\n4 end", "is not a press"),
        ("1 nan\n4 end", "is not a press"),
        ("1 3 -5\n4 end", "is not a press"),
        ("1 3 1e9\n4 end", "is not a press"),
        (f"1 3 {'9' * 30}\n4 end", "is not a press"),
        ("1  3\n4 end", "is not a press"),
        ("1 3\n\n4 end", "is not a press"),
        ("1 3\n4 end\n5 2", "is not a press"),
        ("2 3\n1 3\n4 end", "not in the order"),
        ("2 3\n2 2\n4 end", "not in the order"),
        ("4 3\n4 end", "not in the order"),
        ("<script>", "is not a press"),
        ("[[1,3]]", "is not a press"),
        ("1 3\n" * (MOST_PRESSES + 1), "There are more than"),
    ],
)
def test_courses_that_are_refused(text, words):
    with pytest.raises(ValueError, match=words):
        read_course(text, 4, 0, 4)


def test_a_recording_of_unknown_length_says_it_itself():
    assert read_course("1 3\n100 end", 4, 0, None)[-1].at_ms == 100_000
    with pytest.raises(ValueError, match="before the recording"):
        read_course("1 3\n100 end", 4, 50, None)
    with pytest.raises(ValueError, match="after the end"):
        read_course("1 3\n999999 end", 4, 0, None)


def test_a_recording_may_end_before_the_length_that_its_file_states():
    assert read_course("1 3\n20 end", 4, 0, 30)[-1].at_ms == 20_000


def test_times_late_in_a_long_recording_stay_as_they_are():
    text = "1234.561 3\n1234.564 2\n12345.678 end"
    assert write_course(read_course(text, 4, 0, None)) == text


@pytest.mark.parametrize("text", ["Bad", "\n".join("abcdefghij"), "a\n" + "b" * 61, ""])
def test_steps_that_are_refused(text):
    with pytest.raises(ValueError):
        parse_steps(text)


def talk_set(owner, rows, files):
    new = TestSet(name="Talk", source_language="de", target_language="en", owner=owner)
    with media_archive(SimpleUploadedFile("talk.zip", zipped(files))) as media:
        segments = from_table(SimpleUploadedFile("t.tsv", table(*rows)))
        return import_test_set(new, segments, media)


class Work:
    """A recording of four seconds in two segments, by two systems; planned for one annotator."""

    def __init__(self, **options):
        self.owner = factory.make_user("owner")
        self.annotator = factory.make_user("annotator")
        rows = (("1", "", "talk.wav", "", "", "2"), ("2", "", "talk.wav", "", "2", ""))
        self.test_set = talk_set(self.owner, rows, {"talk.wav": wav(seconds=4)})
        other = System.objects.create(test_set=self.test_set, name="B")
        for segment in self.test_set.segments.all():
            Output.objects.create(segment=segment, system=other, text=f"B said {segment.key}.")
        self.campaign = factory.make_campaign(
            self.test_set, preset="continuous-rating", owner=self.owner, annotators=[self.annotator]
        )
        self.campaign.options |= options
        self.campaign.save()
        design.plan(self.campaign, PlanSettings(batch_items=10))
        self.task = self.campaign.tasks.get()
        self.task.annotator = self.annotator
        self.task.save()
        self.client = Client()
        self.client.force_login(self.annotator)

    def url(self, number=1):
        return reverse("judge-item", args=[self.campaign.pk, number])

    def post(self, course, number=1):
        page = self.client.get(self.url(number)).content.decode()
        ticket = page.partition('name="ticket" value="')[2].partition('"')[0]
        return self.client.post(self.url(number), {"ticket": ticket, "course": course})


@pytest.mark.django_db
def test_presses_are_stored_and_shown_again():
    work = Work()
    assert work.task.n_items == 2
    assert work.post(GOOD).status_code == 302
    item = work.task.items.get(position=0)
    first = item.shown.order_by("position").first().output_id
    assert list(Press.objects.values_list("output", "at_ms", "value", "clock_ms")) == [
        (first, 500, 3, 1651131974998), (first, 2250, 1, None), (first, 4000, None, None),
    ]  # fmt: skip
    values = dict(Rating.objects.values_list("dimension", "value"))
    # (3 · 1.75 + 1 · 1.75) / 3.5
    assert values == {"by_time": 2, "by_press": 2}
    assert work.client.get(work.url()).context["form"]["course"].value() == GOOD
    work.post("0.5 3\n2.25 1\n4 end")
    assert Judgment.objects.count() == 1, "the clock is no part of the answer"
    work.post("0.5 3\n2.25 2\n4 end")
    assert Judgment.objects.count() == 2


@pytest.mark.django_db
def test_what_is_refused_is_not_stored():
    work = Work()
    for course in ("", "1 3", "1 7\n4 end", "1 3\n50 end", "1 3\n" * 100_000):
        page = work.post(course)
        assert page.status_code == 400
        assert "course" in dict(page.context["missing"])
    assert not Judgment.objects.exists()


@pytest.mark.django_db
def test_texts_have_the_starts_of_their_segments():
    work = Work()
    page = work.client.get(work.url())
    recording = page.context["form"].recording
    assert (recording.start, recording.end) == (0, 4)
    assert [start for _text, start in recording.texts] == [0, 2]
    content = page.content.decode()
    assert "<audio controls" in content and 'data-end="4.000"' in content
    address = content.partition('preload="auto" src="')[2].partition('"')[0]
    assert work.client.get(address).status_code == 200
    outsider = Client()
    outsider.force_login(factory.make_user("outsider"))
    assert outsider.get(address).status_code == 404
    assert outsider.get(work.url()).status_code == 404


@pytest.mark.django_db
def test_a_scale_of_ones_own():
    work = Work(steps=["bad", "good"])
    assert work.post("1 3\n4 end").status_code == 400
    assert work.post("1 2\n4 end").status_code == 302
    scale = protocol_of(work.campaign).dimensions()[0].scale
    assert (scale.low, scale.high, scale.anchors) == (1, 2, ((2, "good"), (1, "bad")))


@pytest.mark.django_db
def test_segments_with_files_of_their_own():
    owner = factory.make_user("owner")
    rows = (("1", "", "a.wav", "", "", ""), ("2", "", "b.wav", "", "", ""))
    files = {"a.wav": wav(seconds=1), "b.wav": wav(seconds=2)}
    campaign = factory.make_campaign(talk_set(owner, rows, files), preset="continuous-rating")
    protocol = protocol_of(campaign)
    problems = protocol.problems(protocol.preset, campaign.options, campaign.test_set)
    assert "several files" in problems["unit"]
    campaign.options |= {"unit": "segment"}
    assert not protocol.problems(protocol.preset, campaign.options, campaign.test_set)
    design.plan(campaign, PlanSettings(batch_items=10))
    items = campaign.tasks.get().items.order_by("segment__position")
    ends = []
    for item in items:
        shown = list(item.shown.select_related("output__segment", "altered"))
        ends.append(protocol_of(campaign).recording(shown).end)
    assert ends == [1, 2]


@pytest.mark.django_db
def test_presses_come_out_of_a_release_again(tmp_path):
    work = Work()
    work.post(GOOD)
    work.post("1 2\n4 end", 2)
    file = tmp_path / "release.zip"
    release(work.campaign, file, aliases=True)
    verdict = verify(file)
    assert verdict.wrong == [] and verdict.left == {}
    with zipfile.ZipFile(file) as packed:
        judged = packed.read("judgments.jsonl").decode()
    assert judged.count('\\"presses\\":[[') == judged.count('\\"v\\":2') == 2
    assert_as_on_the_site(work.campaign, file)


@pytest.mark.django_db
def test_presses_are_ones_own_and_leave_with_a_person():
    work = Work()
    work.post(GOOD)
    (judged,) = stored_about(work.annotator)["judgments"]
    assert judged["presses"][1] == {"at_ms": 2250, "value": 1, "clock_ms": None, "places": [0]}
    with pytest.raises(IntegrityError), transaction.atomic():
        Press.objects.update(value=4)
    with pytest.raises(IntegrityError), transaction.atomic():
        Press.objects.all()._raw_delete("default")
    command = {"reason": "Asked.", "judgments": True, "yes": True, "stdout": io.StringIO()}
    call_command("erase_annotator", "annotator", **command)
    assert not Press.objects.exists()
    assert checking.check(work.campaign).erased == 1


@pytest.mark.django_db
def test_presses_leave_with_their_campaign():
    work = Work()
    work.post(GOOD)
    work.campaign.status = Status.CLOSED
    work.campaign.save()
    delete_campaign(work.campaign, by="owner", reason="It was a trial.")
    assert not Press.objects.exists()
