"""Small media files, created here: the minimum of each kind."""

import io
import struct
import wave
import zipfile
import zlib


def wav(seconds: float = 0.2, rate: int = 8000) -> bytes:
    """Return silence."""
    made = io.BytesIO()
    with wave.open(made, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(bytes(2 * int(seconds * rate)))
    return made.getvalue()


def png() -> bytes:
    """Return one gray pixel."""

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    packed = zlib.compress(b"\0\x80")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    )


VTT = b"WEBVTT\n\n00:00.000 --> 00:00.100\nMoin\n"


def mp3(n_frames: int) -> bytes:
    """Return frames of MPEG-1 layer III at 128 kbit/s and 44.1 kHz: each has 144 · 128,000 / 44,100
    bytes, rounded down, and 1,152 samples (ISO/IEC 11172-3)."""
    return (b"\xff\xfb\x90\x00" + bytes(413)) * n_frames


def opus(seconds: float) -> bytes:
    """Return pages of Ogg (RFC 3533) with the header of Opus (RFC 7845), which counts 48,000 a
    second."""

    def page(flags: int, samples: int, number: int, body: bytes) -> bytes:
        head = struct.pack("<4sBBqIII", b"OggS", 0, flags, samples, 7, number, 0)
        return head + bytes([1, len(body)]) + body

    opus_head = struct.pack("<8sBBHIhB", b"OpusHead", 1, 1, 0, 48_000, 0, 0)
    last = page(4, int(48_000 * seconds), 2, b"\xfc")
    return page(2, 0, 0, opus_head) + page(0, 0, 1, b"OpusTags" + bytes(8)) + last


def mp4(seconds: float, brand: bytes = b"isom") -> bytes:
    """Return a movie header (ISO/IEC 14496-12, 8.2.2) after its data, without a track."""

    def box(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I4s", 8 + len(body), name) + body

    header = struct.pack(">IIIII", 0, 0, 0, 600, int(600 * seconds)) + bytes(80)
    data = box(b"mdat", bytes(5_000))
    return box(b"ftyp", brand + bytes(4)) + data + box(b"moov", box(b"mvhd", header))


WEBM = b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm" + bytes(600)


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()


def table(*rows: tuple[str, ...]) -> bytes:
    """Return rows of segment, source, media, captions, start, end; with one output."""
    header = ["segment", "source", "media", "captions", "media_start", "media_end", "system:A"]
    lines = ["\t".join(header), *("\t".join([*row, "Hello."]) for row in rows)]
    return ("\n".join(lines) + "\n").encode()
