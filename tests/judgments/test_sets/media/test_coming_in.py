"""Media of sources: which files come in, where they lie, when they go."""

import hashlib
import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from judgments.files import ImportProblem
from judgments.files.texts import from_table
from judgments.models import MediaFile, SegmentMedia, TestSet
from judgments.test_sets.corpus import import_test_set
from judgments.test_sets.deletion import rows as deletion
from judgments.test_sets.media.archive import media_archive
from judgments.test_sets.media.kinds import ENDINGS, fits_name, kind_of
from judgments.test_sets.media.store import forget, path_of
from tests.media_files import VTT, png, table, wav, zipped

from .spoken import FILES, ROWS, on_disk, spoken_test_set

pytestmark = pytest.mark.django_db


def refusal(owner, rows=ROWS, files=None):
    with pytest.raises(ImportProblem) as found:
        spoken_test_set(owner, rows, files)
    return str(found.value)


# ---- In --------------------------------------------------------------------------------------


def test_files_come_in_by_their_content(owner, media_root):
    test_set = spoken_test_set(owner)
    assert test_set.has_media
    found = SegmentMedia.objects.order_by("segment__position").select_related("file")
    assert [(m.file.name, m.file.kind, m.shape, m.fragment) for m in found] == [
        ("talk.wav", "audio/wav", "audio", ""),
        ("talk.wav", "audio/wav", "audio", "#t=0.05,0.15"),
        ("pictures/dot.png", "image/png", "image", ""),
    ]
    assert found[0].captions.kind == "text/vtt"
    assert MediaFile.objects.count() == 3
    assert on_disk(media_root) == sorted(hashlib.sha256(c).hexdigest() for c in FILES.values())
    for file in MediaFile.objects.all():
        assert path_of(file.sha256).read_bytes() == FILES[file.name]
    # A source may be empty where there is something to hear.
    assert test_set.segments.get(key="1").source == ""


def test_the_folder_that_all_files_are_in_may_be_left_out(owner):
    files = {f"talks/{name}": content for name, content in FILES.items()}
    spoken_test_set(
        owner, files=files | {"__MACOSX/talks/._talk.wav": b"litter", "desktop.ini": b"litter"}
    )
    assert MediaFile.objects.count() == 3


@pytest.mark.parametrize(
    ("rows", "files", "said"),
    [
        ([("1", "", "", "", "", "")], None, "texts.tsv, row 2, column source: the cell is empty"),
        (
            [("1", "", "no.wav", "", "", "")],
            None,
            "row 2, column media: talks.zip contains no file",
        ),
        ([("1", "a", "", "talk.vtt", "", "")], None, "column captions: the row names no file"),
        ([("1", "a", "talk.wav", "pictures/dot.png", "", "")], None, "is not allowed here"),
        ([("1", "a", "talk.vtt", "", "", "")], None, "captions, which is not allowed here"),
        ([("1", "a", "talk.wav", "", "2", "1")], None, "column media_end: the end should be later"),
        ([("1", "a", "talk.wav", "", "-1", "")], None, "column media_start: give seconds"),
        ([("1", "a", "talk.wav", "", "soon", "")], None, "is not a number"),
        ([("1", "a", "../talk.wav", "", "", "")], None, "contains no file"),
        (
            [("1", "a", "x.svg", "", "", "")],
            {"x.svg": b"<svg onload=alert(1)>"},
            "not supported. Supported",
        ),
        (
            [("1", "a", "x.mp3", "", "", "")],
            {"x.mp3": b"<html><script>"},
            "not supported. Supported",
        ),
        ([("1", "a", "x.mp3", "", "", "")], {"x.mp3": png()}, "does not match its content"),
        (
            [("1", "a", "x.html", "", "", "")],
            {"x.html": b"ID3" + b"<script>" * 9},
            "does not match its content",
        ),
        ([("1", "a", "x.wav", "", "", "")], {"x.wav": b""}, "not supported. Supported"),
        (
            [("1", "a", "x.wav", "x.vtt", "", "")],
            {"x.wav": wav(), "x.vtt": b"WEBVTT\n\xff"},
            "UTF-8",
        ),
    ],
)
def test_what_is_refused_is_named_with_its_place(owner, media_root, rows, files, said):
    assert said in refusal(owner, rows, files)
    assert not TestSet.objects.exists()
    assert not MediaFile.objects.exists()
    assert not on_disk(media_root)


