"""A release takes sound, pictures and videos along where that is chosen, and says it where not;
from its file they come in again, whole or not at all."""

import io
import json
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from judgments.files.texts import from_table
from judgments.models import Download, SegmentMedia, TestSet
from judgments.publishing.bundles.problem import BundleProblem
from judgments.publishing.bundles.release import about, release
from judgments.publishing.bundles.verification import verify
from judgments.publishing.downloads import making
from judgments.test_sets.corpus import import_test_set
from tests import factory
from tests.media_files import mp4, table, zipped

from .spoken import FILES, ROWS, on_disk, spoken_test_set

FILM = mp4(2.5)
ALL_ROWS = (
    *ROWS[:3],
    ("4", "Ein Film.", "Anna Müller.mp4", "", "0.5", ""),
    ("5", "Text.", *[""] * 4),
)
ALL_FILES = FILES | {"Anna Müller.mp4": FILM}


@pytest.fixture
def campaign(owner):
    """Of a test set with a sound, a part of it, a picture and a video."""
    test_set = spoken_test_set(owner, ALL_ROWS, ALL_FILES)
    return factory.make_campaign(test_set, preset="direct-assessment", owner=owner)


@pytest.fixture
def bundle(campaign, tmp_path):
    release(campaign, tmp_path / "talks.zip", media=True)
    return (tmp_path / "talks.zip").read_bytes()


@pytest.fixture
def bare(owner):
    """The same segments, with nothing to hear or see."""
    rows = [(key, text or "Moin.", *[""] * 4) for key, text, *_ in ALL_ROWS]
    new = TestSet(name="Bare", source_language="de", target_language="en", owner=owner)
    found = from_table(SimpleUploadedFile("texts.tsv", table(*rows)))
    return import_test_set(new, found)


