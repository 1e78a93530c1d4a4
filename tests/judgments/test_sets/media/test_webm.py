"""The length of WebM files: as FFmpeg states it for its own, as RFC 9559 for others, and always
found quickly."""

import io
import random
import struct
from pathlib import Path
from unittest import mock

import pytest
from django.core.management import call_command

from judgments.models import MediaFile
from judgments.test_sets.media import webm
from judgments.test_sets.media.lengths import seconds_of
from judgments.test_sets.media.webm import seconds_of_webm

from .spoken import FILES, spoken_test_set

# Made by FFmpeg (PyAV 19.0.2: 15 frames of VP8, five a second), whose own demuxer says 3.0 seconds.
FILM = Path(__file__).with_name("film.webm")
UNKNOWN = b"\x01" + b"\xff" * 7


def element(name: int, content: bytes, size: bytes | None = None) -> bytes:
    head = name.to_bytes((name.bit_length() + 7) // 8, "big")
    return head + (size or (len(content) | 1 << 56).to_bytes(8, "big")) + content


def file_of(*info: bytes, before: bytes = b"", size: bytes | None = None) -> bytes:
    header = element(webm.HEADER, element(0x4282, b"webm"))
    return header + element(webm.SEGMENT, before + element(webm.INFO, b"".join(info)), size)


def duration(ticks: float, kind: str = ">d") -> bytes:
    return element(webm.DURATION, struct.pack(kind, ticks))


def said(tmp_path, content: bytes):
    path = tmp_path / "x.webm"
    path.write_bytes(content)
    return seconds_of(path, "video/webm")


def test_of_a_file_of_another_program():
    assert seconds_of(FILM, "video/webm") == 3.0


SCALE = element(webm.TIMESTAMP_SCALE, (500_000).to_bytes(3, "big"))
VOID = element(0xEC, bytes(70_000))


@pytest.mark.parametrize(
    ("content", "seconds"),
    [
        (file_of(duration(2_500)), 2.5),
        (file_of(duration(2_500, ">f")), 2.5),
        (file_of(SCALE, duration(2_500)), 1.25),
        (file_of(duration(2_500), SCALE), 1.25),
        (file_of(duration(2_500), before=VOID), 2.5),
        (file_of(duration(2_500), size=UNKNOWN), 2.5),
        (file_of(duration(2_500), size=b"\xff"), 2.5),
        (file_of(), None),
        (file_of(duration(0)), None),
        (file_of(duration(-4)), None),
        (file_of(duration(float("nan"))), None),
        (file_of(duration(float("inf"))), None),
        (file_of(element(webm.DURATION, bytes(3))), None),
        (file_of(duration(2_500))[:-1], None),
        (
            file_of(duration(2_500), before=element(0xEC, b"", b"\x01" + b"\xff" * 6 + b"\xfe")),
            None,
        ),
        (file_of(duration(2_500), before=element(0x1F43B675, b"", UNKNOWN)), None),
        (b"", None),
        (b"\x1a\x45\xdf\xa3", None),
        (bytes(600), None),
    ],
)
def test_what_the_head_says(tmp_path, content, seconds):
    assert said(tmp_path, content) == seconds


def test_a_file_of_many_elements_is_given_up(tmp_path):
    crowd = element(0xEC, b"", b"\x80") * (webm.MOST_ELEMENTS + 1)
    assert said(tmp_path, file_of(duration(2_500), before=crowd[2:])) is None


@pytest.mark.parametrize("n", [300, pytest.param(2_000, marks=pytest.mark.proof)])
def test_whatever_is_in_it_little_is_read(tmp_path, n):
    """Of each of many damaged files, no more than a few bytes for each element."""
    rng = random.Random(7)
    whole = FILM.read_bytes()
    path = tmp_path / "x.webm"
    n_known = 0
    for _ in range(n):
        content = bytearray(whole[: rng.choice([len(whole), rng.randrange(len(whole))])])
        for _ in range(rng.randrange(1, 12)):
            if content:
                content[rng.randrange(min(len(content), 400))] = rng.randrange(256)
        path.write_bytes(content)
        stream = mock.Mock(wraps=io.BytesIO(content))
        with mock.patch.object(Path, "open") as opened:
            opened.return_value.__enter__.return_value = stream
            found = seconds_of_webm(path)
        n_known += found is not None
        assert found is None or isinstance(found, float)
        assert stream.read.call_count <= 3 * len(whole)
        assert all(call.args[0] <= 8 for call in stream.read.call_args_list)
    assert 0 < n_known < 2_000


def test_lengths_that_were_not_read_are_filled_in(db, owner, capsys):
    rows = (
        ("1", "Moin.", "film.webm", "", "", ""),
        ("2", "Moin.", "talk.wav", "", "", ""),
        ("3", "Moin.", "cut.webm", "", "", ""),
        ("4", "Ein Bild.", "pictures/dot.png", "", "", ""),
    )
    cut = file_of()
    head = b"\x1a\x45\xdf\xa3" + b"\x87" + b"\x42\x82\x84webm"
    files = FILES | {
        "film.webm": FILM.read_bytes(),
        "cut.webm": head + cut[cut.index(b"\x18\x53") :],
    }
    spoken_test_set(owner, rows, files)
    spoken_test_set(owner, rows, files, name="The same")
    assert set(MediaFile.objects.values_list("name", "seconds")) >= {("film.webm", 3.0)}
    MediaFile.objects.update(seconds=None)  # as of files that came in with an earlier version
    call_command("fill_in_lengths")
    assert capsys.readouterr().out.splitlines() == [
        "3 of 3 files read.",
        "4 of 6 have their length now.",
        "2 do not state it; a table can, in its column media_end.",
    ]
    assert dict(MediaFile.objects.values_list("name", "seconds")) == {
        "film.webm": 3.0,
        "talk.wav": pytest.approx(0.2),
        "cut.webm": None,
        "pictures/dot.png": None,
    }
    call_command("fill_in_lengths")
    assert "0 of 2 have" in capsys.readouterr().out


def test_where_all_are_known_it_says_so(db, capsys):
    call_command("fill_in_lengths")
    assert capsys.readouterr().out == "Every sound and video has its length.\n"