def test_a_failure_at_the_end_leaves_nothing_on_the_disk(owner, media_root):
    assert "row 6" in refusal(owner, (*ROWS, ("5", "", "gone.wav", "", "", "")))
    assert not on_disk(media_root)


def test_what_another_test_set_has_stays_when_an_import_fails(owner, media_root):
    spoken_test_set(owner)
    refusal(owner, (*ROWS, ("5", "", "gone.wav", "", "", "")))
    assert len(on_disk(media_root)) == 3


def test_rows_that_name_files_need_an_archive(owner):
    new = TestSet(name="x", source_language="de", target_language="en", owner=owner)
    with pytest.raises(ImportProblem, match="Upload a zip"):
        import_test_set(new, from_table(SimpleUploadedFile("texts.tsv", table(*ROWS))))


# ---- Hostile archives ------------------------------------------------------------------------


def archive_with(name, content=b"x", **fields):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        for key, value in fields.items():
            setattr(info, key, value)
        out.writestr(info, content)
    return SimpleUploadedFile("talks.zip", made.getvalue())


@pytest.mark.parametrize("name", ["../out.wav", "/etc/out.wav", "a/../../out.wav", "..\\out.wav"])
def test_no_file_lies_elsewhere(name, tmp_path):
    with (
        pytest.raises(ImportProblem, match="be outside its folder"),
        media_archive(archive_with(name)),
    ):
        pass
    assert not list(tmp_path.rglob("out.wav"))


def test_a_link_is_no_way_out(owner):
    """A symbolic link comes out as a file that holds the words of its target."""
    archive = archive_with("talk.wav", b"/etc/passwd", external_attr=0o120777 << 16)
    with media_archive(archive) as media:
        assert media.files["talk.wav"].read_bytes() == b"/etc/passwd"
        assert not media.files["talk.wav"].is_symlink()


def test_what_unpacks_to_too_much_is_not_unpacked(settings):
    settings.MAX_UPLOAD_BYTES = 10_000
    bomb = archive_with("talk.wav", bytes(5_000_000))
    assert bomb.size < 10_000
    with (
        pytest.raises(ImportProblem, match=r"talks\.zip: it contains more than"),
        media_archive(bomb),
    ):
        pass


def begins_too_early() -> bytes:
    """A zip by whose directory its first file begins five bytes before the archive."""
    content = bytearray(zipped({"talk.wav": wav()}))
    place = slice(len(content) - 6, len(content) - 2)  # where it says that the directory is
    content[place] = (int.from_bytes(content[place], "little") + 5).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [b"", b"PK\x03\x04torn", b"RIFF", wav(), begins_too_early()],
    ids=["empty", "torn", "RIFF", "WAV", "begins too early"],
)
def test_what_is_no_archive(content):
    with (
        pytest.raises(ImportProblem, match="damaged, or is not an archive"),
        media_archive(SimpleUploadedFile("talks.zip", content)),
    ):
        pass


def test_one_file_and_all_together_are_bounded(owner, settings):
    settings.MAX_MEDIA_FILE_BYTES = len(FILES["talk.wav"]) - 1
    assert "row 2, column media: “talk.wav” has" in refusal(owner)
    settings.MAX_MEDIA_FILE_BYTES += 1
    settings.MAX_MEDIA_BYTES = len(FILES["talk.wav"]) + len(VTT)
    assert "row 4, column media: the files of one test set" in refusal(owner)