def changed(bundle: bytes, change) -> bytes:
    """The bundle with what `change` makes of {name: content}."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    change(files)
    return zipped(files)


def sent(test_set, content: bytes):
    client = Client()
    client.force_login(test_set.owner)
    data = {"media_files": SimpleUploadedFile("release.zip", content)}
    return client.post(reverse("test-set-media", args=[test_set.pk]), data, follow=True)


def given(test_set):
    """{segment: what is in its file and its captions, from where to where, how long it lasts}."""
    return {
        row.segment.key: (
            row.file.sha256,
            row.file.kind,
            row.captions and row.captions.sha256,
            row.start,
            row.end,
            row.file.seconds,
        )
        for row in SegmentMedia.objects.filter(segment__test_set=test_set)
    }


@pytest.mark.slow
def test_a_release_says_that_the_files_are_not_in_it(db, campaign, tmp_path):
    file = tmp_path / "talks.zip"
    release(campaign, file)
    with zipfile.ZipFile(file) as packed:
        assert not [name for name in packed.namelist() if "media" in name or "png" in name]
        words = packed.read("README.txt").decode()
    assert "of 4 segments, is not in here" in words
    assert verify(file).wrong == []


def test_without_media_it_says_nothing_of_them(db, owner):
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    assert "not in here" not in about(campaign)
    assert "media/" not in about(campaign, media=True)


@pytest.mark.slow
def test_sound_picture_and_video_go_out_and_come_in_again(db, campaign, bundle, bare, media_root):
    with zipfile.ZipFile(io.BytesIO(bundle)) as packed:
        names = [name for name in packed.namelist() if name.startswith("media/")]
        assert sorted(name.rpartition(".")[2] for name in names) == [
            "mp4",
            "png",
            "tsv",
            "vtt",
            "wav",
        ]
        assert b"Anna" not in b"".join(packed.read(name) for name in packed.namelist())
        assert "of 4 segments; media/media.tsv" in " ".join(
            packed.read("README.txt").decode().split()
        )
        listed = json.loads(packed.read("manifest.json"))["files"]
        assert set(names) <= listed.keys()
    before = on_disk(media_root)
    response = sent(bare, bundle)
    assert "given for 4 segments" in response.content.decode()
    assert given(bare) == given(campaign.test_set)
    assert len(given(bare)) == 4
    assert on_disk(media_root) == before, "the same bytes are kept once"


@pytest.mark.slow
def test_it_can_be_verified_and_made_again(db, campaign, bundle, tmp_path):
    assert verify(tmp_path / "talks.zip").wrong == []
    release(campaign, tmp_path / "again.zip", media=True)
    assert (tmp_path / "again.zip").read_bytes() == bundle

    def louder(files):
        (sound,) = (name for name in files if name.endswith(".wav"))
        files[sound] = files[sound][:-1] + b"\1"

    (tmp_path / "louder.zip").write_bytes(changed(bundle, louder))
    assert [each for each in verify(tmp_path / "louder.zip").wrong if "wav was altered" in each]


def test_no_release_hides_texts_and_says_them(db, campaign, tmp_path):
    with pytest.raises(BundleProblem, match="go with the texts"):
        release(campaign, tmp_path / "x.zip", media=True, hashes_only=True)


@pytest.mark.slow
def test_what_is_not_whole_does_not_go_out(db, campaign, media_root, tmp_path):
    sound = campaign.test_set.media.get(name="talk.wav")
    path = media_root / sound.sha256[:2] / sound.sha256
    content = path.read_bytes()
    path.write_bytes(content[:-1])
    with pytest.raises(BundleProblem, match=r"talk\.wav is damaged"):
        release(campaign, tmp_path / "x.zip", media=True)
    path.unlink()
    with pytest.raises(BundleProblem, match=r"talk\.wav is not on this computer"):
        release(campaign, tmp_path / "x.zip", media=True)
    assert not (tmp_path / "x.zip").exists()


def without(name):
    def change(files):
        del files[name]

    return change


def altered(files):
    files["media/0003.png"] = files["media/0003.png"] + b"\0"


def longer(files):
    files["media/media.tsv"] += b"4\t0003.png\t\t\t\n"


def with_another(files):
    files["media/0009.png"] = FILES["pictures/dot.png"]


def elsewhere(files):
    files["../0009.png"] = b""


def none_at_all(files):
    for name in [name for name in files if name.startswith("media/")]:
        del files[name]
    files["manifest.json"] = json.dumps({"schema": "mteval release", "files": {}}).encode()


def of_a_project(files):
    for name in [name for name in files if not name.startswith("manifest.")]:
        del files[name]
    said = {"schema": "mteval release", "project": {"name": "P"}, "files": {}}
    files["manifest.json"] = json.dumps(said).encode()
    files["campaigns/001-a.zip"] = b"a release"


@pytest.mark.slow
def test_rows_of_a_release_do_not_count_as_media(db, bundle, bare, settings):
    """They can be larger than all that the site takes at once."""

    def larger(files):
        files["rows/more.jsonl"] = b"x" * 3_000_000

    settings.MAX_UPLOAD_BYTES = 2_000_000
    small = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(changed(bundle, larger))) as packed,
        zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED) as again,
    ):
        for name in packed.namelist():
            again.writestr(name, packed.read(name))
    sent(bare, small.getvalue())
    assert given(bare)


@pytest.mark.slow
def test_hostile_releases_are_refused_in_one_sentence(db, bundle, bare, media_root):
    before = on_disk(media_root)
    wrong = {
        altered: "media/0003.png does not match the release: it was altered, or is damaged.",
        longer: "media/media.tsv does not match the release: it was altered, or is damaged.",
        without("media/0003.png"): "media/0003.png is missing, although the release lists it.",
        without("media/media.tsv"): "media/media.tsv is missing, although the release lists it.",
        with_another: "media/0009.png is in it, although the release does not list it.",
        elsewhere: "would be outside its folder",
        of_a_project: "it is a release of a project. Use one of the releases in its campaigns/.",
        none_at_all: "it is a release without sound, pictures and videos.",
    }
    for change, sentence in wrong.items():
        response = sent(bare, changed(bundle, change))
        assert response.status_code == 422, sentence
        assert sentence in response.content.decode()
        assert given(bare) == {}
    assert on_disk(media_root) == before


@pytest.mark.slow
def test_the_form_says_how_large_they_are_and_the_command_too(db, campaign, tmp_path, capsys):
    client = Client()
    client.force_login(campaign.test_set.owner)
    page = client.get(reverse("exports", args=[campaign.pk])).content.decode()
    n_bytes = sum(map(len, ALL_FILES.values()))
    size = f"{n_bytes / 1024:.1f}\xa0KB"
    assert f"With sound, pictures and videos: 4 files, {size}" in page
    client.post(reverse("export-release", args=[campaign.pk]), {"media": "on"})
    assert making.work(Download.objects.get().pk)
    made = b"".join(bytes(each.content) for each in Download.objects.get().pieces.all())
    assert "media/media.tsv" in zipfile.ZipFile(io.BytesIO(made)).namelist()
    call_command("release", campaign.pk, to=tmp_path / "a.zip")
    said = capsys.readouterr().out
    assert said.startswith(
        f"Sound, pictures and videos: 4 files, {size}, which are not included; --media"
    )
    call_command("release", campaign.pk, to=tmp_path / "b.zip", media=True)
    assert "which go into the release." in capsys.readouterr().out
    assert (tmp_path / "b.zip").read_bytes() == made


def test_a_test_set_without_them_is_asked_nothing(db, owner):
    campaign = factory.make_campaign(factory.make_test_set(owner), owner=owner)
    client = Client()
    client.force_login(owner)
    page = client.get(reverse("exports", args=[campaign.pk])).content.decode()
    assert 'name="hashes_only"' in page
    assert 'name="media"' not in page
