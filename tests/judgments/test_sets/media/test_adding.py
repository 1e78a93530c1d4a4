"""Media of a test set that is already there: added, replaced, removed; or refused as a whole."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, TestCase
from django.urls import reverse

from judgments.models import Item, MediaFile, SegmentMedia
from judgments.plans import design
from judgments.plans.settings import PlanSettings
from tests import factory
from tests.media_files import VTT, png, wav, zipped

from .spoken import on_disk, spoken_test_set

pytestmark = pytest.mark.django_db
LONG = wav(seconds=0.4)


@pytest.fixture
def plain(owner):
    """Segments 1 to 4, with a text each and nothing to hear."""
    return factory.make_test_set(owner)


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def sent(test_set, files, table="", user=None, **data):
    data |= {"media_files": SimpleUploadedFile("talks.zip", zipped(files))}
    if table:
        data |= {"table": SimpleUploadedFile("which.tsv", table.replace("|", "\t").encode())}
    address = reverse("test-set-media", args=[test_set.pk])
    return client_of(user or test_set.owner).post(address, data, follow=True)


def removed(test_set, segments="", user=None):
    address = reverse("test-set-media-remove", args=[test_set.pk])
    return client_of(user or test_set.owner).post(address, {"segments": segments}, follow=True)


def given(test_set):
    """{segment: (file, captions)} of those that have some."""
    rows = SegmentMedia.objects.filter(segment__test_set=test_set)
    return {
        row.segment.key: (row.file.name, row.captions.name if row.captions else "") for row in rows
    }


def judge(test_set, key):
    annotator = factory.make_user(f"judge-{key}")
    campaign = factory.make_campaign(
        test_set, preset="direct-assessment", owner=test_set.owner, annotators=[annotator]
    )
    segments = list(test_set.segments.filter(key=key))
    task = factory.make_task(campaign, annotator, segments=segments, n_outputs=1)
    factory.judge(task.items.get(), {"adequacy": [50]})


# ---- Added -----------------------------------------------------------------------------------


def test_files_that_are_called_as_segments_are(plain, media_root):
    files = {"all/1.wav": wav(), "all/1.vtt": VTT, "all/3.png": png()}
    page = sent(plain, files)
    assert page.redirect_chain[-1][0] == plain.get_absolute_url()
    assert "given for 2 segments" in page.content.decode()
    assert "named in any row" not in page.content.decode()
    assert given(plain) == {"1": ("1.wav", "1.vtt"), "3": ("3.png", "")}
    assert len(on_disk(media_root)) == 3
    plain.refresh_from_db()
    assert plain.has_media
    assert "<audio" in page.content.decode()


@pytest.mark.parametrize("in_zip", [False, True])
def test_a_table_says_which_is_whose(plain, in_zip):
    table = "segment|media|media_start|media_end\n2|talk.wav|0.05|0.15\n1|talk.wav||0.05\n"
    files = {"talk.wav": wav(), "more.wav": LONG}
    if in_zip:
        files["which.tsv"] = table.replace("|", "\t").encode()
    page = sent(plain, files, "" if in_zip else table).content.decode()
    assert "1 of the files in talks.zip are not named in any row, such as more.wav" in page
    assert given(plain) == {"1": ("talk.wav", ""), "2": ("talk.wav", "")}
    assert SegmentMedia.objects.get(segment__key="2").fragment == "#t=0.05,0.15"
    assert MediaFile.objects.count() == 1


def test_more_come_later_and_the_same_file_is_kept_once(plain, media_root):
    sent(plain, {"1.wav": wav()})
    sent(plain, {"1.wav": wav(), "2.wav": LONG}, "segment|media\n2|2.wav\n3|1.wav\n")
    assert given(plain) == {"1": ("1.wav", ""), "2": ("2.wav", ""), "3": ("1.wav", "")}
    assert MediaFile.objects.count() == len(on_disk(media_root)) == 2


def test_segments_that_were_judged_without_are_told(plain):
    judge(plain, "2")
    page = sent(plain, {"1.wav": wav(), "2.wav": wav()}).content.decode()
    assert "1 of these segments was judged before, without what is there now" in page
    assert set(given(plain)) == {"1", "2"}


# ---- Refused, and nothing changed --------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "table", "said"),
    [
        ({"9.wav": wav()}, "", "talks.zip: there is no segment “9”"),
        ({"1.wav": wav(), "1.png": png()}, "", "“1.png” and “1.wav” belong to the same segment"),
        ({"2.vtt": VTT}, "", "no sound or video for the captions “2.vtt”"),
        ({"1.wav": b"<script>"}, "", "talks.zip: the type of “1.wav” is not supported"),
        ({"a.wav": wav()}, "segment|media\n9|a.wav\n", "which.tsv, row 2, column segment: there"),
        ({"a.wav": wav()}, "segment|media\n1|a.wav\n1|a.wav\n", "row 3, column segment: “1” is al"),
        (
            {"a.wav": wav()},
            "segment|media\n1|b.wav\n",
            "row 2, column media: talks.zip contains no",
        ),
        ({"a.wav": wav()}, "segment|media\n1|\n", "row 2, column media: segment “1” has nothing"),
        ({"a.wav": wav()}, "segment|source\n1|x\n", "row 1, column media: this column is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(plain, media_root, files, table, said):
    sent(plain, {"4.png": png()})
    # Something that would do comes first, and does not stay.
    rows = table.replace("\n", "\n2|a.wav\n", 1) if table and "source" not in table else table
    said = said.replace("row 3", "row 4").replace("row 2", "row 3") if rows != table else said
    page = sent(plain, {"3.wav": LONG} | files if not table else files, rows)
    assert page.status_code == 422
    assert said in page.content.decode()
    assert given(plain) == {"4": ("4.png", "")}
    assert MediaFile.objects.count() == len(on_disk(media_root)) == 1


def test_all_files_of_a_test_set_together_are_bounded(plain, media_root, settings):
    sent(plain, {"1.wav": wav()})
    settings.MAX_MEDIA_BYTES = len(wav()) + len(LONG) - 1
    assert "may have" in sent(plain, {"2.wav": LONG}).content.decode()
    assert given(plain) == {"1": ("1.wav", "")}
    # What makes room for others does not count.
    assert sent(plain, {"1.wav": LONG}, replace="on").status_code == 200
    assert given(plain) == {"1": ("1.wav", "")}


def test_an_archive_without_files_is_refused(plain):
    page = sent(plain, {"__MACOSX/1.wav": wav()})
    assert "talks.zip: it names no file of a segment" in page.content.decode()


def test_another_file_of_the_same_name_is_refused(plain):
    sent(plain, {"a.wav": wav()}, "segment|media\n1|a.wav\n2|a.wav\n")
    page = sent(plain, {"a.wav": LONG}, "segment|media\n2|a.wav\n", replace="on")
    assert "other segments have a different file called “a.wav”" in page.content.decode()
    assert given(plain) == {"1": ("a.wav", ""), "2": ("a.wav", "")}


# ---- Replaced and removed ------------------------------------------------------------------------


def test_what_nobody_judged_is_replaced_if_asked(plain, media_root):
    sent(plain, {"1.wav": wav(), "1.vtt": VTT})
    refused = sent(plain, {"1.wav": LONG})
    assert "segment “1” already has sound or a picture" in refused.content.decode()
    with_commit = sent_and_committed(plain, {"1.wav": LONG})
    assert "replaced for 1 segment." in with_commit.content.decode()
    assert given(plain) == {"1": ("1.wav", "")}
    (name,) = on_disk(media_root)
    assert name == MediaFile.objects.get().sha256


def sent_and_committed(test_set, files, table=""):
    with TestCase.captureOnCommitCallbacks(execute=True):
        return sent(test_set, files, table, replace="on")


def test_a_row_without_a_file_takes_it_away(plain, media_root):
    sent(plain, {"1.wav": wav(), "2.png": png()})
    page = sent_and_committed(plain, {"3.wav": LONG}, "segment|media\n1|\n3|3.wav\n")
    assert "given for 1 segment, removed for 1 segment." in page.content.decode()
    assert given(plain) == {"2": ("2.png", ""), "3": ("3.wav", "")}
    assert len(on_disk(media_root)) == 2


def test_what_was_judged_stays(plain):
    sent(plain, {"1.wav": wav(), "2.wav": LONG})
    judge(plain, "2")
    page = sent(plain, {"1.wav": LONG, "2.wav": wav()}, replace="on")
    assert (
        "segment “2” was judged with the media that it has, so they stay" in page.content.decode()
    )
    page = removed(plain)
    assert page.status_code == 422
    assert "Nothing was removed. Segment “2” was judged" in page.content.decode()
    assert given(plain) == {"1": ("1.wav", ""), "2": ("2.wav", "")}
    assert removed(plain, "1\n").status_code == 200
    assert given(plain) == {"2": ("2.wav", "")}


def test_a_document_that_was_judged_as_a_whole_stays(plain):
    sent(plain, {"2.wav": wav()})
    annotator = factory.make_user("reader")
    campaign = factory.make_campaign(
        plain, preset="document-assessment", owner=plain.owner, annotators=[annotator]
    )
    design.plan(campaign, PlanSettings(batch_items=50))
    campaign.tasks.update(annotator=annotator)
    for item in Item.objects.filter(task__campaign=campaign):
        factory.judge(item, {})
    assert "was judged with the media that it has" in removed(plain).content.decode()


def test_all_are_removed(plain, media_root, django_capture_on_commit_callbacks):
    sent(plain, {"1.wav": wav(), "2.wav": LONG})
    with django_capture_on_commit_callbacks(execute=True):
        page = removed(plain).content.decode()
    assert "Removed from 2 segments" in page
    assert "None of the 4 segments has sound" in page
    assert not on_disk(media_root)
    plain.refresh_from_db()
    assert not plain.has_media


def test_a_segment_without_a_text_keeps_what_it_has(owner):
    spoken = spoken_test_set(owner)
    for page in (
        removed(spoken, "1"),
        sent(spoken, {"x.wav": wav()}, "segment|media\n1|\n", replace="on"),
    ):
        assert "has no text to judge instead" in page.content.decode()
    assert "1" in given(spoken)
    assert "“7” is not a segment with sound" in removed(spoken, "7").content.decode()


# ---- Who may -----------------------------------------------------------------------------------


def test_only_the_owner_of_the_test_set_may(plain):
    outsider = factory.make_user("outsider", is_staff=True)
    researcher = factory.make_user("researcher")
    factory.make_campaign(plain, owner=plain.owner, researchers=[researcher])
    address = reverse("test-set-media", args=[plain.pk])
    for user, status in ((outsider, 404), (researcher, 403)):
        assert client_of(user).get(address).status_code == status
        assert sent(plain, {"1.wav": wav()}, user=user).status_code == status
        assert removed(plain, user=user).status_code == status
    assert not given(plain)
    shown = client_of(researcher).get(plain.get_absolute_url()).content.decode()
    assert address not in shown
    assert address in client_of(plain.owner).get(plain.get_absolute_url()).content.decode()