# ---- Kinds -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (wav()[:512], "audio/wav"),
        (png(), "image/png"),
        (VTT, "text/vtt"),
        (b"\xef\xbb\xbfWEBVTT", "text/vtt"),
        (b"WEBVTTX", ""),
        (b"ID3\x04", "audio/mpeg"),
        (b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"\xff\xfe<\0h\0", ""),  # UTF-16
        (b"\xff\xf1\x50\x80", ""),  # AAC in ADTS
        (b"\0\0\0\x20ftypisom", "video/mp4"),
        (b"\0\0\0\x20ftypM4A ", "audio/mp4"),
        (b"\0\0\0\x20ftypavif", ""),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm", "video/webm"),
        (b"\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska", ""),
        (b"OggS" + bytes(24) + b"OpusHead", "audio/ogg"),
        (b"OggS" + bytes(24) + b"\x80theora", ""),
        (b"fLaC", "audio/flac"),
        (b"RIFF\0\0\0\0WEBP", "image/webp"),
        (b"RIFF\0\0\0\0AVI ", ""),
        (b"GIF89a", "image/gif"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>", ""),
        (b"<!doctype html>", ""),
        (b"%PDF-1.7", ""),
        (b"PK\x03\x04", ""),
        (b"", ""),
    ],
)
def test_kinds_by_their_first_bytes(head, kind):
    assert kind_of(head) == kind


def test_every_kind_is_told_from_its_ending():
    assert all(fits_name(f"x.{e.upper()}", kind) for kind, es in ENDINGS.items() for e in es)
    assert not fits_name("x.html", "audio/mpeg")
    assert not fits_name("mp3", "audio/wav")


@pytest.mark.parametrize("name", ["", "..", "../../etc/passwd", "A" * 64, "a" * 63])
def test_no_path_is_made_of_what_is_no_hash(name):
    with pytest.raises(ValueError, match="SHA-256"):
        path_of(name)


# ---- The ways in -----------------------------------------------------------------------------


def posted(owner, **files):
    client = Client()
    client.force_login(owner)
    known = {"name": "By form", "source_language": "de", "target_language": "en"}
    return client.post(reverse("test-set-new"), known | files, follow=True)


def test_the_form_takes_a_table_and_an_archive(owner):
    page = posted(
        owner,
        table=SimpleUploadedFile("texts.tsv", table(*ROWS)),
        media_files=SimpleUploadedFile("talks.zip", zipped(FILES | {"more.wav": wav()})),
    )
    assert page.status_code == 200
    assert TestSet.objects.get().media.count() == 3
    assert "1 of the files in talks.zip are not named in any row" in page.content.decode()


def test_the_table_may_be_in_the_archive(owner):
    posted(
        owner, media_files=SimpleUploadedFile("t.zip", zipped(FILES | {"all.tsv": table(*ROWS)}))
    )
    assert TestSet.objects.get().media.count() == 3


def test_the_form_says_what_is_wrong_with_an_archive(owner):
    page = posted(owner, media_files=SimpleUploadedFile("t.zip", zipped(FILES)))
    assert page.status_code == 422
    assert "it contains no table" in page.content.decode()
    page = posted(
        owner,
        source=SimpleUploadedFile("s.txt", b"eins"),
        systems=SimpleUploadedFile("A.txt", b"one"),
        media_files=SimpleUploadedFile("t.zip", zipped(FILES)),
    )
    assert "Files go with a table" in page.content.decode()
    assert not TestSet.objects.exists()


def test_the_command(owner, tmp_path, capsys):
    archive = tmp_path / "talks.zip"
    archive.write_bytes(zipped(FILES | {"all.tsv": table(*ROWS)}))
    said = ["import_testset", "Spoken", "--source-language", "de", "--target-language", "en"]
    call_command(*said, "--owner", "owner", "--media", str(archive))
    assert TestSet.objects.get().media.count() == 3
    archive.write_bytes(b"no zip")
    with pytest.raises(CommandError, match=r"talks\.zip: the archive is damaged"):
        call_command(*said, "--owner", "owner", "--media", str(archive))


# ---- Out -------------------------------------------------------------------------------------


def test_deleting_a_test_set_deletes_its_files(
    owner, media_root, django_capture_on_commit_callbacks
):
    first, second = spoken_test_set(owner), spoken_test_set(owner, name="Again")
    with django_capture_on_commit_callbacks(execute=True):
        deletion.delete_test_set(first)
    assert len(on_disk(media_root)) == 3
    with django_capture_on_commit_callbacks(execute=True):
        deletion.delete_test_set(second)
    assert not on_disk(media_root)


def test_what_is_used_is_not_forgotten(owner, media_root):
    spoken_test_set(owner)
    assert forget(on_disk(media_root)) == 0
    assert len(on_disk(media_root)) == 3
